// SPDX-License-Identifier: Apache-2.0
/// @file
/// Order that atomics make: `__threadfence()` and then an atomic publish what a thread knows; an atomic on the same
/// address learns it, in the same block or another.
#pragma once

#include "shadow.hpp"

namespace cosmati_sim {

/// Before the lane's atomic on this address: it opens a look. @param released true when the atomic itself releases
void atomic_orders(worker& w, std::uintptr_t address, bool released);
/// Whether the running lane learned of an access that another block made. @param at the access's address, or 0
bool knows_other_block(worker& w, record const& r, std::uintptr_t at);
/// What atomics have published is of no more use: the launch is over.
void forget_sync_variables();

}  // namespace cosmati_sim
