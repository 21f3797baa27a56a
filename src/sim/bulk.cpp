// SPDX-License-Identifier: Apache-2.0
// One-dimensional bulk copies, and the fence between generic accesses and those of the asynchronous proxy.

#include "bulk.hpp"

#include <algorithm>

#include "access.hpp"
#include "cluster.hpp"
#include "formatted.hpp"
#include "timeline.hpp"

namespace cosmati_sim {
namespace {

char const load_name[] = "cp.async.bulk.shared.global";
char const store_name[] = "cp.async.bulk.global.shared";
char const send_name[] = "cp.async.bulk.shared::cluster.shared";

/// The copy is in flight from now on, among those of `owner`, and claims its bytes for the running lane. @return its
/// index
unsigned begin(worker& w, worker& owner, async_copy&& copy) {
  async_state& a = async_of(owner);
  unsigned const index = new_copy(owner, std::move(copy));
  async_copy const& made = a.copies[index];
  std::uint32_t const claim = index | made.of_block;
  if (made.from_shadow != nullptr) copy_will_read(w, *made.from_shadow, made.from, made.bytes, claim, made, true);
  if (made.to_shadow != nullptr) copy_will_write(w, *made.to_shadow, made.to, made.bytes, claim, made);
  return index;
}

async_copy copy_of(worker const& w, copy_kind kind, char const* name, unsigned bytes, site where) {
  async_copy c;
  c.kind = kind;
  c.bytes = bytes;
  c.lane = w.current;
  c.site_number = where.number;
  c.where = where;
  c.name = name;
  return c;
}

}  // namespace

void check_bulk_size(char const* name, unsigned bytes, site where) {
  if (bytes != 0 && bytes % 16 == 0) return;
  fail_lane(formatted("{} ({}): {} bytes, it copies a multiple of 16 bytes", name, to_text(where), bytes),
            hazard_kind::misaligned, where);
}

void bulk_send(worker& w, char const* name, void* shared, unsigned rank, void const* from, unsigned bytes,
               std::uint64_t* barrier, reduction const& reduces, site where, void const* pc) {
  if (w.cluster == nullptr) {
    fail_lane(
        formatted("{} ({}): the launch has no clusters, and a GPU stops with an illegal instruction there; launch "
                  "clusters of two blocks or more, or copy by ordinary stores",
                  name, to_text(where)),
        hazard_kind::invalid_argument, where);
  }
  worker& owner = block_of_rank(w, rank, name, where);
  auto const there = [&](void* own) { return place_in_block(w, reinterpret_cast<std::uintptr_t>(own), rank); };
  auto const at = reinterpret_cast<std::uintptr_t>(from);
  async_copy c = bulk_fill(w, name, reinterpret_cast<void const*>(there(shared)), bytes, 0, 16, where, pc);
  c.from_shadow = check_side({at, bytes, a_load, 16, nullptr, name, nullptr, nullptr, where, pc}, space_shared);
  c.from = at;
  c.source_bytes = bytes;
  c.reduces = reduces;
  begin_bulk_load_to(w, owner, std::move(c), reinterpret_cast<std::uint64_t*>(there(barrier)));
}

async_copy bulk_copy_between(worker& w, copy_kind kind, char const* name, void const* shared, void const* global,
                             unsigned bytes, std::size_t alignment, site where, void const* pc) {
  bool const loads = kind == copy_kind::bulk_load;
  auto const at_shared = reinterpret_cast<std::uintptr_t>(shared), at_global = reinterpret_cast<std::uintptr_t>(global);
  std::size_t const shared_alignment = std::min<std::size_t>(alignment, 16);
  shadow_region* const of_shared = check_side(
      {at_shared, bytes, loads ? a_store : a_load, shared_alignment, nullptr, name, nullptr, nullptr, where, pc},
      space_shared);
  shadow_region* const of_global =
      check_side({at_global, bytes, loads ? a_load : a_store, alignment, nullptr, name, nullptr, nullptr, where, pc},
                 space_global);
  async_copy c = copy_of(w, kind, name, bytes, where);
  c.to_shadow = loads ? of_shared : of_global;
  c.from_shadow = loads ? of_global : of_shared;
  c.to = loads ? at_shared : at_global;
  c.from = loads ? at_global : at_shared;
  c.source_bytes = bytes;
  return c;
}

async_copy bulk_fill(worker& w, char const* name, void const* shared, unsigned bytes, std::uint64_t fill,
                     unsigned fill_bytes, site where, void const* pc) {
  async_copy c = copy_of(w, copy_kind::bulk_load, name, bytes, where);
  c.to = reinterpret_cast<std::uintptr_t>(shared);
  c.to_shadow =
      check_side({c.to, bytes, a_store, fill_bytes, nullptr, name, nullptr, nullptr, where, pc}, space_shared);
  c.fill = fill;
  c.fill_bytes = fill_bytes;
  return c;
}

/// Checks that the copy may signal the barrier.
static void serves(worker& w, mbarrier& b, async_copy const& c) {
  if (!c.generic_proxy) return mbarrier_serves_proxy(w, b, c.where);
  if (w.clocks != nullptr && b.made.run != 0) check_init_is_known(w, b, c.name, c.where);
}

void begin_bulk_load(worker& w, async_copy&& c, std::uint64_t* barrier) {
  mbarrier& b = need_mbarrier(w, barrier, c.name, c.where);
  c.phase = b.phase;
  serves(w, b, c);
  c.barrier = barrier;
  c.committed = true;
  if (w.timeline != nullptr) c.event = w.timeline->bulk_load(w.current, barrier, b.phase, c.bytes, c.where);
  // Its barrier hears of it later, even when the bytes have landed at once: completion before expectation is rare.
  async_of(w).floating.push_back(begin(w, w, std::move(c)));
  find_mbarrier(w, barrier)->polls = 0;
}

void begin_bulk_load_to(worker& w, worker& owner, async_copy&& c, std::uint64_t* barrier) {
  if (&owner == &w) return begin_bulk_load(w, std::move(c), barrier);
  mbarrier& b = need_mbarrier_of(w, owner, barrier, c.name, c.where);
  c.phase = b.phase;
  serves(w, b, c);
  c.barrier = barrier;
  c.committed = true;
  c.of_block = (owner.cluster->rank + 1) << claim_index_bits;
  async_of(owner).floating.push_back(begin(w, owner, std::move(c)));
  b.polls = 0;
}

void async_store(worker& w, char const* name, std::uintptr_t at, unsigned bytes, std::uint64_t value,
                 std::uintptr_t barrier, reduction const& reduces, site where, void const* pc) {
  worker& owner = owner_of_shared(w, at);
  if (&owner != &owner_of_shared(w, barrier)) {
    fail_lane(formatted("{} ({}): the mbarrier is in the shared memory of another block than the destination; give "
                        "addresses of mapa with one rank",
                        name, to_text(where)),
              hazard_kind::invalid_argument, where);
  }
  async_copy c = bulk_fill(w, name, reinterpret_cast<void const*>(at), bytes, value, bytes, where, pc);
  c.generic_proxy = true;
  c.reduces = reduces;
  begin_bulk_load_to(w, owner, std::move(c), reinterpret_cast<std::uint64_t*>(barrier));
}

void begin_bulk_store(worker& w, async_copy&& c) {
  if (w.timeline != nullptr) c.event = w.timeline->copy(w.current, run_event_kind::bulk_store, c.bytes, c.where);
  unsigned const index = begin(w, w, std::move(c));
  async_of(w).bulk[w.current].open.push_back(index);
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

void cosmati_sim_bulk_load(void* shared, void const* global, unsigned bytes, std::uint64_t* barrier, char const* file,
                           int line) {
  quiet const hush;
  worker& w = running_lane(load_name);
  void const* const pc = place_of_call(__builtin_return_address(0));
  site const where = site_here(w, file, line, pc, load_name);
  check_bulk_size(load_name, bytes, where);
  begin_bulk_load(w, bulk_copy_between(w, copy_kind::bulk_load, load_name, shared, global, bytes, 16, where, pc),
                  barrier);
}

void cosmati_sim_bulk_send(void* shared, unsigned rank, void const* from, unsigned bytes, std::uint64_t* barrier,
                           char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(send_name);
  void const* const pc = place_of_call(__builtin_return_address(0));
  site const where = site_here(w, file, line, pc, send_name);
  check_bulk_size(send_name, bytes, where);
  bulk_send(w, send_name, shared, rank, from, bytes, barrier, {}, where, pc);
}

void cosmati_sim_store_remote(void* shared, unsigned rank, std::uint32_t value, std::uint64_t* barrier,
                              char const* file, int line) {
  char const* const name = "st.async.shared::cluster";
  quiet const hush;
  worker& w = running_lane(name);
  void const* const pc = place_of_call(__builtin_return_address(0));
  site const where = site_here(w, file, line, pc, name);
  if (w.cluster == nullptr)
    fail_lane(formatted("{} ({}): the launch has no clusters; launch clusters of two blocks or more, or store by an "
                        "ordinary store",
                        name, to_text(where)),
              hazard_kind::invalid_argument, where);
  block_of_rank(w, rank, name, where);  // or an error
  auto const there = [&](void* own) { return place_in_block(w, reinterpret_cast<std::uintptr_t>(own), rank); };
  async_store(w, name, there(shared), sizeof value, value, there(barrier), {}, where, pc);
}

void cosmati_sim_bulk_store(void* global, void const* shared, unsigned bytes, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(store_name);
  void const* const pc = place_of_call(__builtin_return_address(0));
  site const where = site_here(w, file, line, pc, store_name);
  check_bulk_size(store_name, bytes, where);
  begin_bulk_store(w, bulk_copy_between(w, copy_kind::bulk_store, store_name, shared, global, bytes, 16, where, pc));
}

void cosmati_sim_bulk_commit(char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("cp.async.bulk.commit_group");
  if (w.timeline != nullptr) {
    w.timeline->commit(w.current, run_event_kind::bulk_commit,
                       site_here(w, file, line, __builtin_return_address(0), "cp.async.bulk.commit_group"));
  }
  async_state& a = async_of(w);
  copy_groups& g = a.bulk[w.current];
  for (unsigned const i : g.open) {
    a.copies[i].committed = true;
    if (lands_early(w, a, a.copies[i], 1)) land(w, a.copies[i]);
  }
  g.committed.push_back(std::move(g.open));
  g.open.clear();
}

void cosmati_sim_bulk_wait(int pending, int read, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("cp.async.bulk.wait_group");
  site const where = site_here(w, file, line, __builtin_return_address(0), "cp.async.bulk.wait_group");
  async_state& a = async_of(w);
  copy_groups& g = a.bulk[w.current];
  std::size_t const stay = pending < 0 ? 0 : static_cast<std::size_t>(pending);
  if (w.timeline != nullptr) w.timeline->at_place(w.current, run_event_kind::bulk_wait, read != 0, stay, 0, where);
  if (read != 0) {
    for (std::size_t k = 0; k + stay < g.committed.size(); ++k) {
      for (unsigned const i : g.committed[k]) {
        read_source(a.copies[i]);
        if (w.timeline != nullptr && !a.copies[i].read_is_over) w.timeline->over(a.copies[i].event);
        copy_is_over(w, i, true);
      }
    }
  } else {
    while (g.committed.size() > stay) {
      for (unsigned const i : g.committed.front()) {
        land(w, a.copies[i]);
        if (w.timeline != nullptr) w.timeline->over(a.copies[i].event);
        copy_is_over(w, i, false);
        free_copy(a, i);
      }
      g.committed.pop_front();
    }
  }
  note_open_copies(a, g, stay, where.number);
}

void cosmati_sim_fence_proxy_async(int space, char const* file, int line) {
  quiet const hush;
  (void)file;
  (void)line;
  worker& w = running_lane("fence.proxy.async");
  if (w.clocks != nullptr) w.clocks->fence_proxy(w.current, space);
}

}  // extern "C"
