// SPDX-License-Identifier: Apache-2.0
// Arrivals at mbarriers of other blocks of the cluster, and the error of a wrong use.
#include "async.hpp"
#include "cluster.hpp"
#include "formatted.hpp"
#include "sites.hpp"
#include "sweep.hpp"
#include "sync_variables.hpp"

namespace cosmati_sim {

void misuse_of_mbarrier(site where, char const* doing, std::string const& text) {
  fail_lane(formatted("{} ({}): {}", doing, to_text(where), text), hazard_kind::mbarrier, where);
}

mbarrier& need_mbarrier_of(worker& w, worker& owner, std::uint64_t const* at, char const* doing, site where) {
  if (std::string const why = wrong_time(w, owner); !why.empty())
    fail_lane(formatted("{} ({}) {}", doing, to_text(where), why), hazard_kind::missing_barrier, where);
  mbarrier* const b = find_mbarrier(owner, at);
  if (b == nullptr) {
    misuse_of_mbarrier(where, doing,
                       formatted("no mbarrier is initialised at this place in the shared memory of {}; each block "
                                 "initialises its own, then cluster_sync() comes before its use",
                                 name_of_block(owner)));
  }
  return *b;
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" void cosmati_sim_mbarrier_arrive_remote(std::uint64_t* barrier, unsigned rank, int expects, unsigned bytes,
                                                   char const* file, int line) {
  quiet const hush;
  char const* const name =
      expects != 0 ? "mbarrier.arrive.expect_tx.shared::cluster" : "mbarrier.arrive.shared::cluster";
  worker& w = running_lane(name);
  end_sweep(w);
  site const where = site_here(w, file, line, __builtin_return_address(0), name);
  worker& owner = block_of_rank(w, rank, name, where);
  if (&owner == &w) {
    mbarrier& own = need_mbarrier(w, barrier, name, where);
    own.expected_at = expects != 0 ? where : own.expected_at;
    add_transactions(own, expects != 0 ? bytes : 0, name, where);
    return mbarrier_arrives(w, own, 1, w.current, where, bytes);
  }
  std::uintptr_t const at = place_in_block(w, reinterpret_cast<std::uintptr_t>(barrier), rank);
  mbarrier& b = need_mbarrier_of(w, owner, reinterpret_cast<std::uint64_t const*>(at), name, where);
  check_init_is_known(w, b, name, where);
  note_foreign_use(w, owner, where.number);
  if (w.clocks != nullptr) {
    gathering known;
    w.clocks->publish(w.current, known, true);
    b.foreign = publish_moments(w, at, std::make_shared<moments const>(std::move(known.hb)));
  }
  if (expects != 0) {
    b.expected_at = where;
    add_transactions(b, bytes, name, where);
  }
  mbarrier_arrives(owner, b, 1, no_lane, where);
}

extern "C" void cosmati_sim_mbarrier_complete_tx(std::uint64_t* barrier, unsigned rank, unsigned bytes,
                                                 char const* file, int line) {
  quiet const hush;
  char const* const name = "mbarrier.complete_tx.shared::cluster";
  worker& w = running_lane(name);
  end_sweep(w);
  site const where = site_here(w, file, line, __builtin_return_address(0), name);
  worker& owner = block_of_rank(w, rank, name, where);
  std::uintptr_t const at = place_in_block(w, reinterpret_cast<std::uintptr_t>(barrier), rank);
  auto* const place = reinterpret_cast<std::uint64_t*>(&owner == &w ? reinterpret_cast<std::uintptr_t>(barrier) : at);
  mbarrier& b = &owner == &w ? need_mbarrier(w, place, name, where) : need_mbarrier_of(w, owner, place, name, where);
  if (&owner != &w) {
    check_init_is_known(w, b, name, where);
    note_foreign_use(w, owner, where.number);
  }
  add_transactions(b, -static_cast<std::int64_t>(bytes), name, where);
  complete_phase_if_due(owner, b);
}
