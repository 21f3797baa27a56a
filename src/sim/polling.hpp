// SPDX-License-Identifier: Apache-2.0
/// @file
/// Lanes that poll memory. They let other lanes run, and a wait for a value that nobody can bring is found.
///
/// If a block's lanes poll for long, its state is remembered: each lane's stack and registers, and the memory that is
/// stored to from then on. A block that reaches the same state again repeats it for ever, unless another block changes
/// something. Counted loops, and loops that read a clock, do not reach the same state.
#pragma once

#include <condition_variable>
#include <mutex>
#include <set>
#include <unordered_map>

#include "state.hpp"

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
  // State that concerns other blocks.
  bool stuck = false;
  std::uint64_t calm_since = 0;
  unsigned nap = 0;  // the length of a nap in microseconds
};

/// The blocks of one launch that wait for other blocks.
struct waiting_blocks {
  std::mutex mutex;
  std::condition_variable woken;    // a block has brought what others wait for
  std::uint64_t begun = 0;          // the number of blocks that have begun; a host thread that has taken one may be
                                    // delayed before it begins
  unsigned running = 0, stuck = 0;  // the number of running blocks, and of those that wait for others
  unsigned parked = 0;              // running blocks of clusters in which no lane can run
  std::uint64_t changes = 0;        // the number of changes of these
  std::set<worker const*> calm;     // workers whose blocks have reached the same state again since the last change
  bool hopeless = false;
  std::vector<worker*> at_work;  // workers with a running block
};

/// Handles every 64th poll of a lane: other lanes run. @param pc where the kernel continues
void lane_polls(worker& w, void const* pc);

/// Notes a store of the running lane, or of an asynchronous copy, to these bytes, while `w.watches_stores`.
void note_store(worker& w, std::uintptr_t at, std::size_t bytes);

/// The host thread's block begins, or ends.
void polling_begins(worker& w);
void polling_ends(worker& w);

/// Waits until the bytes of another block's announced store are in memory, if that block still runs.
void wait_for_bytes(worker& w, std::uint32_t run, std::uintptr_t at, std::size_t bytes);

/// The outlook of a block that has reached the same state again.
struct prospects {
  bool hopeless = false;            // no block will change a polled value
  bool abandoned = false;           // another block has failed
  bool others_wait_to_run = false;  // some blocks have not begun
  bool all_are_calm = false;  // all running blocks have reached the same state since the last of them saw a change
  unsigned running = 0;       // the number of running blocks
};
prospects prospects_of(worker& w);

/// Comes before an atomic or volatile access of the running lane. Sometimes it lets other lanes run.
inline void take_turn(worker& w, std::uintptr_t at, void const* pc, site where = {}) {
  poll_place& p = w.polling->lanes[w.current];
  p.at = at;
  p.pc = pc;
  p.where = where;
  if (++p.polls % 64 == 0) lane_polls(w, pc);
}

}  // namespace cosmati_sim
