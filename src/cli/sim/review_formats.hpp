// SPDX-License-Identifier: Apache-2.0
/// @file
/// The findings in the formats of tools that review code.
#pragma once

#include "findings.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cosmati::cli {

/// The findings in SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html): one run for each
/// program, in it one result for each hazard, and a notification for each other reason of the verdict.
nlohmann::ordered_json sarif_of(std::vector<findings> const& programs);

/// The findings as lines that GitHub Actions shows beside the source: `::error
/// file=FILE,line=LINE,title=KIND::MESSAGE`.
std::string annotations_of(findings const& f);

}  // namespace cosmati::cli
