// SPDX-License-Identifier: Apache-2.0
/// @file
/// The tiles that a copy is cut into, one a block, and where in the two tensors each of them begins.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/l2_hint.hpp>
#include <cosmati/kernel/copy/divider.hpp>
#include <cosmati/kernel/copy/problem.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// What kernels that go by tiles can count in 32 bits along a mode: there are coordinates beyond the last one, and
/// differences of two.
inline constexpr std::int64_t copy_longest_tiled_mode = std::int64_t{1} << 30;
/// What L2 is told of the source's lines by a copy of so many bytes. Of long copies nothing stays that the next kernel
/// could use, but what neighbouring tiles read twice does (bench/NOTES.md).
constexpr l2_hint hint_of_copy(std::int64_t bytes) {
  return bytes >= std::int64_t{256} << 20 ? l2_hint::evict_last : l2_hint::none;
}
/// The modes of a problem in the order of the source's strides; those of stride 0 last.
struct source_order {
  int mode[copy_max_rank + 1] = {};
  constexpr explicit source_order(copy_problem const& p) {
    for (int m = 0; m < p.rank; ++m) {
      int at = m;
      for (; at > 0 && before(p.mode[m], p.mode[mode[at - 1]]); --at) mode[at] = mode[at - 1];
      mode[at] = m;
    }
  }
  static constexpr bool before(copy_mode const& a, copy_mode const& b) {
    return a.source != 0 && (b.source == 0 || a.source < b.source);
  }
};
/// Of a transpose's tile, by elements and accesses of so many bytes. Where tiles share sectors, of which there are
/// fewer then, and of 16-byte elements tiles are four times as large.
constexpr int transpose_run_bytes(int element_bytes, int vector_bytes) {
  return element_bytes == vector_bytes && element_bytes >= 8 ? 512 : 256;
}
}  // namespace detail

/// Tiles, the first mode's next to each other.
struct tile_grid {
  int rank = 0;
  std::uint32_t count = 1;  ///< tiles, below 2^31
  fast_divider tiles[copy_max_rank] = {};
  std::int64_t source_step[copy_max_rank] = {}, target_step[copy_max_rank] = {};  ///< bytes from tile to tile

  /// @param tile extents of a tile, one a mode
  static constexpr tile_grid of(copy_problem const& p, std::int64_t const (&tile)[copy_max_rank]) {
    tile_grid grid;
    grid.rank = p.rank;
    for (int m = 0; m < p.rank; ++m) {
      auto const tiles = static_cast<std::uint32_t>((p.mode[m].extent + tile[m] - 1) / tile[m]);
      grid.tiles[m] = fast_divider(tiles);
      grid.count *= tiles;
      grid.source_step[m] = p.mode[m].source * tile[m] * p.element_bytes;
      grid.target_step[m] = p.mode[m].target * tile[m] * p.element_bytes;
    }
    return grid;
  }
};

/// Where a tile begins: bytes from the bases, and the tile's number along two chosen modes.
struct tile_corner {
  std::int64_t source, target;
  std::uint32_t first, second;
};

/// Tile number n of the grid. @param first, second the modes whose tile numbers are wanted; -1: of none
COSMATI_HD inline tile_corner corner_of_tile(tile_grid const& grid, std::uint32_t n, int first, int second) {
  tile_corner place = {0, 0, 0, 0};
  COSMATI_NO_UNROLL
  for (int m = 0; m < grid.rank; ++m) {
    std::uint32_t const rest = grid.tiles[m].quotient(n);
    std::uint32_t const at = grid.tiles[m].remainder(n, rest);
    n = rest;
    place.source += at * grid.source_step[m];
    place.target += at * grid.target_step[m];
    if (m == first) place.first = at;
    if (m == second) place.second = at;
  }
  return place;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
