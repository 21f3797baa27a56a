// SPDX-License-Identifier: Apache-2.0
/// @file
/// The findings of `cosmati check`, as text and as JSON.
#pragma once

#include "findings.hpp"

#include <nlohmann/json.hpp>

namespace cosmati::cli {

/// A limit from the command line, and the number found.
struct budget {
  std::string option;
  double limit = 0;
  double found = 0;
  bool kept = true;
};

/// Gives "4.0x the sectors needed: neighbouring threads start 8 bytes apart but read 2; use an 8-byte atom, ...".
std::string verdict_of(check_findings const& f, check_side const& side);
/// The ratio of used bytes to moved ones, or for shared memory of needed wavefronts to actual ones. It is 0 to 1.
double efficiency_of(check_side const& side);
/// Gives LDG8, CPA16, ...
std::string instruction_name(memory_instruction const& instruction);

std::string report_text(check_findings const& f, std::vector<budget> const& budgets,
                        std::vector<std::string> const& notes);
nlohmann::json report_json(check_findings const& f, std::vector<budget> const& budgets,
                           std::vector<std::string> const& notes);

}  // namespace cosmati::cli
