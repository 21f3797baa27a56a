// SPDX-License-Identifier: Apache-2.0
/// @file
/// Checks of limited visibility: atomics of block scope, and loads through the read-only cache.
#pragma once

#include "shadow.hpp"

namespace cosmati_sim {

/// @return whether the name is that of an atomic of block scope, such as atomicAdd_block; the function remembers that
///   there is one
bool note_block_scope(char const* instruction);
/// Whether one of two atomics has block scope, and the other is another block's.
bool scopes_miss(worker const& w, seen_access const& seen, record const& other);

/// Checks a load of the running lane through the read-only path. It is a hazard if this launch has written the bytes.
void check_read_only(worker& w, shadow_region& region, seen_access const& seen);

}  // namespace cosmati_sim
