// SPDX-License-Identifier: Apache-2.0
/// @file
/// The output of a compiler.
#pragma once

#include <string>

namespace cosmati::cli {

/// Cuts the output of a compiler. The result begins a few lines before the first error.
std::string cut_output(std::string const& text);

}  // namespace cosmati::cli
