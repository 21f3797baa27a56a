// SPDX-License-Identifier: Apache-2.0
/// @file
/// Shadow memory: for every four bytes of shared and global memory, who wrote them last and who has read them since.
/// Cells that are accessed by the byte are split on demand.
#pragma once

#include <atomic>
#include <memory>

#include "access.hpp"
#include "clocks.hpp"
#include "sites.hpp"

namespace cosmati_sim {

/// One access, or the equal ones of several lanes of a warp.
struct record {
  std::uint32_t run = 0;    // numbers the blocks of all launches; 0: nobody
  std::uint32_t time = 0;   // of the lanes' clocks
  std::uint32_t lanes = 0;  // bits; of a record by an mbarrier: its number as an actor
  std::uint32_t meta = 0;   // site << 8 | flags << 5 | warp

  std::uint32_t warp() const { return meta & 31u; }
  std::uint32_t site() const { return meta >> 8; }
  bool has(std::uint32_t flag) const { return (meta & flag) != 0; }
};
inline constexpr std::uint32_t by_atomic = 1u << 5, by_async_proxy = 1u << 6, by_mbarrier = 1u << 7;

struct cell {
  record written, read;
};

enum class extra_kind : std::uint8_t { read, copy_writes, copy_reads, mbarrier };
/// An access that has no room in a cell.
struct extra {
  record what;
  std::uint16_t bytes = 0;  // of the group, as bits
  extra_kind kind = extra_kind::read;
  std::uint32_t copy = 0;  // of a copy in flight
};
struct extras {
  std::vector<extra> list;
  std::unique_ptr<std::array<cell, 16>> bytes;  // when the group was split
};

/// 16 bytes of memory.
struct group {
  std::atomic<std::uint32_t> lock{0};
  std::uint32_t unused = 0;
  extras* more = nullptr;
  cell cells[4];
};
static_assert(sizeof(group) == 144);

/// A range of memory with its shadow. Zeroed pages, made when they are touched.
class shadow_region {
 public:
  shadow_region(std::uintptr_t low, std::size_t bytes, bool shared_memory);
  ~shadow_region();
  shadow_region(shadow_region const&) = delete;
  shadow_region& operator=(shadow_region const&) = delete;

  /// The shadow is there afterwards.
  void prepare();
  bool ready() const { return groups != nullptr; }
  void set_written(std::uintptr_t at, std::size_t bytes);
  /// Nothing is written any more.
  void forget(std::uintptr_t at, std::size_t bytes);

  std::uintptr_t const low;  // a multiple of 16
  std::size_t const count;   // of groups
  bool const shared_memory;  // one block's only: no other thread of the host comes here
  bool counts_as_written = false;
  bool has_lists = false;
  group* groups = nullptr;
  std::uint16_t* written = nullptr;  // a bit each byte

 private:
  void map_written();
};

/// An access as the checks see it; `detail` is null for a raw one.
struct seen_access {
  std::uintptr_t at;
  std::size_t bytes;
  int kind;  // see access.hpp
  void const* pc;
  memory_access const* detail;
  std::uint32_t site;
};

/// Everything that the short way does not settle, for bytes [offset, offset + n) of one group.
void shadow_slowly(worker& w, shadow_region& region, group& g, std::size_t index, unsigned offset, unsigned n,
                   record const& me, seen_access const& seen);
/// Stores of equal values by several threads are no hazard: what is suspected is decided when the store has happened,
/// before the next access of the lane, or before another lane runs.
void resolve_suspects(worker& w);

inline void lock_group(group& g) {
  while (g.lock.exchange(1, std::memory_order_acquire) != 0) {
  }
}
inline void unlock_group(group& g) { g.lock.store(0, std::memory_order_release); }

/// Records of blocks before this one are of no more interest: launches are ordered, and shared memory is a block's own.
inline std::uint32_t horizon_of(worker const& w, shadow_region const& region) {
  return region.shared_memory ? w.run : w.first_run;
}

/// The current lane's record.
inline record record_of(worker const& w, std::uint32_t site, std::uint32_t flags = 0) {
  return {w.run, w.clocks->lanes[w.current].now, 1u << (w.current % 32), site << 8 | flags | w.current / 32};
}

/// One access of the running lane to memory that has a shadow.
inline void shadow_access(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, int kind,
                          void const* pc, memory_access const* detail) {
  if (!w.suspects.empty()) resolve_suspects(w);
  std::uint32_t const site = detail != nullptr && detail->where.file != nullptr
                                 ? site_number(w, pc, detail->where, detail->instruction)
                                 : site_number(w, pc);
  record const me = record_of(w, site, is_atomic(kind) ? by_atomic : 0);
  std::uint32_t const run = w.run, horizon = horizon_of(w, region), base = w.clocks->base;
  bool const locked = !region.shared_memory && !w.alone;
  std::size_t index = (at - region.low) >> 4;
  unsigned offset = static_cast<unsigned>(at & 15);
  for (std::size_t left = bytes; left != 0;) {
    unsigned const n = left < 16 - offset ? static_cast<unsigned>(left) : 16 - offset;
    group& g = region.groups[index];
    std::uint32_t const need = ((1u << n) - 1) << offset;
    if (locked) lock_group(g);
    bool settled = g.more == nullptr && ((offset | n) & 3u) == 0 && kind < 2;
    if (settled) {
      cell* const first = g.cells + offset / 4;
      cell* const last = first + n / 4;
      auto const before = [=](record const& r) { return r.run < horizon || (r.run == run && r.time <= base); };
      auto const mine = [&](record const& r) {
        return r.run == run && r.lanes == me.lanes && ((r.meta ^ me.meta) & (31u | by_mbarrier)) == 0;
      };
      if (kind == 0) {
        settled = region.counts_as_written || (region.written[index] & need) == need;
        for (cell const* c = first; c != last; ++c) {
          bool const together =
              c->read.run == run && c->read.time == me.time && ((c->read.meta ^ me.meta) & 0xffu) == 0;
          settled =
              settled && (before(c->written) || mine(c->written)) && (before(c->read) || together || mine(c->read));
        }
        if (settled) {
          for (cell* c = first; c != last; ++c) {
            if (c->read.run == run && c->read.time == me.time) {
              c->read.lanes |= me.lanes;
            } else {
              c->read = me;
            }
          }
        }
      } else {
        for (cell const* c = first; c != last; ++c) {
          settled = settled && (before(c->written) || mine(c->written)) && (before(c->read) || mine(c->read));
        }
        if (settled) {
          for (cell* c = first; c != last; ++c) {
            c->written = me;
            if (!mine(c->read)) c->read.run = 0;  // an own read stays: it tells an update from a store
          }
          if (!region.counts_as_written) region.written[index] |= static_cast<std::uint16_t>(need);
        }
      }
    }
    if (!settled) shadow_slowly(w, region, g, index, offset, n, me, {at, bytes, kind, pc, detail, site});
    if (locked) unlock_group(g);
    left -= n;
    ++index;
    offset = 0;
  }
}

// Asynchronous copies, which the running lane issues or waits for. `region` holds the address.
struct async_copy;
/// The copy begins to write; until `copy_has_written`, nobody may touch the bytes.
void copy_will_write(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, unsigned index,
                     async_copy const& copy, memory_access const* detail = nullptr);
/// The copy reads; `in_flight`: until `copy_has_read`, nobody may write the bytes.
void copy_will_read(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, unsigned index,
                    async_copy const& copy, bool in_flight);
void copy_has_written(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, unsigned index,
                      record const& by);
void copy_has_read(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, unsigned index,
                   record const& by);
/// Eight bytes become an mbarrier (or memory again): what else touches them is a mistake.
void shadow_mbarrier(worker& w, shadow_region& region, std::uintptr_t at, bool live, std::uint32_t site);

/// Whether the running lane knows of the access.
bool is_known(worker& w, shadow_region const& region, record const& r);

}  // namespace cosmati_sim
