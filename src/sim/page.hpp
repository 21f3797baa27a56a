// SPDX-License-Identifier: Apache-2.0
/// @file
/// The page that a program writes about its kernels if COSMATI_SIM_HTML=FILE, without the command `cosmati sim`. It is
/// written when the program ends, and after each launch with findings.
#pragma once

#include <cosmati/render/timeline.hpp>

#include <string>
#include <vector>

#include "counters.hpp"
#include "hazards.hpp"

namespace cosmati_sim {

/// Whether COSMATI_SIM_HTML names a file.
bool page_is_wanted();

/// Adds a launch that did not begin.
void page_refused(found_hazard const& why);
/// Adds a launch. @param failed what ended it, if that is no hazard
void page_launch(std::string const& kernel, bool seen, std::string const& failed,
                 std::vector<found_hazard> const& hazards, counter_totals const& counters,
                 std::vector<cosmati::run_timeline> const& timelines, std::vector<cosmati::run_place> const& places);

}  // namespace cosmati_sim
