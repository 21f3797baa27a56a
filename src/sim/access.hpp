// SPDX-License-Identifier: Apache-2.0
/// @file
/// The short way of an access: inside memory that was found before, aligned, and nobody counts.
#pragma once

#include "state.hpp"

namespace cosmati_sim {

inline constexpr int space_global = 0, space_shared = 1, space_local = 2, space_other = 3;

/// One access, and what is known of it.
struct access {
  std::uintptr_t address;
  std::size_t bytes;
  int kind;  // 0 load, 1 store, 2 atomic
  std::size_t alignment;
  void const* base;
  char const* instruction;
  cosmati_sim_describe describe;
  void const* context;
  site where;
  void const* pc;
};

/// Bounds, alignment and trace of one side of an asynchronous copy, which must lie in `space`.
void check_side(access const& a, int space);

/// Checks and counts an access that the short way did not settle.
void check_access_slowly(worker& w, void const* address, std::size_t bytes, int kind, std::size_t alignment,
                         void const* pc);

/// A lane that polls with atomics lets the others run now and then.
inline void take_turn(worker& w) {
  if (++w.atomics_in_a_row % 64 == 0) cosmati_sim_yield();
}

/// One raw access of the running lane, if one runs.
inline __attribute__((always_inline)) void raw_access(void const* address, std::size_t bytes, int kind,
                                                      std::size_t alignment, void const* pc) {
  int const active = cosmati_sim_active;
  if (active == 0) return;
  worker& w = *this_worker;
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  if (kind == 2) take_turn(w);
  if (active == lane_runs && (at & (alignment - 1)) == 0) {
    for (auto const& h : w.hits) {
      if (h.holds(at, bytes)) return;
    }
    stack const& own = *w.lanes[w.current].on;
    if (at - reinterpret_cast<std::uintptr_t>(own.low) < static_cast<std::size_t>(own.high - own.low)) return;
  }
  check_access_slowly(w, address, bytes, kind, alignment, pc);
}

}  // namespace cosmati_sim
