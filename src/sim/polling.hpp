// SPDX-License-Identifier: Apache-2.0
/// @file
/// Lanes that poll memory. They let other lanes run, and a wait for a value that nobody can bring is found.
///
/// If a block's lanes poll for long, its state is remembered: each lane's stack and registers, and the memory that is
/// stored to from then on. A block that reaches the same state again repeats it for ever, unless another block changes
/// something. Counted loops, and loops that read a clock, do not reach the same state.
#pragma once

#include <unordered_map>

#include "state.hpp"
#include "waiting_blocks.hpp"

namespace cosmati_sim {

/// The place where a lane polled last.
struct poll_place {
  std::uintptr_t at = 0;  // 0: no place yet
  void const* pc = nullptr;
  site where;
  unsigned polls = 0;       // the number of polls
  bool stands = false;      // whether it has let the others run there
  std::uint64_t state = 0;  // the lane's state at that time; 0: unknown
};

/// The waits of one block's lanes.
struct poll_watch {
  std::array<poll_place, max_lanes> lanes;
  // One look is 64 polls of a lane.
  unsigned looks = 0, patience = 0;    // looks since the last change, and the number of looks before the watch begins
  std::uint64_t in_vain = 0;           // polls since the last change
  unsigned steps = 0, window = 0;      // looks since the state was remembered, and their limit
  unsigned rounds = 0, next_test = 0;  // states remembered in a row; the step before which the lanes are not compared
  // The remembered state.
  unsigned lane = 0, finished = 0;
  std::uint64_t own = 0, all = 0;  // the states of that lane and of all lanes
  std::unordered_map<std::uintptr_t, std::uint64_t> words;
  std::vector<std::pair<std::uintptr_t, std::uint64_t>> stored;  // the words of the last store, with their values
                                                                 // before it
  bool too_many_words = false, touched = false, clock_was_read = false;
  block_wait beside;  // the block's wait for others
};

/// Handles every 64th poll of a lane: other lanes run. @param pc where the kernel continues
void lane_polls(worker& w, void const* pc);

/// Notes a store of the running lane, or of an asynchronous copy, to these bytes, while `w.watches_stores`.
void note_store(worker& w, std::uintptr_t at, std::size_t bytes);

/// The host thread's block begins.
void polling_begins(worker& w);

/// Comes before an atomic or volatile access of the running lane. Sometimes it lets other lanes run.
inline void take_turn(worker& w, std::uintptr_t at, void const* pc, site where = {}) {
  poll_place& p = w.polling->lanes[w.current];
  p.at = at;
  p.pc = pc;
  p.where = where;
  if (++p.polls % 64 == 0) lane_polls(w, pc);
}

}  // namespace cosmati_sim
