// SPDX-License-Identifier: Apache-2.0
/// @file
/// The tiles of a permutation whose stores are whole sectors. Runs of the source and rows of the target may have any
/// length; rows are cut at sector boundaries of the target.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/tiles.hpp>

namespace COSMATI_NAMESPACE {

/// The choices of a plan.
struct sector_tile {
  int source_modes = 1, target_modes = 1;       ///< the number of modes that a run and a row may include; no mode is in
                                                ///< both
  std::int64_t run_length = 1, row_length = 1;  ///< the elements of a run and of a row; a row's length is a power of
                                                ///< two, of 128 to 1024 bytes
  bool by_lines = false;                        ///< whether 8 threads load a run by whole lines, instead of one by a
                                                ///< bulk copy

  friend constexpr bool operator==(sector_tile const&, sector_tile const&) = default;
};

/// The threads of a block. A block that leaves room for at most two has twice as many. Loads by lines may use an eighth
/// more.
inline constexpr int sector_copy_threads = 256;
/// The threads of a multiprocessor for which the registers suffice.
inline constexpr int sector_copy_resident = 1024;
/// The bytes of a sector. Rows of the target are cut at its multiples.
inline constexpr int sector_bytes = 32;
/// The bytes of a cache line.
inline constexpr int line_bytes = 128;
/// The threads that load a run together by lines.
inline constexpr int line_threads = line_bytes / window_bytes;

/// The size of a tile, and its needs in shared memory.
///
/// A tile has `rows` rows of the target, which are neighbours in the source, of `row_length` elements each. A row
/// starts at a sector boundary, up to `slack` elements before the tile's own start. The tile loads that many more
/// elements of the source. Run r of the source starts at byte r * pitch + r / each * 16, plus its address modulo a
/// window.
struct sector_sizes {
  std::uint32_t each = 1;  ///< the elements of a window of 16 bytes
  std::uint32_t unit = 1;  ///< the elements of a sector
  std::uint32_t rows = 1, row_length = 1, runs = 1;
  std::uint32_t slack = 0;
  std::uint32_t pitch = 0, stage_bytes = 0;

  /// The offset of run r in the stage, without its address modulo a window.
  COSMATI_HD constexpr std::uint32_t place_of_run(std::uint32_t r) const { return r * pitch + r / each * window_bytes; }
  /// The shared memory of a block: a tile, the tables of its rows and runs, and a barrier.
  constexpr std::size_t shared_bytes() const {
    return std::size_t{stage_bytes} + rows * std::size_t{16} + detail::round_up(runs * 4, 16) + 16;
  }
  /// The blocks of a multiprocessor.
  constexpr std::size_t blocks() const {
    std::size_t const room = 228 * 1024 / (shared_bytes() + 1024), most = sector_copy_resident / sector_copy_threads;
    return room < most ? room : most;
  }
  /// The threads of a block.
  constexpr int threads() const { return blocks() > 2 ? sector_copy_threads : 2 * sector_copy_threads; }
  /// The threads of a block that loads by lines; the first `threads()` of them store. All threads wait for each round
  /// of loads. Up to an eighth more threads take the remaining runs, the slack, so that no further round is needed.
  constexpr int threads_by_lines() const {
    auto const at_once = static_cast<std::uint32_t>(threads() / line_threads);
    std::uint32_t const rounds = runs / at_once, warp = 32 / line_threads;
    if (rounds == 0) return threads();
    std::uint32_t const wanted = (runs + rounds * warp - 1) / (rounds * warp) * 32;
    return static_cast<int>(wanted) <= threads() / 8 * 9 ? static_cast<int>(wanted) : threads();
  }
  constexpr bool fit() const { return shared_bytes() <= 227 * 1024; }

  /// The sizes for a problem and a plan's choices.
  [[gnu::noinline, gnu::cold]] static constexpr sector_sizes of(copy_problem const& p, sector_tile const& tile) {
    sector_sizes s;
    auto const bytes = static_cast<std::uint32_t>(p.element_bytes);
    s.each = window_bytes / bytes;
    s.unit = sector_bytes / bytes;
    s.rows = static_cast<std::uint32_t>(tile.run_length);
    s.row_length = static_cast<std::uint32_t>(tile.row_length);
    std::int64_t even = detail::power_of_two_in(p.target_alignment / p.element_bytes, s.unit);
    even = detail::power_of_two_in(p.target_offset, even);
    for (int m = tile.target_modes; m < p.rank; ++m) even = detail::power_of_two_in(p.mode[m].target, even);
    s.slack = s.unit - static_cast<std::uint32_t>(even);
    s.runs = s.row_length + s.slack;
    s.pitch = detail::round_up(s.rows * bytes + window_bytes - bytes, window_bytes);
    if (s.each == 1 && s.pitch % 32 != 0) s.pitch += window_bytes;
    s.stage_bytes = s.runs * s.pitch + (s.runs / s.each + 2) * window_bytes;
    return s;
  }
};

/// The tile as the kernel needs it.
struct sector_tiles : sector_sizes {
  window_side row_elements;  ///< the offsets of a row's elements in the source
  window_side run_elements;  ///< the offsets of a run's elements in the target
  std::uint32_t all_rows = 1, all_row_length = 1;
  int windows_log = 3;  ///< 2^windows_log threads assemble the windows of a row
  int spread_log = 0;   ///< a warp's four rows are 2^spread_log rows apart
  /// The distance of a thread's rows. Rows at multiples of it mostly begin at the same offset in a sector.
  std::uint32_t step = 1;

  /// The tile for a problem and a plan's choices.
  [[gnu::noinline, gnu::cold]] static constexpr sector_tiles of(copy_problem const& p, sector_tile const& tile) {
    sector_tiles t;
    static_cast<sector_sizes&>(t) = sector_sizes::of(p, tile);
    detail::source_order const order(p);
    auto const add = [&](window_side& side, int m, std::int64_t stride, std::uint32_t& all) {
      auto const extent = static_cast<std::uint32_t>(p.mode[m].extent);
      side.mode[side.in_run++] = {fast_divider(extent), stride * p.element_bytes, 0, 0};
      all *= extent;
    };
    for (int m = 0; m < tile.target_modes; ++m) add(t.row_elements, m, p.mode[m].source, t.all_row_length);
    for (int k = 0; k < tile.source_modes; ++k) {
      int const m = order.mode[k];
      add(t.run_elements, m, p.mode[m].target, t.all_rows);
    }
    while ((t.each << t.windows_log) < t.row_length) ++t.windows_log;
    // `apart` is the distance of a window's elements from one row to the next, in bytes modulo a window. Four rows that
    // are read at once should be a word apart, or nearly so.
    std::int64_t const target_step = p.mode[order.mode[0]].target % t.unit, source_step = p.mode[0].source % t.each;
    std::int64_t const apart = p.element_bytes * (1 - source_step * target_step);
    int const across = t.threads() >> t.windows_log;
    while ((apart << t.spread_log) % 4 != 0 && (8 << t.spread_log) <= across) ++t.spread_log;
    t.step = t.rows_alike(static_cast<std::uint32_t>(across), p.element_bytes);
    return t;
  }
  /// The number of elements by which a row starts after a sector boundary, relative to the tile's start.
  constexpr std::uint32_t sector_offset_of_row(std::uint32_t row, int element_bytes) const {
    return static_cast<std::uint32_t>(run_elements.of_element(row).offset / element_bytes) % unit;
  }

 private:
  /// The smallest multiple of `across` rows after which nearly all rows begin at the same offset in a sector as before.
  /// It is at most half of the tile's rows. If there is none, the result is a sector's number of elements.
  constexpr std::uint32_t rows_alike(std::uint32_t across, int element_bytes) const {
    constexpr std::uint32_t looked_at = 32, others = 3;
    for (std::uint32_t apart = across; 2 * apart <= rows; apart += across) {
      std::uint32_t const pairs = rows - apart < looked_at ? rows - apart : looked_at;
      std::uint32_t different = 0;
      for (std::uint32_t k = 0; k < pairs && different <= others; ++k) {
        std::uint32_t const row = k * (rows - apart) / pairs;
        different +=
            sector_offset_of_row(row, element_bytes) != sector_offset_of_row(row + apart, element_bytes) ? 1u : 0u;
      }
      if (different <= others && different < pairs) return apart;
    }
    return across < unit ? unit : across;
  }
};

/// The tiles by sectors of a problem: along rows, across rows, then the other modes by the target's strides.
[[gnu::noinline, gnu::cold]] constexpr tile_set tiles_by_sectors(copy_problem const& p, sector_tile const& tile) {
  tile_set t;
  detail::source_order const order(p);
  copy_problem q = p;
  q.rank = 2;
  q.mode[0] = {1, 0, 0};
  q.mode[1] = {1, 0, 0};
  std::int64_t extent[copy_max_rank] = {tile.row_length, tile.run_length};
  bool taken[copy_max_rank] = {};
  for (int m = 0; m < tile.target_modes; ++m) {
    q.mode[0].extent *= p.mode[m].extent;
    taken[m] = true;
  }
  q.mode[0].extent += sector_sizes::of(p, tile).slack;
  for (int k = 0; k < tile.source_modes; ++k) {
    q.mode[1].extent *= p.mode[order.mode[k]].extent;
    taken[order.mode[k]] = true;
  }
  // Spreads consecutive elements over the modes, from the innermost on.
  auto const spread = [&](std::int64_t(&elements)[copy_max_rank], std::int64_t of_row, std::int64_t of_run) {
    for (int m = 0; m < p.rank; ++m) elements[m] = 1;
    auto const take = [&](int m, std::int64_t& left) {
      std::int64_t const all = p.mode[m].extent;
      elements[m] = left < all ? left : all;
      left = (left + all - 1) / all;
    };
    for (int m = 0; m < tile.target_modes; ++m) take(m, of_row);
    for (int k = 0; k < tile.source_modes; ++k) take(order.mode[k], of_run);
  };
  t.of_mode[0] = tile_set::along_rows;
  t.of_mode[1] = tile_set::along_runs;
  spread(t.one, tile.row_length, tile.run_length);
  spread(t.two[0], 2 * tile.row_length, tile.run_length);
  spread(t.two[1], tile.row_length, 2 * tile.run_length);
  t.step[1][0] = tile.row_length * p.element_bytes;
  t.step[0][1] = tile.run_length * p.element_bytes;
  for (int m = 0; m < p.rank; ++m) {
    if (taken[m]) continue;
    t.of_mode[q.rank] = m;
    spread(t.two[q.rank], tile.row_length, tile.run_length);
    t.two[q.rank][m] = 2;
    t.step[0][q.rank] = p.mode[m].source * p.element_bytes;
    t.step[1][q.rank] = p.mode[m].target * p.element_bytes;
    extent[q.rank] = 1;
    q.mode[q.rank++] = p.mode[m];
  }
  t.grid = tile_grid::of(q, extent);
  return t;
}
/// The order of these tiles: `first` is along rows, `second` across them.
constexpr ordered_tiles order_of_tiles(copy_problem const& p, sector_tile const& tile) {
  return ordered_tiles::of(p, tiles_by_sectors(p, tile), 0, 1);
}
}  // namespace COSMATI_NAMESPACE
#include <cosmati/core/macros_end.hpp>
