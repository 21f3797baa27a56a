// SPDX-License-Identifier: Apache-2.0
/// @file
/// Source text that nvcc accepts and C++ compilers do not.
#pragma once

#include <string>

namespace cosmati::cli {

/// The text with `alignas(N) __shared__` for each `__shared__ alignas(N)`. `__shared__` is thread_local here, which may
/// not precede an alignment. Lines keep their numbers.
std::string with_alignment_first(std::string text);

}  // namespace cosmati::cli
