// SPDX-License-Identifier: Apache-2.0
// One block: its lanes run as fibers on one host thread, in the order of their index, each until it waits.
#include <cxxabi.h>
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <exception>

#include "async.hpp"
#include "clocks.hpp"
#include "counters.hpp"
#include "fibers.hpp"
#include "hazards.hpp"
#include "shadow.hpp"
#include "sites.hpp"
#include "state.hpp"
#include "trace_state.hpp"

// The words that a lane reads. They are const to the user's code.
extern "C" {
__thread cosmati_sim::index3 threadIdx __attribute__((tls_model("initial-exec")));
__thread cosmati_sim::index3 blockIdx __attribute__((tls_model("initial-exec")));
__thread cosmati_sim::index3 cosmati_sim_block_dim __attribute__((tls_model("initial-exec")));
__thread cosmati_sim::index3 cosmati_sim_grid_dim __attribute__((tls_model("initial-exec")));
}

namespace cosmati_sim {

__thread worker* this_worker = nullptr;

worker::worker() : tables(std::make_unique<site_tables>()) {}
worker::~worker() = default;
job::job() = default;
job::~job() = default;

namespace {

constexpr unsigned none = ~0u;

void set_ready(worker& w, unsigned i) { w.ready[i / 64] |= 1ull << (i % 64); }
void clear_ready(worker& w, unsigned i) { w.ready[i / 64] &= ~(1ull << (i % 64)); }

/// The next ready lane after `from`, around the block.
unsigned next_ready(worker const& w, unsigned from) {
  unsigned word = from / 64;
  std::uint64_t bits = w.ready[word] & (~1ull << (from % 64));
  if (bits != 0) return word * 64 + static_cast<unsigned>(std::countr_zero(bits));
  unsigned const words = (w.lanes_in_block + 63) / 64;
  for (unsigned i = 0; i < words; ++i) {
    word = word + 1 == words ? 0 : word + 1;
    bits = w.ready[word];
    if (bits != 0) return word * 64 + static_cast<unsigned>(std::countr_zero(bits));
  }
  return none;
}

void become(worker& w, unsigned i) {
  w.current = i;
  threadIdx = w.lanes[i].thread;
  w.atomics_in_a_row = 0;
}

/// What ran before has been switched away from: remember where it goes on.
void arrived_from(context::transfer_t from) {
  if (from.data != nullptr) static_cast<resumable*>(from.data)->context = from.fctx;
}

[[noreturn]] void to_scheduler(worker& w) {
  context::jump_fcontext(w.scheduler.context, nullptr);
  __builtin_unreachable();
}

std::string ranges(std::vector<unsigned> const& threads) {
  std::string text;
  for (std::size_t i = 0; i < threads.size();) {
    std::size_t j = i;
    while (j + 1 < threads.size() && threads[j + 1] == threads[j] + 1) ++j;
    if (!text.empty()) text += ", ";
    if (text.size() > 120) return text + "...";
    text += i == j ? fmt::format("{}", threads[i]) : fmt::format("{}-{}", threads[i], threads[j]);
    i = j + 1;
  }
  return fmt::format("{} {}", threads.size() == 1 ? "thread" : "threads", text);
}

std::string position(worker& w, lane const& l) {
  switch (l.state) {
    case lane_state::exited:
      return "exited";
    case lane_state::fresh:
      return "not started";
    case lane_state::ready:
      return "running";
    case lane_state::at_warp:
      return fmt::format("at {} with mask {:#010x} ({})", l.what, l.mask, to_text(l.where));
    case lane_state::at_barrier:
      if (l.barrier != 0) return fmt::format("at {} {} ({})", l.what, l.barrier, to_text(l.where));
      [[fallthrough]];
    default:
      return fmt::format("at {} ({})", l.what, to_text(l.where));
    case lane_state::at_mbarrier:
      return fmt::format("at {} with parity {} ({}), the barrier has {}", l.what, l.mask, to_text(l.where),
                         describe_mbarrier(w, static_cast<std::uint64_t const*>(l.argument)));
  }
}

/// "threads 0-31: at __syncthreads (kernel.cpp:41); threads 32-63: exited".
std::string positions(worker& w, unsigned first, unsigned last) {
  std::vector<std::pair<std::string, std::vector<unsigned>>> groups;
  for (unsigned i = first; i < last; ++i) {
    std::string const at = position(w, w.lanes[i]);
    auto found = groups.begin();
    while (found != groups.end() && found->first != at) ++found;
    if (found == groups.end()) found = groups.insert(found, {at, {}});
    found->second.push_back(i);
  }
  std::string text;
  for (auto const& [at, threads] : groups) {
    if (!text.empty()) text += "; ";
    text += ranges(threads) + ": " + at;
  }
  return text;
}

[[noreturn]] void deadlock(worker& w) {
  std::string const where = positions(w, 0, w.lanes_in_block);
  bool exited = false, barrier = false, warp = false, mbarrier = false;
  for (unsigned i = 0; i < w.lanes_in_block; ++i) {
    exited |= w.lanes[i].state == lane_state::exited;
    barrier |= w.lanes[i].state == lane_state::at_barrier;
    warp |= w.lanes[i].state == lane_state::at_warp;
    mbarrier |= w.lanes[i].state == lane_state::at_mbarrier;
  }
  char const* const why = mbarrier          ? "threads wait for a phase of an mbarrier that cannot complete"
                          : warp && barrier ? "some threads wait at a barrier, others for the lanes of a warp"
                          : warp            ? "lanes of a mask never come to the same warp instruction"
                          : exited          ? "threads exited that others wait for"
                                            : "threads wait at different barriers";
  site first;
  for (unsigned i = 0; i < w.lanes_in_block && first.file == nullptr; ++i) {
    if (w.lanes[i].state != lane_state::exited) first = site_of_lane(w, w.lanes[i]);
  }
  // Lanes of a warp, or threads of a block, that should have come together took different ways.
  bool const divergence = !mbarrier && (warp || (barrier && exited));
  fail_block(fmt::format("deadlock, {}: {}", why, where), divergence ? hazard_kind::divergence : hazard_kind::deadlock,
             first);
}

/// Lanes that asked who is active learn it when nothing else can run: those that stand at the same call.
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

/// Lanes that only try to see a phase complete go on without it when nothing else can run.
bool release_tries(worker& w) {
  bool any = false;
  for (unsigned i = 0; i < w.lanes_in_block; ++i) {
    lane& l = w.lanes[i];
    if (l.state != lane_state::at_mbarrier || !l.only_tries || l.tries_in_vain > 1000) continue;
    ++l.tries_in_vain;
    l.result = 0;
    wake(w, i);
    any = true;
  }
  return any;
}

unsigned choose(worker& w, unsigned after) {
  unsigned next = next_ready(w, after);
  while (next == none && w.finished < w.lanes_in_block) {
    if (!release_activemask(w) && !land_something(w) && !release_tries(w)) deadlock(w);
    next = next_ready(w, after);
  }
  return next;
}

void run_lanes(worker& w);

[[noreturn]] void fiber_main(context::transfer_t from) {
  arrived_from(from);
  worker& w = *this_worker;
  run_lanes(w);
  to_scheduler(w);
}

context::fcontext_t fresh_context(worker& w, stack const* on) {
  (void)w;
  return context::make_fcontext(on->high, static_cast<std::size_t>(on->high - on->low), &fiber_main);
}

/// Runs other lanes, the next ready one after `after` first, until the current one is ready and has its turn.
void switch_away(worker& w, unsigned after) {
  if (!w.suspects.empty()) resolve_suspects(w);
  lane& self = w.lanes[w.current];
  unsigned const next = choose(w, after);
  if (next == w.current) return;
  self.exceptions[0] = w.exceptions[0];
  self.exceptions[1] = w.exceptions[1];
  lane& target = w.lanes[next];
  become(w, next);
  context::fcontext_t to = target.context;
  if (target.state == lane_state::fresh) {
    stand_on(w, take_stack(w));
    to = fresh_context(w, target.on);
    w.exceptions[0] = w.exceptions[1] = nullptr;
  } else {
    w.stack_low = target.stack_low;
    w.exceptions[0] = target.exceptions[0];
    w.exceptions[1] = target.exceptions[1];
  }
  cosmati_sim_active = 0;
  arrived_from(context::jump_fcontext(to, &self));
}

void check_waiting_after_exit(worker& w, unsigned exited);

/// Runs the current lane to its end, then whichever comes next, on this one stack while they are fresh.
void run_lanes(worker& w) {
  job const& j = *w.running;
  for (;;) {
    lane& self = w.lanes[w.current];
    self.state = lane_state::ready;
    self.frame = 0;
    std::string what;
    bool thrown = false;
    // Without checks nothing is watched, bounds neither.
    cosmati_sim_active = j.checks || j.tracing || j.counting
                             ? lane_runs | (j.tracing ? lane_is_traced : 0) | (j.counting ? lane_is_counted : 0)
                             : 0;
    try {
      j.request->call(j.request->arguments);
      cosmati_sim_active = 0;
    } catch (std::exception const& e) {
      cosmati_sim_active = 0;
      thrown = true;
      what = e.what();
    } catch (...) {
      cosmati_sim_active = 0;
      thrown = true;
      what = "an exception that is no std::exception was thrown";
    }
    if (!w.suspects.empty()) resolve_suspects(w);
    if (thrown) {
      // Of the library's own checks, those of a copy's bounds speak of a hazard.
      bool const bounds = w.thrown_at != 0 && what.find("reaches beyond") != std::string::npos;
      fail_lane(what, bounds ? hazard_kind::out_of_bounds : hazard_kind::none, {}, w.thrown_at);
    }
    if (w.async_used) lane_ends(w);
    self.state = lane_state::exited;
    clear_ready(w, self.index);
    w.warp_gone[self.index / 32] |= 1u << (self.index % 32);
    ++w.finished;
    if (w.counters != nullptr && w.warp_gone[self.index / 32] == ~0u) w.counters->warp_converges(self.index / 32);
    if (w.finished < w.lanes_in_block) check_waiting_after_exit(w, self.index);
    unsigned const next = choose(w, w.current);
    if (next == none) return;
    lane& target = w.lanes[next];
    stack const* const mine = self.on;
    become(w, next);
    if (target.state == lane_state::fresh) {
      stand_on(w, mine);
      continue;
    }
    w.stack_low = target.stack_low;
    w.exceptions[0] = target.exceptions[0];
    w.exceptions[1] = target.exceptions[1];
    give_stack(w, mine);  // nobody takes it before the jump
    context::jump_fcontext(target.context, nullptr);
    __builtin_unreachable();
  }
}

void complete_barrier(worker& w, int id) {
  barrier_state& b = w.barriers[static_cast<std::size_t>(id)];
  unsigned const words = (w.lanes_in_block + 63) / 64;
  for (unsigned word = 0; word < words; ++word) {
    std::uint64_t bits = b.waiting[word];
    w.ready[word] |= bits;
    b.waited[word] = bits;
    b.waiting[word] = 0;
    for (; bits != 0; bits &= bits - 1) {
      lane& l = w.lanes[word * 64 + static_cast<unsigned>(std::countr_zero(bits))];
      l.state = lane_state::ready;
      l.result = b.result();
    }
  }
  b.arrived = 0;
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

/// The barrier has all the threads that are left: complete it, or say what is wrong with it.
void finish_barrier_of_block(worker& w, int id) {
  if (w.finished != 0 && !w.running->exited_may_skip_barriers) {
    site first;
    for (unsigned i = 0; i < w.lanes_in_block && first.file == nullptr; ++i) {
      if (w.lanes[i].state == lane_state::at_barrier) first = site_of_lane(w, w.lanes[i]);
    }
    fail_block(fmt::format("barrier divergence, not all threads of the block come to the barrier: {}",
                           positions(w, 0, w.lanes_in_block)),
               hazard_kind::divergence, first);
  }
  complete_barrier(w, id);
}

/// Lanes in the warp of `i` that wait for the same thing as it does.
unsigned lanes_at_the_same(worker const& w, unsigned i) {
  lane const& l = w.lanes[i];
  unsigned here = 0;
  for (unsigned bits = w.warp_waiting[i / 32] & l.mask; bits != 0; bits &= bits - 1) {
    unsigned const k = static_cast<unsigned>(std::countr_zero(bits));
    lane const& other = w.lanes[i / 32 * 32 + k];
    if (other.mask == l.mask && (other.what == l.what || std::strcmp(other.what, l.what) == 0)) here |= 1u << k;
  }
  return here;
}

/// All other lanes of the current one's warp wait at barrier `id`, or have exited.
bool rest_of_warp_waits_at(worker const& w, int id) {
  unsigned const warp = w.current / 32 * 32;
  for (unsigned i = warp; i < warp + 32 && i < w.lanes_in_block; ++i) {
    lane const& l = w.lanes[i];
    bool const waits = l.state == lane_state::at_barrier && l.barrier == id;
    if (i != w.current && !waits && l.state != lane_state::exited) return false;
  }
  return true;
}

using together_function = void (*)(void* const*, unsigned);

/// Completes the warp instruction that lane `i` waits at if all its lanes are there. @return whether it did
bool try_complete_warp(worker& w, unsigned i, together_function together) {
  lane const& l = w.lanes[i];
  if (((w.warp_waiting[i / 32] | w.warp_gone[i / 32]) & l.mask) != l.mask) return false;
  unsigned const lanes = lanes_at_the_same(w, i);
  if (((lanes | w.warp_gone[i / 32]) & l.mask) != l.mask) return false;
  unsigned const warp = i / 32 * 32;
  if (w.counters != nullptr && (lanes | w.warp_gone[i / 32]) == ~0u) w.counters->warp_converges(i / 32);
  if (together != nullptr) {
    void* arguments[32] = {};
    for (unsigned bits = lanes; bits != 0; bits &= bits - 1) {
      unsigned const k = static_cast<unsigned>(std::countr_zero(bits));
      arguments[k] = w.lanes[warp + k].argument;
    }
    together(arguments, lanes);
  }
  if (w.clocks != nullptr && together == nullptr && std::strcmp(l.what, "__syncwarp") == 0) {
    w.clocks->meet_warp(i / 32, lanes, (lanes | w.warp_gone[i / 32]) == ~0u);
  }
  for (unsigned bits = lanes; bits != 0; bits &= bits - 1) {
    w.lanes[warp + static_cast<unsigned>(std::countr_zero(bits))].state = lane_state::ready;
  }
  w.ready[i / 64] |= static_cast<std::uint64_t>(lanes) << (warp % 64);
  w.warp_waiting[i / 32] &= ~lanes;
  return true;
}

void check_waiting_after_exit(worker& w, unsigned exited) {
  barrier_state& b = w.barriers[0];
  if (b.arrived != 0 && b.arrived == w.lanes_in_block - w.finished) finish_barrier_of_block(w, 0);
  if (w.warp_waiting[exited / 32] == 0) return;
  unsigned const warp = exited / 32 * 32;
  for (unsigned i = warp; i < warp + 32 && i < w.lanes_in_block; ++i) {
    if (w.lanes[i].state == lane_state::at_warp) {
      try_complete_warp(w, i, w.lanes[i].together);
    }
  }
}

}  // namespace

std::string to_text(index3 v) { return fmt::format("({},{},{})", v.x, v.y, v.z); }

std::string to_text(site s) {
  if (s.file == nullptr) return "source line unknown";
  char const* const slash = std::strrchr(s.file, '/');
  return fmt::format("{}:{}", slash != nullptr ? slash + 1 : s.file, s.line);
}

worker& running_lane(char const* name) {
  worker* const w = this_worker;
  if (w == nullptr || w->running == nullptr) {
    std::fprintf(stderr, "cosmati: %s was called outside a kernel\n", name);
    std::abort();
  }
  return *w;
}

void wait_until_woken(worker& w) {
  clear_ready(w, w.current);
  switch_away(w, w.current);
}

void wake(worker& w, unsigned i) {
  w.lanes[i].state = lane_state::ready;
  set_ready(w, i);
}

/// A failure that has a kind is a hazard too.
static void remember_failure(worker& w, hazard_kind kind, site where, std::uint32_t site_number, std::string&& text,
                             std::string const& phrase) {
  if (kind == hazard_kind::none) return;
  w.failure = std::make_unique<hazard>(hazard_here(w, kind));
  w.failure->site = site_number != 0 ? site_number : where.number;
  w.failure->where = where;
  w.failure->message = std::move(text);
  w.failure->fatal = true;
  describe_into(*w.failure, phrase);
}

std::string place_of_current(worker const& w, bool with_thread) {
  std::string text = fmt::format("kernel {}, block {}", w.running->kernel, to_text(w.block_index));
  if (with_thread) text += ", thread " + to_text(w.lanes[w.current].thread);
  return text;
}

void fail_lane(std::string sentence, hazard_kind kind, site where, std::uint32_t site_number, std::string phrase,
               bool first) {
  cosmati_sim_active = 0;
  worker& w = *this_worker;
  w.failed = true;
  w.failure_text = place_of_current(w, true) + ": " + sentence;
  remember_failure(w, kind, where, site_number, std::move(sentence), phrase);
  if (w.failure != nullptr) w.failure->first = first;
  sentence = std::string();
  phrase = std::string();
  to_scheduler(w);
}

void fail_block(std::string sentence, hazard_kind kind, site where) {
  cosmati_sim_active = 0;
  worker& w = *this_worker;
  w.failed = true;
  w.failure_text = place_of_current(w, false) + ": " + sentence;
  remember_failure(w, kind, where, 0, std::move(sentence), {});
  if (w.failure != nullptr) w.failure->of_block = true;
  sentence = std::string();
  to_scheduler(w);
}

void run_block(worker& w, std::uint64_t block) {
  job const& j = *w.running;
  w.block = block;
  w.block_index = {static_cast<unsigned>(block % j.grid.x), static_cast<unsigned>(block / j.grid.x % j.grid.y),
                   static_cast<unsigned>(block / j.grid.x / j.grid.y)};
  w.lanes_in_block = j.threads;
  w.finished = 0;
  w.failed = false;
  w.failure = nullptr;
  w.thrown_at = 0;
  w.hits = {};
  for (note& n : w.notes) n.bytes = 0;
  for (barrier_state& b : w.barriers) b = {};
  for (unsigned warp = 0; warp < max_lanes / 32; ++warp) {
    w.warp_arrived[warp] = w.warp_waiting[warp] = 0;
    unsigned const first = warp * 32;
    unsigned const lanes = j.threads > first ? j.threads - first : 0;
    w.warp_gone[warp] = lanes >= 32 ? 0 : ~0u << lanes;
  }
  for (std::uint64_t& word : w.ready) word = 0;
  async_block_begins(w);
  index3 thread;
  for (unsigned i = 0; i < j.threads; ++i) {
    lane& l = w.lanes[i];
    l.state = lane_state::fresh;
    l.tries_in_vain = 0;
    l.index = static_cast<std::uint16_t>(i);
    l.thread = thread;
    set_ready(w, i);
    if (++thread.x == j.block.x) {
      thread.x = 0;
      if (++thread.y == j.block.y) {
        thread.y = 0;
        ++thread.z;
      }
    }
  }
  if (j.checks) {
    if (w.own_clocks == nullptr) w.own_clocks = std::make_unique<block_clocks>();
    w.clocks = w.own_clocks.get();
    w.clocks->begin(j.threads);
    w.first_run = j.first_run;
    w.run = j.first_run + static_cast<std::uint32_t>(block);
    w.suspects.clear();
    shadow_of_shared_begins(w);
  } else {
    w.clocks = nullptr;
  }
  blockIdx = w.block_index;
  cosmati_sim_block_dim = j.block;
  cosmati_sim_grid_dim = j.grid;
  w.shared_bytes = j.request->shared_bytes;
  poison(w.shared_low, w.shared_bytes);
  for (thread_local_variable const& v : w.thread_locals) {
    if (v.shared && !belongs_to_another_kernel(v, j)) poison(v.low, v.bytes);
  }

  void* const saved[2] = {w.exceptions[0], w.exceptions[1]};
  become(w, 0);
  w.stack_bytes = stack_range_bytes();
  stand_on(w, take_stack(w));
  w.exceptions[0] = w.exceptions[1] = nullptr;
  arrived_from(context::jump_fcontext(fresh_context(w, w.lanes[0].on), &w.scheduler));
  cosmati_sim_active = 0;
  if (!w.failed) async_block_ends(w);
  w.exceptions[0] = saved[0];
  w.exceptions[1] = saved[1];
  reset_stacks(w);
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

namespace {

struct active_again {
  int saved = cosmati_sim_active;
  ~active_again() { cosmati_sim_active = saved; }
};

}  // namespace

extern "C" {

void* cosmati_sim_dynamic_shared(void) { return running_lane("dynamic_shared()").shared_low; }

unsigned cosmati_sim_barrier(int id, unsigned count, int reduce, int predicate, char const* name, char const* file,
                             int line) {
  active_again const restore;
  cosmati_sim_active = 0;
  worker& w = running_lane(name);
  unsigned const me = w.current;
  lane& self = w.lanes[me];
  if (id < 0 || id > 15)
    fail_lane(fmt::format("{} ({}): barrier {}, there are 0 to 15", name, to_text({file, line}), id));
  barrier_state& b = w.barriers[static_cast<std::size_t>(id)];
  if (b.arrived == 0) {
    b.count = 0;
    b.all = true;
    b.any = false;
    b.expected = count;
    b.reduce = reduce;
    b.somebody_goes_on = false;
  } else if (b.expected != count) {
    fail_lane(fmt::format("{} ({}): barrier {} is waited for with {} threads here and {} elsewhere", name,
                          to_text({file, line}), id, count, b.expected),
              hazard_kind::divergence, site_here(w, file, line, __builtin_return_address(0), name));
  }
  if (reduce != 0) {
    b.count += predicate != 0;
    b.all &= predicate != 0;
    b.any |= predicate != 0;
  }
  // An aligned barrier: all threads of a warp have to execute the same one.
  unsigned const warp = me / 32;
  if (id == 0) {
    if (w.warp_arrived[warp] == 0) {
      w.warp_site[warp] = {file, line};
    } else if (w.warp_site[warp].line != line ||
               (w.warp_site[warp].file != file && std::strcmp(w.warp_site[warp].file, file) != 0)) {
      self.state = lane_state::at_barrier;
      self.barrier = id;
      self.what = name;
      self.where = {file, line};
      unsigned const end = (warp + 1) * 32 < w.lanes_in_block ? (warp + 1) * 32 : w.lanes_in_block;
      fail_block(fmt::format("barrier divergence, threads of one warp wait at different calls: {}",
                             positions(w, warp * 32, end)),
                 hazard_kind::divergence, site_here(w, file, line, __builtin_return_address(0), name));
    }
    unsigned const lanes = w.lanes_in_block - warp * 32 < 32 ? w.lanes_in_block - warp * 32 : 32;
    if (++w.warp_arrived[warp] == lanes) w.warp_arrived[warp] = 0;
  }
  self.what = name;
  self.where = {file, line};
  self.pc = __builtin_return_address(0);
  ++b.arrived;
  if (w.counters != nullptr && rest_of_warp_waits_at(w, id)) w.counters->warp_converges(warp);
  b.waiting[me / 64] |= 1ull << (me % 64);
  if (w.clocks != nullptr && count != 0) w.clocks->publish(me, w.clocks->named[static_cast<std::size_t>(id)]);
  bool const complete = count == 0 ? b.arrived == w.lanes_in_block - w.finished : b.arrived == count;
  if (complete) {
    unsigned const result = b.result();
    if (count == 0) {
      if (w.finished != 0) {
        self.state = lane_state::at_barrier;
        self.barrier = id;
      }
      finish_barrier_of_block(w, id);
      self.state = lane_state::ready;
      if (w.finished != 0) {
        for (unsigned& arrived : w.warp_arrived) arrived = 0;
      }
    } else {
      complete_barrier(w, id);
    }
    switch_away(w, w.lanes_in_block - 1);  // the lowest first, so that the lowest is the first to be wrong
    return result;
  }
  self.state = lane_state::at_barrier;
  self.barrier = id;
  clear_ready(w, me);
  switch_away(w, w.current);
  return self.result;
}

unsigned cosmati_sim_barrier_arrive(int id, unsigned count, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("bar.arrive");
  site const where = {file, line};
  if (id < 0 || id > 15) fail_lane(fmt::format("bar.arrive ({}): barrier {}, there are 0 to 15", to_text(where), id));
  if (count == 0 || count % 32 != 0) {
    fail_lane(fmt::format("bar.arrive ({}): {} threads, it needs a multiple of 32", to_text(where), count));
  }
  barrier_state& b = w.barriers[static_cast<std::size_t>(id)];
  if (b.arrived == 0) {
    b.count = 0;
    b.all = true;
    b.any = false;
    b.expected = count;
    b.reduce = 0;
    b.somebody_goes_on = false;
  } else if (b.expected != count) {
    fail_lane(fmt::format("bar.arrive ({}): barrier {} is waited for with {} threads here and {} elsewhere",
                          to_text(where), id, count, b.expected),
              hazard_kind::divergence, site_here(w, file, line, __builtin_return_address(0), "bar.arrive"));
  }
  b.somebody_goes_on = true;
  if (w.clocks != nullptr) w.clocks->publish(w.current, w.clocks->named[static_cast<std::size_t>(id)]);
  if (++b.arrived == count) complete_barrier(w, id);
  return 0;
}

void cosmati_sim_meet(unsigned mask, void* argument, void (*together)(void* const* arguments, unsigned lanes),
                      char const* name, char const* file, int line) {
  active_again const restore;
  cosmati_sim_active = 0;
  worker& w = running_lane(name);
  unsigned const me = w.current;
  lane& self = w.lanes[me];
  if ((mask >> (me % 32) & 1u) == 0) {
    fail_lane(fmt::format("{} ({}): mask {:#010x} does not hold the calling lane {}", name, to_text({file, line}), mask,
                          me % 32),
              hazard_kind::divergence, site_here(w, file, line, __builtin_return_address(0), name), 0, {}, true);
  }
  self.state = lane_state::at_warp;
  self.what = name;
  self.where = {file, line};
  self.pc = __builtin_return_address(0);
  self.mask = mask;
  self.argument = argument;
  w.warp_waiting[me / 32] |= 1u << (me % 32);
  clear_ready(w, me);
  self.together = together;
  bool const complete = try_complete_warp(w, me, together);
  switch_away(w, complete ? (me / 32 * 32 + w.lanes_in_block - 1) % w.lanes_in_block : me);
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

void cosmati_sim_yield(void) {
  worker* const w = this_worker;
  if (w == nullptr || w->running == nullptr || w->finished + 1 == w->lanes_in_block) return;
  active_again const restore;
  cosmati_sim_active = 0;
  switch_away(*w, w->current);
}

void cosmati_sim_throws(void) {
  quiet const hush;
  worker& w = *this_worker;
  if (w.clocks != nullptr) w.thrown_at = site_number(w, nullptr, {"include/cosmati/core/error.hpp", 1});
}

void cosmati_sim_fail(char const* sentence, char const* file, int line) {
  worker& w = running_lane(sentence);
  (void)w;
  fail_lane(file != nullptr ? fmt::format("{} ({})", sentence, to_text({file, line})) : std::string(sentence));
}

}  // extern "C"
