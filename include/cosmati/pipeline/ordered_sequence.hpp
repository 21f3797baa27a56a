// SPDX-License-Identifier: Apache-2.0
/// @file
/// `ordered_sequence`: groups of warps that take turns, such as two warpgroups of which one multiplies while the other
/// one stores (sm_90 and newer). Steps 0, 1, 2, ... belong to the groups 0, 1, ..., 0, 1, ... in turn.
///
///     __shared__ ordered_sequence<2>::storage barriers;
///     if (threadIdx.x == 0) ordered_sequence<2>::initialize(barriers, 4);   // then a barrier of the block
///     ordered_sequence<2> order(barriers, threadIdx.x / 128);
///     for (int step = 0; step < steps; ++step) {
///       if (!order.is_mine(step)) continue;
///       order.wait();
///       in_order(step);
///       order.arrive();
///       at_any_time(step);
///     }
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/arch/warp.hpp>

namespace COSMATI_NAMESPACE {

/// The barriers of a sequence, in shared memory.
template <int groups>
struct ordered_sequence_storage {
  std::uint64_t begun[std::size_t{groups}];  ///< the group's next step may begin
};

/// @tparam groups 2 or more
template <int groups>
class ordered_sequence {
  static_assert(groups >= 2, "ordered_sequence<GROUPS>: 2 or more groups of warps take turns");

 public:
  using storage = ordered_sequence_storage<groups>;

  /// By one thread, before a barrier of the block. @param warps of a group
  COSMATI_HD static void initialize(storage& barriers, int warps COSMATI_AND_CALLER_PARAMETERS_) {
    COSMATI_UNROLL
    for (int i = 0; i < groups; ++i) initialize_barrier(barriers.begun[i], warps COSMATI_AND_CALLER_);
  }
  /// @param group of the calling thread, 0 to groups - 1
  COSMATI_HD ordered_sequence(storage& barriers, int group)
      : barriers_(barriers), group_(group), parity_(group == 0 ? 1 : 0) {}

  /// Whether a step belongs to the calling group.
  COSMATI_HD bool is_mine(int step) const { return step % groups == group_; }
  /// Waits until the group before has called `arrive` in its step.
  COSMATI_HD void wait(COSMATI_CALLER_PARAMETERS_) {
    wait_barrier(barriers_.begun[group_], parity_ COSMATI_AND_CALLER_);
    parity_ ^= 1;
  }
  /// Lets the next group's step begin. A warp calls it together.
  COSMATI_HD void arrive(COSMATI_CALLER_PARAMETERS_) const {
    detail::sync_warp(COSMATI_CALLER_);
    if (detail::lane_of_warp() == 0)
      arrive_barrier(barriers_.begun[group_ == groups - 1 ? 0 : group_ + 1] COSMATI_AND_CALLER_);
  }

 private:
  storage& barriers_;
  int group_, parity_;
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
