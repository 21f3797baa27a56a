// SPDX-License-Identifier: Apache-2.0
#include "sweep.hpp"

#include <algorithm>
#include <utility>

namespace cosmati_sim {

__thread sweep barrier_sweep, warp_sweep;

namespace {

void run_first(worker& w, unsigned first) {
  saved_context& from = w.contexts[w.current];
  ++w.turns;
  w.current = first;
  threadIdx = w.threads[first];
  if (&from != &w.contexts[first]) switch_context(from, w.contexts[first]);
}

}  // namespace

bool begin_sweep(worker& w, sweep& s, unsigned first, unsigned count) {
  if (w.clocks != nullptr || w.counters != nullptr || w.timeline != nullptr || w.running->tracing || w.finished != 0 ||
      count < 2 || w.exceptions[0] != nullptr || w.exceptions[1] != nullptr ||
      std::any_of(w.lanes.begin(), w.lanes.begin() + w.lanes_in_block, [](lane const& l) { return l.throws; }))
    return false;
  s = {};
  s.of = &w;
  s.first = first;
  s.last = first + count - 1;
  if (&s == &warp_sweep) s.arguments = w.meetings[first / 32].argument - first;
  s.exceptions = w.exceptions;
  s.one_row = w.running->block.y == 1 && w.running->block.z == 1;
  run_first(w, first);
  return true;
}

bool turn_sweep(worker& w, sweep& s, char const* what, site where, together_function together, void* argument,
                void const* call) {
  bool const first = w.current == s.first;
  if (first) {
    s.what = what;
    s.line = where.line;
    s.file = where.file;
    s.together = together;
    s.call = call;
  }
  if (*w.exceptions != nullptr || what != s.what || together != s.together || where.line != s.line ||
      where.file != s.file || call != s.call) {
    end_sweep(w);
    return false;
  }
  if (s.arguments != nullptr) {
    sweep_on<true>(s, argument);
  } else if (w.current != s.last) {
    sweep_on<false>(s);
  } else {
    end_round(s);
    switch_context(w.contexts[s.last], w.contexts[s.first]);
  }
  return true;
}

void end_round(sweep const& s) {
  if (s.together != nullptr) s.together(s.arguments + s.first, ~0u);
  worker& w = *s.of;
  ++w.turns;
  w.current = s.first;
  threadIdx = w.threads[s.first];
}

void end_sweep_slowly(worker& w) {
  bool const of_block = barrier_sweep.of != nullptr;
  sweep const s = std::exchange(of_block ? barrier_sweep : warp_sweep, {});
  unsigned const first = s.first;
  unsigned const warp = w.current / 32;
  w.stack_low = w.lanes[w.current].stack_low;
  if (w.current == first) return;
  for (unsigned i = first; i < w.current; ++i) {
    lane& l = w.lanes[i];
    l.state = of_block ? lane_state::at_barrier : lane_state::at_warp;
    l.barrier = 0;
    l.what = s.what;
    l.where = {s.file, s.line};
    l.pc = nullptr;
    clear_ready(w, i);
  }
  if (of_block) {
    barrier_state& b = w.barriers[0] = {};
    b.arrived = w.current;
    for (unsigned i = 0; i < w.current; ++i) b.waiting[i / 64] |= 1ull << (i % 64);
    w.warp_arrived[warp] = w.current % 32;
    w.warp_call[warp] = {{s.file, s.line}, s.call, 0};
    return;
  }
  warp_meeting& m = w.meetings[warp];
  m.alike = true;
  m.what = s.what;
  m.mask = ~0u;
  m.waiting = (1u << (w.current - first)) - 1;
  for (unsigned i = 0; i < w.current - first; ++i) {
    m.together[i] = s.together;
    m.masks[i] = ~0u;
  }
}

}  // namespace cosmati_sim
