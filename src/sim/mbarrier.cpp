// SPDX-License-Identifier: Apache-2.0
// mbarriers: arrivals, transactions, phases, and waiting lanes.

#include <algorithm>

#include "async.hpp"
#include "cluster.hpp"
#include "formatted.hpp"
#include "hazards.hpp"
#include "scheduler.hpp"
#include "sites.hpp"
#include "sweep.hpp"
#include "sync_variables.hpp"
#include "timeline.hpp"

namespace cosmati_sim {
namespace {

constexpr std::uint32_t most_arrivals = (1u << 20) - 1;
constexpr std::int64_t most_bytes = (1 << 20) - 1;

/// Writes the opaque word in memory, with enough for a debugger.
void show(mbarrier const& b) {
  *b.at = (b.phase & 1) << 63 | (static_cast<std::uint64_t>(b.tx & 0x1fffff) << 40) |
          static_cast<std::uint64_t>(b.pending & 0xfffff) << 20 | (b.count & 0xfffff);
}

std::string state_of(mbarrier const& b) {
  return formatted("pending {} of {} arrivals, {} bytes of transactions outstanding, phase {} (parity {})", b.pending,
                   b.count, b.tx, b.phase, b.phase & 1);
}

/// "byte 16 of dynamic shared memory", or the address of a variable.
std::string place_in_shared(worker const& w, std::uint64_t const* at) {
  std::uintptr_t const byte = reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(w.shared_low);
  return byte < w.shared_bytes ? formatted("byte {} of dynamic shared memory", byte)
                               : formatted("{:#x}, static shared memory,", reinterpret_cast<std::uintptr_t>(at));
}

/// Explains why an arrival may come too early.
std::string overtaking(worker const& w) {
  mbarrier const* const passed = passed_too_early(w);
  if (passed == nullptr) return {};
  return formatted(
      "; the wait at {} was for a phase that this thread had waited for before, so that it passed at once and "
      "the stage is overtaken; flip the parity each time the ring of stages has gone round",
      line_text(line_of_site(passed->repeated)));
}

void report(worker& w, hazard_kind kind, bool review, site where, site other, std::string text) {
  if (w.clocks == nullptr || !is_news(w, kind, where.number, other.number)) return;
  hazard h = hazard_here(w, kind);
  h.review = review;
  h.site = where.number;
  h.other_site = other.number;
  h.where = where;
  h.other_where = other;
  h.message = std::move(text);
  add_hazard(w, std::move(h));
}

/// Reports a copy that has not arrived at the end of the phase that it should have delayed: fewer bytes were expected
/// than it has.
void look_for_late_copies(worker& w, mbarrier const& b) {
  for (unsigned const i : w.async->floating) {
    async_copy const& c = w.async->copies[i];
    if (c.barrier != b.at || c.phase != b.phase) continue;
    report(
        w, hazard_kind::mbarrier, false, b.expected_at.file != nullptr ? b.expected_at : c.where, c.where,
        formatted("phase {} of the mbarrier completes while a copy of {} bytes that signals it (\2) has not arrived: "
                  "too few bytes were expected (\1); expect_tx gets the sum of the bytes of the phase's copies",
                  b.phase, c.bytes));
  }
}

bool phase_is_over(mbarrier const& b, unsigned parity) { return (b.phase & 1) != (parity & 1); }

void note_phase_seen(mbarrier& b, unsigned lane) {
  for (auto& [l, phase] : b.seen) {
    if (l == lane) {
      phase = b.phase;
      return;
    }
  }
  b.seen.emplace_back(lane, b.phase);
}

/// A thread that waits at the barrier, or no_lane.
unsigned lane_that_waits(worker const& w, std::uint64_t const* barrier) {
  for (unsigned i = 0; i < w.lanes_in_block; ++i) {
    lane const& l = w.lanes[i];
    if (l.state == lane_state::at_mbarrier && l.mbarrier == barrier) return i;
  }
  return no_lane;
}

void remove(worker& w, mbarrier const& b, std::uint32_t site) {
  auto const at = b.at;
  if (b.shadow != nullptr) shadow_mbarrier(w, *b.shadow, reinterpret_cast<std::uintptr_t>(at), false, site);
  std::erase_if(async_of(w).barriers, [at](mbarrier const& other) { return other.at == at; });
}

/// Ends a barrier that is initialised again. Between two phases every GPU takes that, as many programs rely on.
void end_before_init(worker& w, mbarrier const& b, site where) {
  if (!b.rests() || lane_that_waits(w, b.at) != no_lane)
    misuse_of_mbarrier(where, "mbarrier.init",
                       formatted("the barrier is live, it was initialised before ({}): {}; mbarrier.inval comes first",
                                 to_text(b.where), state_of(b)));
  report(w, hazard_kind::mbarrier, true, where, b.where,
         "mbarrier.init of a barrier that was initialised before (\2) and has served (\1): GPUs begin anew, but the "
         "architecture asks for mbarrier.inval first; invalidate it, or keep it and flip the parity of its waits");
  remove(w, b, where.number);
}

shadow_region* check_address(std::uint64_t* barrier, char const* doing, int kind, site where, void const* pc) {
  memory_access const a = {
      reinterpret_cast<std::uintptr_t>(barrier), 8, kind, 8, nullptr, doing, nullptr, nullptr, where, pc};
  shadow_region* const shadow = check_side(a, space_shared);
  if (shadow != nullptr) shadow_access(*this_worker, *shadow, a.address, 8, kind, pc, &a);
  return shadow;
}

int wait(worker& w, std::uint64_t* barrier, unsigned parity, bool only_try, char const* doing, site where) {
  mbarrier& b = need_mbarrier(w, barrier, doing, where);
  if (parity > 1) misuse_of_mbarrier(where, doing, formatted("parity {}, it is 0 or 1", parity));
  check_init_is_known(w, b, doing, where);
  bool const over = phase_is_over(b, parity);
  if (w.timeline != nullptr) w.timeline->mbarrier_wait(w.current, barrier, b.phase - (over ? 1 : 0), over, where);
  if (over) {
    if (w.clocks == nullptr) return 1;
    w.clocks->learn(w.current, b.completed);
    bool const repeated = std::any_of(b.seen.begin(), b.seen.end(),
                                      [&](auto const& s) { return s.first == w.current && s.second == b.phase; });
    if (repeated) {
      b.repeated = where.number;
      b.repeated_by = w.current;
    }
    if (b.phase == 0 || repeated) {
      b.stale = where.number;
      b.stale_since = w.async->issued;
    }
    note_phase_seen(b, w.current);
    return 1;
  }
  lane& self = w.lanes[w.current];
  self.state = lane_state::at_mbarrier;
  self.what = doing;
  self.where = where;
  self.pc = nullptr;  // `where` has its number
  self.parity = parity;
  self.mbarrier = barrier;
  self.only_tries = only_try;
  wait_until_woken(w);
  return static_cast<int>(self.result);
}

}  // namespace

void complete_phase_if_due(worker& w, mbarrier& b) {
  b.polls = 0;
  if (b.pending == 0 && b.tx == 0) {
    look_for_late_copies(w, b);
    if (w.timeline != nullptr) w.timeline->phase_done(b.at, b.phase);
    ++b.phase;
    b.pending = b.count;
    if (w.clocks != nullptr && b.foreign != 0) {
      transaction_of(w, b, 0);
      meet_publications(w, b.actor, b.transactions, reinterpret_cast<std::uintptr_t>(b.at), b.foreign);
    }
    if (w.clocks != nullptr) b.completed = b.arrivals;
    for (unsigned i = 0; i < w.lanes_in_block; ++i) {
      lane& l = w.lanes[i];
      if (l.state == lane_state::at_mbarrier && l.mbarrier == b.at && phase_is_over(b, l.parity)) {
        l.result = 1;
        if (&w == this_worker) end_sweep(w);  // another block has none
        l.state = lane_state::ready;
        set_ready(w, i);
        if (w.timeline != nullptr) w.timeline->mbarrier_seen(i);
        if (w.clocks != nullptr) {
          w.clocks->learn(i, b.completed);
          note_phase_seen(b, i);
        }
      }
    }
  }
  show(b);
}

void add_transactions(mbarrier& b, std::int64_t bytes, char const* doing, site where) {
  b.tx += bytes;
  if (b.tx > most_bytes || b.tx < -most_bytes) {
    misuse_of_mbarrier(
        where, doing,
        formatted("the barrier's transaction count leaves its range, {} bytes ({} are possible)", b.tx, most_bytes));
  }
}

void check_init_is_known(worker& w, mbarrier& b, char const* doing, site where) {
  if (w.clocks == nullptr || b.made.run == 0) return;
  if (b.announced != 0 && w.cluster != nullptr && w.cluster->phase >= b.announced) return;
  if ((b.made.run == w.run && b.lane == w.current) || is_known(w, *b.shadow, b.made)) return;
  report(w, hazard_kind::missing_barrier, false, where, b.where,
         formatted("{} uses an mbarrier that thread {} initialises (\2), and nothing orders the two; \1; "
                   "{} comes between",
                   doing, b.lane, b.made.run == w.run ? "__syncthreads()" : "cluster_sync()"));
}

mbarrier const* passed_too_early(worker const& w) {
  if (w.async == nullptr || !w.async_used) return nullptr;
  for (mbarrier const& b : w.async->barriers) {
    if (b.repeated != 0 && b.repeated_by == w.current) return &b;
  }
  return nullptr;
}

mbarrier* find_mbarrier(worker& w, std::uint64_t const* at) {
  for (mbarrier& b : async_of(w).barriers) {
    if (b.at == at) return &b;
  }
  return nullptr;
}

mbarrier& need_mbarrier(worker& w, std::uint64_t const* at, char const* doing, site where) {
  if (mbarrier* const b = find_mbarrier(w, at)) return *b;
  // `check_side` reports an address outside shared memory.
  memory_access const a = {
      reinterpret_cast<std::uintptr_t>(at), 8, a_load, 8, nullptr, doing, nullptr, nullptr, where, nullptr};
  check_side(a, space_shared);
  if (worker const& owner = owner_of_shared(w, a.address); &owner != &w)
    misuse_of_mbarrier(
        where, doing,
        formatted("the mbarrier is in the shared memory of {}; only threads of its own block wait for it, and others "
                  "use it by arrive_remote_barrier and copies",
                  name_of_block(owner)));
  misuse_of_mbarrier(
      where, doing,
      formatted("the mbarrier at {} is not initialised; mbarrier.init by one thread, then __syncthreads(), come before "
                "its use",
                place_in_shared(w, at)));
}

void mbarrier_complete_tx(worker& w, std::uint64_t* at, unsigned bytes, site where) {
  mbarrier* const b = find_mbarrier(w, at);
  if (b == nullptr) return;  // invalidated in the meantime
  add_transactions(*b, -static_cast<std::int64_t>(bytes), "complete_tx of a bulk copy", where);
  complete_phase_if_due(w, *b);
}

record transaction_of(worker& w, mbarrier& b, std::uint32_t site) {
  if (b.actor == 0) b.actor = w.clocks->actors++;
  ++b.transactions;
  moments& m = b.arrivals.hb;
  if (m.size() <= b.actor) m.resize(b.actor + 1);
  m[b.actor] = b.transactions;
  b.arrivals.shown_hb = nullptr;
  return {b.transactions, w.run, b.actor, site << 8 | by_mbarrier};
}

void mbarrier_serves_proxy(worker& w, mbarrier& b, site where) {
  if (w.clocks == nullptr || b.made.run == 0) return;
  check_init_is_known(w, b, "a bulk copy", where);
  if (b.init_fenced) return;
  if (b.made.run == w.run && w.clocks->bridges(w.current, b.lane, b.made.time, 0)) return;
  report(
      w, hazard_kind::missing_proxy_fence, true, where, b.where,
      "a bulk copy signals an mbarrier whose initialisation (\2) was not made visible to the asynchronous proxy; \1; "
      "the thread that initialises it executes fence.mbarrier_init or fence.proxy.async before the barrier");
}

void mbarrier_arrives(worker& w, mbarrier& b, unsigned count, unsigned lane, site where, unsigned bytes) {
  if (lane != no_lane) check_init_is_known(w, b, "mbarrier.arrive", where);
  if (count == 0 || count > b.pending) {
    misuse_of_mbarrier(where, "mbarrier.arrive",
                       formatted("{} arrival{} at a barrier with {}; it was initialised with {} ({}){}", count,
                                 count == 1 ? "" : "s", state_of(b), b.count, to_text(b.where), overtaking(w)));
  }
  if (lane != no_lane && w.clocks != nullptr) w.clocks->publish(lane, b.arrivals, true);
  if (lane != no_lane && w.timeline != nullptr)
    w.timeline->mbarrier_event(lane, run_event_kind::mbarrier_arrive, b.at, count, bytes, where);
  b.pending -= count;
  complete_phase_if_due(w, b);
}

std::string describe_mbarrier(worker& w, std::uint64_t const* at) {
  mbarrier const* const b = find_mbarrier(w, at);
  return b != nullptr ? state_of(*b) : "not initialised";
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

void cosmati_sim_mbarrier_init(std::uint64_t* barrier, unsigned count, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("mbarrier.init");
  site const where = site_here(w, file, line, __builtin_return_address(0), "mbarrier.init");
  void const* const pc = __builtin_return_address(0);
  if (count == 0 || count > most_arrivals) {
    misuse_of_mbarrier(where, "mbarrier.init", formatted("{} arrivals, 1 to {} are possible", count, most_arrivals));
  }
  if (mbarrier const* const live = find_mbarrier(w, barrier)) end_before_init(w, *live, where);
  shadow_region* const shadow = check_address(barrier, "mbarrier.init", 1, where, pc);
  mbarrier b;
  b.at = barrier;
  b.count = b.pending = count;
  b.where = where;
  b.lane = w.current;
  b.shadow = shadow;
  if (shadow != nullptr) {
    b.made = record_of(w, where.number);
    shadow_mbarrier(w, *shadow, reinterpret_cast<std::uintptr_t>(barrier), true, where.number);
  }
  show(b);
  if (w.timeline != nullptr) w.timeline->mbarrier_init(w.current, barrier, count, where);
  async_of(w).barriers.push_back(std::move(b));
}

void cosmati_sim_mbarrier_inval(std::uint64_t* barrier, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("mbarrier.inval");
  site const where = site_here(w, file, line, __builtin_return_address(0), "mbarrier.inval");
  mbarrier& live = need_mbarrier(w, barrier, "mbarrier.inval", where);
  check_init_is_known(w, live, "mbarrier.inval", where);
  if (unsigned const i = lane_that_waits(w, barrier); i != no_lane)
    misuse_of_mbarrier(where, "mbarrier.inval",
                       formatted("thread {} waits at the barrier ({})", i, to_text(w.lanes[i].where)));
  if (w.timeline != nullptr)
    w.timeline->mbarrier_event(w.current, run_event_kind::mbarrier_inval, barrier, 0, 0, where);
  remove(w, live, where.number);
  poison(barrier, sizeof *barrier);
}

void cosmati_sim_fence_mbarrier_init(char const* file, int line) {
  quiet const hush;
  (void)file;
  (void)line;
  worker& w = running_lane("fence.mbarrier_init");
  for (mbarrier& b : async_of(w).barriers) b.init_fenced |= b.lane == w.current;
}

std::uint64_t cosmati_sim_mbarrier_arrive(std::uint64_t* barrier, unsigned count, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("mbarrier.arrive");
  site const where = site_here(w, file, line, __builtin_return_address(0), "mbarrier.arrive");
  mbarrier& b = need_mbarrier(w, barrier, "mbarrier.arrive", where);
  std::uint64_t const token = b.phase;
  mbarrier_arrives(w, b, count, w.current, where);
  return token;
}

std::uint64_t cosmati_sim_mbarrier_arrive_expect_tx(std::uint64_t* barrier, unsigned bytes, char const* file,
                                                    int line) {
  quiet const hush;
  worker& w = running_lane("mbarrier.arrive.expect_tx");
  site const where = site_here(w, file, line, __builtin_return_address(0), "mbarrier.arrive.expect_tx");
  mbarrier& b = need_mbarrier(w, barrier, "mbarrier.arrive.expect_tx", where);
  std::uint64_t const token = b.phase;
  b.expected_at = where;
  add_transactions(b, bytes, "mbarrier.arrive.expect_tx", where);
  mbarrier_arrives(w, b, 1, w.current, where, bytes);
  return token;
}

void cosmati_sim_mbarrier_expect_tx(std::uint64_t* barrier, unsigned bytes, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("mbarrier.expect_tx");
  site const where = site_here(w, file, line, __builtin_return_address(0), "mbarrier.expect_tx");
  mbarrier& b = need_mbarrier(w, barrier, "mbarrier.expect_tx", where);
  b.expected_at = where;
  check_init_is_known(w, b, "mbarrier.expect_tx", where);
  add_transactions(b, bytes, "mbarrier.expect_tx", where);
  if (w.timeline != nullptr)
    w.timeline->mbarrier_event(w.current, run_event_kind::mbarrier_expect, barrier, 0, bytes, where);
  show(b);
}

int cosmati_sim_mbarrier_test_wait(std::uint64_t* barrier, std::uint64_t state, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("mbarrier.test_wait");
  site const where = site_here(w, file, line, __builtin_return_address(0), "mbarrier.test_wait");
  auto const seen = [&](mbarrier& b) {
    bool const over = b.phase > state;
    if (w.timeline != nullptr) w.timeline->mbarrier_wait(w.current, barrier, state, over, where);
    if (!over) return 0;
    if (w.clocks != nullptr) {
      w.clocks->learn(w.current, b.completed);
      note_phase_seen(b, w.current);
    }
    return 1;
  };
  if (seen(need_mbarrier(w, barrier, "mbarrier.test_wait", where)) != 0) return 1;
  // The lane polls, so the others run, and sometimes a copy completes.
  mbarrier& before = need_mbarrier(w, barrier, "mbarrier.test_wait", where);
  if (++before.polls % 8 == 0) land_something(w);
  let_others_run(w);
  mbarrier& b = need_mbarrier(w, barrier, "mbarrier.test_wait", where);
  if (b.phase <= state && b.polls > 100000) {
    fail_block(formatted("deadlock, a thread polls an mbarrier whose phase cannot complete ({}): {}", to_text(where),
                         state_of(b)),
               hazard_kind::deadlock, where);
  }
  return seen(b);
}

int cosmati_sim_mbarrier_try_wait_parity(std::uint64_t* barrier, unsigned parity, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("mbarrier.try_wait.parity");
  return wait(w, barrier, parity, true, "mbarrier.try_wait.parity",
              site_here(w, file, line, __builtin_return_address(0), "mbarrier.try_wait.parity"));
}

void cosmati_sim_mbarrier_wait_parity(std::uint64_t* barrier, unsigned parity, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("mbarrier.wait");
  wait(w, barrier, parity, false, "mbarrier.wait",
       site_here(w, file, line, __builtin_return_address(0), "mbarrier.wait"));
}

}  // extern "C"
