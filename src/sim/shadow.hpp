// SPDX-License-Identifier: Apache-2.0
/// @file
/// Shadow memory: for every four bytes of shared and global memory, the last writer and the readers since. Cells that
/// are accessed by the byte are split when needed.
#pragma once

#include <atomic>
#include <bit>
#include <cstring>
#include <memory>

#include "access.hpp"
#include "clocks.hpp"
#include "sites.hpp"

namespace cosmati_sim {

/// One access, or equal accesses of several lanes of a warp.
struct alignas(16) record {
  std::uint32_t time = 0;   // the time of the lanes' clocks
  std::uint32_t run = 0;    // the block's number among those of all launches; 0: no access
  std::uint32_t lanes = 0;  // bits of lanes; for an mbarrier its number as an actor
  std::uint32_t meta = 0;   // site << 8 | flags << 5 | warp

  std::uint32_t warp() const { return meta & 31u; }
  std::uint32_t site() const { return meta >> 8; }
  bool has(std::uint32_t flag) const { return (meta & flag) != 0; }
  /// `run` and `time`, and the other two members, as numbers, so that checks are comparisons.
  std::uint64_t stamp() const { return std::bit_cast<std::array<std::uint64_t, 2>>(*this)[0]; }
  std::uint64_t who() const { return std::bit_cast<std::array<std::uint64_t, 2>>(*this)[1]; }
  void set(std::uint64_t stamp, std::uint64_t who) {
    std::memcpy(&time, &stamp, 8);
    std::memcpy(&lanes, &who, 8);
  }
  static record of(std::uint64_t stamp, std::uint64_t who) {
    record r;
    r.set(stamp, who);
    return r;
  }
  bool operator==(record const&) const = default;
};
inline constexpr std::uint32_t by_atomic = 1u << 5, by_async_proxy = 1u << 6, by_mbarrier = 1u << 7;

struct cell {
  record written, read;
  bool operator==(cell const&) const = default;
};

/// `overwritten`: a read that was reported with another block's store. Its lane may be about to store there too.
/// `copy_reduces`: a copy adds to the bytes, or changes them by another operation, as atomics do.
/// `reduced` is an earlier reduction by a copy of another block, where a later one stands in the cell.
enum class extra_kind : std::uint8_t { read, overwritten, reduced, copy_writes, copy_reduces, copy_reads, mbarrier };
/// Claims of copies that signal another block's mbarrier have bits above their index that name it.
inline constexpr unsigned claim_index_bits = 27;
inline bool is_of_another_block(std::uint32_t claim) { return claim >> claim_index_bits != 0; }
/// An access that does not fit in a cell.
struct extra {
  record what;
  std::uint16_t bytes = 0;  // the bytes of the group, as bits
  extra_kind kind = extra_kind::read;
  std::uint32_t copy = 0;  // the copy in flight
};
struct extras {
  std::vector<extra> list;
  std::unique_ptr<std::array<cell, 16>> bytes;  // present if the group was split
};

/// 16 bytes of memory. An access to all of them touches one cache line: one cell serves all four words until they
/// differ.
struct alignas(64) group {
  std::atomic<std::uint32_t> lock{0};
  bool apart = false;  // the four cells differ: the first is here, the others are in the region's `rest`
  extras* more = nullptr;
  cell first;
};
static_assert(sizeof(group) == 64);

/// A range of memory with its shadow. The pages are zero, and made when they are touched.
class shadow_region {
 public:
  shadow_region(std::uintptr_t low, std::size_t bytes, bool shared_memory);
  ~shadow_region();
  shadow_region(shadow_region const&) = delete;
  shadow_region& operator=(shadow_region const&) = delete;

  /// Makes the shadow.
  void prepare();
  bool ready() const { return groups != nullptr; }
  void set_written(std::uintptr_t at, std::size_t bytes);
  /// Resets the bytes to unwritten.
  void forget(std::uintptr_t at, std::size_t bytes);

  /// The cell of four bytes. In a group that is not apart only the first is used.
  cell& cell_of(std::size_t index, unsigned i) { return i == 0 ? groups[index].first : rest[index][i - 1]; }
  void part(std::size_t index) {
    group& g = groups[index];
    if (g.apart) return;
    g.apart = true;
    rest[index].fill(g.first);
  }
  /// Merges the four cells into one, if they are equal.
  void unite(std::size_t index) {
    group& g = groups[index];
    for (cell const& c : rest[index]) {
      if (c != g.first) return;
    }
    g.apart = false;
  }

  std::uintptr_t const low;  // a multiple of 16
  std::size_t const count;   // the number of groups
  bool const shared_memory;  // the memory belongs to one block, so no other host thread uses the shadow
  bool counts_as_written = false;
  bool has_lists = false;
  group* groups = nullptr;
  std::array<cell, 3>* rest =
      nullptr;  // the other three cells of each group; used while it is apart: its four cells differ
  std::uint16_t* written = nullptr;  // one bit for each byte

 private:
  void map_written();
};

/// An access in the form of the checks. `detail` is null for a raw access.
struct seen_access {
  std::uintptr_t at;
  std::size_t bytes;
  int kind;  // see access.hpp
  void const* pc;
  memory_access const* detail;
  std::uint32_t site;
};

/// Decides the suspicions. Stores of equal values by several threads are no hazard. A suspicion is decided after the
/// store has happened: before the lane's next access other than a load, or before another lane runs.
void resolve_suspects(worker& w);
/// Whether this is the value that a shuffle gives for an absent lane. Arithmetic keeps it if it is a NaN, or changes it
/// a little if it is a number.
bool holds_nothing(void const* value, std::size_t bytes);
/// Checks whether the running lane is about to store a value that it took from an absent lane.
void suspect_absent(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, std::uint32_t site);

/// Waits for the lock of a group. The host thread that has it may not even run.
void wait_for_group(group& g);
inline void lock_group(group& g) {
  if (g.lock.exchange(1, std::memory_order_acquire) != 0) [[unlikely]]
    wait_for_group(g);
}
inline void unlock_group(group& g) { g.lock.store(0, std::memory_order_release); }

/// The oldest run whose records matter. Launches of earlier runs are over, and shared memory belongs to one cluster.
inline std::uint32_t horizon_of(worker const& w, shadow_region const& region) {
  return region.shared_memory ? w.cluster_run : w.horizon;
}

/// The record of the current lane.
inline record record_of(worker const& w, std::uint32_t site, std::uint32_t flags = 0) {
  return {w.clocks->now(w.current), w.run, 1u << (w.current % 32), site << 8 | flags | w.current / 32};
}

/// The running lane, in the form in which it is compared with the cells.
struct shadow_actor {
  std::uint64_t stamp, who, horizon, begin, base;

  __attribute__((always_inline))
  shadow_actor(worker const& w, std::uint32_t first_run, std::uint32_t site, std::uint32_t flags)
      : stamp(std::uint64_t{w.run} << 32 | w.clocks->now(w.current)),
        who(std::uint64_t{site << 8 | flags | w.current / 32} << 32 | 1u << (w.current % 32)),
        horizon(std::uint64_t{first_run} << 32),
        begin(std::uint64_t{w.run} << 32),
        base(w.clocks->base) {}
  /// The record of record_of.
  __attribute__((always_inline)) record me() const { return record::of(stamp, who); }
  // All functions are forced inline. They are a few comparisons for each cell, and as calls they made a copy 10 %
  // slower.
  /// Whether a barrier of the block, or a launch, lies in between.
  __attribute__((always_inline)) bool before(record const& r) const {
    std::uint64_t const at = r.stamp();
    return at < horizon || at - begin <= base;
  }
  /// Whether only the same lane made the access.
  __attribute__((always_inline)) bool mine(record const& r) const {
    return ((r.stamp() ^ stamp) >> 32 | ((r.who() ^ who) & ((31ull | by_mbarrier) << 32 | 0xffffffffu))) == 0;
  }
  /// Whether lanes of the same warp made it at the same moment.
  __attribute__((always_inline)) bool together(record const& r) const {
    return ((r.stamp() ^ stamp) | ((r.who() ^ who) & 0xffull << 32)) == 0;
  }

  __attribute__((always_inline)) bool may_read(cell const& c) const {
    return (before(c.written) || mine(c.written)) && (before(c.read) || together(c.read) || mine(c.read));
  }
  __attribute__((always_inline)) void reads(cell& c) const {
    if (c.read.stamp() == stamp) {
      c.read.lanes |= static_cast<std::uint32_t>(who);
    } else {
      c.read.set(stamp, who);
    }
  }
  __attribute__((always_inline)) bool may_write(cell const& c) const {
    return (before(c.written) || mine(c.written)) && (before(c.read) || mine(c.read));
  }
  __attribute__((always_inline)) void writes(cell& c) const {
    c.written.set(stamp, who);
    if (!mine(c.read)) c.read.run = 0;  // the lane's own read stays, because it distinguishes an update from a store
  }
};

/// The fast path: a plain load or store of whole cells [offset, offset + n) of a group without lists, with no conflict.
/// @return false, without any change, if the access needs the slow path
inline __attribute__((always_inline)) bool shadow_quickly(shadow_region& region, std::size_t index, unsigned offset,
                                                          unsigned n, int kind, shadow_actor const& a) {
  group& g = region.groups[index];
  if (g.more != nullptr) return false;
  auto const need = static_cast<std::uint16_t>(((1u << n) - 1) << offset);
  bool const loads = kind == a_load;
  if (loads && !region.counts_as_written && (region.written[index] & need) != need) return false;
  if (n == 16 && !g.apart) {
    if (!(loads ? a.may_read(g.first) : a.may_write(g.first))) return false;
    if (loads) {
      a.reads(g.first);
    } else {
      a.writes(g.first);
    }
  } else {
    region.part(index);
    unsigned const first = offset / 4, last = (offset + n) / 4;
    for (unsigned i = first; i < last; ++i) {
      cell const& c = region.cell_of(index, i);
      if (!(loads ? a.may_read(c) : a.may_write(c))) return false;
    }
    for (unsigned i = first; i < last; ++i) {
      if (loads) {
        a.reads(region.cell_of(index, i));
      } else {
        a.writes(region.cell_of(index, i));
      }
    }
    if (n == 16) region.unite(index);
  }
  if (!loads && !region.counts_as_written) region.written[index] |= need;
  return true;
}

/// Handles one access of the running lane to memory with a shadow, completely.
void shadow_access(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, int kind, void const* pc,
                   memory_access const* detail);

/// Remembers an access of 16 bytes, so that the next one like it needs no lookup.
inline void remember_access(worker& w, shadow_region& region, std::uintptr_t low, std::size_t bytes, std::uint32_t site,
                            worker::repeated access) {
  if ((!region.shared_memory && !w.alone) || !w.suspects.empty() || bytes < 16) return;
  access.frame = w.lanes[w.current].frame;
  access.site = site;
  access.low = low;
  access.last = bytes - 16;
  access.groups = reinterpret_cast<std::uintptr_t>(region.groups) - region.low / 16 * sizeof(group);
  access.written = region.counts_as_written
                       ? nullptr
                       : reinterpret_cast<std::uint16_t*>(reinterpret_cast<std::uintptr_t>(region.written) -
                                                          region.low / 16 * sizeof(std::uint16_t));
  access.horizon = horizon_of(w, region);
  w.repeated_at(access.pc, access.kind) = access;
}

/// The fast path of an aligned access of 16 bytes at a remembered place. @return false, without any change, if it needs
/// a slower path
inline __attribute__((always_inline)) bool repeat_access(worker& w, worker::repeated const& r, std::uintptr_t at) {
  group& g = *reinterpret_cast<group*>(r.groups + at / 16 * sizeof(group));
  __builtin_prefetch(&g + 1, 1);  // the group of the next lane
  if (g.more != nullptr || g.apart || w.clocks->looks) return false;
  shadow_actor const a(w, r.horizon, r.site, 0);
  cell& c = g.first;
  if (r.kind == a_load) {
    if ((r.written != nullptr && r.written[at / 16] != 0xffff) || !a.may_read(c)) return false;
    a.reads(c);
  } else {
    if (!a.may_write(c)) return false;
    a.writes(c);
    if (r.written != nullptr) r.written[at / 16] = 0xffff;
  }
  return true;
}

/// The fast path of a lane's access. @return false, without any change, if it needs the slow path
inline __attribute__((always_inline)) bool shadow_access_quickly(worker& w, shadow_region& region, std::uintptr_t at,
                                                                 std::size_t bytes, int kind, std::uint32_t site) {
  auto const offset = static_cast<unsigned>(at & 15);
  if (kind > a_store || ((offset | bytes) & 3u) != 0 || offset + bytes > 16 || !w.suspects.empty() || w.clocks->looks)
    return false;
  shadow_actor const a(w, horizon_of(w, region), site, 0);
  std::size_t const index = (at - region.low) >> 4;
  bool const locked = !region.shared_memory && !w.alone;
  if (!locked) return shadow_quickly(region, index, offset, static_cast<unsigned>(bytes), kind, a);
  if (kind != a_load) w.announced.close();
  lock_group(region.groups[index]);
  bool const settled = shadow_quickly(region, index, offset, static_cast<unsigned>(bytes), kind, a);
  if (settled && kind != a_load) w.announced.open(at, at + bytes);
  unlock_group(region.groups[index]);
  return settled;
}

// Asynchronous copies that the running lane issues or waits for. `region` contains the address.
struct async_copy;
/// Starts the writes of a copy. Until `copy_has_written`, nobody may touch the bytes.
void copy_will_write(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, unsigned index,
                     async_copy const& copy, memory_access const* detail = nullptr);
/// Starts the reads of a copy. If `in_flight`, nobody may write the bytes until `copy_has_read`.
void copy_will_read(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, unsigned index,
                    async_copy const& copy, bool in_flight, memory_access const* detail = nullptr);
void copy_has_written(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, unsigned index,
                      record const& by);
void copy_has_read(worker& w, shadow_region& region, std::uintptr_t at, std::size_t bytes, unsigned index,
                   record const& by);
/// Turns eight bytes into an mbarrier, or into memory again. Any other access to an mbarrier is a mistake.
void shadow_mbarrier(worker& w, shadow_region& region, std::uintptr_t at, bool live, std::uint32_t site);

/// Whether the running lane knows of the access. @param at its address, if it may be an atomic, by which others learn
bool is_known(worker& w, shadow_region const& region, record const& r, std::uintptr_t at = 0);

}  // namespace cosmati_sim
