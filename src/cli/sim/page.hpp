// SPDX-License-Identifier: Apache-2.0
/// @file
/// The result of a run, for the page of `cosmati sim --report`.
#pragma once

#include <cosmati/render/run_report.hpp>
#include <string>

#include "findings.hpp"

namespace cosmati::cli {

/// @param source the name of the page
/// @param seed of the run
run_report report_of(findings const& f, std::string const& source, std::uint64_t seed);

/// The time lines that the simulated device writes (src/sim/timeline.hpp), or none if the list is something else.
std::vector<run_timeline> timelines_of(nlohmann::ordered_json const& list);
/// Likewise the places that cost more than they need (src/sim/report.hpp).
std::vector<run_place> places_of(nlohmann::ordered_json const& list);

}  // namespace cosmati::cli
