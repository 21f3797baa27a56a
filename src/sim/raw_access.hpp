// SPDX-License-Identifier: Apache-2.0
/// @file
/// The short way of an access: inside memory that was found before, aligned, and nobody counts.
#pragma once

#include "memory.hpp"
#include "shadow.hpp"

namespace cosmati_sim {

/// One raw access of the running lane, if one runs. @param released an atomic that publishes what the lane did
inline __attribute__((always_inline)) void raw_access(void const* address, std::size_t bytes, int kind,
                                                      std::size_t alignment, void const* pc, bool released = false) {
  int const active = cosmati_sim_active;
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  if (active == 0) {
    if (is_write(kind) && at - device_memory.low < device_memory.bytes && this_worker == nullptr) {
      host_writes(at, bytes);
    }
    return;
  }
  worker& w = *this_worker;
  if (at - w.stack_low < w.stack_bytes && active == lane_runs && (at & (alignment - 1)) == 0) return;
  if (is_atomic(kind)) take_turn(w);
  if (active == lane_runs && !is_atomic(kind) && (at & (alignment - 1)) == 0) {
    for (auto const& h : w.hits) {
      if (!h.holds(at, bytes)) continue;
      if (h.shadow != nullptr) shadow_access(w, *h.shadow, at, bytes, kind, pc, nullptr);
      return;
    }
  }
  check_access_slowly(w, address, bytes, kind, alignment, pc, released);
}

}  // namespace cosmati_sim
