// SPDX-License-Identifier: Apache-2.0
/// @file
/// Marks the code in a compiler's assembly whose accesses the simulated device cannot see: calls of functions that the
/// file does not define, inline assembly, and functions compiled without instrumentation. When a lane reaches a mark,
/// the report says so. Code that only the host runs costs a few instructions more.
#pragma once

#include <string>
#include <string_view>

namespace cosmati::cli {

/// The text with marks. Reports of comparisons in the library's and the system's headers are left out.
/// @param text assembly for x86-64, as g++ -S and clang++ -S write it
/// @param avoids_instrumentation whether the source has an attribute that switches the instrumentation off
/// @param headers the folder of the library's headers
std::string with_marks(std::string_view text, bool avoids_instrumentation, std::string_view headers);

}  // namespace cosmati::cli
