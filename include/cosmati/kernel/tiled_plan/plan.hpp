// SPDX-License-Identifier: Apache-2.0
/// @file
/// How a kernel that a user writes copies tile by tile, as numbers: tiles, thread and value layouts, atoms, and a stage
/// in shared memory, with what they cost. search.hpp finds the best.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/plan.hpp>

namespace COSMATI_NAMESPACE {

/// A tiled copy that a plan chooses: what `make_tiled_copy` takes, over the plan's two modes.
struct planned_copy {
  int element_bytes = 4;
  int vector = 1;         ///< elements of an access
  int along = 0;          ///< which of the two modes a vector lies along
  bool cp_async = false;  ///< by `cp.async`; else through registers
  bool ragged = false;    ///< some tiles reach beyond the tensor: the copy is given bounds
  int thr[2] = {1, 1};    ///< threads along each mode
  int thr_stride[2] = {1, 1};

  friend constexpr bool operator==(planned_copy const&, planned_copy const&) = default;
};
/// A stage in shared memory: the tile's layout, and the swizzle behind it.
struct planned_stage {
  int extent[2] = {0, 0}, stride[2] = {0, 0};  ///< elements; extents of 0 where there is none
  int bits = 0, base = 0, shift = 0;           ///< of the swizzle; no bits, no swizzle

  /// Elements of shared memory that it takes.
  constexpr int elements() const {
    return extent[0] == 0 ? 0 : (extent[0] - 1) * stride[0] + (extent[1] - 1) * stride[1] + 1;
  }
  /// The element's place.
  constexpr int operator()(int i, int j) const {
    int const at = i * stride[0] + j * stride[1];
    return at ^ (((at >> (base + shift)) & ((1 << bits) - 1)) << base);
  }
  friend constexpr bool operator==(planned_stage const&, planned_stage const&) = default;
};
/// What a warp's access costs: that of the tile's first one.
struct planned_access {
  int requests = 0;    ///< accesses of warps for a tile, on this side
  int sectors = 0;     ///< global memory: sectors of 32 bytes that the access touches
  int lines = 0;       ///< and lines of 128 bytes
  int wavefronts = 0;  ///< shared memory: passes that it takes
  int fewest = 0;      ///< sectors, or wavefronts, that would do for as many bytes
};

/// How blocks of so many threads copy a problem tile by tile: the tile is `tile[0]` elements of mode `mode[0]` times
/// `tile[1]` of mode `mode[1]`, at one coordinate of the others.
struct tiled_copy_plan {
  int threads = 0;
  int mode[2] = {-1, -1};  ///< of the simplified problem; -1: there is none, the tile has one element along it
  int tile[2] = {1, 1};
  double tiles = 1;     ///< of the copy, each a block's
  planned_copy in;      ///< from global memory: to registers and on to the target, or to the stage
  planned_stage stage;  ///< where both sides want vectors of different modes
  planned_copy out;     ///< with a stage: from it, through registers, to global memory
  planned_access read, stage_written, stage_read, written;
  int plain_wavefronts = 0;  ///< of `stage_read`, were the stage neither swizzled nor padded
  // What is predicted, in microseconds: counts divided by rates.
  double memory_us = 0, shared_us = 0, issue_us = 0, us = 0;

  /// Whether it goes through shared memory; else `in` goes to the target, and there is no `out`.
  constexpr bool has_stage() const { return stage.extent[0] > 0; }
  /// Of shared memory, a block's.
  constexpr std::int64_t shared_bytes() const { return std::int64_t{stage.elements()} * in.element_bytes; }
};

/// The best of them, best first.
struct tiled_copy_plans {
  copy_problem problem;  ///< simplified, of the elements that it was given
  int considered = 0;
  int kept = 0;
  tiled_copy_plan plan[copy_plans_kept];

  /// A plan that takes as long is not kept.
  constexpr double limit() const { return kept < copy_plans_kept ? 1e300 : plan[kept - 1].us; }
  /// Takes a plan among the best, if it is one.
  constexpr void offer(tiled_copy_plan const& one) { detail::keep_in_order(plan, kept, one); }
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
