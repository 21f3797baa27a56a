// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a run found, for the page that `cosmati sim --report` writes.
#pragma once

#include <cosmati/render/run_report.hpp>
#include <string>

#include "findings.hpp"

namespace cosmati::cli {

/// @param source names the page; @param seed of the run
run_report report_of(findings const& f, std::string const& source, std::uint64_t seed);

/// Time lines as the simulated device writes them (src/sim/timeline.hpp), or none where they are not that.
std::vector<run_timeline> timelines_of(nlohmann::ordered_json const& list);
/// Likewise the places that cost more than they need (src/sim/report.hpp).
std::vector<run_place> places_of(nlohmann::ordered_json const& list);

}  // namespace cosmati::cli
