// SPDX-License-Identifier: Apache-2.0
/// @file
/// The fast path of an access: it is aligned, lies in memory that was found before, and is not counted.
#pragma once

#include "memory.hpp"
#include "shadow.hpp"

namespace cosmati_sim {

/// Handles one raw access of the running lane outside its own stack. The arguments fit in registers, so a tail call
/// costs the caller no frame.
void raw_access_beyond_stack(void const* address, std::size_t bytes, int kind, std::size_t alignment, void const* pc,
                             bool released);

/// Reports a hazard: the host's code accesses device memory directly, which ends a program on a GPU.
void host_dereferences(std::uintptr_t at, std::size_t bytes, bool writes, void const* pc);

/// While an object of this class lives, this host thread's accesses to device memory count as the device's own.
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

/// Handles one raw access of the running lane, if a lane runs. @param released whether it is an atomic that publishes
/// the lane's earlier accesses
inline __attribute__((always_inline)) void raw_access(void const* address, std::size_t bytes, int kind,
                                                      std::size_t alignment, void const* pc, bool released = false) {
  int const active = cosmati_sim_active;
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  if (active == 0) [[likely]] {
    if (at - device_memory.low < device_memory.bytes && this_worker == nullptr) [[unlikely]]
      host_dereferences(at, bytes, is_write(kind), pc);
    if (at - host_memory_in_flight.low < host_memory_in_flight.bytes && this_worker == nullptr) [[unlikely]]
      host_dereferences(at, bytes, is_write(kind), pc);
    return;
  }
  // Most accesses are to local variables. The path for them does nothing else, so that no register is saved.
  worker const& w = *this_worker;
  if (at - w.stack_low < w.stack_bytes && active == lane_runs && (at & (alignment - 1)) == 0) return;
  raw_access_beyond_stack(address, bytes, kind, alignment, pc, released);
}

}  // namespace cosmati_sim
