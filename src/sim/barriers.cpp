// SPDX-License-Identifier: Apache-2.0
// Barriers of a block: __syncthreads and similar functions, and named barriers.

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "clocks.hpp"
#include "counters.hpp"
#include "exited_warps.hpp"
#include "formatted.hpp"
#include "scheduler.hpp"
#include "sites.hpp"
#include "sweep.hpp"
#include "timeline.hpp"

namespace cosmati_sim {
namespace {

/// Makes the barrier's lanes ready. Each lane notices when it runs.
void complete_barrier(worker& w, int id) {
  barrier_state& b = w.barriers[static_cast<std::size_t>(id)];
  unsigned const words = (w.lanes_in_block + 63) / 64;
  for (unsigned word = 0; word < words; ++word) {
    std::uint64_t bits = b.waiting[word];
    w.ready[word] |= bits;
    b.waited[word] = bits;
    b.waiting[word] = 0;
    // A warp with exited lanes has not counted to the end.
    if (static_cast<std::uint32_t>(bits) != 0) w.warp_arrived[2 * word] = 0;
    if (bits >> 32 != 0) w.warp_arrived[2 * word + 1] = 0;
    if (b.reduce == 0) continue;
    for (; bits != 0; bits &= bits - 1) {
      w.lanes[word * 64 + static_cast<unsigned>(std::countr_zero(bits))].result = b.result();
    }
  }
  b.arrived = 0;
  if (w.timeline != nullptr) w.timeline->barrier_done(id, b.waited);
  if (w.clocks == nullptr) return;
  if (b.expected == 0 || (b.expected == w.lanes_in_block && !b.somebody_goes_on)) {
    w.clocks->meet_all();
    if (b.expected != 0) w.clocks->named[static_cast<std::size_t>(id)] = {};
  } else {
    gathering& g = w.clocks->named[static_cast<std::size_t>(id)];
    for (unsigned i = 0; i < w.lanes_in_block; ++i) {
      if (b.waited[i / 64] >> (i % 64) & 1) w.clocks->learn(i, g);
    }
    g = {};
  }
}

bool same_place(site const& a, site const& b) {
  return a.line == b.line &&
         (a.file == b.file || (a.file != nullptr && b.file != nullptr && std::strcmp(a.file, b.file) == 0));
}

/// Notes warps that have met at different calls.
void look_whether_apart(worker& w) {
  constexpr std::size_t most = 8;
  for (unsigned warp = 1; warp < (w.lanes_in_block + 31) / 32; ++warp) {
    site const &one = w.warp_call[0].where, &other = w.warp_call[warp].where;
    if (w.warp_gone[0] == ~0u || w.warp_gone[warp] == ~0u || same_place(one, other) || w.apart.size() >= most) continue;
    bool known = false;
    for (met_apart const& a : w.apart) known |= same_place(a.one, one) && same_place(a.other, other);
    if (!known) w.apart.push_back({one, other, found_before_waiting(w)});
  }
}

/// Completes the barrier, at which all remaining threads have arrived, or reports what is wrong with it.
void finish_barrier_of_block(worker& w, int id) {
  if (w.finished != 0 && !w.running->exited_may_skip_barriers) {
    site first;
    for (unsigned i = 0; i < w.lanes_in_block && first.file == nullptr; ++i) {
      if (w.lanes[i].state == lane_state::at_barrier) first = site_of_lane(w, w.lanes[i]);
    }
    missed_barrier const m = who_missed(w, first);
    if (m.how.empty() && may_do_without_exited(w)) {
      review_exited_warps(w, first);
    } else {
      fail_block(formatted("barrier divergence, not all threads of the block come to the barrier: {}{}",
                           positions(w, 0, w.lanes_in_block), m.how),
                 hazard_kind::divergence, m.where, m.other, m.causes);
    }
  }
  look_whether_apart(w);
  complete_barrier(w, id);
}

/// Whether all lanes of the warp wait at the barrier or have exited.
bool whole_warp_waits_at(worker const& w, barrier_state const& b, unsigned warp) {
  auto const waiting = static_cast<std::uint32_t>(b.waiting[warp / 2] >> (warp % 2 * 32));
  return (waiting | w.warp_gone[warp]) == ~0u;
}

// Errors are reported out of line, because the frame of a lane's barrier is on the lane's stack.

[[noreturn, gnu::cold, gnu::noinline]] void no_such_barrier(char const* name, site where, int id, void const* pc) {
  fail_lane(formatted("{} ({}): barrier {}, there are 0 to 15", name, to_text(where), id),
            hazard_kind::invalid_argument, site_here(*this_worker, where.file, where.line, pc, name));
}

[[noreturn, gnu::cold, gnu::noinline]] void no_whole_warps(char const* name, site where, int id, unsigned count,
                                                           void const* pc) {
  fail_lane(formatted("{} ({}): barrier {} is given {} threads; a warp arrives as a whole, so that the number is a "
                      "multiple of 32: count all threads of each warp that comes",
                      name, to_text(where), id, count),
            hazard_kind::invalid_argument, site_here(*this_worker, where.file, where.line, pc, name));
}

[[noreturn, gnu::cold, gnu::noinline]] void other_count(worker& w, char const* name, site where, int id, unsigned count,
                                                        void const* pc) {
  barrier_state const& b = w.barriers[static_cast<std::size_t>(id)];
  site elsewhere;
  for (unsigned i = 0; i < w.lanes_in_block && elsewhere.file == nullptr; ++i) {
    if ((b.waiting[i / 64] >> (i % 64) & 1) != 0) elsewhere = w.lanes[i].where;
  }
  std::string const there = elsewhere.file != nullptr ? formatted(" ({})", to_text(elsewhere)) : std::string();
  fail_lane(formatted("{} ({}): barrier {} is waited for with {} threads here and {} elsewhere{}, of which {} have "
                      "arrived and {} are expected yet; name the same number wherever the barrier is named",
                      name, to_text(where), id, count, b.expected, there, b.arrived, b.expected - b.arrived),
            hazard_kind::divergence, site_here(w, where.file, where.line, pc, name));
}

[[noreturn, gnu::cold, gnu::noinline]] void warp_at_different_calls(worker& w, int id, char const* name, site where,
                                                                    void const* pc) {
  lane& self = w.lanes[w.current];
  self.state = lane_state::at_barrier;
  self.barrier = static_cast<std::uint8_t>(id);
  self.what = name;
  self.where = where;
  unsigned const first = w.current / 32 * 32;
  clear_ready(w, w.current);
  // Of the two calls, the one that comes first in the source is more likely the one that some threads miss.
  site here = site_here(w, where.file, where.line, pc, name), before = w.warp_call[w.current / 32].where;
  bool const one_line = same_place(here, before) && id == w.warp_call[w.current / 32].id;
  if (here.file != nullptr && before.file != nullptr && std::strcmp(here.file, before.file) == 0 &&
      before.line < here.line)
    std::swap(here, before);
  std::string const how =
      one_line ? formatted(" on one line, thread {} at another than those before it", w.current) : std::string();
  fail_block(formatted("barrier divergence, threads of one warp wait at different calls{}: {}", how,
                       positions(w, first, std::min(first + 32, w.lanes_in_block))),
             hazard_kind::divergence, here, before);
}

[[gnu::cold, gnu::noinline]] void note_barrier(worker& w, int id, char const* name, site where, void const* pc) {
  w.timeline->barrier(w.current, id, site_here(w, where.file, where.line, pc, name));
}

/// The first thread that arrives sets the number of threads; the others must agree.
inline barrier_state& join(worker& w, int id, unsigned count, int reduce, char const* name, site where,
                           void const* pc) {
  if (id < 0 || id > 15) [[unlikely]]
    no_such_barrier(name, where, id, pc);
  if (count % 32 != 0) [[unlikely]]
    no_whole_warps(name, where, id, count, pc);
  barrier_state& b = w.barriers[static_cast<std::size_t>(id)];
  if (b.arrived == 0) {
    b.count = 0;
    b.all = true;
    b.any = false;
    b.expected = count;
    b.reduce = reduce;
    b.somebody_goes_on = false;
  } else if (b.expected != count) [[unlikely]] {
    other_count(w, name, where, id, count, pc);
  }
  return b;
}

inline void warp_has_one_more(worker& w, unsigned warp) {
  unsigned const arrived = ++w.warp_arrived[warp];
  if (arrived == 32 || arrived == w.lanes_in_block - warp * 32) w.warp_arrived[warp] = 0;
}

/// Lets the current lane wait.
inline void wait_at(worker& w, lane& self, barrier_state& b, int id, char const* name, site where) {
  unsigned const me = w.current;
  self.what = name;
  self.where = where;
  self.state = lane_state::at_barrier;
  self.barrier = static_cast<std::uint8_t>(id);
  if (w.found != 0) [[unlikely]]
    self.found_before = w.found;
  b.waiting[me / 64] |= 1ull << (me % 64);
  clear_ready(w, me);
}

/// Checks an aligned barrier: all threads of a warp must execute the same one.
inline void check_warp_is_together(worker& w, int id, char const* name, site where, void const* call, void const* pc) {
  if (call == &not_aligned) return;
  unsigned const warp = w.current / 32;
  worker::barrier_call const& first = w.warp_call[warp];
  if (w.warp_arrived[warp] == 0) {
    w.warp_call[warp] = {where, call, id};
  } else if (first.call != call || first.id != id || !same_place(first.where, where)) [[unlikely]] {
    warp_at_different_calls(w, id, name, where, pc);
  }
  warp_has_one_more(w, warp);
}

/// @pre the current lane's `pc` is set
[[gnu::noinline]] unsigned barrier_slowly(int id, unsigned count, int reduce, int predicate, char const* name,
                                          char const* file, int line, void const* call) {
  active_again const restore;
  cosmati_sim_active = 0;
  worker& w = running_lane(name);
  end_sweep(w);
  unsigned const me = w.current;
  lane& self = w.lanes[me];
  void const* const pc = self.pc;
  site const where = {file, line};
  barrier_state& b = join(w, id, count, reduce, name, where, pc);
  if (reduce != 0) {
    b.count += predicate != 0;
    b.all &= predicate != 0;
    b.any |= predicate != 0;
  }
  check_warp_is_together(w, id, name, where, call, pc);
  ++b.arrived;
  wait_at(w, self, b, id, name, where);
  if (w.timeline != nullptr) [[unlikely]]
    note_barrier(w, id, name, where, pc);
  if (w.counters != nullptr && whole_warp_waits_at(w, b, me / 32)) w.counters->warp_converges(me / 32);
  if (w.clocks != nullptr && count != 0) w.clocks->publish(me, w.clocks->named[static_cast<std::size_t>(id)]);
  bool const complete = count == 0 ? b.arrived == w.lanes_in_block - w.finished : b.arrived == count;
  unsigned after = me;
  if (complete) {
    if (count == 0) {
      finish_barrier_of_block(w, id);
    } else {
      complete_barrier(w, id);
    }
    after = w.lanes_in_block - 1;  // the lowest lane runs first, so that it is the first to report an error
    if (count == 0 && reduce == 0 && begin_sweep(w, barrier_sweep, 0, w.lanes_in_block)) return 0;
  }
  switch_away(w, after);
  self.state = lane_state::ready;
  return reduce != 0 ? self.result : 0;
}

/// The fast path leaves no frame on the lane's stack.
[[gnu::noinline]] void come_to_barrier_of_block(void const* pc, char const* name, char const* file, int line,
                                                void const* call) {
  worker& w = running_lane(name);
  w.lanes[w.current].pc = pc;
  if (barrier_sweep.of != nullptr && turn_sweep(w, barrier_sweep, name, {file, line}, nullptr, nullptr, call)) return;
  end_sweep(w);
  lane& self = w.lanes[w.current];
  barrier_state& b = w.barriers[0];
  // The fast path: the lane is neither the first nor the last at a barrier of the block.
  if (b.arrived != 0 && b.expected == 0 && b.reduce == 0 && b.arrived + 1 < w.lanes_in_block - w.finished &&
      w.counters == nullptr) {
    lane* const next = plain_next(w);
    unsigned const warp = w.current / 32;
    bool const first = w.warp_arrived[warp] == 0;
    worker::barrier_call& together = w.warp_call[warp];
    if (next != nullptr && (first || (together.call == call && together.id == 0 && together.where.line == line &&
                                      together.where.file == file))) {
      if (first) together = {{file, line}, call, 0};
      warp_has_one_more(w, warp);
      ++b.arrived;
      wait_at(w, self, b, 0, name, {file, line});
      switch_plainly(w, self, *next);
      return;
    }
  }
  barrier_slowly(0, 0, 0, 0, name, file, line, call);
}

}  // namespace

missed_barrier who_missed(worker const& w, site const& waiting) {
  for (met_apart const& a : w.apart) {
    bool const one = same_place(a.one, waiting);
    if (!one && !same_place(a.other, waiting)) continue;
    site const& missed = one ? a.other : a.one;
    return {missed, waiting, a.causes,
            formatted("; before, some threads were at the one of {} while others were at that of {}, and the two were "
                      "taken for one: let all threads of the block come to each, or none",
                      to_text(missed), to_text(waiting))};
  }
  return {waiting, {}, ~0u, {}};
}

void barrier_after_exit(worker& w) {
  barrier_state& b = w.barriers[0];
  if (b.arrived != 0 && b.arrived == w.lanes_in_block - w.finished) finish_barrier_of_block(w, 0);
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

void cosmati_sim_syncthreads(char const* name, char const* file, int line, void const* call) {
  if (!sweeps<false>(barrier_sweep, line, call)) [[unlikely]]
    return come_to_barrier_of_block(__builtin_return_address(0), name, file, line, call);
  sweep_on<false>(barrier_sweep);
}

unsigned cosmati_sim_barrier(int id, unsigned count, int reduce, int predicate, char const* name, char const* file,
                             int line, void const* call) {
  worker& w = running_lane(name);
  w.lanes[w.current].pc = __builtin_return_address(0);
  return barrier_slowly(id, count, reduce, predicate, name, file, line, call);
}

unsigned cosmati_sim_barrier_arrive(int id, unsigned count, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("bar.arrive");
  end_sweep(w);
  site const where = {file, line};
  if (id < 0 || id > 15) no_such_barrier("bar.arrive", where, id, __builtin_return_address(0));
  if (count == 0 || count % 32 != 0) {
    fail_lane(formatted("bar.arrive ({}): {} threads, it needs a multiple of 32", to_text(where), count),
              hazard_kind::invalid_argument, site_here(w, file, line, __builtin_return_address(0), "bar.arrive"));
  }
  barrier_state& b = join(w, id, count, 0, "bar.arrive", where, __builtin_return_address(0));
  b.somebody_goes_on = true;
  if (w.timeline != nullptr) {
    w.timeline->at_place(w.current, run_event_kind::barrier_arrive, static_cast<std::uint32_t>(id), 1, 0,
                         site_here(w, file, line, __builtin_return_address(0), "bar.arrive"));
  }
  if (w.clocks != nullptr) w.clocks->publish(w.current, w.clocks->named[static_cast<std::size_t>(id)]);
  if (++b.arrived == count) complete_barrier(w, id);
  return 0;
}

}  // extern "C"
