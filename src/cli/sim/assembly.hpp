// SPDX-License-Identifier: Apache-2.0
/// @file
/// Marks the code in a compiler's assembly whose accesses the simulated device cannot see: calls of functions that the
/// file does not define, inline assembly, and functions compiled without instrumentation. When a lane reaches a mark,
/// the report says so. Code that only the host runs costs a few instructions more.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace cosmati::cli {

/// The names of functions and variables that a file gives to a program's other files.
std::set<std::string> definitions_of(std::string_view text);

/// The text of a file with marks, and what it takes from elsewhere.
struct marked_text {
  std::string text;
  /// The names of `extern __shared__` arrays, and of the initialisation of thread-local variables.
  std::set<std::string> extern_shared, initialisers;
};

/// The text with marks. Reports of comparisons in the library's and the system's headers are left out.
/// @param text assembly for x86-64, as g++ -S and clang++ -S write it
/// @param avoids_instrumentation whether the source has an attribute that switches the instrumentation off
/// @param headers the folder of the library's headers
/// @param elsewhere the names that the program's other files define
/// @param saturates whether casts of kernels to signed integers become a GPU's (float_casts.hpp). clang's code for
/// unsigned ones relies on what the processor gives, so it is for g++.
marked_text with_marks(std::string_view text, bool avoids_instrumentation, std::string_view headers,
                       std::set<std::string> const& elsewhere, bool saturates);

/// Assembly that defines the `extern __shared__` arrays of a program's files. All are at the address of the block's
/// dynamic shared memory. It is empty if there are none.
std::string definitions_of_extern_shared(std::set<std::string> const& arrays,
                                         std::set<std::string> const& initialisers);

}  // namespace cosmati::cli
