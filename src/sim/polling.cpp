// SPDX-License-Identifier: Apache-2.0
#include "polling.hpp"

#include <unwind.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <utility>

#include "access.hpp"
#include "async.hpp"
#include "cluster.hpp"
#include "counters.hpp"
#include "formatted.hpp"
#include "scheduler.hpp"
#include "sites.hpp"
#include "thread_pool.hpp"

namespace cosmati_sim {
namespace {

constexpr unsigned first_patience = 128, most_patience = 512;  // the limits in looks, of up to 8 lanes
constexpr std::size_t most_words = 4096;
/// Some lanes never reach the same state again, because they count. So many polls without a change, of all lanes and of
/// each, count as a wait in vain.
constexpr std::uint64_t most_polls = 1u << 25, most_polls_each = 1u << 20;
constexpr std::uint64_t polls_counted_together = 1u << 14;

// The state of lanes

std::uint64_t mix(std::uint64_t sum, std::uint64_t value) {
  sum = (sum ^ value) * 0x9E3779B97F4A7C15ull;
  return sum ^ (sum >> 29);
}
std::uint64_t mix(std::uint64_t sum, std::uintptr_t low, char const* high) {
  for (; low + 8 <= reinterpret_cast<std::uintptr_t>(high); low += 8)
    sum = mix(sum, *reinterpret_cast<std::uint64_t const*>(low));
  return sum;
}

/// The state that the kernel's code finds when the called function returns: its frames, and the registers that
/// functions keep.
struct kernel_frames {
  std::uintptr_t pc;
  char const* high;
  std::uint64_t state = 0;
};

_Unwind_Reason_Code look_at_frame(_Unwind_Context* context, void* argument) {
  kernel_frames& k = *static_cast<kernel_frames*>(argument);
  if (_Unwind_GetIP(context) != k.pc) return _URC_NO_REASON;
#if defined(__x86_64__)
  static constexpr int kept[] = {3, 6, 12, 13, 14, 15};  // the registers that a function keeps, by DWARF's numbers
#elif defined(__aarch64__)
  static constexpr int kept[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
#else
  static constexpr std::array<int, 0> kept;
  return _URC_END_OF_STACK;  // the state stays unknown, so polls are only counted
#endif
  std::uint64_t sum = k.pc;
  for (int const r : kept) sum = mix(sum, _Unwind_GetGR(context, r));
  k.state = mix(sum, _Unwind_GetCFA(context), k.high) | 1;
  return _URC_END_OF_STACK;
}

/// The state of the running lane; 0 if it is unknown.
std::uint64_t own_state(worker const& w, void const* pc) {
  kernel_frames k = {reinterpret_cast<std::uintptr_t>(pc), w.lanes[w.current].on->high};
  _Unwind_Backtrace(&look_at_frame, &k);
  return k.state;
}

/// The state of all lanes, and of the barriers that they meet at.
std::uint64_t state_of_all(worker const& w) {
  poll_watch const& p = *w.polling;
  std::uint64_t sum = w.finished;
  for (unsigned i = 0; i < w.lanes_in_block; ++i) {
    lane const& l = w.lanes[i];
    if (l.state == lane_state::exited || l.state == lane_state::fresh) continue;
    poll_place const& place = p.lanes[i];
    bool const polls = i == w.current || (is_ready(w, i) && place.stands && place.state != 0);
    sum = mix(sum, polls ? place.state : mix(i, reinterpret_cast<std::uintptr_t>(w.contexts[i].at), l.on->high));
  }
  for (barrier_state const& b : w.barriers) sum = mix(sum, b.arrived);
  if (!w.async_used) return sum;
  for (mbarrier const& b : w.async->barriers)
    sum = mix(mix(mix(sum, b.phase), b.pending), static_cast<std::uint64_t>(b.tx));
  return mix(mix(mix(sum, w.async->issued), w.async->floating.size()), w.async->arrivals.size());
}

// The state of memory

std::uint64_t word_at(std::uintptr_t at) {
  return __atomic_load_n(reinterpret_cast<std::uint64_t const*>(at), __ATOMIC_RELAXED);
}

void settle_stores(poll_watch& p) {
  for (auto const& [at, before] : p.stored) p.touched |= word_at(at) != before;
  p.stored.clear();
}

bool memory_is_as_before(poll_watch& p) {
  settle_stores(p);
  return !p.too_many_words && std::all_of(p.words.begin(), p.words.end(),
                                          [](auto const& word) { return word_at(word.first) == word.second; });
}

// Waits for other blocks

void change(waiting_blocks& all) {
  ++all.changes;
  all.calm.clear();
}

void no_longer_stuck(worker& w) {
  poll_watch& p = *w.polling;
  if (!p.stuck) return;
  p.stuck = false;
  p.nap = 0;
  waiting_blocks& all = *w.running->waiting;
  std::lock_guard const lock(all.mutex);
  --all.stuck;
  change(all);
}

[[noreturn]] void too_few_threads(worker& w) {
  job const& j = *w.running;
  poll_place const place = w.polling->lanes[w.current];
  fail_lane(formatted("the blocks that run wait for blocks that have not begun: of the launch's {} blocks, {} run side "
                      "by side here at most; launch fewer",
                      j.blocks, most_side_by_side(j)),
            hazard_kind::deadlock, place.where, site_number(w, place.pc, place.where));
}

/// Handles a block that repeats the same state: it sleeps a little. @return whether no other block can change that
bool is_hopeless(worker& w) {
  job& j = *w.running;
  poll_watch& p = *w.polling;
  prospects const of = prospects_of(w);
  if (of.hopeless) return true;
  if (of.abandoned) {
    w.abandoned = w.failed = true;
    to_scheduler(w);
  }
  // On a GPU the blocks that this one waits for run at the same time.
  if (of.others_wait_to_run && !run_more_blocks(w, of.running) && of.all_are_calm && of.running >= most_side_by_side(j))
    too_few_threads(w);
  p.nap = std::min(20 * of.running, 2 * p.nap + 1);
  waiting_blocks& all = *j.waiting;
  std::unique_lock lock(all.mutex);
  all.woken.wait_for(lock, std::chrono::microseconds(p.nap));
  return false;
}

/// Whether a lane of the block can run, other than the running one, or something that was issued can still happen.
bool others_can_run(worker const& w) {
  if (w.cluster != nullptr || w.async_used) return true;
  for (std::size_t i = 0; i < std::size(w.ready); ++i) {
    std::uint64_t const own = w.current / 64 == i ? 1ull << (w.current % 64) : 0;
    if ((w.ready[i] & ~own) != 0) return true;
  }
  return false;
}

// The values that the lanes of a block wait for

[[noreturn]] void waits_for_ever(worker& w) {
  poll_place const place = w.polling->lanes[w.current];
  char const* const shared = is_shared_memory(w, place.at) ? "shared " : "";
  std::string what = formatted("{}memory", shared);
  if (place.at != 0) {
    std::vector<allocation> const& table = *w.running->allocations;
    allocation const* const a = find_allocation(table, place.at);
    what = a != nullptr ? formatted("allocation {} at byte {}", a->number, place.at - a->low)
                        : formatted("{}memory at {:#x}", shared, place.at);
  }
  std::uint32_t const number = site_number(w, place.pc, place.where);
  if (place.at != 0 && is_shared_with_host(place.at)) {
    // On a GPU the host goes on behind the launch, and may write it.
    fail_lane(
        formatted("the thread polls {}, which the host may write while the kernel runs, and a wait of a kernel for "
                  "the host is not on the simulated device: a kernel ends inside its launch there; {}",
                  what, line_text(line_of_site(number))),
        hazard_kind::invalid_argument, place.where, number);
  }
  fail_lane(formatted("deadlock, the thread polls {} for ever: nobody who still runs writes what it waits for; {}; {}",
                      what, line_text(line_of_site(number)), positions(w, 0, w.lanes_in_block)),
            hazard_kind::deadlock, place.where, number);
}

void waits_in_vain(worker& w) {
  // The events that happen if no lane can run must also happen if none makes progress.
  if (w.cluster != nullptr ? something_happens_in_cluster(w, true) : let_something_happen(w)) return;
  if (w.running->blocks == 1 || is_hopeless(w)) waits_for_ever(w);
}

unsigned lanes_that_can_run(worker const& w) {
  unsigned n = 0;
  for (std::uint64_t const bits : w.ready) n += static_cast<unsigned>(std::popcount(bits));
  return n;
}

void remember(worker& w) {
  poll_watch& p = *w.polling;
  p.words.clear();
  p.stored.clear();
  p.too_many_words = p.touched = p.clock_was_read = false;
  p.lane = w.current;
  p.own = p.lanes[w.current].state;
  p.finished = w.finished;
  p.all = state_of_all(w);
  p.steps = p.next_test = 0;
  p.rounds = std::min(p.rounds + 1, 8u);
  p.window = (lanes_that_can_run(w) + 1) << p.rounds;
}

void stop_watching(worker& w) {
  poll_watch& p = *w.polling;
  no_longer_stuck(w);
  w.watches_stores = false;
  p.looks = p.rounds = 0;
  p.in_vain = 0;
  p.patience = std::min(2 * p.patience, most_patience);
}

void look(worker& w, void const* pc) {
  poll_watch& p = *w.polling;
  if (!w.watches_stores) {
    if (++p.looks < p.patience * (1 + lanes_that_can_run(w) / 8)) return;
    w.watches_stores = true;
    w.forget_places();  // stores take the slow path, where they are noted
    p.lanes[w.current].state = own_state(w, pc);
    return remember(w);
  }
  p.in_vain += 64;
  ++p.steps;
  // Requests of diverged lanes are kept until the lanes meet, which may never happen.
  if (w.counters != nullptr && p.in_vain % polls_counted_together == 0) {
    for (unsigned warp = 0; warp * 32 < w.lanes_in_block; ++warp) w.counters->warp_converges(warp);
  }
  std::uint64_t const state = p.lanes[w.current].state = own_state(w, pc);
  if (w.current == p.lane && state == p.own && state != 0 && p.steps >= p.next_test && !p.clock_was_read) {
    // With other blocks, a value that changes and changes back may be what one of them waits for.
    if (memory_is_as_before(p) && (w.running->blocks == 1 || !p.touched) && state_of_all(w) == p.all) {
      waits_in_vain(w);
      return remember(w);
    }
    p.next_test = p.steps + p.steps / 4 + 1;
  }
  if (p.steps < p.window) return;
  if (!memory_is_as_before(p) || w.finished != p.finished || p.clock_was_read) return stop_watching(w);
  if (p.in_vain > std::max(most_polls, most_polls_each * lanes_that_can_run(w))) {
    waits_in_vain(w);
  } else {
    no_longer_stuck(w);
  }
  remember(w);
}

}  // namespace

void lane_polls(worker& w, void const* pc) {
  poll_place& place = w.polling->lanes[w.current];
  if (place.at == 0) place.pc = pc;
  w.announced.close();
  // Without the checks, and in code that is not instrumented, stores are not seen. Then no wait is known to be in vain.
  if (w.clocks != nullptr && w.sees_everything) {
    quiet const hush;
    look(w, pc);
  }
  place.stands = true;
  let_others_run(w);
  place.stands = false;
}

void note_store(worker& w, std::uintptr_t at, std::size_t bytes) {
  poll_watch& p = *w.polling;
  settle_stores(p);
  std::uintptr_t const first = at & ~std::uintptr_t{7}, words = (at + bytes + 7 - first) / 8;
  p.too_many_words |= p.words.size() + words > most_words;
  if (p.too_many_words) return;
  for (std::uintptr_t i = 0; i < words; ++i) {
    std::uintptr_t const word = first + 8 * i;
    p.stored.emplace_back(word, word_at(word));
    p.words.try_emplace(word, p.stored.back().second);
  }
}

void polling_begins(worker& w) {
  if (w.polling == nullptr) w.polling = std::make_unique<poll_watch>();
  poll_watch& p = *w.polling;
  for (unsigned i = 0; i < w.running->threads; ++i) p.lanes[i] = {};
  w.watches_stores = w.abandoned = false;
  p.looks = p.rounds = 0;
  p.in_vain = 0;
  p.patience = first_patience;
  if (w.running->blocks == 1) return;
  waiting_blocks& all = *w.running->waiting;
  std::lock_guard const lock(all.mutex);
  ++all.begun;
  ++all.running;
  all.at_work.push_back(&w);
  change(all);
}

void polling_ends(worker& w) {
  if (w.running->blocks == 1) return;
  no_longer_stuck(w);
  waiting_blocks& all = *w.running->waiting;
  std::lock_guard const lock(all.mutex);
  --all.running;
  if (w.cluster != nullptr) all.parked -= std::exchange(w.cluster->group->parked, 0u);
  std::erase(all.at_work, &w);
  change(all);
}

void wait_for_bytes(worker& w, std::uint32_t run, std::uintptr_t at, std::size_t bytes) {
  announcement* other = nullptr;
  {
    waiting_blocks& all = *w.running->waiting;
    std::lock_guard const lock(all.mutex);
    for (worker* const of : all.at_work) {
      if (of->announced.run() == run) other = &of->announced;
    }
  }
  if (other != nullptr) other->wait(at, bytes);
}

prospects prospects_of(worker& w) {
  job const& j = *w.running;
  poll_watch& p = *w.polling;
  waiting_blocks& all = *j.waiting;
  prospects of;
  std::lock_guard const lock(all.mutex);
  of.hopeless = all.hopeless;
  if (of.hopeless) return of;
  // A failed block brings no more values, and its error is the one to report.
  of.abandoned = j.first_failed.load() != ~0ull;
  if (of.abandoned) return of;
  if (!p.stuck) {
    p.stuck = true;
    ++all.stuck;
    change(all);
  }
  if (w.cluster != nullptr) {
    unsigned const parked = parked_in_cluster(w);
    all.parked += parked - std::exchange(w.cluster->group->parked, parked);
  }
  of.others_wait_to_run = all.begun < j.blocks;
  of.running = all.running;
  if (all.stuck + all.parked == all.running) {
    if (p.calm_since == all.changes) all.calm.insert(&w);
    p.calm_since = all.changes;
    of.all_are_calm = all.calm.size() + all.parked == all.running;
    of.hopeless = all.hopeless = of.all_are_calm && !of.others_wait_to_run;
  }
  return of;
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

void cosmati_sim_yield(void) {
  worker* const w = this_worker;
  if (w == nullptr || w->running == nullptr) return;
  if (++w->polling->lanes[w->current].polls % 64 == 0) {
    lane_polls(*w, __builtin_return_address(0));
  } else {
    let_others_run(*w);
  }
}

int cosmati_sim_wait_while(unsigned const* word, unsigned value) {
  worker* const w = this_worker;
  if (w == nullptr || w->running == nullptr || w->running->blocks == 1) return 0;
  w->announced.close();
  if (others_can_run(*w)) let_others_run(*w);
  if (others_can_run(*w)) return 0;
  quiet const hush;
  while (__atomic_load_n(word, __ATOMIC_SEQ_CST) == value) {
    if (is_hopeless(*w)) return 1;
  }
  no_longer_stuck(*w);
  return 0;
}

void cosmati_sim_wake_waiting(void) {
  worker* const w = this_worker;
  if (w == nullptr || w->running == nullptr) return;
  w->announced.close();
  std::lock_guard const lock(w->running->waiting->mutex);
  w->running->waiting->woken.notify_all();
}

void cosmati_sim_reads_clock(void) {
  if (worker* const w = this_worker; w != nullptr && w->running != nullptr) w->polling->clock_was_read = true;
}

}  // extern "C"
