// SPDX-License-Identifier: Apache-2.0
/// @file
/// Lanes that poll memory: the others get their turn, and a wait for what nobody can bring any more is found.
///
/// When a block's lanes poll for long, its state is remembered: each lane's stack and registers, and, of memory, what
/// is stored to from then on. A block that comes to the same state again goes round for ever, unless another block
/// changes something. Counted loops, and those that look at a clock, do not come to the same state.
#pragma once

#include <mutex>
#include <set>
#include <unordered_map>

#include "state.hpp"

namespace cosmati_sim {

/// Where a lane has polled last.
struct poll_place {
  std::uintptr_t at = 0;  // 0: not yet
  void const* pc = nullptr;
  site where;
  unsigned polls = 0;       // that it has made
  bool stands = false;      // it has let the others run there
  std::uint64_t state = 0;  // its own, then; 0: unknown
};

/// What one block's lanes wait for.
struct poll_watch {
  std::array<poll_place, max_lanes> lanes;
  // One look is 64 polls of a lane.
  unsigned looks = 0, patience = 0;    // since something changed; how many there are before anything is watched
  std::uint64_t in_vain = 0;           // polls since something changed
  unsigned steps = 0, window = 0;      // looks since the state was remembered; how many there may be
  unsigned rounds = 0, next_test = 0;  // states remembered in a row; not before this step are all lanes compared
  // The state that is remembered.
  unsigned lane = 0, finished = 0;
  std::uint64_t own = 0, all = 0;  // of that lane; of all
  std::unordered_map<std::uintptr_t, std::uint64_t> words;
  std::vector<std::pair<std::uintptr_t, std::uint64_t>> stored;  // by the last store, and what was there
  bool too_many_words = false, touched = false, clock_was_read = false;
  // Beside other blocks.
  bool stuck = false;
  std::uint64_t calm_since = 0;
  unsigned nap = 0;  // microseconds
};

/// Blocks of one launch that wait for other blocks.
struct waiting_blocks {
  std::mutex mutex;
  std::uint64_t begun = 0;          // blocks; a host thread that has taken one may be kept from beginning it
  unsigned running = 0, stuck = 0;  // blocks that run; of them, those that wait for others
  std::uint64_t changes = 0;        // of these two
  std::set<worker const*> calm;     // their blocks have come to the same state again since the last change
  bool hopeless = false;
  std::vector<worker*> at_work;  // those whose blocks run
};

/// Every 64th poll of a lane: the others get their turn. @param pc where the kernel goes on
void lane_polls(worker& w, void const* pc);

/// The running lane stores to these bytes, or an asynchronous copy does, while `w.watches_stores`.
void note_store(worker& w, std::uintptr_t at, std::size_t bytes);

/// The host thread's block begins, or is over.
void polling_begins(worker& w);
void polling_ends(worker& w);

/// Bytes that another block's store was announced to bring are there, if it still runs.
void wait_for_bytes(worker& w, std::uint32_t run, std::uintptr_t at, std::size_t bytes);

/// What a block may hope for that has come to the same state again.
struct prospects {
  bool hopeless = false;            // nobody brings anything any more
  bool abandoned = false;           // another block has failed
  bool others_wait_to_run = false;  // blocks have not begun
  bool all_are_calm = false;  // those that run have all come to the same state since the last of them saw a change
  unsigned running = 0;       // blocks
};
prospects prospects_of(worker& w);

/// More host threads take blocks of the launch that runs, up to so many more. @return whether one could be had
bool run_more_blocks(worker& w, unsigned threads);
/// So many blocks of the launch can run side by side.
unsigned most_side_by_side(job const& j);

/// An atomic or volatile access of the running lane is about to happen. Now and then the others get their turn.
inline void take_turn(worker& w, std::uintptr_t at, void const* pc, site where = {}) {
  poll_place& p = w.polling->lanes[w.current];
  p.at = at;
  p.pc = pc;
  p.where = where;
  if (++p.polls % 64 == 0) lane_polls(w, pc);
}

}  // namespace cosmati_sim
