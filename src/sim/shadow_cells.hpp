// SPDX-License-Identifier: Apache-2.0
/// @file
/// The slow path of an access to shadow memory, cell by cell, and its reports. This header is internal to the simulated
/// device.
#pragma once

#include "shadow.hpp"

namespace cosmati_sim {

// Reports (shadow_reports.cpp). Each does nothing if the same was reported before.

/// Reports a load through the read-only path of bytes that some thread has written in this launch.
void report_read_only(worker& w, shadow_region const& region, seen_access const& seen, record const& written);
void report_unwritten(worker& w, shadow_region const& region, seen_access const& seen, unsigned missing);
/// Reports that the lane, or the thread that issued the copy, has to wait for it.
void report_in_flight(worker& w, shadow_region const& region, seen_access const& seen, extra const& e);
/// The same for a copy that signals another block's mbarrier than that which has begun it.
void report_copy_between_blocks(worker& w, shadow_region const& region, seen_access const& seen, extra const& e);
/// Reports that nothing orders this access and the other one. @param issuer that of an asynchronous copy
/// @param update whether the lane that wrote has read the bytes at the same place before
void report_conflict(worker& w, shadow_region const& region, seen_access const& seen, record const& other,
                     bool other_writes, char const* issuer = nullptr, bool update = false);
/// Reports a copy through the asynchronous proxy of bytes that were accessed through the generic one, without a fence.
void report_unfenced(worker& w, shadow_region const& region, seen_access const& seen, record const& other,
                     bool other_writes);
/// Reports an access to a live mbarrier as if it were memory. @param made its init
void report_touched_mbarrier(worker& w, shadow_region const& region, seen_access const& seen, record const& made);
/// Reports a store of a value that a shuffle took from an absent lane.
void report_absent(worker& w, suspicion const& s);
/// The note about the tensor that the access belongs to.
std::string phrase_of(worker const& w, seen_access const& seen);
/// Whether the copy needs a wait of its thread and then a barrier; otherwise all wait for an mbarrier.
bool waits_by_groups(worker const& w, async_copy const& c);

/// One access to the bytes [offset, offset + n) of one group.
struct slow_access {
  worker& w;
  shadow_region& region;
  group& g;
  std::size_t index;
  unsigned offset, n;
  record const& me;
  seen_access const& seen;
  bool writes = is_write(seen.kind), atomic = is_atomic(seen.kind);
  std::uint32_t horizon = horizon_of(w, region);

  std::uint16_t mask() const { return static_cast<std::uint16_t>(((1u << n) - 1) << offset); }

  /// The accesses that do not fit in the group's cells. The list is made when needed.
  extras& more();
  /// Gives the group a cell for each byte, if the access does not cover whole cells.
  void split_if_needed();
  template <class Body>
  void each_cell(Body body) {
    if (g.more != nullptr && g.more->bytes != nullptr) {
      for (unsigned i = offset; i < offset + n; ++i) body((*g.more->bytes)[i], static_cast<std::uint16_t>(1u << i));
    } else if (n == 16 && !g.apart) {
      body(g.first, static_cast<std::uint16_t>(0xffff));
    } else {
      region.part(index);
      for (unsigned i = offset / 4; i < (offset + n) / 4; ++i) {
        body(region.cell_of(index, i), static_cast<std::uint16_t>(15u << (4 * i)));
      }
    }
  }
  /// Whether only the same lane made the access.
  bool mine(record const& r) const {
    return r.run == me.run && r.lanes == me.lanes && ((r.meta ^ me.meta) & (31u | by_mbarrier)) == 0;
  }

  /// Whether both accesses are atomics, which do not conflict.
  bool both_atomic(record const& r) const;

  /// Checks for reads of unwritten bytes.
  void check_written();
  /// Checks for conflicts with the accesses in the cells and in the list.
  void check_cells();
  void check_list();
  /// Moves the lane's own reads of bytes that it now overwrites into the cells. They distinguish an update from a
  /// store.
  void find_own_reads();
  /// Drops accesses that can no longer conflict, or that this access replaces.
  void prune();
  /// Remembers this access in the cells.
  void update();
  /// Drops what the cells do not need: an empty list, and cells of single bytes that are all equal.
  void tidy();
  /// Remembers an access in the list.
  void add(record const& what, std::uint16_t bytes, extra_kind kind);

 private:
  void suspect(record const& other, std::uint16_t bytes);
  bool may_be_half(record const& read) const;
  void keep_half(record const& read, std::uint16_t bytes);
};

}  // namespace cosmati_sim
