// SPDX-License-Identifier: Apache-2.0
/// @file
/// A fast way to run lanes without checks. Lanes that have met at a barrier, or at an instruction of their warp, reach
/// the next one in their order. While they do, they sweep: each lane switches to the next with little else, and only
/// the point at which a waiting lane continues is kept. When anything else happens, `end_sweep` writes the data that
/// the scheduler reads.
#pragma once

#include "scheduler.hpp"

namespace cosmati_sim {

/// The sweep of a host thread.
struct sweep {
  worker* of = nullptr;  // null: no sweep
  unsigned first = 0, last = 0;
  // The place that the previous lanes have reached, and their arguments.
  int line = -1;
  char const* file = nullptr;
  char const* what = nullptr;
  void const* call = nullptr;  // the call of a barrier
  together_function together = nullptr;
  void** arguments = nullptr;   // the arguments by lane; null if there are none
  void** exceptions = nullptr;  // the worker's
  bool one_row = true;          // threadIdx.x alone distinguishes lanes
};
extern __thread sweep barrier_sweep __attribute__((tls_model("initial-exec")));  // the sweep over a block
extern __thread sweep warp_sweep __attribute__((tls_model("initial-exec")));     // the sweep over a warp; at most one
                                                                                 // of the two is active

/// Begins a sweep of the lanes `[first, first + count)`, which can all run, to their next meeting; the first of them
/// reaches it now. It requires that nothing watches the lanes, none has exited, and none has an exception in flight.
/// @return whether it began; then the current lane, unless it is the first, was switched away from and continues now
bool begin_sweep(worker& w, sweep& s, unsigned first, unsigned count);

void end_sweep_slowly(worker& w);
/// Writes the data that lanes left out. It does nothing without a sweep.
inline void end_sweep(worker& w) {
  if (barrier_sweep.of != nullptr || warp_sweep.of != nullptr) [[unlikely]]
    end_sweep_slowly(w);
}

/// Whether the current lane reaches the same place as the lanes before it, which means the same line of any file. The
/// first lane compares with the place of the last round.
/// @tparam last as in `sweep_on`
template <bool last>
inline bool sweeps(sweep const& s, int line, void const* call = nullptr) {
  return s.line == line && s.call == call && (last || s.of->current != s.last) && *s.exceptions == nullptr;
}
/// Ends a round. All lanes have arrived, the last of them now, and the first becomes the current one again.
[[gnu::cold]] void end_round(sweep const& s);
/// Runs the next lane of the sweep, after the current one has arrived. @tparam last whether the lane may be the sweep's
/// last. If the last lane executes the same code as the others, all wait at one place of the program, and the processor
/// predicts correctly that each continues where the previous one did.
template <bool last>
inline void sweep_on(sweep const& s, void* argument = nullptr) {
  worker& w = *s.of;
  unsigned const me = w.current;
  saved_context *from, *to;
  if (last) s.arguments[me] = argument;
  if (last && me == s.last) [[unlikely]] {
    end_round(s);
    from = &s.of->contexts[s.last];
    to = &s.of->contexts[s.first];
  } else {
    std::size_t const next = me + 1;
    w.current = static_cast<unsigned>(next);
    if (s.one_row) [[likely]]
      threadIdx.x = static_cast<unsigned>(next);
    else
      threadIdx = w.threads[next];
    from = &w.contexts[next - 1];
    to = &w.contexts[next];
  }
  switch_context(*from, *to);
}
/// `cosmati_sim_meet` of the whole warp, if nothing else is needed.
inline bool meet_sweeping(void* argument, char const* what, int line) {
  sweep const& s = warp_sweep;
  if (!sweeps<true>(s, line) || s.what != what) [[unlikely]]  // the function that completes the meeting depends on the
                                                              // name
    return false;
  sweep_on<true>(s, argument);
  return true;
}
/// Handles the current lane's arrival at a meeting. It continues when all others have arrived; the sweep's first lane
/// sets the place. @return false if the sweep is over instead
bool turn_sweep(worker& w, sweep& s, char const* what, site where, together_function together, void* argument,
                void const* call = nullptr);

}  // namespace cosmati_sim
