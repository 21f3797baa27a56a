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
  lane* next = nullptr;         // runs when the one before it, which runs now, has come
  lane* end = nullptr;          // equal to `next` too when there is no sweep
  lane* first = nullptr;        // null: no sweep
  unsigned* current = nullptr;  // the worker's
  void** exceptions = nullptr;  // likewise
  // Where those before `next` have come, and what they have brought.
  char const* what = nullptr;
  site where;
  together_function together = nullptr;
  void** arguments = nullptr;
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
  if (barrier_sweep.first != nullptr || warp_sweep.first != nullptr) [[unlikely]]
    end_sweep_slowly(w);
}

/// Whether the current lane comes to the same place as those before it, and is not the sweep's last.
inline bool sweeps(sweep const& s, char const* file, int line) {
  return s.next != s.end && s.where.line == line && s.where.file == file && *s.exceptions == nullptr;
}
/// The current lane has come: the next of the sweep runs.
inline void sweep_on(sweep& s) {
  lane* const target = s.next;
  s.next = target + 1;
  ++*s.current;
  threadIdx = target->thread;
  __builtin_prefetch(target[1].context);
  switch_context(target[-1], target->context);
}
/// `cosmati_sim_meet` of the whole warp, where that is all there is to it.
inline bool meet_sweeping(together_function together, void* argument, char const* what, char const* file, int line) {
  sweep& s = warp_sweep;
  if (!sweeps(s, file, line) || s.together != together || s.what != what) [[unlikely]]
    return false;
  s.arguments[*s.current % 32] = argument;
  sweep_on(s);
  return true;
}
/// The current lane, the sweep's first or last, has come to a meeting, and goes on when all others have. The first says
/// where. @return false when the sweep is over instead
bool turn_sweep(worker& w, sweep& s, char const* what, site where, together_function together, void* argument);

}  // namespace cosmati_sim
