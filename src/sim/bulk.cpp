// SPDX-License-Identifier: Apache-2.0
// One-dimensional bulk copies, and the fence between generic accesses and those of the asynchronous proxy.

#include <algorithm>

#include "access.hpp"
#include "async.hpp"
#include "formatted.hpp"
#include "timeline.hpp"

using namespace cosmati_sim;

namespace {

char const load_name[] = "cp.async.bulk.shared.global";
char const store_name[] = "cp.async.bulk.global.shared";

void check_size(char const* name, unsigned bytes, site where) {
  if (bytes != 0 && bytes % 16 == 0) return;
  fail_lane(formatted("{} ({}): {} bytes, it copies a multiple of 16 bytes", name, to_text(where), bytes),
            hazard_kind::misaligned, where);
}

/// A copy between two sides, which are checked. @param pc the caller of the entry point
async_copy copy_between(worker& w, copy_kind kind, void const* shared, void const* global, unsigned bytes, site where,
                        void const* pc) {
  bool const loads = kind == copy_kind::bulk_load;
  char const* const name = loads ? load_name : store_name;
  check_size(name, bytes, where);
  auto const at_shared = reinterpret_cast<std::uintptr_t>(shared), at_global = reinterpret_cast<std::uintptr_t>(global);
  shadow_region* const of_shared = check_side(
      {at_shared, bytes, loads ? a_store : a_load, 16, nullptr, name, nullptr, nullptr, where, pc}, space_shared);
  shadow_region* const of_global = check_side(
      {at_global, bytes, loads ? a_load : a_store, 16, nullptr, name, nullptr, nullptr, where, pc}, space_global);
  async_copy c;
  c.kind = kind;
  c.to_shadow = loads ? of_shared : of_global;
  c.from_shadow = loads ? of_global : of_shared;
  c.to = loads ? at_shared : at_global;
  c.from = loads ? at_global : at_shared;
  c.bytes = c.source_bytes = bytes;
  c.lane = w.current;
  c.site_number = where.number;
  c.where = where;
  c.name = name;
  return c;
}

/// Starts the copy, which claims its bytes. @return its index
unsigned begin(worker& w, async_copy&& copy) {
  async_state& a = async_of(w);
  unsigned const index = new_copy(w, std::move(copy));
  async_copy const& made = a.copies[index];
  if (made.from_shadow != nullptr) copy_will_read(w, *made.from_shadow, made.from, made.bytes, index, made, true);
  if (made.to_shadow != nullptr) copy_will_write(w, *made.to_shadow, made.to, made.bytes, index, made);
  return index;
}

}  // namespace

extern "C" {

void cosmati_sim_bulk_load(void* shared, void const* global, unsigned bytes, std::uint64_t* barrier, char const* file,
                           int line) {
  quiet const hush;
  worker& w = running_lane(load_name);
  void const* const pc = __builtin_return_address(0);
  site const where = site_here(w, file, line, pc, load_name);
  async_copy c = copy_between(w, copy_kind::bulk_load, shared, global, bytes, where, pc);
  mbarrier& b = need_mbarrier(w, barrier, load_name, where);
  c.phase = b.phase;
  mbarrier_serves_proxy(w, b, where);
  c.barrier = barrier;
  c.committed = true;
  if (w.timeline != nullptr) c.event = w.timeline->bulk_load(w.current, barrier, b.phase, bytes, where);
  // The barrier is signalled later, even if the bytes arrive at once. On a GPU a copy rarely completes before a thread
  // expects its bytes.
  async_of(w).floating.push_back(begin(w, std::move(c)));
  find_mbarrier(w, barrier)->polls = 0;
}

void cosmati_sim_bulk_store(void* global, void const* shared, unsigned bytes, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(store_name);
  void const* const pc = __builtin_return_address(0);
  site const where = site_here(w, file, line, pc, store_name);
  async_copy c = copy_between(w, copy_kind::bulk_store, shared, global, bytes, where, pc);
  if (w.timeline != nullptr) c.event = w.timeline->copy(w.current, run_event_kind::bulk_store, bytes, where);
  unsigned const index = begin(w, std::move(c));
  async_of(w).bulk[w.current].open.push_back(index);
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
