// SPDX-License-Identifier: Apache-2.0
#include "polling.hpp"

#include <unwind.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "access.hpp"
#include "async.hpp"
#include "cluster.hpp"
#include "counters.hpp"
#include "formatted.hpp"
#include "scheduler.hpp"
#include "sites.hpp"

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

void cosmati_sim_reads_clock(void) {
  if (worker* const w = this_worker; w != nullptr && w->running != nullptr) w->polling->clock_was_read = true;
}

}  // extern "C"
