// SPDX-License-Identifier: Apache-2.0
/// @file
/// A tiled copy in a kernel that a user writes, as numbers: tiles, thread and value layouts, atoms, a stage in shared
/// memory, and their cost. search.hpp finds the best plan.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/plan.hpp>

namespace COSMATI_NAMESPACE {

/// A tiled copy of a plan: the arguments of `make_tiled_copy`, over the plan's two modes.
struct planned_copy {
  int element_bytes = 4;
  int vector = 1;         ///< the elements of an access
  int along = 0;          ///< the mode, of the two, along which a vector lies
  bool cp_async = false;  ///< whether it uses `cp.async`; otherwise it goes through registers
  bool ragged = false;    ///< some tiles reach beyond the tensor, so the copy needs bounds
  int thr[2] = {1, 1};    ///< the threads along each mode
  int thr_stride[2] = {1, 1};

  friend constexpr bool operator==(planned_copy const&, planned_copy const&) = default;
};
/// A stage in shared memory: the layout of the tile, and the swizzle after it.
struct planned_stage {
  int extent[2] = {0, 0}, stride[2] = {0, 0};  ///< the extents and strides in elements; extents of 0 mean that there is
                                               ///< no stage
  int bits = 0, base = 0, shift = 0;           ///< the swizzle; 0 bits mean that there is none

  /// The elements of shared memory that the stage takes.
  constexpr int elements() const {
    return extent[0] == 0 ? 0 : (extent[0] - 1) * stride[0] + (extent[1] - 1) * stride[1] + 1;
  }
  /// The offset of an element.
  constexpr int operator()(int i, int j) const {
    int const at = i * stride[0] + j * stride[1];
    return at ^ (((at >> (base + shift)) & ((1 << bits) - 1)) << base);
  }
  friend constexpr bool operator==(planned_stage const&, planned_stage const&) = default;
};
/// The cost of a warp's access. It is that of the tile's first access.
struct planned_access {
  int requests = 0;    ///< the accesses of warps for a tile, on this side
  int sectors = 0;     ///< global memory: the sectors of 32 bytes that the access touches
  int lines = 0;       ///< global memory: the lines of 128 bytes
  int wavefronts = 0;  ///< shared memory: the wavefronts of the access
  int fewest = 0;      ///< the smallest number of sectors or wavefronts for as many bytes
};

/// A way to copy a problem tile by tile with blocks of a given number of threads. A tile has `tile[0]` elements of mode
/// `mode[0]` times `tile[1]` of mode `mode[1]`, at one coordinate of the other modes.
struct tiled_copy_plan {
  int threads = 0;
  int mode[2] = {-1, -1};  ///< modes of the simplified problem; -1 means none, so that the tile has one element along
                           ///< it
  int tile[2] = {1, 1};
  double tiles = 1;     ///< the number of tiles of the copy, one for each block
  planned_copy in;      ///< the copy from global memory through registers to the target, or to the stage
  planned_stage stage;  ///< the stage, used if both sides need vectors along different modes
  planned_copy out;     ///< the copy from the stage, if there is one, through registers to global memory
  planned_access read, stage_written, stage_read, written;
  int plain_wavefronts = 0;  ///< the wavefronts of `stage_read` if the stage were neither swizzled nor padded
  // The predicted times in microseconds: counts divided by rates.
  double memory_us = 0, shared_us = 0, issue_us = 0, us = 0;

  /// Whether the plan goes through shared memory. Otherwise `in` goes to the target, and there is no `out`.
  constexpr bool has_stage() const { return stage.extent[0] > 0; }
  /// The bytes of a block's shared memory.
  constexpr std::int64_t shared_bytes() const { return std::int64_t{stage.elements()} * in.element_bytes; }
};

/// The best plans, best first.
struct tiled_copy_plans {
  copy_problem problem;  ///< simplified, with the given elements
  int considered = 0;
  int kept = 0;
  tiled_copy_plan plan[copy_plans_kept];

  /// The time from which on a plan is not kept.
  constexpr double limit() const { return kept < copy_plans_kept ? 1e300 : plan[kept - 1].us; }
  /// Inserts a plan if it is among the best.
  constexpr void offer(tiled_copy_plan const& one) { detail::keep_in_order(plan, kept, one); }
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
