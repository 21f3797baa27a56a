// SPDX-License-Identifier: Apache-2.0
/// @file
/// The items of a pipeline's loop: tiles, each in one of a few stages of shared memory.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>

namespace COSMATI_NAMESPACE {

/// One iteration of the loop: `for (auto [tile, stage] : ...)`.
struct pipeline_step {
  int tile;   ///< 0, 1, 2, ...
  int stage;  ///< the stage of shared memory that holds the tile, 0 to stages - 1
};

namespace detail {

template <int stages>
struct pipeline_has_stages {
  static constexpr bool ok = stages >= 2 && stages <= 16;
  static_assert(ok,
                "a pipeline has 2 to 16 stages (pipeline_has_stages<STAGES>): with one, nothing is loaded while "
                "something is used; write copy, wait and barrier instead");
};
/// The end of the loop, after the last tile.
struct pipeline_end {};

template <int stages>
COSMATI_HD constexpr int stage_behind(int stage) {
  return stage == stages - 1 ? 0 : stage + 1;
}

/// A stage, and the parity of the phase that is next there.
template <int stages>
struct stage_cursor {
  int stage = 0, parity = 0;
  COSMATI_HD void advance() {
    stage = stage_behind<stages>(stage);
    if (stage == 0) parity ^= 1;
  }
};

}  // namespace detail
}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
