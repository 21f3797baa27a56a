// SPDX-License-Identifier: Apache-2.0
/// @file
/// Marks, in a compiler's assembly, the code whose accesses the simulated device cannot see: calls of functions that
/// the file does not define, inline assembly, functions compiled without instrumentation. When a lane comes to a mark,
/// the report says so; what only the host runs costs a few instructions.
#pragma once

#include <string>
#include <string_view>

namespace cosmati::cli {

/// @param text assembly for x86-64, as g++ -S and clang++ -S write it
/// Comparisons that the library's and the system's headers make are told to nobody: the calls that do it are left out.
/// @param avoids_instrumentation the source has an attribute that switches the instrumentation off
/// @param headers the folder of the library's headers
std::string with_marks(std::string_view text, bool avoids_instrumentation, std::string_view headers);

}  // namespace cosmati::cli
