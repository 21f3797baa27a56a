// SPDX-License-Identifier: Apache-2.0
/// @file
/// The order of launches: which launches are over before one begins, according to streams, events and the host's waits.
/// The simulated device runs each launch inside the call. This finds launches that a GPU may run in another order.
#pragma once

#include "state.hpp"

namespace cosmati_sim {

/// Puts the launch, with its block numbers, into its stream, and tells it which earlier launches may run at the same
/// time.
void order_launch(job& j);
/// Whether the run belongs to a launch that may run at the same time as this one.
inline bool runs_beside(job const& j, std::uint32_t run) {
  for (auto const& [low, high] : j.beside) {
    if (run >= low && run < high) return true;
  }
  return false;
}
/// Gives "kernel k, which runs on another stream".
std::string kernel_of_run(std::uint32_t run);

}  // namespace cosmati_sim
