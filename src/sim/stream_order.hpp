// SPDX-License-Identifier: Apache-2.0
/// @file
/// Which launches are over before one begins, as streams, events and the host's waiting say. The simulated device runs
/// each launch where it is made: this finds what a GPU may run in another order.
#pragma once

#include "state.hpp"

namespace cosmati_sim {

/// Puts the launch, with its numbers of blocks, into its stream, and tells it which earlier ones may run beside it.
void order_launch(job& j);
/// Whether the run is one of a launch that may run beside this one.
inline bool runs_beside(job const& j, std::uint32_t run) {
  for (auto const& [low, high] : j.beside) {
    if (run >= low && run < high) return true;
  }
  return false;
}
/// "kernel k, which runs on another stream".
std::string kernel_of_run(std::uint32_t run);

}  // namespace cosmati_sim
