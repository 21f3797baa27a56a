// SPDX-License-Identifier: Apache-2.0
/// @file
/// Lanes that run for ever without waiting for anybody.
#pragma once

#include "state.hpp"

namespace cosmati_sim {

/// From now on, a quarter of a second of this host thread's processor time in which one lane has run alone makes that
/// lane's loads let others run; one that touches no memory for two seconds more ends its launch, as a deadlock.
void watch_for_endless_loops();

}  // namespace cosmati_sim
