// SPDX-License-Identifier: Apache-2.0
/// @file
/// What is not for everybody: atomics of one block's scope, and loads through the cache of what nobody writes.
#pragma once

#include "shadow.hpp"

namespace cosmati_sim {

/// @return whether the name is that of an atomic of block scope, atomicAdd_block; it is remembered that there is one
bool note_block_scope(char const* instruction);
/// Whether one of two atomics is of block scope, and the other one another block's.
bool scopes_miss(worker const& w, seen_access const& seen, record const& other);

/// The running lane loads through the read-only path: a hazard where this launch has written the bytes.
void check_read_only(worker& w, shadow_region& region, seen_access const& seen);

}  // namespace cosmati_sim
