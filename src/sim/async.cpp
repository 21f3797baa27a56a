// SPDX-License-Identifier: Apache-2.0
// Copies in flight: cp.async and its groups, and when the bytes land.
#include "async.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "access.hpp"

namespace cosmati_sim {
namespace {

/// A number that looks random and depends on nothing but its arguments (splitmix64).
std::uint64_t chance(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t x = a * 0x9E3779B97F4A7C15ull + b * 0xD1B54A32D192ED03ull + c * 0x8CB92BA72F3D8DD7ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

char const* const cp_async_names[2][5] = {{"", "cp.async.ca.4", "cp.async.ca.8", "", "cp.async.ca.16"},
                                          {"", "cp.async.cg.4", "cp.async.cg.8", "", "cp.async.cg.16"}};

}  // namespace

std::uint64_t sim_seed() {
  char const* const text = std::getenv("COSMATI_SIM_SEED");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 0;
}

async_state& async_of(worker& w) {
  if (w.async == nullptr) {
    w.async = std::make_unique<async_state>();
    w.async->cp_async.resize(max_lanes);
    w.async->bulk.resize(max_lanes);
  }
  w.async_used = true;
  return *w.async;
}

void async_block_begins(worker& w) {
  if (!w.async_used) return;
  async_state& a = *w.async;
  a.copies.clear();
  a.free_copies.clear();
  a.floating.clear();
  a.arrivals.clear();
  a.barriers.clear();
  a.issued = 0;
  for (copy_groups& g : a.cp_async) {
    g.open.clear();
    g.committed.clear();
  }
  for (copy_groups& g : a.bulk) {
    g.open.clear();
    g.committed.clear();
  }
  w.async_used = false;
}

void async_block_ends(worker& w) {
  if (!w.async_used) return;
  for (async_copy& c : w.async->copies) {
    if (c.used && c.kind == copy_kind::bulk_store) land(w, c);
  }
}

bool lands_early(worker const& w, async_state const& a, async_copy const& copy, int moment) {
  std::uint64_t const seed = w.running->seed;
  if (seed <= 1) return seed == 1;
  std::uint64_t const when = chance(seed, w.block, a.issued * max_lanes + copy.lane) % 3;
  return when == static_cast<std::uint64_t>(moment);
}

void read_source(async_copy& c) {
  if (c.source_read || c.landed) return;
  c.source_read = true;
  c.held.assign(c.bytes, 0);
  std::memcpy(c.held.data(), reinterpret_cast<void const*>(c.from), c.source_bytes);
}

void land(worker&, async_copy& c) {
  if (c.landed) return;
  auto* const to = reinterpret_cast<char*>(c.to);
  if (c.source_read) {
    std::memcpy(to, c.held.data(), c.bytes);
    c.held.clear();
  } else {
    if (c.source_bytes != 0) std::memcpy(to, reinterpret_cast<void const*>(c.from), c.source_bytes);
    if (c.source_bytes < c.bytes) std::memset(to + c.source_bytes, 0, c.bytes - c.source_bytes);
  }
  c.source_read = c.landed = true;
}

unsigned new_copy(worker& w, async_copy&& copy) {
  async_state& a = async_of(w);
  ++a.issued;
  unsigned index;
  if (a.free_copies.empty()) {
    index = static_cast<unsigned>(a.copies.size());
    a.copies.push_back(std::move(copy));
  } else {
    index = a.free_copies.back();
    a.free_copies.pop_back();
    a.copies[index] = std::move(copy);
  }
  async_copy& c = a.copies[index];
  c.used = true;
  c.serial = a.issued;
  if (lands_early(w, a, c, 0)) {
    land(w, c);
  } else if (c.kind != copy_kind::bulk_store) {
    poison(reinterpret_cast<void*>(c.to), c.bytes);
  }
  return index;
}

void free_copy(async_state& a, unsigned index) {
  a.copies[index].used = false;
  a.free_copies.push_back(index);
}

bool land_something(worker& w) {
  if (!w.async_used) return false;
  async_state& a = *w.async;
  if (!a.floating.empty()) {
    std::size_t which = 0;
    if (w.running->seed > 1) which = chance(w.running->seed, w.block, a.issued + a.floating.size()) % a.floating.size();
    unsigned const index = a.floating[which];
    a.floating.erase(a.floating.begin() + static_cast<std::ptrdiff_t>(which));
    async_copy& c = a.copies[index];
    land(w, c);
    mbarrier_complete_tx(w, c.barrier, c.bytes, c.where);
    free_copy(a, index);
    return true;
  }
  if (!a.arrivals.empty()) {
    pending_arrival const arrival = std::move(a.arrivals.front());
    a.arrivals.pop_front();
    for (auto const& [i, serial] : arrival.copies) {
      if (a.copies[i].used && a.copies[i].serial == serial) land(w, a.copies[i]);
    }
    if (mbarrier* const b = find_mbarrier(w, arrival.barrier)) mbarrier_arrives(w, *b, 1, arrival.lane, arrival.where);
    return true;
  }
  return false;
}

}  // namespace cosmati_sim

using namespace cosmati_sim;

extern "C" {

void cosmati_sim_cp_async(void* shared, void const* global, unsigned bytes, unsigned source_bytes, int level,
                          void const* shared_base, void const* global_base, cosmati_sim_describe describe_shared,
                          void const* shared_context, cosmati_sim_describe describe_global, void const* global_context,
                          char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("cp.async");
  site const where = {file, line};
  if ((bytes != 4 && bytes != 8 && bytes != 16) || (level == 1 && bytes != 16) || source_bytes > bytes) {
    fail_lane(fmt::format(
        "cp.async.{} ({}): {} bytes, {} of them from global memory; it copies {}, and reads at most "
        "as many",
        level == 1 ? "cg" : "ca", to_text(where), bytes, source_bytes, level == 1 ? "16 bytes" : "4, 8 or 16 bytes"));
  }
  char const* const name = cp_async_names[level][bytes / 4];
  void const* const pc = __builtin_return_address(0);
  check_side({reinterpret_cast<std::uintptr_t>(shared), bytes, 1, bytes, shared_base, name, describe_shared,
              shared_context, where, pc},
             space_shared);
  if (source_bytes != 0) {
    check_side({reinterpret_cast<std::uintptr_t>(global), source_bytes, 0, bytes, global_base, name, describe_global,
                global_context, where, pc},
               space_global);
  }
  async_state& a = async_of(w);
  async_copy c;
  c.lane = w.current;
  c.bytes = bytes;
  c.source_bytes = source_bytes;
  c.to = reinterpret_cast<std::uintptr_t>(shared);
  c.from = reinterpret_cast<std::uintptr_t>(global);
  c.where = where;
  c.name = name;
  unsigned const index = new_copy(w, std::move(c));
  a.cp_async[w.current].open.push_back(index);
}

void cosmati_sim_cp_async_commit(char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("cp.async.commit_group");
  (void)file;
  (void)line;
  async_state& a = async_of(w);
  copy_groups& g = a.cp_async[w.current];
  for (unsigned const i : g.open) {
    a.copies[i].committed = true;
    if (lands_early(w, a, a.copies[i], 1)) land(w, a.copies[i]);
  }
  g.committed.push_back(std::move(g.open));
  g.open.clear();
}

void cosmati_sim_cp_async_wait(int pending, char const* file, int line) {
  quiet const hush;
  (void)file;
  worker& w = running_lane("cp.async.wait_group");
  async_state& a = async_of(w);
  copy_groups& g = a.cp_async[w.current];
  if (pending < 0) {
    g.committed.push_back(std::move(g.open));
    g.open.clear();
    pending = 0;
  }
  while (g.committed.size() > static_cast<std::size_t>(pending)) {
    for (unsigned const i : g.committed.front()) {
      land(w, a.copies[i]);
      free_copy(a, i);
    }
    g.committed.pop_front();
  }
  for (unsigned const i : g.open) a.copies[i].waited_before_commit = line;
}

void cosmati_sim_cp_async_mbarrier_arrive(std::uint64_t* barrier, int noinc, char const* file, int line) {
  quiet const hush;
  worker& w = running_lane("cp.async.mbarrier.arrive");
  site const where = {file, line};
  mbarrier& b = need_mbarrier(w, barrier, "cp.async.mbarrier.arrive", where);
  async_state& a = async_of(w);
  if (noinc == 0) ++b.pending;
  pending_arrival arrival;
  arrival.barrier = barrier;
  arrival.lane = w.current;
  arrival.where = where;
  copy_groups const& g = a.cp_async[w.current];
  auto const covers = [&](std::vector<unsigned> const& group) {
    for (unsigned const i : group) arrival.copies.emplace_back(i, a.copies[i].serial);
  };
  for (auto const& group : g.committed) covers(group);
  covers(g.open);
  a.arrivals.push_back(std::move(arrival));
  if (w.running->seed == 1) {
    while (!a.arrivals.empty()) land_something(w);
  }
}

}  // extern "C"
