// SPDX-License-Identifier: Apache-2.0
/// @file
/// The macros of a command line, moved after the library's headers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cosmati::cli {

/// The macros that are given with -D, and their new places.
struct placed_macros {
  std::vector<std::string> before;  ///< passed to the compiler with -D, because headers test them
  std::string text;  ///< includes the library's headers that the source includes, then defines the other macros; or
                     ///< empty
};

/// Places the macros. The library's headers are searched in `source`, and in the files that it includes from its own
/// folder and `folders`.
/// @param defines as after -D: `M`, `M=64`, `F(x)=x`
placed_macros place_macros(std::filesystem::path const& source, std::vector<std::string> const& folders,
                           std::vector<std::string> const& defines);

/// Places the macros of a CUDA file. Those of one letter come after the headers that the command includes first,
/// because the standard library uses such names. CUDA's headers put them aside.
placed_macros place_letters(std::vector<std::string> const& defines);

/// Removes `-DM=64` and `-D M=64` from a compiler's words. The folders after -I go to `folders`.
/// @returns the macros
std::vector<std::string> take_macros(std::vector<std::string>& words, std::vector<std::string>& folders);

}  // namespace cosmati::cli
