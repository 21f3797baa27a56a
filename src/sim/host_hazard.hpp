// SPDX-License-Identifier: Apache-2.0
/// @file
/// Hazards of the host's calls, such as a copy beyond the end of a buffer.
#pragma once

#include <string>
#include <vector>

#include "hazard_kind.hpp"
#include "sites.hpp"

namespace cosmati_sim {

/// Reports a hazard at the line of the program that called the library. Without a report it is printed.
void report_host_hazard(hazard_kind kind, std::string message);
/// The calls of the program that led to this one, the innermost first.
std::vector<void const*> calls_of_program();
/// Reports a hazard at the line of earlier calls.
void report_host_hazard_of(hazard_kind kind, std::string message, std::vector<void const*> const& calls);
/// The same, with the site of a kernel's access, for which "\2" stands in the message.
void report_host_hazard_with(hazard_kind kind, std::string message, std::vector<void const*> const& calls,
                             std::uint32_t other_site);
/// The program's line of such calls.
program_line line_of_calls(std::vector<void const*> const& calls);
/// Reports a hazard of an access at `pc`.
void report_host_hazard_at(hazard_kind kind, std::string message, void const* pc);

}  // namespace cosmati_sim
