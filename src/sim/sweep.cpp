// SPDX-License-Identifier: Apache-2.0
#include "sweep.hpp"

#include <algorithm>
#include <utility>

namespace cosmati_sim {

__thread sweep barrier_sweep, warp_sweep;

namespace {

void run_first(worker& w, sweep& s) {
  lane& self = w.lanes[w.current];
  lane& target = *s.first;
  ++w.turns;
  s.next = s.first + 1;
  w.current = static_cast<unsigned>(s.first - w.lanes.data());
  threadIdx = target.thread;
  if (&self != &target) switch_context(self, target.context);
}

}  // namespace

bool begin_sweep(worker& w, sweep& s, unsigned first, unsigned count) {
  if (w.clocks != nullptr || w.counters != nullptr || w.timeline != nullptr || w.running->tracing || w.finished != 0 ||
      count < 2 || w.exceptions[0] != nullptr || w.exceptions[1] != nullptr ||
      std::any_of(w.lanes.begin(), w.lanes.begin() + w.lanes_in_block, [](lane const& l) { return l.throws; }))
    return false;
  lane* const begin = &w.lanes[first];
  s = {
      begin + 1, begin + count, begin, &w.current, w.exceptions, nullptr, {}, nullptr, w.meetings[first / 32].argument};
  run_first(w, s);
  return true;
}

bool turn_sweep(worker& w, sweep& s, char const* what, site where, together_function together, void* argument) {
  bool const first = &w.lanes[w.current] == s.first;
  if (first) {
    s.what = what;
    s.where = where;
    s.together = together;
  }
  if (*w.exceptions != nullptr || what != s.what || together != s.together || where.line != s.where.line ||
      where.file != s.where.file) {
    end_sweep(w);
    return false;
  }
  s.arguments[w.current % 32] = argument;
  if (first) {
    sweep_on(s);
    return true;
  }
  if (together != nullptr) together(s.arguments, ~0u);
  run_first(w, s);
  return true;
}

void end_sweep_slowly(worker& w) {
  bool const of_block = barrier_sweep.first != nullptr;
  sweep const s = std::exchange(of_block ? barrier_sweep : warp_sweep, {});
  auto const first = static_cast<unsigned>(s.first - w.lanes.data());
  unsigned const warp = w.current / 32;
  w.stack_low = w.lanes[w.current].stack_low;
  if (w.current == first) return;
  for (unsigned i = first; i < w.current; ++i) {
    lane& l = w.lanes[i];
    l.state = of_block ? lane_state::at_barrier : lane_state::at_warp;
    l.barrier = 0;
    l.what = s.what;
    l.where = s.where;
    l.pc = nullptr;
    clear_ready(w, i);
  }
  if (of_block) {
    barrier_state& b = w.barriers[0] = {};
    b.arrived = w.current;
    for (unsigned i = 0; i < w.current; ++i) b.waiting[i / 64] |= 1ull << (i % 64);
    w.warp_arrived[warp] = w.current % 32;
    w.warp_site[warp] = s.where;
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
