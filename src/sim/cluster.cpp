// SPDX-License-Identifier: Apache-2.0
// The blocks of a cluster: the host threads that run them, and whose turn it is.
#include "cluster.hpp"

#include <algorithm>

#include "async.hpp"
#include "formatted.hpp"
#include "hazards.hpp"
#include "polling.hpp"
#include "scheduler.hpp"
#include "sync_variables.hpp"

namespace cosmati_sim {
namespace {

bool can_run(worker const& w) {
  return std::any_of(std::begin(w.ready), std::end(w.ready), [](std::uint64_t bits) { return bits != 0; });
}

/// The next member after `rank` that can run, or `rank`.
unsigned next_that_can_run(cluster_group const& g, unsigned rank) {
  for (unsigned i = 1; i < g.size; ++i) {
    unsigned const next = (rank + i) % g.size;
    if (!g.of[next]->cluster->ended && can_run(*g.of[next])) return next;
  }
  return rank;
}

/// Waits for the member's turn. @return false if a block of the cluster has failed
bool await_turn(cluster_member& m, std::unique_lock<std::mutex>& lock) {
  cluster_group& g = *m.group;
  m.turn.wait(lock, [&] { return g.failed || g.turn == m.rank; });
  return !g.failed;
}

void give_turn(cluster_group& g, unsigned to) {
  g.turn = to;
  g.of[to]->cluster->turn.notify_one();
}

/// Lets the block `to` run until this one's turn comes again.
void pass_turn(worker& w, unsigned to) {
  cluster_member& m = *w.cluster;
  std::unique_lock lock(m.group->mutex);
  give_turn(*m.group, to);
  if (await_turn(m, lock)) return;
  lock.unlock();
  w.abandoned = w.failed = true;
  to_scheduler(w);
}

/// Whether a lane of the block knows of the access.
bool is_known_in_block(worker& w, record const& what) {
  unsigned const current = w.current;
  bool known = false;
  for (unsigned i = 0; i < w.lanes_in_block && !known; ++i) {
    w.current = i;
    known = knows_other_block(w, what, 0);
  }
  w.current = current;
  return known;
}

/// Reports accesses of other blocks to the ended block's shared memory of which the block does not know.
void look_for_late_uses(worker& w) {
  cluster_member const& m = *w.cluster;
  if (w.clocks == nullptr) return;
  for (foreign_use const& use : m.uses) {
    if (use.what.run == 0 || is_known_in_block(w, use.what)) continue;
    if (!is_news(w, hazard_kind::missing_barrier, use.what.site(), 0)) continue;
    hazard h = hazard_here(w, hazard_kind::missing_barrier);
    h.of_block = true;
    h.site = use.what.site();
    worker const& by = *m.group->of[(use.what.run - w.first_run) % m.group->size];
    h.message = formatted(
        "{} may have ended when thread {} of {} uses its shared memory (\1): nothing that it waits for comes after; "
        "put "
        "cluster_sync() at the end of the kernel",
        name_of_block(w), to_text(static_cast<index3>(by.threads[use.lane])), name_of_block(by));
    add_hazard(w, std::move(h));
  }
}

}  // namespace

unsigned blocks_of_cluster(job const& j) { return j.cluster.x * j.cluster.y * j.cluster.z; }

std::uint64_t block_of_cluster(job const& j, std::uint64_t cluster, unsigned rank) {
  std::uint64_t const nx = j.grid.x / j.cluster.x, ny = j.grid.y / j.cluster.y;
  std::uint64_t const x = cluster % nx * j.cluster.x + rank % j.cluster.x;
  std::uint64_t const y = cluster / nx % ny * j.cluster.y + rank / j.cluster.x % j.cluster.y;
  std::uint64_t const z = cluster / nx / ny * j.cluster.z + rank / j.cluster.x / j.cluster.y;
  return x + j.grid.x * (y + j.grid.y * z);
}

std::uint64_t run_of_block(worker const& w, std::uint64_t block) {
  if (w.cluster == nullptr) return block;
  return w.cluster->group->cluster * w.cluster->group->size + w.cluster->rank;
}
std::uint64_t block_of_run(job const& j, std::uint32_t run) {
  std::uint64_t const number = run - j.first_run;
  unsigned const blocks = blocks_of_cluster(j);
  return blocks <= 1 ? number : block_of_cluster(j, number / blocks, static_cast<unsigned>(number % blocks));
}
bool is_run_of_cluster(worker const& w, std::uint32_t run) {
  if (w.cluster == nullptr) return run == w.run;
  unsigned const n = w.cluster->group->size;
  return run >= w.first_run && (run - w.first_run) / n == (w.run - w.first_run) / n;
}

unsigned make_cluster_groups(job& j, unsigned threads) {
  unsigned const blocks = blocks_of_cluster(j);
  j.clusters = std::make_unique<cluster_groups>();
  j.clusters->blocks = blocks;
  auto const groups = std::min<std::uint64_t>(std::max(1u, threads / blocks), j.blocks / blocks);
  for (std::uint64_t i = 0; i < groups; ++i) {
    j.clusters->all.push_back(std::make_unique<cluster_group>());
    j.clusters->all.back()->size = blocks;
  }
  return static_cast<unsigned>(groups) * blocks;
}

void join_cluster_group(worker& w, job& j) {
  if (j.clusters == nullptr) return;
  unsigned const place = j.clusters->taken.fetch_add(1);
  if (w.own_cluster == nullptr) w.own_cluster = std::make_unique<cluster_member>();
  w.cluster = w.own_cluster.get();
  w.cluster->group = j.clusters->all[place / j.clusters->blocks].get();
  w.cluster->rank = place % j.clusters->blocks;
  w.cluster->group->of[w.cluster->rank] = &w;
}
void leave_cluster_group(worker& w) { w.cluster = nullptr; }

std::uint64_t next_block_of_cluster(worker& w, job& j) {
  cluster_member& m = *w.cluster;
  cluster_group& g = *m.group;
  std::unique_lock lock(g.mutex);
  std::uint64_t const round = g.rounds;
  if (++g.here == g.size) {
    std::uint64_t const first = j.next_block.fetch_add(g.size);
    bool const over = first >= j.blocks || block_of_cluster(j, first / g.size, 0) > j.first_failed.load();
    g.cluster = over ? ~0ull : first / g.size;
    g.here = g.turn = g.ended = 0;
    ++g.rounds;
    g.all_here.notify_all();
  } else {
    g.all_here.wait(lock, [&] { return g.rounds != round; });
  }
  if (g.cluster == ~0ull) return ~0ull;
  m.ended = m.met_all = m.all_begun = false;
  m.arrivals = m.syncing = 0;
  for (std::uint64_t& bits : m.arrived) bits = 0;
  for (std::uint64_t& bits : m.passed) bits = 0;
  m.coming = m.met = {};
  m.actor = m.phase = 0;
  m.uses.assign(std::size_t{g.size} * j.threads, {});
  return block_of_cluster(j, g.cluster, m.rank);
}

bool cluster_block_begins(worker& w) {
  cluster_member& m = *w.cluster;
  cluster_group& g = *m.group;
  std::unique_lock lock(g.mutex);
  std::uint64_t const round = g.rounds;
  if (++g.here == g.size) {  // the shared memory of all blocks is prepared
    g.here = 0;
    ++g.rounds;
    g.all_here.notify_all();
  } else {
    g.all_here.wait(lock, [&] { return g.rounds != round; });
  }
  return await_turn(m, lock);
}

void cluster_block_ends(worker& w) {
  cluster_member& m = *w.cluster;
  cluster_group& g = *m.group;
  if (!w.failed) look_for_late_uses(w);
  std::unique_lock lock(g.mutex);
  m.ended = true;
  ++g.ended;
  g.failed |= w.failed;
  if (g.failed || g.ended == g.size) {
    // Others may have left the group already, after a failure.
    for (unsigned i = 0; i < g.size; ++i) g.of[i]->own_cluster->turn.notify_one();
    g.all_here.notify_all();
    return;
  }
  unsigned next = next_that_can_run(g, m.rank);
  while (next == m.rank || g.of[next]->cluster->ended) next = (next + 1) % g.size;  // one that has not ended
  give_turn(g, next);
  g.all_here.wait(lock, [&] { return g.failed || g.ended == g.size; });
  w.abandoned = g.failed;
}

void offer_turn(worker& w) {
  cluster_member const& m = *w.cluster;
  unsigned const next = next_that_can_run(*m.group, m.rank);
  if (next != m.rank) pass_turn(w, next);
}

bool something_happens_in_cluster(worker& w, bool in_vain) {
  cluster_group& g = *w.cluster->group;
  if (release_activemask(w)) return true;
  for (unsigned i = 1; i < g.size; ++i) {
    unsigned const next = (w.cluster->rank + i) % g.size;
    worker const& other = *g.of[next];
    if (other.cluster->ended || !can_run(other) || (in_vain && other.polling->beside.stuck)) continue;
    pass_turn(w, next);
    return true;
  }
  for (unsigned i = 0; i < g.size; ++i) {
    worker& other = *g.of[(w.cluster->rank + i) % g.size];
    if (!other.cluster->ended && let_something_happen(other)) return true;
  }
  return false;
}

unsigned parked_in_cluster(worker const& w) {
  cluster_group const& g = *w.cluster->group;
  unsigned parked = 0;
  for (unsigned i = 0; i < g.size; ++i) parked += g.of[i] != &w && !can_run(*g.of[i]);
  return parked;
}

std::string positions_in_cluster(worker& w) {
  std::string text;
  if (w.cluster == nullptr) return text;
  cluster_group const& g = *w.cluster->group;
  for (unsigned i = 0; i < g.size; ++i) {
    worker& other = *g.of[i];
    if (&other != &w && !other.cluster->ended)
      text += formatted("; {}: {}", name_of_block(other), positions(other, 0, other.lanes_in_block));
  }
  return text;
}

std::string name_of_block(worker const& w) { return "block " + to_text(w.block_index); }

}  // namespace cosmati_sim
