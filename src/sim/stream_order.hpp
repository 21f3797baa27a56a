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

/// Puts a copy into a stream. @return its number among the works of the stream
std::uint64_t order_copy(void const* stream);
/// The runs of launches that the next work of a stream may meet, as ranges.
std::vector<std::pair<std::uint32_t, std::uint32_t>> launches_beside(void const* stream);
/// Whether this work of another stream is over before the next work of `stream` begins.
bool is_over_for(void const* stream, void const* other, std::uint64_t number);
/// Whether the host has waited for this work of a stream.
bool host_has_waited(void const* stream, std::uint64_t number);
/// The kernel of a run that the host has not waited for; empty if it has, or there is none.
std::string kernel_not_waited_for(std::uint32_t run);
/// Whether there is work that the host has not waited for. It costs little.
bool work_is_in_flight();

}  // namespace cosmati_sim
