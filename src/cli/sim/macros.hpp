// SPDX-License-Identifier: Apache-2.0
/// @file
/// The macros of a command line, put behind the library's headers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cosmati::cli {

/// What becomes of the macros that are given with -D.
struct placed_macros {
  std::vector<std::string> before;  ///< these reach the compiler with -D: headers ask for them
  std::string text;  ///< includes the library's headers that the source includes, then defines the others; or empty
};

/// Headers of the library are found in `source` and in the files that it includes from its own folder and `folders`.
/// @param defines as behind -D: `M`, `M=64`, `F(x)=x`
placed_macros place_macros(std::filesystem::path const& source, std::vector<std::string> const& folders,
                           std::vector<std::string> const& defines);

/// Takes `-DM=64` and `-D M=64` out of a compiler's words, and what stands behind -I as `folders`.
/// @returns the macros
std::vector<std::string> take_macros(std::vector<std::string>& words, std::vector<std::string>& folders);

}  // namespace cosmati::cli
