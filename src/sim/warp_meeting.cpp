// SPDX-License-Identifier: Apache-2.0
// The meetings of a warp's lanes: warp-wide instructions, __syncwarp, __activemask.

#include <bit>
#include <cstring>

#include "clocks.hpp"
#include "counters.hpp"
#include "formatted.hpp"
#include "scheduler.hpp"
#include "sites.hpp"
#include "sweep.hpp"

namespace cosmati_sim {
namespace {

/// The lanes in the warp of `i` that wait for the same as lane `i`.
unsigned lanes_at_the_same(worker const& w, unsigned i) {
  warp_meeting const& m = w.meetings[i / 32];
  unsigned const mask = m.masks[i % 32];
  if (m.alike) return m.waiting & mask;
  char const* const what = w.lanes[i].what;
  unsigned here = 0;
  for (unsigned bits = m.waiting & mask; bits != 0; bits &= bits - 1) {
    unsigned const k = static_cast<unsigned>(std::countr_zero(bits));
    char const* const other = w.lanes[i / 32 * 32 + k].what;
    if (m.masks[k] == mask && (other == what || std::strcmp(other, what) == 0)) here |= 1u << k;
  }
  return here;
}

// It is out of line, because the frame of a lane's meeting is on the lane's stack.
[[noreturn, gnu::cold, gnu::noinline]] void not_in_mask(worker& w, char const* name, site where, unsigned mask) {
  cosmati_sim_active = 0;
  where = site_here(w, where.file, where.line, w.lanes[w.current].pc, name);
  fail_lane(
      formatted("{} ({}): mask {:#010x} does not hold the calling lane {}", name, to_text(where), mask, w.current % 32),
      hazard_kind::divergence, where, 0, {}, true);
}

/// Completes the warp instruction that lane `i` waits at, if all its lanes have arrived. @return whether it did
bool try_complete_warp(worker& w, unsigned i) {
  lane const& l = w.lanes[i];
  warp_meeting& m = w.meetings[i / 32];
  unsigned const mask = m.masks[i % 32];
  if (((m.waiting | w.warp_gone[i / 32]) & mask) != mask) return false;
  unsigned const lanes = lanes_at_the_same(w, i);
  if (((lanes | w.warp_gone[i / 32]) & mask) != mask) return false;
  unsigned const warp = i / 32 * 32;
  if (w.counters != nullptr && (lanes | w.warp_gone[i / 32]) == ~0u) w.counters->warp_converges(i / 32);
  together_function const together = m.together[i % 32];
  if (together != nullptr) together(m.argument, lanes);
  if (w.clocks != nullptr && together == nullptr && std::strcmp(l.what, "__syncwarp") == 0) {
    w.clocks->meet_warp(i / 32, lanes, (lanes | w.warp_gone[i / 32]) == ~0u);
  }
  w.ready[i / 64] |= static_cast<std::uint64_t>(lanes) << (warp % 64);
  m.waiting &= ~lanes;
  return true;
}

[[gnu::noinline]] void meet_slowly(worker& w, lane& self) {
  active_again const restore;
  cosmati_sim_active = 0;
  unsigned const me = w.current;
  bool const complete = try_complete_warp(w, me);
  if (complete && w.meetings[me / 32].masks[me % 32] == ~0u && w.warp_gone[me / 32] == 0 &&
      begin_sweep(w, warp_sweep, me / 32 * 32, 32))
    return;
  switch_away(w, complete ? (me / 32 * 32 + w.lanes_in_block - 1) % w.lanes_in_block : me);
  self.state = lane_state::ready;
}

/// @pre the current lane's `pc` is set
[[gnu::noinline]] void come_to_meeting(unsigned mask, void* argument, together_function together, char const* name,
                                       char const* file, int line) {
  worker& w = *this_worker;
  unsigned const me = w.current;
  lane& self = w.lanes[me];
  if (warp_sweep.of != nullptr && mask == ~0u && turn_sweep(w, warp_sweep, name, {file, line}, together, argument))
    return;
  end_sweep(w);
  if ((mask >> (me % 32) & 1u) == 0) [[unlikely]]
    not_in_mask(w, name, {file, line}, mask);
  self.state = lane_state::at_warp;
  self.what = name;
  self.where = {file, line};
  warp_meeting& m = w.meetings[me / 32];
  m.argument[me % 32] = argument;
  m.together[me % 32] = together;
  m.masks[me % 32] = mask;
  if (m.waiting == 0) {
    m.alike = true;
    m.what = name;
    m.mask = mask;
  } else if (m.what != name || m.mask != mask) {
    m.alike = false;
  }
  if (w.found != 0) [[unlikely]]
    self.found_before = w.found;
  m.waiting |= 1u << (me % 32);
  clear_ready(w, me);
  // The fast path: the lane is not the last missing one.
  if (((m.waiting | w.warp_gone[me / 32]) & mask) != mask) {
    if (lane* const next = plain_next(w)) {
      switch_plainly(w, self, *next);
      return;
    }
  }
  meet_slowly(w, self);
}

}  // namespace

void meet_warp_at(void const* pc, void* argument, together_function together, char const* name, site where) {
  if (meet_sweeping(argument, name, where.line)) return;
  worker& w = running_lane(name);
  w.lanes[w.current].pc = pc;
  come_to_meeting(~0u, argument, together, name, where.file, where.line);
}

void warp_after_exit(worker& w, unsigned exited) {
  if (w.meetings[exited / 32].waiting == 0) return;
  unsigned const warp = exited / 32 * 32;
  for (unsigned i = warp; i < warp + 32 && i < w.lanes_in_block; ++i) {
    if ((w.meetings[exited / 32].waiting >> (i - warp) & 1) != 0) try_complete_warp(w, i);
  }
}

bool release_activemask(worker& w) {
  for (unsigned i = 0; i < w.lanes_in_block; ++i) {
    if (w.lanes[i].state != lane_state::at_activemask) continue;
    unsigned const warp = i / 32 * 32;
    unsigned const end = warp + 32 < w.lanes_in_block ? warp + 32 : w.lanes_in_block;
    unsigned mask = 0;
    auto const same = [&](lane const& l) {
      return l.state == lane_state::at_activemask && l.where.line == w.lanes[i].where.line &&
             l.where.file == w.lanes[i].where.file;
    };
    for (unsigned j = warp; j < end; ++j) {
      if (same(w.lanes[j])) mask |= 1u << (j - warp);
    }
    for (unsigned j = warp; j < end; ++j) {
      if ((mask >> (j - warp) & 1u) == 0) continue;
      w.lanes[j].result = mask;
      w.lanes[j].state = lane_state::ready;
      set_ready(w, j);
    }
    return true;
  }
  return false;
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

void cosmati_sim_meet(unsigned mask, void* argument, void (*together)(void* const* arguments, unsigned lanes),
                      char const* name, char const* file, int line) {
  if (mask == ~0u && meet_sweeping(argument, name, line)) return;
  worker& w = running_lane(name);
  w.lanes[w.current].pc = __builtin_return_address(0);
  come_to_meeting(mask, argument, together, name, file, line);
}

unsigned cosmati_sim_activemask(char const* file, int line) {
  active_again const restore;
  cosmati_sim_active = 0;
  worker& w = running_lane("__activemask");
  lane& self = w.lanes[w.current];
  self.state = lane_state::at_activemask;
  self.what = "__activemask";
  self.where = {file, line};
  self.pc = __builtin_return_address(0);
  clear_ready(w, w.current);
  switch_away(w, w.current);
  return self.result;
}

}  // extern "C"
