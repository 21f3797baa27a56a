// SPDX-License-Identifier: Apache-2.0
// One block. Its lanes run as fibers on one host thread, in the order of their indices. Each runs until it waits.
#include <cxxabi.h>

#include <bit>
#include <cstring>
#include <exception>
#include <utility>

#include "async.hpp"
#include "clocks.hpp"
#include "cluster.hpp"
#include "counters.hpp"
#include "fibers.hpp"
#include "hazards.hpp"
#include "lane_exit.hpp"
#include "polling.hpp"
#include "register_budget.hpp"
#include "scheduler.hpp"
#include "shadow.hpp"
#include "sites.hpp"
#include "state.hpp"
#include "sweep.hpp"
#include "sync_variables.hpp"
#include "timeline.hpp"
#include "trace_state.hpp"
#include "unwritten_values.hpp"

// The variables that a lane reads. They are const in the user's code.
extern "C" {
__thread cosmati_sim::thread_index threadIdx __attribute__((tls_model("initial-exec")));
__thread cosmati_sim::index3 blockIdx __attribute__((tls_model("initial-exec")));
// Outside kernels, where Thrust's algorithms call functions for the device, there is one thread.
__thread cosmati_sim::index3 cosmati_sim_block_dim __attribute__((tls_model("initial-exec"))) = {1, 1, 1};
__thread cosmati_sim::index3 cosmati_sim_grid_dim __attribute__((tls_model("initial-exec"))) = {1, 1, 1};
// A CUDA file's own constant of this name takes the place of this one.
extern __attribute__((weak)) const int warpSize;
const int warpSize = 32;
}

namespace cosmati_sim {

__thread worker* this_worker = nullptr;

worker::worker() : tables(std::make_unique<site_tables>()) {}
worker::~worker() = default;
job::job() : waiting(std::make_unique<waiting_blocks>()) {}
job::~job() = default;

namespace {

constexpr unsigned none = ~0u;

/// The next ready lane after `from`, cyclically.
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

/// Releases lanes that only test whether a phase is complete, if nothing else can run.
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

/// The next lane to run. Here something must happen before a lane can run, or the block is over, or it is a deadlock.
[[gnu::noinline]] unsigned choose_slowly(worker& w, unsigned after) {
  unsigned next = next_ready(w, after);
  while (next == none && w.finished < w.lanes_in_block) {
    if (!(w.cluster != nullptr ? something_happens_in_cluster(w) : let_something_happen(w))) deadlock(w);
    next = next_ready(w, after);
  }
  return next;
}

inline unsigned choose(worker& w, unsigned after) {
  std::uint64_t const bits = w.ready[after / 64] & (~1ull << (after % 64));
  if (bits != 0) [[likely]]
    return after / 64 * 64 + static_cast<unsigned>(std::countr_zero(bits));
  return choose_slowly(w, after);
}

void run_lanes(worker& w);

/// Saves the exceptions in flight, which belong to a lane. Usually there are none.
void keep_exceptions(worker& w, lane& of) {
  if (w.exceptions[0] == nullptr && w.exceptions[1] == nullptr) return;
  of.throws = true;
  for (int i = 0; i < 2; ++i) of.exceptions[i] = std::exchange(w.exceptions[i], nullptr);
}
void restore_exceptions(worker& w, lane& of) {
  if (!of.throws) return;
  of.throws = false;
  for (int i = 0; i < 2; ++i) w.exceptions[i] = of.exceptions[i];
}

void fiber_main() {
  worker& w = *this_worker;
  run_lanes(w);
  to_scheduler(w);
}

/// Completes barriers and warp instructions for which the exited lane was the last missing one.
void after_exit(worker& w, unsigned exited) {
  barrier_after_exit(w);
  warp_after_exit(w, exited);
}

}  // namespace

void switch_away(worker& w, unsigned after) {
  end_sweep(w);
  w.announced.close();
  if (!w.suspects.empty()) resolve_suspects(w);
  lane& self = w.lanes[w.current];
  unsigned const next = choose(w, after);
  if (next == w.current) return;
  keep_exceptions(w, self);
  self.active = 0;  // the caller restores it
  lane& target = w.lanes[next];
  saved_context& from = w.contexts[w.current];
  bool const fresh = target.state == lane_state::fresh;
  become(w, target);
  if (fresh) {
    stand_on(w, take_stack(w));
    w.contexts[next] = fresh_context<fiber_main>(target.on->low, target.on->high);
  } else {
    restore_exceptions(w, target);
  }
  switch_context(from, w.contexts[next]);
}

namespace {

/// Runs the current lane to its end, then the next ones, on this one stack as long as they are fresh.
void run_lanes(worker& w) {
  job const& j = *w.running;
  for (;;) {
    lane& self = w.lanes[w.current];
    self.state = lane_state::ready;
    self.frame = &w.tables->calls.root;
    std::string what;
    bool thrown = false;
    // Without checks nothing is watched, not even bounds.
    cosmati_sim_active = j.checks || j.tracing || j.counting
                             ? lane_runs | (j.tracing ? lane_is_traced : 0) | (j.counting ? lane_is_counted : 0)
                             : 0;
    try {
      j.request->call(j.request->arguments);
    } catch (lane_exit const&) {
    } catch (std::exception const& e) {
      cosmati_sim_active = 0;
      thrown = true;
      what = e.what();
    } catch (...) {
      thrown = true;
      what = "an exception that is no std::exception was thrown";
    }
    cosmati_sim_active = 0;
    if (w.deferred != nullptr) fail_deferred(w);
    if (!thrown) end_sweep(w);
    w.announced.close();
    if (!w.suspects.empty()) resolve_suspects(w);
    if (thrown) {
      // If a library that is not instrumented has thrown, the kernel is the nearest known site.
      if (w.thrown.site == 0) w.thrown.site = site_number(w, static_cast<char const*>(j.request->kernel) + 1);
      fail_lane(what, w.thrown.kind, {}, w.thrown.site);
    }
    if (w.async_used) lane_ends(w);
    self.state = lane_state::exited;
    unsigned const me = w.current, warp = me / 32;
    clear_ready(w, me);
    w.warp_gone[warp] |= 1u << (me % 32);
    ++w.finished;
    if (w.counters != nullptr && w.warp_gone[warp] == ~0u) w.counters->warp_converges(warp);
    if (w.timeline != nullptr && w.warp_gone[warp] == ~0u) w.timeline->exit(me);
    if (w.finished < w.lanes_in_block) after_exit(w, me);
    if (w.cluster != nullptr) cluster_lane_exits(w, me);
    unsigned const next = choose(w, w.current);
    if (next == none) return;
    lane& target = w.lanes[next];
    stack const* const mine = self.on;
    bool const fresh = target.state == lane_state::fresh;
    if (!fresh) give_stack(w, mine);  // nothing takes it before the jump
    become(w, target);
    if (fresh) {
      stand_on(w, mine);
      continue;
    }
    restore_exceptions(w, target);
    switch_context(w.contexts[me], w.contexts[next]);
    __builtin_unreachable();
  }
}

}  // namespace

void let_others_run(worker& w) {
  if (w.cluster != nullptr) offer_turn(w);
  if (w.finished + 1 == w.lanes_in_block) return;
  active_again const restore;
  cosmati_sim_active = 0;
  switch_away(w, w.current);
}

bool let_something_happen(worker& w) { return release_activemask(w) || land_something(w) || release_tries(w); }

void to_scheduler(worker& w) {
  switch_context(w.contexts[w.current], w.scheduler);
  __builtin_unreachable();
}

void outside_of_kernels(char const* name) {
  std::fprintf(stderr, "cosmati: %s was called outside a kernel\n", name);
  std::abort();
}

void wait_until_woken(worker& w) {
  end_sweep(w);
  clear_ready(w, w.current);
  switch_away(w, w.current);
}

void wake(worker& w, unsigned i) {
  end_sweep(w);
  w.lanes[i].state = lane_state::ready;
  set_ready(w, i);
}

/// Forgets what the worker knew of its last block.
static void forget_last_block(worker& w) {
  w.finished = 0;
  w.failed = false;
  w.failure = nullptr;
  w.found = 0;
  w.thrown = {};
  w.forget_places();
  barrier_sweep = warp_sweep = {};
  for (note& n : w.notes) n.bytes = 0;
  w.apart.clear();
  for (barrier_state& b : w.barriers) b = {};
  for (std::uint64_t& word : w.ready) word = 0;
}

/// Each of the block's threads is ready to begin, in its warp.
static void make_lanes_ready(worker& w, job const& j) {
  for (unsigned warp = 0; warp < max_lanes / 32; ++warp) {
    w.warp_arrived[warp] = w.meetings[warp].waiting = 0;
    unsigned const first = warp * 32;
    unsigned const lanes = j.threads > first ? j.threads - first : 0;
    w.warp_gone[warp] = lanes >= 32 ? 0 : ~0u << lanes;
  }
  thread_index thread;
  for (unsigned i = 0; i < j.threads; ++i) {
    lane& l = w.lanes[i];
    l.state = lane_state::fresh;
    l.tries_in_vain = 0;
    l.found_before = 0;
    l.absent = 0;
    l.throws = false;
    l.active = 0;
    w.threads[i] = thread;
    set_ready(w, i);
    if (++thread.x == j.block.x) {
      thread.x = 0;
      if (++thread.y == j.block.y) {
        thread.y = 0;
        ++thread.z;
      }
    }
  }
}

/// The block's clocks and its shadow, if accesses are checked.
static void begin_checks(worker& w, job const& j, std::uint64_t block) {
  w.clocks = nullptr;
  w.register_changes.clear();
  w.warpgroups.clear();
  forget_deferred(w);
  if (!j.checks) return;
  if (w.own_clocks == nullptr) w.own_clocks = std::make_unique<block_clocks>();
  w.clocks = w.own_clocks.get();
  w.clocks->begin(j.threads);
  w.first_run = j.first_run;
  w.horizon = j.horizon;
  w.run = j.first_run + static_cast<std::uint32_t>(run_of_block(w, block));
  w.cluster_run = w.run - (w.cluster != nullptr ? w.cluster->rank : 0);
  w.suspects.clear();
  w.announced.begin(w.run);
  shadow_of_shared_begins(w);
}

/// Runs the block's lanes, from the first one on, until all have ended or one has failed.
static void run_lanes_on_stacks(worker& w) {
  void* const saved[2] = {w.exceptions[0], w.exceptions[1]};
  become(w, w.lanes[0]);
  w.stack_bytes = stack_range_bytes();
  stand_on(w, take_stack(w));
  w.exceptions[0] = w.exceptions[1] = nullptr;
  stack const& first = *w.lanes[0].on;
  saved_context const begin = fresh_context<fiber_main>(first.low, first.high);
  switch_context(w.scheduler, begin);
  cosmati_sim_active = 0;
  if (!w.failed) async_block_ends(w);
  if (!w.failed) register_budgets_end(w);
  if (!w.failed) warpgroup_steps_end(w);
  if (local_byte != 0 && !w.failed) look_for_unwritten_locals_in_shared(w);
  w.exceptions[0] = saved[0];
  w.exceptions[1] = saved[1];
  reset_stacks(w);
}

void run_block(worker& w, std::uint64_t block) {
  job const& j = *w.running;
  w.block = block;
  w.block_index = {static_cast<unsigned>(block % j.grid.x), static_cast<unsigned>(block / j.grid.x % j.grid.y),
                   static_cast<unsigned>(block / j.grid.x / j.grid.y)};
  w.lanes_in_block = j.threads;
  forget_last_block(w);
  async_block_begins(w);
  if (w.timeline != nullptr) w.timeline->begin(w);
  make_lanes_ready(w, j);
  begin_checks(w, j, block);
  blockIdx = w.block_index;
  cosmati_sim_block_dim = j.block;
  cosmati_sim_grid_dim = j.grid;
  w.shared_bytes = j.request->shared_bytes;
  poison(w.shared_low, w.shared_bytes);
  for (thread_local_variable const& v : w.thread_locals) {
    if (v.shared && !belongs_to_another_kernel(v, j)) poison(v.low, v.bytes);
  }
  if (w.cluster == nullptr) return run_lanes_on_stacks(w);
  if (cluster_block_begins(w)) {
    run_lanes_on_stacks(w);
  } else {
    w.abandoned = w.failed = true;
  }
  cluster_block_ends(w);
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

void* cosmati_sim_dynamic_shared(void) { return running_lane("dynamic_shared()").shared_low; }

}  // extern "C"
