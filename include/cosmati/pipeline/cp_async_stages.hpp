// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cp_async_stages`: a loop over tiles in shared memory. It loads the next few tiles by cp.async groups (sm_80 and
/// newer) while one is in use.
///
///     for (auto [tile, stage] : cp_async_stages<3>(tiles, [&](int tile, int stage) {
///            copy(tiled_copy, tS(_, _, _, tile), tD(_, _, _, stage));
///          }))
///       use(sT(_, _, stage));
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/cp_async.hpp>
#include <cosmati/arch/named_barrier.hpp>
#include <cosmati/core/tuple/transform.hpp>
#include <cosmati/pipeline/step.hpp>

namespace COSMATI_NAMESPACE {

/// The range that `cp_async_stages` returns. `begin()` starts the first loads.
template <int stages, class Load>
class cp_async_stages_range {
  static_assert(sizeof(detail::pipeline_has_stages<stages>) != 0);

 public:
  /// An iterator over the tiles. `*` waits for one tile.
  class iterator {
   public:
    COSMATI_HD bool operator!=(detail::pipeline_end) const { return tile_ < range_.tiles_; }
    /// Called once per iteration. It waits until the tile is visible to all threads, then starts to refill the stage
    /// that was used last.
    COSMATI_HD pipeline_step operator*() {
      cp_async_wait<(stages > 2 ? stages - 2 : 0)>(COSMATI_CALLER_OF_(range_.caller_));
      detail::sync_block(COSMATI_CALLER_OF_(range_.caller_));
      range_.begin_group(tile_ + stages - 1, free_);
      return {tile_, stage_};
    }
    COSMATI_HD iterator& operator++() {
      free_ = stage_;
      stage_ = detail::stage_behind<stages>(stage_);
      ++tile_;
      return *this;
    }

   private:
    friend cp_async_stages_range;
    COSMATI_HD explicit iterator(cp_async_stages_range const& range) : range_(range) {}

    cp_async_stages_range const& range_;
    int tile_ = 0, stage_ = 0, free_ = stages - 1;
  };

  COSMATI_HD iterator begin() const {
    COSMATI_UNROLL
    for (int stage = 0; stage < stages - 1; ++stage) begin_group(stage, stage);
    return iterator(*this);
  }
  COSMATI_HD detail::pipeline_end end() const { return {}; }

  COSMATI_HD cp_async_stages_range(int tiles, Load const& load COSMATI_AND_CALLER_PARAMETERS_)
      : load_(load), tiles_(tiles), caller_{COSMATI_CALLER_} {}

 private:
  /// Ends one group per iteration, also an empty one after the last tile, so that the number of groups in flight stays
  /// constant.
  COSMATI_ANY_FUNCTION
  COSMATI_HD void begin_group(int tile, int stage) const {
    if (tile < tiles_) load_(tile, stage);
    cp_async_fence(COSMATI_CALLER_OF_(caller_));
  }

  Load load_;
  int tiles_;
  detail::kept_caller caller_;
};

/// A loop over the tiles 0 to tiles - 1, which all threads of the block execute together. In each iteration one tile is
/// whole in its stage, and every thread may read it. Up to stages - 1 later tiles are in flight. After the loop no tile
/// is in flight, but other threads may still read the last stage. Put a barrier before the next write to shared memory.
/// @tparam stages the number of stages in shared memory, 2 to 16
/// @param tiles the number of tiles of this block; it may be 0, or less than stages
/// @param load load(tile, stage) starts the calling thread's cp.async of a tile; it neither ends a group nor waits
template <int stages, class Load>
COSMATI_HD cp_async_stages_range<stages, Load> cp_async_stages(int tiles,
                                                               Load const& load COSMATI_AND_CALLER_PARAMETERS_) {
  return cp_async_stages_range<stages, Load>(tiles, load COSMATI_AND_CALLER_);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
