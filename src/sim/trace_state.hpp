// SPDX-License-Identifier: Apache-2.0
/// @file
/// Where executed accesses are counted while a trace runs: by each host thread for itself, put together after the
/// launch.
#pragma once

#include "state.hpp"

namespace cosmati_sim {

bool trace_is_on();
void trace_launch_begins(worker& w);
void trace_block_begins(worker& w);
void trace_launch_ends(worker& w);
/// Orders what the launch's threads recorded. On the launching thread, after all have ended.
void trace_collect();

/// Adds one access of the running lane. `allocation_low` is where offsets count from.
void trace_access(worker const& w, std::uintptr_t address, std::size_t bytes, int kind, int space,
                  std::uintptr_t allocation_low, char const* instruction);

}  // namespace cosmati_sim
