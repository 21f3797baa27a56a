// SPDX-License-Identifier: Apache-2.0
/// @file
/// The counts of whole launches, from those of the host's threads; by kernel, and by places of the program.
#pragma once

#include <cosmati/render/run_report.hpp>

#include <string>
#include <vector>

#include "counters.hpp"

namespace cosmati_sim {

bool counters_are_on();
void counters_launch_begins(worker& w);
void counters_launch_ends(worker& w);
/// Returns the cost of the launch. The launching thread calls it after all have ended.
counter_totals counters_launched(std::string const& kernel);
/// The places where the launch that has just been counted paid more than its bytes need, the dearest first, with their
/// lines and what to change. Takes them away.
std::vector<cosmati::run_place> dear_places_launched();

}  // namespace cosmati_sim
