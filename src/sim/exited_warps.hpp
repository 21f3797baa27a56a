// SPDX-License-Identifier: Apache-2.0
/// @file
/// Warps that have exited before a barrier of their block. Hardware since Volta lets the barrier complete without them.
#pragma once

#include "state.hpp"

namespace cosmati_sim {

/// Whether a barrier of the block may complete without the exited threads. Each warp must wait there as a whole or have
/// exited as a whole, and no hazard may have been found while the others waited.
bool may_do_without_exited(worker const& w);
/// Reports the exited warps, to be judged by a person, once for each call.
/// @param where a thread waits
void review_exited_warps(worker& w, site where);

}  // namespace cosmati_sim
