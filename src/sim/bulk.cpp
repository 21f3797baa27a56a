// SPDX-License-Identifier: Apache-2.0
// One-dimensional bulk copies, and the fence between generic accesses and those of the asynchronous proxy.
#include <fmt/format.h>

#include <algorithm>

#include "access.hpp"
#include "async.hpp"

using namespace cosmati_sim;

namespace {

char const load_name[] = "cp.async.bulk.shared.global";
char const store_name[] = "cp.async.bulk.global.shared";

void check_size(char const* name, unsigned bytes, site where) {
  if (bytes != 0 && bytes % 16 == 0) return;
  fail_lane(fmt::format("{} ({}): {} bytes, it copies a multiple of 16 bytes", name, to_text(where), bytes));
}

}  // namespace

extern "C" {

void cosmati_sim_bulk_load(void* shared, void const* global, unsigned bytes, std::uint64_t* barrier, char const* file,
                           int line) {
  quiet const hush;
  worker& w = running_lane(load_name);
  site const where = {file, line};
  void const* const pc = __builtin_return_address(0);
  check_size(load_name, bytes, where);
  check_side({reinterpret_cast<std::uintptr_t>(shared), bytes, 1, 16, nullptr, load_name, nullptr, nullptr, where, pc},
             space_shared);
  check_side({reinterpret_cast<std::uintptr_t>(global), bytes, 0, 16, nullptr, load_name, nullptr, nullptr, where, pc},
             space_global);
  need_mbarrier(w, barrier, load_name, where);
  async_copy c;
  c.kind = copy_kind::bulk_load;
  c.lane = w.current;
  c.bytes = c.source_bytes = bytes;
  c.to = reinterpret_cast<std::uintptr_t>(shared);
  c.from = reinterpret_cast<std::uintptr_t>(global);
  c.barrier = barrier;
  c.where = where;
  c.name = load_name;
  c.committed = true;
  async_state& a = async_of(w);
  a.floating.push_back(new_copy(w, std::move(c)));
  // Not at once even with seed 1: a transaction that completes before it is expected is legal, and rare.
  need_mbarrier(w, barrier, load_name, where).polls = 0;
}

void cosmati_sim_bulk_store(void* global, void const* shared, unsigned bytes, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane(store_name);
  site const where = {file, line};
  void const* const pc = __builtin_return_address(0);
  check_size(store_name, bytes, where);
  check_side({reinterpret_cast<std::uintptr_t>(shared), bytes, 0, 16, nullptr, store_name, nullptr, nullptr, where, pc},
             space_shared);
  check_side({reinterpret_cast<std::uintptr_t>(global), bytes, 1, 16, nullptr, store_name, nullptr, nullptr, where, pc},
             space_global);
  async_copy c;
  c.kind = copy_kind::bulk_store;
  c.lane = w.current;
  c.bytes = c.source_bytes = bytes;
  c.to = reinterpret_cast<std::uintptr_t>(global);
  c.from = reinterpret_cast<std::uintptr_t>(shared);
  c.where = where;
  c.name = store_name;
  async_state& a = async_of(w);
  a.bulk[w.current].open.push_back(new_copy(w, std::move(c)));
}

void cosmati_sim_bulk_commit(char const* file, int line) {
  quiet const hush;
  (void)file;
  (void)line;
  worker& w = running_lane("cp.async.bulk.commit_group");
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
  (void)file;
  worker& w = running_lane("cp.async.bulk.wait_group");
  async_state& a = async_of(w);
  copy_groups& g = a.bulk[w.current];
  std::size_t const stay = pending < 0 ? 0 : static_cast<std::size_t>(pending);
  if (read != 0) {
    for (std::size_t k = 0; k + stay < g.committed.size(); ++k) {
      for (unsigned const i : g.committed[k]) read_source(a.copies[i]);
    }
  } else {
    while (g.committed.size() > stay) {
      for (unsigned const i : g.committed.front()) {
        land(w, a.copies[i]);
        free_copy(a, i);
      }
      g.committed.pop_front();
    }
  }
  for (unsigned const i : g.open) a.copies[i].waited_before_commit = line;
}

void cosmati_sim_fence_proxy_async(int space, char const* file, int line) {
  quiet const hush;
  (void)space;
  (void)file;
  (void)line;
  running_lane("fence.proxy.async");
}

}  // extern "C"
