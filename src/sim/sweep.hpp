// SPDX-License-Identifier: Apache-2.0
/// @file
/// Without checks, lanes that have met at a barrier, or at an instruction of their warp, come to the next one in their
/// order. While they do, they sweep: each goes on with the next by a switch and little else, nothing is kept of those
/// that wait but where they go on. As soon as anything else happens, `end_sweep` writes what the scheduler reads.
#pragma once

#include "scheduler.hpp"

namespace cosmati_sim {

/// Of a host thread.
struct sweep {
  worker* of = nullptr;  // null: no sweep
  unsigned first = 0, last = 0;
  // Where those before the current lane have come, and what they have brought.
  int line = -1;
  char const* file = nullptr;
  char const* what = nullptr;
  void const* call = nullptr;  // of a barrier
  together_function together = nullptr;
  void** arguments = nullptr;   // by lane; null: nobody brings any
  void** exceptions = nullptr;  // the worker's
  bool one_row = true;          // threadIdx.x alone tells lanes apart
};
extern __thread sweep barrier_sweep __attribute__((tls_model("initial-exec")));  // over a block
extern __thread sweep warp_sweep __attribute__((tls_model("initial-exec")));     // over a warp; one of them at most

/// The lanes of `[first, first + count)`, which can all go on, come to their next meeting, the first of them now, if
/// nobody looks at what they do, none has exited and none is in the middle of an exception.
/// @return whether it is so; the current lane was switched away from, if it is not the first, and goes on
bool begin_sweep(worker& w, sweep& s, unsigned first, unsigned count);

void end_sweep_slowly(worker& w);
/// What lanes left out is made up for. Nothing unless there is a sweep.
inline void end_sweep(worker& w) {
  if (barrier_sweep.of != nullptr || warp_sweep.of != nullptr) [[unlikely]]
    end_sweep_slowly(w);
}

/// Whether the current lane comes to the same place as those before it, the first to where they came last: to the same
/// line, of whatever file.
/// @tparam last as in `sweep_on`
template <bool last>
inline bool sweeps(sweep const& s, int line, void const* call = nullptr) {
  return s.line == line && s.call == call && (last || s.of->current != s.last) && *s.exceptions == nullptr;
}
/// All lanes have come, the last of them now: the first is the current one again.
[[gnu::cold]] void end_round(sweep const& s);
/// The current lane has come: the next of the sweep runs. @tparam last the lane may be the sweep's last; where it does
/// the same as the others, all wait at one place of the program, and the processor is right to expect each to go on
/// where the one before it did
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
/// `cosmati_sim_meet` of the whole warp, where that is all there is to it.
inline bool meet_sweeping(void* argument, char const* what, int line) {
  sweep const& s = warp_sweep;
  if (!sweeps<true>(s, line) || s.what != what) [[unlikely]]  // what is done together goes with the name
    return false;
  sweep_on<true>(s, argument);
  return true;
}
/// The current lane has come to a meeting, and goes on when all others have; the sweep's first says where. @return
/// false when the sweep is over instead
bool turn_sweep(worker& w, sweep& s, char const* what, site where, together_function together, void* argument,
                void const* call = nullptr);

}  // namespace cosmati_sim
