// SPDX-License-Identifier: Apache-2.0
/// @file
/// What to write in place of words that nvcc and its libraries have, and that a program for the simulated device cannot
/// use.
#pragma once

#include <string>

namespace cosmati::cli {

/// @param said what the compiler printed of a program that it refused
/// @return a sentence, or nothing where none of those words is the reason
std::string compile_hint(std::string const& said);

/// The sentence of a CUDA file: "file.cu:12: cudaGraphLaunch is not on the simulated device".
/// @return nothing if the compiler refused it for another reason than an unknown word, header or instruction
std::string cuda_hint(std::string const& said);

}  // namespace cosmati::cli
