// SPDX-License-Identifier: Apache-2.0
/// @file
/// A store that the simulated device was told of and whose bytes may not be there yet.
///
/// Stores of equal values by several threads are no hazard, so bytes are compared. What is compared with has to be
/// there: another host thread may have announced its store and be kept from executing it.
#pragma once

#include <time.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cosmati_sim {

/// The last plain store to global memory of a host thread's lane; closed when the lane does something else that is no
/// load. Written by that host thread only, read by others that hold the bytes' groups.
class announcement {
 public:
  /// The host thread that calls this runs a block from now on.
  void begin(std::uint32_t run);
  /// The bytes of what was announced are there.
  void close() { high_.store(0, std::memory_order_release); }
  /// The shadow of [low, high) holds a store of the lane, whose groups are still locked.
  void open(std::uintptr_t low, std::uintptr_t high) {
    low_.store(low, std::memory_order_relaxed);
    high_.store(high, std::memory_order_release);
  }
  /// The same of a store of several groups. @param whole these are the last
  void open_part(std::uintptr_t low, std::uintptr_t high, bool whole) {
    whole_.store(whole, std::memory_order_relaxed);
    open(low, high);
  }

  std::uint32_t run() const { return run_.load(std::memory_order_relaxed); }
  bool covers(std::uintptr_t at, std::size_t bytes) const {
    return at < high_.load(std::memory_order_acquire) && low_.load(std::memory_order_relaxed) < at + bytes;
  }
  /// Until the announced bytes among these are there. The caller has the group of the bytes: nothing more of it is
  /// announced meanwhile.
  void wait(std::uintptr_t at, std::size_t bytes);
  /// Host threads that wait.
  unsigned waiting() const { return waiting_.load(); }

 private:
  std::atomic<std::uintptr_t> low_{0}, high_{0};
  std::atomic<bool> whole_{true};
  std::atomic<std::uint32_t> run_{0};
  std::atomic<unsigned> waiting_{0};
  std::atomic<bool> has_clock_{false};
  clockid_t clock_ = {};  // of the host thread's time on a processor
};

}  // namespace cosmati_sim
