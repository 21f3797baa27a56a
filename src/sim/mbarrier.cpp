// SPDX-License-Identifier: Apache-2.0
// mbarriers: arrivals, transactions, phases, and who waits.
#include <fmt/format.h>

#include <algorithm>

#include "access.hpp"
#include "async.hpp"

namespace cosmati_sim {
namespace {

constexpr std::uint32_t most_arrivals = (1u << 20) - 1;
constexpr std::int64_t most_bytes = (1 << 20) - 1;

/// What the opaque word in memory holds: enough for a debugger.
void show(mbarrier const& b) {
  *b.at = (b.phase & 1) << 63 | (static_cast<std::uint64_t>(b.tx & 0x1fffff) << 40) |
          static_cast<std::uint64_t>(b.pending & 0xfffff) << 20 | (b.count & 0xfffff);
}

std::string state_of(mbarrier const& b) {
  return fmt::format("pending {} of {} arrivals, {} bytes of transactions outstanding, phase {} (parity {})", b.pending,
                     b.count, b.tx, b.phase, b.phase & 1);
}

[[noreturn]] void misuse(site where, char const* doing, std::string const& text) {
  fail_lane(fmt::format("{} ({}): {}", doing, to_text(where), text));
}

bool phase_is_over(mbarrier const& b, unsigned parity) { return (b.phase & 1) != (parity & 1); }

void complete_phase_if_due(worker& w, mbarrier& b) {
  b.polls = 0;
  if (b.pending == 0 && b.tx == 0) {
    ++b.phase;
    b.pending = b.count;
    for (unsigned i = 0; i < w.lanes_in_block; ++i) {
      lane& l = w.lanes[i];
      if (l.state == lane_state::at_mbarrier && l.argument == b.at && phase_is_over(b, l.mask)) {
        l.result = 1;
        wake(w, i);
      }
    }
  }
  show(b);
}

void add_transactions(mbarrier& b, std::int64_t bytes, char const* doing, site where) {
  b.tx += bytes;
  if (b.tx > most_bytes || b.tx < -most_bytes) {
    misuse(
        where, doing,
        fmt::format("the barrier's transaction count leaves its range, {} bytes ({} are possible)", b.tx, most_bytes));
  }
}

void check_address(worker&, std::uint64_t* barrier, char const* doing, int kind, site where, void const* pc) {
  check_side({reinterpret_cast<std::uintptr_t>(barrier), 8, kind, 8, nullptr, doing, nullptr, nullptr, where, pc},
             space_shared);
}

int wait(worker& w, std::uint64_t* barrier, unsigned parity, bool only_try, char const* doing, site where) {
  mbarrier& b = need_mbarrier(w, barrier, doing, where);
  if (parity > 1) misuse(where, doing, fmt::format("parity {}, it is 0 or 1", parity));
  if (phase_is_over(b, parity)) return 1;
  lane& self = w.lanes[w.current];
  self.state = lane_state::at_mbarrier;
  self.what = doing;
  self.where = where;
  self.mask = parity;
  self.argument = barrier;
  self.only_tries = only_try;
  wait_until_woken(w);
  return static_cast<int>(self.result);
}

}  // namespace

mbarrier* find_mbarrier(worker& w, std::uint64_t const* at) {
  for (mbarrier& b : async_of(w).barriers) {
    if (b.at == at) return &b;
  }
  return nullptr;
}

mbarrier& need_mbarrier(worker& w, std::uint64_t const* at, char const* doing, site where) {
  if (mbarrier* const b = find_mbarrier(w, at)) return *b;
  misuse(where, doing,
         fmt::format("the mbarrier at shared offset {:#x} is not initialised; mbarrier.init by one thread, then "
                     "__syncthreads(), come before its use",
                     reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(w.shared_low)));
}

void mbarrier_complete_tx(worker& w, std::uint64_t* at, unsigned bytes, site where) {
  mbarrier* const b = find_mbarrier(w, at);
  if (b == nullptr) return;  // invalidated meanwhile
  add_transactions(*b, -static_cast<std::int64_t>(bytes), "complete_tx of a bulk copy", where);
  complete_phase_if_due(w, *b);
}

void mbarrier_arrives(worker& w, mbarrier& b, unsigned count, unsigned, site where) {
  if (count == 0 || count > b.pending) {
    misuse(where, "mbarrier.arrive",
           fmt::format("{} arrival{} at a barrier with {}; it was initialised with {} ({})", count,
                       count == 1 ? "" : "s", state_of(b), b.count, to_text(b.where)));
  }
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
  site const where = {file, line};
  check_address(w, barrier, "mbarrier.init", 1, where, __builtin_return_address(0));
  if (count == 0 || count > most_arrivals) {
    misuse(where, "mbarrier.init", fmt::format("{} arrivals, 1 to {} are possible", count, most_arrivals));
  }
  if (mbarrier const* const live = find_mbarrier(w, barrier)) {
    misuse(where, "mbarrier.init",
           fmt::format("the barrier is live, it was initialised before ({}): {}; mbarrier.inval comes first",
                       to_text(live->where), state_of(*live)));
  }
  mbarrier b;
  b.at = barrier;
  b.count = b.pending = count;
  b.where = where;
  b.lane = w.current;
  async_of(w).barriers.push_back(b);
  show(b);
}

void cosmati_sim_mbarrier_inval(std::uint64_t* barrier, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("mbarrier.inval");
  site const where = {file, line};
  need_mbarrier(w, barrier, "mbarrier.inval", where);
  for (unsigned i = 0; i < w.lanes_in_block; ++i) {
    lane const& l = w.lanes[i];
    if (l.state == lane_state::at_mbarrier && l.argument == barrier) {
      misuse(where, "mbarrier.inval", fmt::format("thread {} waits at the barrier ({})", i, to_text(l.where)));
    }
  }
  auto& all = async_of(w).barriers;
  all.erase(std::find_if(all.begin(), all.end(), [barrier](mbarrier const& b) { return b.at == barrier; }));
  poison(barrier, sizeof *barrier);
}

void cosmati_sim_fence_mbarrier_init(char const* file, int line) {
  (void)file;
  (void)line;
  running_lane("fence.mbarrier_init");
}

std::uint64_t cosmati_sim_mbarrier_arrive(std::uint64_t* barrier, unsigned count, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("mbarrier.arrive");
  site const where = {file, line};
  mbarrier& b = need_mbarrier(w, barrier, "mbarrier.arrive", where);
  std::uint64_t const token = b.phase;
  mbarrier_arrives(w, b, count, w.current, where);
  return token;
}

std::uint64_t cosmati_sim_mbarrier_arrive_expect_tx(std::uint64_t* barrier, unsigned bytes, char const* file,
                                                    int line) {
  quiet const hush;
  worker& w = running_lane("mbarrier.arrive.expect_tx");
  site const where = {file, line};
  mbarrier& b = need_mbarrier(w, barrier, "mbarrier.arrive.expect_tx", where);
  std::uint64_t const token = b.phase;
  add_transactions(b, bytes, "mbarrier.arrive.expect_tx", where);
  mbarrier_arrives(w, b, 1, w.current, where);
  return token;
}

void cosmati_sim_mbarrier_expect_tx(std::uint64_t* barrier, unsigned bytes, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("mbarrier.expect_tx");
  site const where = {file, line};
  mbarrier& b = need_mbarrier(w, barrier, "mbarrier.expect_tx", where);
  add_transactions(b, bytes, "mbarrier.expect_tx", where);
  show(b);
}

int cosmati_sim_mbarrier_test_wait(std::uint64_t* barrier, std::uint64_t state, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("mbarrier.test_wait");
  site const where = {file, line};
  if (need_mbarrier(w, barrier, "mbarrier.test_wait", where).phase > state) return 1;
  // A lane that polls: the others run, and now and then something lands.
  mbarrier& before = need_mbarrier(w, barrier, "mbarrier.test_wait", where);
  if (++before.polls % 8 == 0) land_something(w);
  cosmati_sim_yield();
  mbarrier& b = need_mbarrier(w, barrier, "mbarrier.test_wait", where);
  if (b.phase <= state && b.polls > 100000) {
    fail_block(fmt::format("deadlock, a thread polls an mbarrier whose phase cannot complete ({}): {}", to_text(where),
                           state_of(b)));
  }
  return b.phase > state ? 1 : 0;
}

int cosmati_sim_mbarrier_try_wait_parity(std::uint64_t* barrier, unsigned parity, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("mbarrier.try_wait.parity");
  return wait(w, barrier, parity, true, "mbarrier.try_wait.parity", {file, line});
}

void cosmati_sim_mbarrier_wait_parity(std::uint64_t* barrier, unsigned parity, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("mbarrier.wait");
  wait(w, barrier, parity, false, "mbarrier.wait", {file, line});
}

}  // extern "C"
