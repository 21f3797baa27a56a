// SPDX-License-Identifier: Apache-2.0
/// @file
/// The report that `cosmati sim` requests with COSMATI_SIM_REPORT=FILE. It consists of lines of JSON. Each is appended
/// as soon as it is known, so that a program that crashes leaves the earlier findings.
///
///     {"begin": KERNEL}
///     {"launch": KERNEL, "seen": whether the kernel was instrumented, "failed": SENTENCE or null, "hazards": [...],
///      "counters": {KIND: [the fields of cosmati_sim_instruction_counters]},
///      "timelines": as timeline.hpp has it, "places": [{"kind": KIND, "file": FILE, "line": LINE, "numbers": [those of
///      run_place], "remedy": SENTENCE}], both with COSMATI_SIM_TIMELINES=1}
///     A hazard that names a barrier says whether it is one of the block ("across_warps": true), or has
///     "message_across_warps": its text if another launch, or another kernel of the same lines, needs one.
///     {"refused": KERNEL, "hazards": [...]}: its launch was impossible
///     {"library": FUNCTION}: it has done a piece of work, as cublasSgemm does
///     {"unseen": WHAT, "kind": 0 call, 1 assembly, 2 function, "kernel": KERNEL, "file": FILE or null, "line": LINE or
///     null}
#pragma once

#include <cosmati/render/timeline.hpp>

#include <string>
#include <vector>

#include "counters.hpp"
#include "hazards.hpp"

namespace cosmati_sim {

/// Whether COSMATI_SIM_REPORT names a file.
bool report_is_wanted();

/// `text` as a JSON string.
std::string quoted(std::string const& text);

void report_begin(std::string const& kernel);
/// Reports a launch that did not begin.
void report_refused(std::string const& kernel, found_hazard const& why);
/// Notes a piece of work of a function of CUDA's libraries, and reports it if a report is wanted.
void report_library(std::string const& function);
/// Whether there was such a piece of work.
bool a_library_has_worked();
/// @param failed what ended the launch, if that is no hazard
void report_launch(std::string const& kernel, bool seen, std::string const& failed,
                   std::vector<found_hazard> const& hazards, counter_totals const& counters,
                   std::vector<cosmati::run_timeline> const& timelines, std::vector<cosmati::run_place> const& places);
/// The name of a `counted_kind`, such as "global_load".
char const* kind_name(std::size_t kind);

}  // namespace cosmati_sim
