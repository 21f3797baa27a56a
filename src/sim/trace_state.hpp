// SPDX-License-Identifier: Apache-2.0
/// @file
/// Where executed accesses are counted while a trace runs.
#pragma once

#include "state.hpp"

namespace cosmati_sim {

bool trace_is_on();
/// Adds one access of the running lane. `allocation_low` is where offsets count from.
void trace_access(worker const& w, std::uintptr_t address, std::size_t bytes, int kind, int space,
                  std::uintptr_t allocation_low, char const* instruction, site where);

}  // namespace cosmati_sim
