// SPDX-License-Identifier: Apache-2.0
/// @file
/// A store that was announced to the simulated device, but whose bytes may not be in memory yet.
///
/// Stores of equal values by several threads are no hazard, so the checks compare bytes. The bytes must be in memory
/// for that. Another host thread may have announced its store and be kept from executing it.
#pragma once

#include <time.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cosmati_sim {

/// The last plain store to global memory by a host thread's lane. It is closed when the lane does anything else but a
/// load. Only that host thread writes it. Others read it while they hold the locks of the bytes' groups.
class announcement {
 public:
  /// The calling host thread starts to run a block.
  void begin(std::uint32_t run);
  /// Tells that the bytes of the announced store are in memory.
  void close() { high_.store(0, std::memory_order_release); }
  /// Announces a store of the lane to [low, high). The shadow holds the store already, and its groups are still locked.
  void open(std::uintptr_t low, std::uintptr_t high) {
    low_.store(low, std::memory_order_relaxed);
    high_.store(high, std::memory_order_release);
  }
  /// Announces a part of a store to several groups. @param whole whether it is the last part
  void open_part(std::uintptr_t low, std::uintptr_t high, bool whole) {
    whole_.store(whole, std::memory_order_relaxed);
    open(low, high);
  }

  std::uint32_t run() const { return run_.load(std::memory_order_relaxed); }
  bool covers(std::uintptr_t at, std::size_t bytes) const {
    return at < high_.load(std::memory_order_acquire) && low_.load(std::memory_order_relaxed) < at + bytes;
  }
  /// Waits until the announced bytes among these are in memory. The caller holds the lock of the bytes' group, so that
  /// no further store to the group is announced meanwhile.
  void wait(std::uintptr_t at, std::size_t bytes);
  /// The number of host threads that wait.
  unsigned waiting() const { return waiting_.load(); }

 private:
  std::atomic<std::uintptr_t> low_{0}, high_{0};
  std::atomic<bool> whole_{true};
  std::atomic<std::uint32_t> run_{0};
  std::atomic<unsigned> waiting_{0};
  std::atomic<bool> has_clock_{false};
  clockid_t clock_ = {};  // the processor time of the host thread
};

}  // namespace cosmati_sim
