// SPDX-License-Identifier: Apache-2.0
#include "waiting_blocks.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "announcement.hpp"
#include "cluster.hpp"
#include "formatted.hpp"
#include "polling.hpp"
#include "scheduler.hpp"
#include "sites.hpp"
#include "thread_pool.hpp"

namespace cosmati_sim {
namespace {

void change(waiting_blocks& all) {
  ++all.changes;
  all.calm.clear();
}

[[noreturn]] void too_few_threads(worker& w) {
  job const& j = *w.running;
  poll_place const place = w.polling->lanes[w.current];
  fail_lane(formatted("the blocks that run wait for blocks that have not begun: of the launch's {} blocks, {} run side "
                      "by side here at most; launch fewer",
                      j.blocks, most_side_by_side(j)),
            hazard_kind::deadlock, place.where, site_number(w, place.pc, place.where));
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

}  // namespace

prospects prospects_of(worker& w) {
  job const& j = *w.running;
  block_wait& p = w.polling->beside;
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

void block_begins_beside_others(worker& w) {
  if (w.running->blocks == 1) return;
  waiting_blocks& all = *w.running->waiting;
  std::lock_guard const lock(all.mutex);
  ++all.begun;
  ++all.running;
  all.at_work.push_back(&w);
  change(all);
}

void block_ends_beside_others(worker& w) {
  if (w.running->blocks == 1) return;
  no_longer_stuck(w);
  waiting_blocks& all = *w.running->waiting;
  std::lock_guard const lock(all.mutex);
  --all.running;
  if (w.cluster != nullptr) all.parked -= std::exchange(w.cluster->group->parked, 0u);
  std::erase(all.at_work, &w);
  change(all);
}

bool is_hopeless(worker& w) {
  job& j = *w.running;
  block_wait& p = w.polling->beside;
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

void no_longer_stuck(worker& w) {
  block_wait& p = w.polling->beside;
  if (!p.stuck) return;
  p.stuck = false;
  p.nap = 0;
  waiting_blocks& all = *w.running->waiting;
  std::lock_guard const lock(all.mutex);
  --all.stuck;
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

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

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

}  // extern "C"
