// SPDX-License-Identifier: Apache-2.0
/// @file
/// Counts of executed accesses while a trace runs. Each host thread counts for itself; the counts are joined after the
/// launch.
#pragma once

#include "state.hpp"

namespace cosmati_sim {

bool trace_is_on();
void trace_launch_begins(worker& w);
void trace_block_begins(worker& w);
void trace_launch_ends(worker& w);
/// Sorts the records of the launch's threads. The launching thread calls it after all have ended.
void trace_collect();

/// Adds one access of the running lane. Offsets count from `allocation_low`.
void trace_access(worker const& w, std::uintptr_t address, std::size_t bytes, int kind, int space,
                  std::uintptr_t allocation_low, char const* instruction);

}  // namespace cosmati_sim
