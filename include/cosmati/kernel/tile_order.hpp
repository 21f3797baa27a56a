// SPDX-License-Identifier: Apache-2.0
/// @file
/// The tiles of a copy: their grid, the order in which blocks take them, and the cost of an order.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/l2_hint.hpp>
#include <cosmati/kernel/copy_problem/problem.hpp>
#include <cosmati/kernel/divider.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// The longest mode that kernels with tiles can count in 32 bits, including coordinates beyond the last one and
/// differences of two.
inline constexpr std::int64_t copy_longest_tiled_mode = std::int64_t{1} << 30;
/// The hint to L2 about the source's lines, for a copy of `bytes` bytes. After a long copy nothing remains that the
/// next kernel could use. The hint keeps the lines that neighbouring tiles read twice (bench/notes/cache-hints.md).
constexpr l2_hint hint_of_copy(std::int64_t bytes) {
  return bytes >= std::int64_t{256} << 20 ? l2_hint::evict_last : l2_hint::none;
}
/// The modes of a problem in the order of the source's strides. Modes of stride 0 are last.
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
/// The bytes of a run of a transpose's tile, for elements and accesses of these sizes. Tiles are four times as large
/// for elements of 16 bytes, and if tiles share sectors, of which there are fewer then.
constexpr int transpose_run_bytes(int element_bytes, int vector_bytes) {
  return element_bytes == vector_bytes && element_bytes >= 8 ? 512 : 256;
}
}  // namespace detail

/// The tiles of a problem. Tiles that are adjacent along the first mode follow each other.
struct tile_grid {
  int rank = 0;
  std::uint32_t count = 1;  ///< the number of tiles, below 2^31
  fast_divider tiles[copy_max_rank] = {};
  std::int64_t source_step[copy_max_rank] = {}, target_step[copy_max_rank] = {};  ///< the bytes from tile to tile

  /// @param tile the extents of a tile, one for each mode
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

/// The position of a tile: its offsets from the bases in bytes, and its index along two chosen modes.
struct tile_corner {
  std::int64_t source, target;
  std::uint32_t first, second;
};

/// Tile n of the grid. @param first, second the modes whose tile indices are wanted; -1 means none
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

/// The tiles of a copy in the order of the target's strides, with the extents of one tile and of two adjacent ones.
struct tile_set {
  static constexpr int along_rows = -1, along_runs = -2;  ///< modes of the grid that stand for several modes of the
                                                          ///< problem
  tile_grid grid;
  int of_mode[copy_max_rank] = {};       ///< the problem's mode of each mode of the grid, or one of these two
  std::int64_t one[copy_max_rank] = {};  ///< the extents of a tile along the problem's modes
  std::int64_t two[copy_max_rank][copy_max_rank] = {};  ///< the extents of two tiles that are adjacent along each of
                                                        ///< the grid's modes
  /// The bytes from tile to tile, of the source and of the target, along each of the grid's modes.
  std::int64_t step[2][copy_max_rank] = {};

  /// The tile set of a grid with the problem's modes. @param tile the extents of a tile, one for each mode
  [[gnu::noinline, gnu::cold]] static constexpr tile_set of(copy_problem const& p,
                                                            std::int64_t const (&tile)[copy_max_rank]) {
    tile_set t;
    t.grid = tile_grid::of(p, tile);
    for (int m = 0; m < p.rank; ++m) {
      t.of_mode[m] = m;
      t.one[m] = tile[m] < p.mode[m].extent ? tile[m] : p.mode[m].extent;
      t.step[0][m] = t.grid.source_step[m];
      t.step[1][m] = t.grid.target_step[m];
    }
    for (int m = 0; m < p.rank; ++m) {
      for (int k = 0; k < p.rank; ++k) t.two[m][k] = t.one[k];
      t.two[m][m] *= 2;
    }
    return t;
  }
};

namespace detail {
/// The data that neighbouring tiles share, and the cost if the second tile comes much later. The costs are fitted to
/// 42,000 plans, each in up to eight orders, on an H200 (bench/notes/tile-order.md).
class tile_neighbours {
  static constexpr std::int64_t line = 128, page = 2048;  // the bytes of a cache line, and of a page that the memory
                                                          // opens at once
  // The cost of a piece that is touched again, in units of the time for 64 copied bytes.
  static constexpr double line_read = 0.13, page_read = 0.06, line_written = 0.5, page_written = 0.2;
  // The bytes of tiles after which half of the touched data are evicted. Lines that are written in part go first.
  static constexpr double held = 50e6, parts_held = 8e6;

 public:
  constexpr tile_neighbours(copy_problem const& p, tile_set const& tiles)
      : p_(p), source_(p), tiles_(tiles), bytes_(p.element_bytes) {
    for (int m = 0; m < p.rank; ++m) bytes_ *= static_cast<double>(tiles.one[m]);
    see(0, line, line_read, read_);
    see(0, page, page_read, read_);
    see(1, line, line_written, parts_);
    see(1, page, page_written, written_);
  }
  /// The cost of all tiles in an order of the grid's modes. `again` and `in_parts` are the shares of its time by which
  /// the copy takes longer, for data that are read again and for data that are written in several parts.
  constexpr void cost(int const* mode, int rank, double& again, double& in_parts) const {
    again = in_parts = 0;
    double between = 2 * bytes_;  // bytes that are copied between a tile and its neighbour along the mode
    for (int k = 0; k < rank; ++k) {
      int const m = mode[k];
      double const gone = between / (between + held);
      again += read_[m] * gone;
      in_parts += written_[m] * gone + parts_[m] * between / (between + parts_held);
      between *= tiles_.grid.tiles[m].divisor;
    }
    again *= 64 / bytes_;
    in_parts *= 64 / bytes_;
  }

 private:
  constexpr void see(int side, std::int64_t piece, double weight, double (&common)[copy_max_rank]) const {
    double const alone = pieces(side, tiles_.one, piece);
    for (int m = 0; m < tiles_.grid.rank; ++m) {
      if (tiles_.grid.tiles[m].divisor == 1) continue;
      double const both = pieces(side, tiles_.two[m], piece);
      if (2 * alone > both) common[m] += weight * (2 * alone - both);
    }
  }
  /// The number of a side's pieces of `piece` bytes that a range of these extents touches.
  [[gnu::noinline, gnu::cold]] constexpr double pieces(int side, std::int64_t const* extent, std::int64_t piece) const {
    std::int64_t begins = piece;  // the alignment of the tiles
    for (int m = 0; m < tiles_.grid.rank; ++m)
      if (tiles_.grid.tiles[m].divisor > 1) begins = power_of_two_in(tiles_.step[side][m], begins);
    double runs = 1;
    std::int64_t span = p_.element_bytes;
    for (int k = 0; k < p_.rank; ++k) {
      int const m = side == 0 ? source_.mode[k] : k;
      std::int64_t const step = magnitude(side == 0 ? p_.mode[m].source : p_.mode[m].target) * p_.element_bytes;
      if (step == 0 || extent[m] == 1) continue;
      if (runs == 1 && step < span + piece) {
        span += (extent[m] - 1) * step;
      } else {
        runs *= static_cast<double>(extent[m]);
        begins = power_of_two_in(step, begins);
      }
    }
    std::int64_t const whole = (span + piece - 1) / piece;
    if (begins == piece) return runs * static_cast<double>(whole);
    return runs * (span > begins ? static_cast<double>(span - begins) / static_cast<double>(piece) + 1 : 1);
  }

  copy_problem const& p_;
  source_order source_;
  tile_set const& tiles_;
  double bytes_;  // bytes of a tile
  // The data that neighbours along each of the grid's modes share, times the weight.
  double read_[copy_max_rank] = {}, parts_[copy_max_rank] = {}, written_[copy_max_rank] = {};
};
}  // namespace detail

/// The order in which blocks take the tiles of a grid. It is that of the target's strides. One or two modes may come
/// first, if tiles along them share much data.
struct tile_order {
  int rank = 0;                  ///< the number of modes with more than one tile
  int mode[copy_max_rank] = {};  ///< modes of the grid; tiles along the first follow each other
  /// The shares of its time by which the copy takes longer, for data that are read again and for data that are written
  /// in parts.
  double again = 0, in_parts = 0;

  /// The best order.
  [[gnu::noinline, gnu::cold]] static constexpr tile_order of(copy_problem const& p, tile_set const& tiles) {
    detail::tile_neighbours const neighbours(p, tiles);
    tile_order const by_target = with_first(neighbours, tiles.grid, -1, -1);
    tile_order best = by_target;
    double least = best.again + best.in_parts - 0.01;  // another order must be better by more than chance
    for (int a = 0; a < by_target.rank && least > 0; ++a)
      for (int b = 0; b < by_target.rank; ++b) {
        tile_order const other = with_first(neighbours, tiles.grid, by_target.mode[a], by_target.mode[b]);
        if (other.again + other.in_parts >= least) continue;
        best = other;
        least = best.again + best.in_parts;
      }
    return best;
  }
  /// The order with two modes of the grid before the others. @param first, second modes with more than one tile, the
  /// same mode, or -1
  [[gnu::noinline, gnu::cold]] static constexpr tile_order with_first(detail::tile_neighbours const& neighbours,
                                                                      tile_grid const& tiles, int first, int second) {
    tile_order order;
    if (first >= 0) order.mode[order.rank++] = first;
    if (second >= 0 && second != first) order.mode[order.rank++] = second;
    for (int m = 0; m < tiles.rank; ++m)
      if (tiles.tiles[m].divisor > 1 && m != first && m != second) order.mode[order.rank++] = m;
    neighbours.cost(order.mode, order.rank, order.again, order.in_parts);
    return order;
  }

  /// The position of a mode of the grid in the order; -1 if there is one tile along it.
  constexpr int place_of(int of_grid) const {
    for (int k = 0; k < rank; ++k)
      if (mode[k] == of_grid) return k;
    return -1;
  }
  /// The grid in this order.
  constexpr tile_grid grid_of(tile_grid const& tiles) const {
    tile_grid grid;
    grid.rank = rank;
    grid.count = tiles.count;
    for (int k = 0; k < rank; ++k) {
      grid.tiles[k] = tiles.tiles[mode[k]];
      grid.source_step[k] = tiles.source_step[mode[k]];
      grid.target_step[k] = tiles.target_step[mode[k]];
    }
    return grid;
  }
};

/// Tiles in their order, and the positions of two modes in it. From the tile's indices along these modes a kernel knows
/// the tile's extents. A position is -1 if there is one tile along the mode.
struct ordered_tiles {
  tile_grid grid;
  int first = -1, second = -1;

  /// The best order. @param first, second modes of the grid
  [[gnu::noinline, gnu::cold]] static constexpr ordered_tiles of(copy_problem const& p, tile_set const& tiles,
                                                                 int first, int second) {
    tile_order const order = tile_order::of(p, tiles);
    return {order.grid_of(tiles.grid), order.place_of(first), order.place_of(second)};
  }
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
