// SPDX-License-Identifier: Apache-2.0
/// @file
/// Which lane runs, inside of the simulated device: for what makes lanes wait.
#pragma once

#include <bit>

#include "state.hpp"

extern "C" {
extern __thread cosmati_sim::thread_index threadIdx __attribute__((tls_model("initial-exec")));
}

namespace cosmati_sim {

inline void set_ready(worker& w, unsigned i) { w.ready[i / 64] |= 1ull << (i % 64); }
inline bool is_ready(worker const& w, unsigned i) { return (w.ready[i / 64] >> (i % 64) & 1) != 0; }
inline void clear_ready(worker& w, unsigned i) { w.ready[i / 64] &= ~(1ull << (i % 64)); }

/// The lane is the one that runs.
inline void become(worker& w, lane& l) {
  w.current = static_cast<unsigned>(&l - w.lanes.data());
  ++w.turns;
  threadIdx = w.threads[w.current];
  w.stack_low = l.stack_low;
  cosmati_sim_active = l.active;
  if (l.state == lane_state::fresh) return;
  l.state = lane_state::ready;
  // The lane after it will most likely be the next: it and its stack are in no near cache.
  unsigned const soon = (w.current + 2) % max_lanes;
  __builtin_prefetch(&w.lanes[soon]);
  __builtin_prefetch(w.contexts[soon].at);
}

/// Runs other lanes, the next ready one after `after` first, until the current one is ready and has its turn.
void switch_away(worker& w, unsigned after);
/// The other lanes that are ready have their turn.
void let_others_run(worker& w);
/// What only happens when no lane can run: a copy lands, an __activemask is answered, a try to see a phase complete
/// fails. @return whether it did
bool let_something_happen(worker& w);

/// The current lane, which waits, is switched away from without ado: `plain_next` has said that it can be. Nothing is
/// done after the switch, so that a caller that returns this leaves no frame on the lane's stack: what a barrier costs
/// is the lines of the cache that it touches.
inline void switch_plainly(worker& w, lane& self, lane& target) {
  self.active = static_cast<std::uint8_t>(cosmati_sim_active);
  saved_context& from = w.contexts[w.current];
  become(w, target);
  switch_context(from, w.contexts[w.current]);
}
/// The next lane to run, if there is nothing to do but to switch to it, or null.
inline lane* plain_next(worker& w) {
  std::uint64_t const bits = w.ready[w.current / 64] & (~1ull << (w.current % 64));
  if (bits == 0) return nullptr;
  lane& target = w.lanes[w.current / 64 * 64 + static_cast<unsigned>(std::countr_zero(bits))];
  bool const plain = target.state != lane_state::fresh && !target.throws && w.exceptions[0] == nullptr &&
                     w.exceptions[1] == nullptr && w.suspects.empty();
  return plain ? &target : nullptr;
}

/// The block is over: its lanes never run again.
[[noreturn]] void to_scheduler(worker& w);

/// While it lives, the lane that called the simulated device is not watched.
struct active_again {
  int saved = cosmati_sim_active;
  ~active_again() { cosmati_sim_active = saved; }
};

// What may let lanes go on, or never will.

/// A lane has exited: barriers and warp instructions of which it was the last that was missing complete.
void barrier_after_exit(worker& w);
void warp_after_exit(worker& w, unsigned exited);
/// Lanes that asked who is active learn it when nothing else can run: those that stand at the same call.
bool release_activemask(worker& w);
/// Threads of the block do not come to a barrier of it where others wait: which call of it is to blame, and why.
struct missed_barrier {
  site where, other;
  unsigned causes;  // as in `fail_block`
  std::string how;  // a part of a sentence
};
missed_barrier who_missed(worker const& w, site const& waiting);
/// No lane can run, and nothing will change that.
[[noreturn]] void deadlock(worker& w);
/// "threads 0-31: at __syncthreads (kernel.cpp:41); threads 32-63: exited": lanes [first, last).
std::string positions(worker& w, unsigned first, unsigned last);

}  // namespace cosmati_sim
