// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cosmati check` of a tensor copy (TMA): the boxes of its tiles, their cost, and whether they are right.
#pragma once

#include "examine.hpp"
#include "report.hpp"

#include <cosmati/analysis/tma_cost.hpp>

namespace cosmati::cli {

/// Whether the text of --atom names a tensor copy, as SM90_TMA_LOAD.
bool names_tensor_copy(std::string const& atom);

/// A tensor copy of all tiles of a tensor.
struct box_findings {
  std::string atom, type, global, shared;  ///< in words
  tma_direction direction = tma_direction::load;
  tma_copy_values<symbolic_integer> copy;
  tma_plan plan;
  tma_verdict verdict;
  side_cost cost;  ///< in global memory
};

/// Verifies and counts the copy. @throws command_error with the option, the numbers and the fix
box_findings examine_boxes(check_texts const& texts);
std::string report_text(box_findings const& f, std::vector<budget> const& budgets);
nlohmann::json report_json(box_findings const& f, std::vector<budget> const& budgets);

}  // namespace cosmati::cli
