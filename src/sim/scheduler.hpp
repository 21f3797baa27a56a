// SPDX-License-Identifier: Apache-2.0
/// @file
/// The scheduler's interface for functions that let lanes wait.
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

/// Makes the lane the running one.
inline void become(worker& w, lane& l) {
  w.current = static_cast<unsigned>(&l - w.lanes.data());
  ++w.turns;
  threadIdx = w.threads[w.current];
  w.stack_low = l.stack_low;
  cosmati_sim_active = l.active;
  if (l.state == lane_state::fresh) return;
  l.state = lane_state::ready;
  // The lane after it will probably be next; it and its stack are not in a near cache.
  unsigned const soon = (w.current + 2) % max_lanes;
  __builtin_prefetch(&w.lanes[soon]);
  __builtin_prefetch(w.contexts[soon].at);
}

/// Runs other lanes, the next ready one after `after` first, until the current one is ready and has its turn.
void switch_away(worker& w, unsigned after);
/// Lets the other ready lanes run.
void let_others_run(worker& w);
/// Lets an event happen that only happens if no lane can run: a copy completes, an __activemask is answered, a test of
/// a phase fails. @return whether it did
bool let_something_happen(worker& w);

/// Switches away from the current lane, which waits, without further work. @pre `plain_next` allowed it. Nothing
/// follows the switch, so a caller that returns this leaves no frame on the lane's stack. A barrier then costs only the
/// cache lines that it touches.
inline void switch_plainly(worker& w, lane& self, lane& target) {
  self.active = static_cast<std::uint8_t>(cosmati_sim_active);
  saved_context& from = w.contexts[w.current];
  become(w, target);
  switch_context(from, w.contexts[w.current]);
}
/// The next lane to run, if only a switch is needed; otherwise null.
inline lane* plain_next(worker& w) {
  std::uint64_t const bits = w.ready[w.current / 64] & (~1ull << (w.current % 64));
  if (bits == 0) return nullptr;
  lane& target = w.lanes[w.current / 64 * 64 + static_cast<unsigned>(std::countr_zero(bits))];
  bool const plain = target.state != lane_state::fresh && !target.throws && w.exceptions[0] == nullptr &&
                     w.exceptions[1] == nullptr && w.suspects.empty();
  return plain ? &target : nullptr;
}

/// The call of a barrier that threads of one warp may execute at different places: barrier.sync without .aligned.
inline constexpr char not_aligned = 0;

/// cosmati_sim_meet for all lanes of a warp, at an instruction that the program has at `pc`.
void meet_warp_at(void const* pc, void* argument, together_function together, char const* name, site where);

/// Ends the block. Its lanes never run again.
[[noreturn]] void to_scheduler(worker& w);

/// While an object of this class lives, the lane that called the simulated device is not watched.
struct active_again {
  int saved = cosmati_sim_active;
  ~active_again() { cosmati_sim_active = saved; }
};

// Events that may release lanes, or never will.

/// Completes barriers and warp instructions for which an exited lane was the last missing one.
void barrier_after_exit(worker& w);
void warp_after_exit(worker& w, unsigned exited);
/// Answers lanes that asked for the active lanes, if nothing else can run. Lanes at the same call get each other.
bool release_activemask(worker& w);
/// A barrier of the block that some threads do not reach while others wait at it: the call to blame, and the reason.
struct missed_barrier {
  site where, other;
  unsigned causes;  // the number of possible causes, as in `fail_block`
  std::string how;  // the reason, as a part of a sentence
};
missed_barrier who_missed(worker const& w, site const& waiting);
/// Reports that no lane can run, and nothing will change that.
[[noreturn]] void deadlock(worker& w);
/// Describes lanes [first, last): "threads 0-31: at __syncthreads (kernel.cpp:41); threads 32-63: exited".
std::string positions(worker& w, unsigned first, unsigned last);

}  // namespace cosmati_sim
