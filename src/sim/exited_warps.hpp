// SPDX-License-Identifier: Apache-2.0
/// @file
/// Warps that have exited before a barrier of their block. Hardware since Volta lets the barrier pass without them.
#pragma once

#include "state.hpp"

namespace cosmati_sim {

/// Whether a barrier of the block may pass without the threads that have exited: each warp waits there as a whole or
/// has exited as a whole, and nothing wrong was found while the others waited.
bool may_do_without_exited(worker const& w);
/// Says so, for a person to decide, once a call.
/// @param where somebody waits
void review_exited_warps(worker& w, site where);

}  // namespace cosmati_sim
