// SPDX-License-Identifier: Apache-2.0
/// @file
/// The long way of an access to shadow memory, cell by cell, and what it reports: inside of the simulated device.
#pragma once

#include "shadow.hpp"

namespace cosmati_sim {

// Sentences (shadow_reports.cpp). Each says nothing when its like was reported.

/// Loads through the read-only path what another one, or the same, has written in this launch.
void report_read_only(worker& w, shadow_region const& region, seen_access const& seen, record const& written);
void report_unwritten(worker& w, shadow_region const& region, seen_access const& seen, unsigned missing);
/// The lane has to wait for this copy, or its issuer has to.
void report_in_flight(worker& w, shadow_region const& region, seen_access const& seen, extra const& e);
/// Nothing orders this access and the other one. @param issuer of an asynchronous copy; @param update the lane that
/// wrote has read the bytes at the same place before
void report_conflict(worker& w, shadow_region const& region, seen_access const& seen, record const& other,
                     bool other_writes, char const* issuer = nullptr, bool update = false);
/// A copy through the asynchronous proxy, of what was accessed through the generic one, without a fence.
void report_unfenced(worker& w, shadow_region const& region, seen_access const& seen, record const& other,
                     bool other_writes);
/// The access touches a live mbarrier as if it were memory. @param made its init
void report_touched_mbarrier(worker& w, shadow_region const& region, seen_access const& seen, record const& made);
/// The access stores what a shuffle took from a lane that was not there.
void report_absent(worker& w, suspicion const& s);
/// What was noted of the tensor that the access belongs to.
std::string phrase_of(worker const& w, seen_access const& seen);
/// Its thread waits for the copy, and then there is a barrier; else all wait for an mbarrier.
bool waits_by_groups(worker const& w, async_copy const& c);

/// One access to bytes [offset, offset + n) of one group.
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

  /// Accesses of the group that have no room in its cells; made when they are not there.
  extras& more();
  /// From now on the group has a cell a byte, if the access does not keep to whole cells.
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
  /// By the same lane.
  bool mine(record const& r) const {
    return r.run == me.run && r.lanes == me.lanes && ((r.meta ^ me.meta) & (31u | by_mbarrier)) == 0;
  }

  /// Reads of what was never written.
  void check_written();
  /// Conflicts with what the cells remember, and with the accesses that have no room in them.
  void check_cells();
  void check_list();
  /// What the lane has read and now overwrites: into the cells, which had no room for it. It tells an update from a
  /// store.
  void find_own_reads();
  /// What nobody can meet any more, or what this access stands for from now on, is dropped.
  void prune();
  /// The cells remember this access.
  void update();
  /// What the cells do not need is dropped: an empty list, cells of single bytes that are all equal.
  void tidy();

 private:
  void suspect(record const& other, std::uint16_t bytes);
  bool may_be_half(record const& read) const;
  void keep_half(record const& read, std::uint16_t bytes);
  bool both_atomic(record const& r) const;
  void add(record const& what, std::uint16_t bytes, extra_kind kind);
};

}  // namespace cosmati_sim
