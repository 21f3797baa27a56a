// SPDX-License-Identifier: Apache-2.0
// Copies in flight: cp.async and its groups, and the time at which the bytes arrive.
#include "async.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "formatted.hpp"
#include "hazards.hpp"
#include "polling.hpp"
#include "timeline.hpp"

namespace cosmati_sim {
namespace {

/// A number that looks random and depends only on the arguments (splitmix64).
std::uint64_t chance(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t x = a * 0x9E3779B97F4A7C15ull + b * 0xD1B54A32D192ED03ull + c * 0x8CB92BA72F3D8DD7ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

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
    w.async->matrices.resize(max_lanes);
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
    g.arrives_at_mbarrier = false;
    g.open.clear();
    g.committed.clear();
  }
  for (copy_groups& g : a.bulk) {
    g.open.clear();
    g.committed.clear();
  }
  for (matrix_groups& g : a.matrices) g = {};
  w.async_used = false;
}

void async_block_ends(worker& w) {
  if (!w.async_used) return;
  for (unsigned i = 0; i < w.async->copies.size(); ++i) {
    async_copy& c = w.async->copies[i];
    if (!c.used || c.kind != copy_kind::bulk_store) continue;
    land(w, c);
    if (c.to_shadow == nullptr) continue;
    record by = record_of(w, c.site_number);
    by.lanes = 1u << (c.lane % 32);
    by.time = w.clocks->now(c.lane);
    by.meta = c.site_number << 8 | by_async_proxy | c.lane / 32;
    if (c.reduces.element_bytes != 0) by.meta |= by_atomic;
    copy_has_written(w, *c.to_shadow, c.to, c.bytes, i, by);
  }
  if (w.clocks == nullptr) return;
  for (unsigned const i : w.async->floating) {
    async_copy const& c = w.async->copies[i];
    if (!is_news(w, hazard_kind::missing_wait, c.site_number, 0)) continue;
    hazard h = hazard_here(w, hazard_kind::missing_wait);
    h.thread = w.threads[c.lane];
    h.site = c.site_number;
    h.where = c.where;
    h.message =
        "the block ends while a bulk copy to its shared memory may be in flight (\1): nobody waited for the phase that "
        "it "
        "completes; wait for the mbarrier before the end";
    add_hazard(w, std::move(h));
  }
}

bool lands_early(worker const& w, async_state const& a, async_copy const& copy, int moment) {
  std::uint64_t const seed = w.running->seed;
  if (seed <= 1) return seed == 1;
  std::uint64_t const when = chance(seed, w.block, a.issued * max_lanes + copy.lane) % 3;
  return when == static_cast<std::uint64_t>(moment);
}

namespace {

/// A float's bits as loads of TF32 deliver them: mantissas rounded to 10 bits, ties to even, and one NaN. Subnormal
/// numbers are rounded like others (measured, see bench/notes/tensor-copies-at-edges.md).
std::uint32_t rounded_to_tf32(std::uint32_t bits) {
  bool const is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return is_nan ? 0x7fffe000u : (bits + 0xfffu + (bits >> 13 & 1)) & ~0x1fffu;
}

/// Puts all of the copy's bytes to `to`.
void deliver(async_copy const& c, char* to) {
  if (c.source_bytes != 0) std::memcpy(to, reinterpret_cast<void const*>(c.from), c.source_bytes);
  for (unsigned i = 0; c.change != value_change::none && i < c.source_bytes; i += 4) {
    std::uint32_t bits;
    std::memcpy(&bits, to + i, 4);
    bits = rounded_to_tf32(bits);
    std::memcpy(to + i, &bits, 4);
  }
  for (unsigned i = c.source_bytes; i < c.bytes; i += c.fill_bytes) std::memcpy(to + i, &c.fill, c.fill_bytes);
}

}  // namespace

void read_source(async_copy& c) {
  if (c.source_read || c.landed) return;
  c.source_read = true;
  c.held.resize(c.bytes);
  deliver(c, c.held.data());
}

void land(worker& w, async_copy& c) {
  if (c.landed) return;
  if (w.watches_stores) note_store(w, c.to, c.bytes);
  auto* const to = reinterpret_cast<char*>(c.to);
  if (c.reduces.element_bytes != 0) {
    read_source(c);
    reduce(c.reduces, to, c.held.data(), c.bytes);
    c.held.clear();
  } else if (c.source_read) {
    std::memcpy(to, c.held.data(), c.bytes);
    c.held.clear();
  } else {
    deliver(c, to);
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
  if (c.kind != copy_kind::matrix_read && lands_early(w, a, c, 0)) {
    land(w, c);
  } else if (c.kind != copy_kind::bulk_store && c.kind != copy_kind::matrix_read && c.reduces.element_bytes == 0) {
    poison(reinterpret_cast<void*>(c.to), c.bytes);
  }
  return index;
}

void note_open_copies(async_state& a, copy_groups const& g, std::size_t pending, std::uint32_t site) {
  if (g.open.empty()) return;
  for (unsigned const i : g.open) {
    a.copies[i].waited_before_commit = site;
    a.copies[i].wait_was_for_it |= pending == 0;
  }
  if (g.committed.empty() || g.committed.size() < pending) return;
  for (unsigned const i : g.committed.front()) {
    a.copies[i].waited_before_commit = site;
    a.copies[i].wait_was_for_it = true;
  }
}

void free_copy(async_state& a, unsigned index) {
  a.copies[index].used = false;
  a.free_copies.push_back(index);
}

void copy_is_over(worker& w, unsigned index, bool only_read) {
  async_copy& c = w.async->copies[index];
  if (c.from_shadow != nullptr && c.kind != copy_kind::bulk_load && !c.read_is_over) {
    c.read_is_over = true;
    copy_has_read(w, *c.from_shadow, c.from, c.source_bytes, index,
                  record_of(w, c.site_number, c.kind != copy_kind::cp_async ? by_async_proxy : 0));
  }
  if (only_read) return;
  if (c.to_shadow != nullptr)
    copy_has_written(w, *c.to_shadow, c.to, c.bytes, index,
                     record_of(w, c.site_number,
                               (c.kind == copy_kind::bulk_store ? by_async_proxy : 0) |
                                   (c.reduces.element_bytes != 0 ? by_atomic : 0)));
}

void lane_ends(worker& w) {
  async_state& a = *w.async;
  copy_groups const& g = a.bulk[w.current];
  if (g.empty() || w.clocks == nullptr) return;
  auto const unread = [&](std::vector<unsigned> const& group) {
    for (unsigned const i : group) {
      async_copy const& c = a.copies[i];
      if (c.read_is_over) continue;
      hazard_kind const kind = c.committed ? hazard_kind::missing_wait : hazard_kind::missing_commit;
      if (!is_news(w, kind, c.site_number, 0)) return;
      hazard h = hazard_here(w, kind);
      h.site = c.site_number;
      h.message = formatted(
          "the thread exits while a bulk copy that it began (\1) may still read shared memory{}; {} before the end",
          c.committed ? "" : "; its group was never committed",
          c.committed ? "cp.async.bulk.wait_group.read 0" : "commit the group, then cp.async.bulk.wait_group.read 0");
      add_hazard(w, std::move(h));
    }
  };
  for (auto const& group : g.committed) unread(group);
  unread(g.open);
}

/// One of the copies that signal an mbarrier lands, in any order.
static void land_floating_copy(worker& w, async_state& a) {
  std::size_t which = 0;
  if (w.running->seed > 1) which = chance(w.running->seed, w.block, a.issued + a.floating.size()) % a.floating.size();
  unsigned const index = a.floating[which];
  a.floating.erase(a.floating.begin() + static_cast<std::ptrdiff_t>(which));
  async_copy& c = a.copies[index];
  land(w, c);
  if (w.timeline != nullptr) {
    w.timeline->landed(c.barrier, c.bytes);
    if (c.event != 0) w.timeline->over(c.event);
  }
  if (c.to_shadow != nullptr) {
    record by;
    if (mbarrier* const b = find_mbarrier(w, c.barrier)) by = transaction_of(w, *b, c.site_number);
    if (c.reduces.element_bytes != 0) by.meta |= by_atomic;
    copy_has_written(w, *c.to_shadow, c.to, c.bytes, index | c.of_block, by);
    if (c.from_shadow != nullptr) copy_has_read(w, *c.from_shadow, c.from, c.bytes, index | c.of_block, by);
  }
  mbarrier_complete_tx(w, c.barrier, c.bytes, c.where);
  free_copy(a, index);
}

/// The copies of one arrival that cp.async.mbarrier.arrive has promised land, and it arrives. Those of a thread come in
/// their order.
static void land_arrival(worker& w, async_state& a) {
  // One of any thread, that thread's first.
  auto which = a.arrivals.begin();
  if (w.running->seed > 1)
    which +=
        static_cast<std::ptrdiff_t>(chance(w.running->seed, w.block, a.issued + a.arrivals.size()) % a.arrivals.size());
  which = std::find_if(a.arrivals.begin(), which, [&](auto const& other) { return other.lane == which->lane; });
  pending_arrival const arrival = std::move(*which);
  a.arrivals.erase(which);
  if (w.timeline != nullptr) {
    std::uint64_t bytes = 0;
    for (auto const& [i, serial] : arrival.copies) {
      if (a.copies[i].used && a.copies[i].serial == serial && a.copies[i].event != 0) bytes += a.copies[i].bytes;
    }
    w.timeline->landed(arrival.barrier, bytes);
  }
  for (auto const& [i, serial] : arrival.copies) {
    async_copy& c = a.copies[i];
    if (!c.used || c.serial != serial) continue;
    land(w, c);
    if (w.timeline != nullptr) w.timeline->over(std::exchange(c.event, 0));  // a group that stays open comes again
    // The thread itself may still wait for it.
    if (mbarrier* const b = find_mbarrier(w, arrival.barrier); b != nullptr && c.to_shadow != nullptr) {
      record const by = c.arrived = transaction_of(w, *b, c.site_number);
      copy_has_written(w, *c.to_shadow, c.to, c.bytes, i, by);
      if (c.from_shadow != nullptr) copy_has_read(w, *c.from_shadow, c.from, c.source_bytes, i, by);
    }
    c.to_shadow = c.from_shadow = nullptr;
  }
  if (mbarrier* const b = find_mbarrier(w, arrival.barrier)) {
    if (arrival.waited != 0) {  // what the copies wrote counts as the thread's own
      moments& m = b->arrivals.hb;
      if (m.size() <= arrival.lane) m.resize(arrival.lane + 1);
      m[arrival.lane] = std::max(m[arrival.lane], arrival.waited);
      b->arrivals.shown_hb = nullptr;
    }
    mbarrier_arrives(w, *b, 1, no_lane, arrival.where);
  }
}

bool land_something(worker& w) {
  if (!w.async_used) return false;
  async_state& a = *w.async;
  if (!a.floating.empty()) {
    land_floating_copy(w, a);
    return true;
  }
  if (a.arrivals.empty()) return false;
  land_arrival(w, a);
  return true;
}

}  // namespace cosmati_sim
