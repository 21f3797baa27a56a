// SPDX-License-Identifier: Apache-2.0
/// @file
/// The short way of an access: inside memory that was found before, aligned, and nobody counts.
#pragma once

#include "memory.hpp"
#include "shadow.hpp"

namespace cosmati_sim {

/// One raw access of the running lane, not to its own stack. With as many arguments as go in registers: called last, it
/// costs its caller no frame.
void raw_access_beyond_stack(void const* address, std::size_t bytes, int kind, std::size_t alignment, void const* pc,
                             bool released);

/// The host's code goes to device memory by itself, which ends a program where there is a GPU: a hazard.
void host_dereferences(std::uintptr_t at, std::size_t bytes, bool writes, void const* pc);

/// While it lives, what this thread of the host moves to and from device memory is the device's own doing.
class own_moves {
 public:
  own_moves() { ++count; }
  ~own_moves() { --count; }
  own_moves(own_moves const&) = delete;
  own_moves& operator=(own_moves const&) = delete;
  static bool any() { return count != 0; }

 private:
  static inline __thread int count = 0;
};

/// One raw access of the running lane, if one runs. @param released an atomic that publishes what the lane did
inline __attribute__((always_inline)) void raw_access(void const* address, std::size_t bytes, int kind,
                                                      std::size_t alignment, void const* pc, bool released = false) {
  int const active = cosmati_sim_active;
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  if (active == 0) [[likely]] {
    if (at - device_memory.low < device_memory.bytes && this_worker == nullptr) [[unlikely]]
      host_dereferences(at, bytes, is_write(kind), pc);
    return;
  }
  // Most are to local variables: nothing else is here, so that nothing has to be saved for it.
  worker const& w = *this_worker;
  if (at - w.stack_low < w.stack_bytes && active == lane_runs && (at & (alignment - 1)) == 0) return;
  raw_access_beyond_stack(address, bytes, kind, alignment, pc, released);
}

}  // namespace cosmati_sim
