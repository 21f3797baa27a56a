// SPDX-License-Identifier: Apache-2.0
// The shared memory of the other blocks of a cluster.
#include <cosmati/arch/simulated.hpp>

#include "cluster.hpp"
#include "formatted.hpp"
#include "hazards.hpp"
#include "sites.hpp"
#include "sync_variables.hpp"

namespace cosmati_sim {
namespace {

/// Whether the running lane knows that the block has begun: a phase of the cluster's barrier is over, or it has learned
/// of anything that a lane of the block has done.
bool knows_of_block(worker& w, worker const& other) {
  cluster_member const& m = *w.cluster;
  if (m.all_begun || (m.actor != 0 && knows(w, m.actor, 1))) return true;
  for (unsigned i = 0; i < other.lanes_in_block; ++i) {
    if (knows_other_block(w, {1, other.run, 1u << (i % 32), i / 32}, 0)) return true;
  }
  return false;
}

}  // namespace

cluster_place find_in_cluster(worker const& w, std::uintptr_t at) {
  if (w.cluster == nullptr) return {};
  cluster_group const& g = *w.cluster->group;
  for (unsigned i = 0; i < g.size; ++i) {
    worker& other = *g.of[i];
    if (&other == &w) continue;
    auto const shared = reinterpret_cast<std::uintptr_t>(other.shared_low);
    if (at - shared < max_shared_bytes) {
      return {&other, reinterpret_cast<std::uintptr_t>(w.shared_low) + (at - shared),
              w.clocks != nullptr ? other.dynamic_shadow.get() : nullptr};
    }
    for (std::size_t k = 0; k < other.tls_ranges.size() && k < w.tls_ranges.size(); ++k) {
      worker::range const& tls = other.tls_ranges[k];
      if (at - tls.low < tls.high - tls.low)
        return {&other, w.tls_ranges[k].low + (at - tls.low),
                w.clocks != nullptr ? other.tls_shadows[k].get() : nullptr};
    }
  }
  return {};
}

std::string wrong_time(worker& w, worker const& owner) {
  if (owner.cluster->ended) {
    return formatted("goes to the shared memory of {}, which has ended; put cluster_sync() at the end of the kernel",
                     name_of_block(owner));
  }
  if (w.clocks == nullptr || knows_of_block(w, owner)) return {};
  return formatted(
      "goes to the shared memory of {}, which may not have begun; put cluster_sync() at the start of the kernel",
      name_of_block(owner));
}

void note_foreign_use(worker& w, worker& owner, std::uint32_t site) {
  if (w.clocks == nullptr) return;
  owner.cluster->uses[std::size_t{w.cluster->rank} * w.lanes_in_block + w.current] = {record_of(w, site), w.current};
}

std::uintptr_t place_in_block(worker const& w, std::uintptr_t own, unsigned rank) {
  worker const& other = w.cluster != nullptr ? *w.cluster->group->of[rank] : w;
  auto const shared = reinterpret_cast<std::uintptr_t>(w.shared_low);
  if (own - shared <= max_shared_bytes) return reinterpret_cast<std::uintptr_t>(other.shared_low) + (own - shared);
  for (std::size_t k = 0; k < w.tls_ranges.size() && k < other.tls_ranges.size(); ++k) {
    worker::range const& tls = w.tls_ranges[k];
    if (own - tls.low < tls.high - tls.low) return other.tls_ranges[k].low + (own - tls.low);
  }
  return 0;
}

worker& block_of_rank(worker& w, unsigned rank, char const* doing, site where) {
  unsigned const blocks = w.cluster != nullptr ? w.cluster->group->size : 1;
  if (rank < blocks) return w.cluster != nullptr ? *w.cluster->group->of[rank] : w;
  fail_lane(formatted("{} ({}): block {} of the cluster, which has {} block{}; ranks begin at 0", doing, to_text(where),
                      rank, blocks, blocks == 1 ? "" : "s"),
            hazard_kind::invalid_argument, where);
}

worker& owner_of_shared(worker& w, std::uintptr_t at) {
  cluster_place const p = find_in_cluster(w, at);
  return p.owner != nullptr ? *p.owner : w;
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

unsigned cosmati_sim_cluster_blocks(void) {
  worker const& w = running_lane("cluster_shape");
  return w.cluster != nullptr ? w.cluster->group->size : 1;
}
unsigned cosmati_sim_cluster_rank(void) {
  worker const& w = running_lane("block_rank_in_cluster");
  return w.cluster != nullptr ? w.cluster->rank : 0;
}
unsigned cosmati_sim_query_shared_rank(void const* address) {
  worker& w = running_lane("getctarank");
  worker const& owner = owner_of_shared(w, reinterpret_cast<std::uintptr_t>(address));
  return owner.cluster != nullptr ? owner.cluster->rank : 0;
}
void cosmati_sim_cluster_place(unsigned* place) {
  worker const& w = running_lane("cluster_shape");
  index3 const c = w.running->cluster, g = w.running->grid, b = w.block_index;
  unsigned const all[] = {c.x,       c.y,       c.z,       b.x % c.x, b.y % c.y, b.z % c.z,
                          b.x / c.x, b.y / c.y, b.z / c.z, g.x / c.x, g.y / c.y, g.z / c.z};
  for (unsigned const x : all) *place++ = x;
}

void* cosmati_sim_map_shared_rank(void const* shared, unsigned rank, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("mapa");
  site const where = site_here(w, file, line, __builtin_return_address(0), "mapa");
  block_of_rank(w, rank, "mapa", where);
  std::uintptr_t const at = place_in_block(w, reinterpret_cast<std::uintptr_t>(shared), rank);
  if (at == 0) {
    fail_lane(formatted("mapa ({}): the pointer {:#x} is not in the block's shared memory; take the address of the "
                        "block's own variable, whose place in the other block is wanted",
                        to_text(where), reinterpret_cast<std::uintptr_t>(shared)),
              hazard_kind::wrong_space, where);
  }
  return reinterpret_cast<void*>(at);
}

}  // extern "C"
