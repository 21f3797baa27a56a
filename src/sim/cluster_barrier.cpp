// SPDX-License-Identifier: Apache-2.0
// The barrier of a cluster.
#include <utility>

#include "async.hpp"
#include "cluster.hpp"
#include "formatted.hpp"
#include "scheduler.hpp"
#include "sites.hpp"
#include "sweep.hpp"
#include "sync_variables.hpp"

namespace cosmati_sim {
namespace {

bool has(std::uint64_t const* bits, unsigned lane) { return (bits[lane / 64] >> (lane % 64) & 1) != 0; }
void set(std::uint64_t* bits, unsigned lane) { bits[lane / 64] |= 1ull << (lane % 64); }
void clear(std::uint64_t* bits, unsigned lane) { bits[lane / 64] &= ~(1ull << (lane % 64)); }

std::uintptr_t address_of(cluster_group const& g) { return reinterpret_cast<std::uintptr_t>(&g); }

/// The lane goes on behind the phase that has completed, and knows what comes before it.
void pass(worker& w, unsigned lane) {
  cluster_member& m = *w.cluster;
  if (w.clocks != nullptr && !m.met_all) w.clocks->learn(lane, m.met);
}

/// What the block's lanes know behind the phase. @param published the publications of all blocks
void gather(worker& w, std::size_t published) {
  cluster_member& m = *w.cluster;
  if (m.actor == 0) m.actor = w.clocks->actors++;
  m.met = std::exchange(m.coming, {});
  if (m.met.hb.size() <= m.actor) m.met.hb.resize(m.actor + 1);
  m.met.hb[m.actor] = ++m.phase;
  meet_publications(w, m.actor, m.phase, address_of(*m.group), published);
  m.met_all = w.finished == 0 && m.syncing == w.lanes_in_block;
  if (!m.met_all) return;
  w.clocks->learn(0, m.met);
  w.clocks->meet_all();
  m.all_begun = true;
}

/// All running lanes of the cluster have arrived.
void complete(cluster_group& g) {
  std::size_t published = 0;
  for (unsigned i = 0; i < g.size; ++i) {
    worker const& w = *g.of[i];
    if (w.clocks != nullptr)
      published = publish_moments(w, address_of(g), std::make_shared<moments const>(w.cluster->coming.hb));
  }
  for (unsigned i = 0; i < g.size; ++i) {
    worker& w = *g.of[i];
    cluster_member& m = *w.cluster;
    if (w.clocks != nullptr) gather(w, published);
    m.arrivals = m.syncing = 0;
    w.repeats = {};
    for (unsigned lane = 0; lane < w.lanes_in_block; ++lane) {
      if (!has(m.arrived, lane)) continue;
      clear(m.arrived, lane);
      if (w.lanes[lane].state == lane_state::at_cluster && !is_ready(w, lane)) {
        pass(w, lane);
        w.lanes[lane].state = lane_state::ready;
        set_ready(w, lane);
      } else {
        set(m.passed, lane);
      }
    }
  }
}

void complete_if_due(cluster_group& g) {
  bool any = false;
  for (unsigned i = 0; i < g.size; ++i) {
    worker const& w = *g.of[i];
    if (w.cluster->arrivals != w.lanes_in_block - w.finished) return;
    any |= w.cluster->arrivals != 0;
  }
  if (any) complete(g);
}

void arrive(worker& w, char const* name, site where, bool relaxed, bool waits_next) {
  end_sweep(w);
  cluster_member& m = *w.cluster;
  unsigned const me = w.current;
  if (has(m.arrived, me) || has(m.passed, me)) {
    fail_lane(formatted("{} ({}): the thread has arrived at the cluster's barrier and has not waited since; "
                        "cluster_wait() comes between two arrivals",
                        name, to_text(where)),
              hazard_kind::divergence, where);
  }
  set(m.arrived, me);
  ++m.arrivals;
  if (waits_next) ++m.syncing;
  if (w.clocks == nullptr) return;
  if (!relaxed) return w.clocks->publish(me, m.coming, true);
  if (!w.async_used) return;
  // fence.mbarrier_init is a release for the initialised barriers alone.
  for (mbarrier& b : w.async->barriers) {
    if (b.lane == me && b.init_fenced && b.announced == 0) b.announced = m.phase + 1;
  }
}

void wait(worker& w, char const* name, site where) {
  cluster_member& m = *w.cluster;
  unsigned const me = w.current;
  if (has(m.passed, me)) {
    clear(m.passed, me);
    return pass(w, me);
  }
  if (!has(m.arrived, me)) {
    fail_lane(formatted("{} ({}): the thread has not arrived at the cluster's barrier; cluster_arrive() comes before",
                        name, to_text(where)),
              hazard_kind::divergence, where);
  }
  lane& self = w.lanes[me];
  self.state = lane_state::at_cluster;
  self.what = name;
  self.where = where;
  self.pc = nullptr;  // `where` has its number
  wait_until_woken(w);
}

}  // namespace

void cluster_lane_exits(worker& w, unsigned lane) {
  cluster_member& m = *w.cluster;
  if (has(m.arrived, lane)) {
    clear(m.arrived, lane);
    --m.arrivals;
  }
  clear(m.passed, lane);
  complete_if_due(*m.group);
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

void cosmati_sim_cluster_arrive(int relaxed, char const* file, int line) {
  quiet const hush;
  char const* const name = relaxed != 0 ? "cluster_arrive_relaxed" : "cluster_arrive";
  worker& w = running_lane(name);
  if (w.cluster == nullptr) return;
  arrive(w, name, site_here(w, file, line, __builtin_return_address(0), name), relaxed != 0, false);
  complete_if_due(*w.cluster->group);
}
void cosmati_sim_cluster_wait(char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("cluster_wait");
  wait(w, "cluster_wait", site_here(w, file, line, __builtin_return_address(0), "cluster_wait"));
}
void cosmati_sim_cluster_sync(char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("cluster_sync");
  site const where = site_here(w, file, line, __builtin_return_address(0), "cluster_sync");
  arrive(w, "cluster_sync", where, false, true);
  complete_if_due(*w.cluster->group);
  wait(w, "cluster_sync", where);
}

}  // extern "C"
