// SPDX-License-Identifier: Apache-2.0
/// @file
/// Lanes that run for ever without waiting.
#pragma once

#include "state.hpp"

namespace cosmati_sim {

/// Starts the watch of this host thread. If one lane has run alone for a quarter of a second of processor time, its
/// loads let other lanes run. If it then touches no memory for two more seconds, its launch ends as a deadlock.
void watch_for_endless_loops();

}  // namespace cosmati_sim
