// SPDX-License-Identifier: Apache-2.0
/// @file
/// The plans of transposes, and of copies by whole sectors of the target, with their costs.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/copy/candidates_direct.hpp>

namespace COSMATI_NAMESPACE::detail {
[[gnu::noinline, gnu::cold]] constexpr void offer_transposes(copy_plans& plans, device_model const& device,
                                                             copy_traffic const& traffic) {
  copy_problem const& p = plans.problem;
  if (p.rank < 2 || p.mode[0].target != 1) return;
  bool const large = p.size() * p.element_bytes >= std::int64_t{64} << 20;
  for (int m = 1; m < p.rank; ++m) {
    if (p.mode[m].source != 1) continue;
    {
      int const vector = 16 / p.element_bytes;  // narrower vectors are slower than windows and sectors
      if (!transpose_fits(p, m, 0, vector)) continue;
      std::int64_t const tile_bytes = transpose_side(p, vector) * transpose_side(p, vector) * p.element_bytes;
      if (static_cast<double>(tile_bytes) > device.block_bytes) continue;
      double const tiles = transpose_tiles_of(p, m, 0, vector);
      if (tiles >= 2147483648.0) continue;
      copy_plan plan;
      plan.route = copy_route::transpose;
      plan.vector = vector;
      plan.column_mode = m;
      plan.row_mode = 0;
      std::int64_t const side = transpose_side(p, vector);
      double const in = static_cast<double>(p.mode[m].extent) / static_cast<double>(ceil_of(p.mode[m].extent, side)),
                   out = static_cast<double>(p.mode[0].extent) / static_cast<double>(ceil_of(p.mode[0].extent, side));
      if (large && p.element_bytes >= 4 &&
          3 * filled_by(p.mode[m].extent, side) * filled_by(p.mode[0].extent, side) < 1)
        continue;  // only three of 1,985 plans had such tiles
      // Fitted to 105 plans of 8- and 16-byte elements. A sector that two tiles read or write costs as much as several.
      // Larger tiles are an exception for reads, because L2 keeps them.
      double const in_bytes = in * p.element_bytes, out_bytes = out * p.element_bytes;
      bool const source_is_kept = traffic.kept && side * p.element_bytes == 512;
      bool const read_whole = source_is_kept || strides_are_multiples(p, true, 32 / p.element_bytes, m),
                 written_whole = source_is_kept || strides_are_multiples(p, false, 32 / p.element_bytes, 0);
      plan.memory_us = larger(traffic.hot, 1.38 * traffic.written + 0.66 * traffic.read + 9.41 * traffic.cut +
                                               traffic.useful * ((6.78 + (read_whole ? 0 : 38.6)) / in_bytes +
                                                                 (19.7 + (written_whole ? 0 : 37.5)) / out_bytes));
      if (traffic.kept) plan.memory_us *= 0.96;
      // A tile takes the same time whether it is full or not.
      double const accesses = static_cast<double>(side * side) / vector / 32;
      plan.shared_us = tiles * accesses * 8.6 / (device.multiprocessors * device.cycles_per_us);
      plan.us = device.launch_us + overlapped<2>(plan.memory_us, plan.shared_us, 0);
      plans.offer(plan);
    }
  }
}

/// What the alignment of runs and rows costs a tile of `sectors`. Runs of the source and rows of the target begin at
/// multiples of these powers of two, 64 at most.
struct sector_alignment {
  std::int64_t run = 64, row = 64;  // bytes

  constexpr sector_alignment(copy_problem const& p, source_order const& order, sector_tile const& tile) {
    for (int k = 0; k < p.rank; ++k) {
      int const m = order.mode[k];
      if (k >= tile.source_modes) run = power_of_two_in(p.mode[m].source * p.element_bytes, run);
      if (m >= tile.target_modes) row = power_of_two_in(p.mode[m].target * p.element_bytes, row);
    }
  }
};

/// Offers the plan once more with loads by lines, where these are faster although the device has bulk copies. Loads by
/// lines wait for each other unless a thousand threads have room in L1 for what they load: measured of ragged
/// transposes, this is the tile. @param start_us from the launch until the first tile begins
constexpr void offer_sectors_by_lines(best_plans<10>& plans, copy_problem const& p, copy_traffic const& traffic,
                                      sector_alignment const& aligned, copy_plan plan, double start_us) {
  sector_tile const& tile = plan.sectors;
  if (!traffic.kept || tile.source_modes > 1 || tile.target_modes > 1) return;
  if (aligned.run >= window_bytes && aligned.row >= window_bytes) return;  // vectors are faster
  if (tile.run_length * p.element_bytes != 640 || tile.row_length * p.element_bytes != 512) return;
  if (p.element_bytes != 4 && p.element_bytes != 8) return;
  plan.sectors.by_lines = true;
  plan.memory_us *= p.element_bytes == 4 ? 0.98 : 0.91;
  plan.us = start_us + overlapped<3>(plan.memory_us, plan.shared_us, plan.issue_us);
  plans.offer(plan);
}

/// Cycles of a warp for 32 elements of a tile, which it moves one by one.
constexpr double sector_element_cycles(int element_bytes) {
  return element_bytes == 1   ? 1.47
         : element_bytes == 2 ? 1.19
         : element_bytes == 4 ? 0.146
         : element_bytes == 8 ? 3.37
                              : 9.56;
}

/// The plan with this tile. Fitted to 4800 plans of 284 random problems and of 95 permutations, all by 256 threads a
/// block; with the 512 that some have now, less than 1 % changed (bench/notes).
/// @param gaps the source has elements between those that are copied
/// @param all_rows, all_row_length rows there are, elements of each
[[gnu::noinline, gnu::cold]] constexpr void offer_sector_tile(best_plans<10>& plans, copy_problem const& p,
                                                              device_model const& device, copy_traffic const& traffic,
                                                              bool gaps, source_order const& order,
                                                              sector_tile const& tile, std::int64_t all_rows,
                                                              std::int64_t all_row_length) {
  sector_sizes const sizes = sector_sizes::of(p, tile);
  if (!sizes.fit() || static_cast<double>(sizes.shared_bytes()) > device.block_bytes) return;
  double const along = static_cast<double>(ceil_of(all_row_length + sizes.slack, tile.row_length));
  double const across = static_cast<double>(ceil_of(all_rows, tile.run_length));
  double const tiles =
      along * across * (static_cast<double>(p.size()) / static_cast<double>(all_rows * all_row_length));
  if (tiles >= 2147483648.0) return;
  sector_alignment const aligned(p, order, tile);
  double const element = p.element_bytes, each = sizes.each, runs = sizes.runs;
  double const length = static_cast<double>(tile.row_length);
  // Of a tile, those at the edges counted in: rows, elements of a row.
  double const rows = static_cast<double>(all_rows) / across, row = static_cast<double>(all_row_length) / along;
  // Elements that come or go one by one, as their windows may not be read or written whole.
  double const parts = !gaps ? 0
                             : each * (aligned.run < window_bytes                              ? 1.0
                                       : tile.run_length * p.element_bytes % window_bytes != 0 ? 0.5
                                                                                               : 0);
  double const ends = aligned.row < window_bytes ? 2 * each * rows / along : 0;
  double const blocks = blocks_at_once(device, sizes.blocks(), sizes.shared_bytes()) * device.multiprocessors;
  double const in_flight = blocks * static_cast<double>(sizes.shared_bytes()) / 1e6;
  // Measured of ragged transposes and of 2-byte permutations of 1 GiB: there the large tiles are best that leave room
  // for two blocks, of twice as many threads (which single bytes are too many for).
  double const share = sizes.blocks() > 2 ? 1.0 : larger(1, traffic.useful * device.bytes_per_us / 268435456);
  int const threads = p.element_bytes == 1 ? sector_copy_threads : sizes.threads();
  bool const cut = aligned.row < 64;
  copy_plan plan;
  plan.route = copy_route::sectors;
  plan.sectors = tile;
  plan.memory_us = larger(traffic.hot, (1.32 * traffic.written + 0.784 * traffic.read + 0.5 * traffic.again +
                                        0.2 * traffic.cut + 0.75 * traffic.refill +
                                        traffic.useful * (0.441 * static_cast<double>(64 - aligned.row) /
                                                              (static_cast<double>(all_row_length) * element) +
                                                          0.436 * sizes.slack / length)) *
                                           (1 + larger(0, in_flight - 1.75) * (cut ? 0.00367 / share : 0.00257)));
  // Measured of 94 of those orders and transposes: what is read twice at the ends of runs that a tile cuts still tells.
  if (traffic.kept)
    plan.memory_us *=
        tile.run_length < all_rows ? 0.951 + 13.3 / static_cast<double>(tile.run_length * p.element_bytes) : 0.977;
  plan.shared_us = tiles *
                   (15.7 + 7.01 * runs * row / length + rows * row / 32 * sector_element_cycles(p.element_bytes) +
                    2.34 * rows + 0.346 * ends) /
                   (device.multiprocessors * device.cycles_per_us);
  double const rounds = static_cast<double>(ceil_of(sizes.runs, threads));  // of a run a thread
  // A block waits for one tile, however few there are.
  plan.issue_us = larger(tiles / blocks, 1) *
                  (0.313 + 1.85e-05 * static_cast<double>(sizes.shared_bytes()) + rounds * (1.28 + 0.313 * parts) +
                   rows * row * element / 16 / threads * (0.000578 + 0.00882 * each) + 0.16 * ends / threads);
  double const start_us = device.launch_us + staged_start_us;
  plan.us = start_us + overlapped<3>(plan.memory_us, plan.shared_us, plan.issue_us);
  plan.sectors.by_lines = !device.has_bulk_copies();
  plans.offer(plan);
  if (device.has_bulk_copies()) offer_sectors_by_lines(plans, p, traffic, aligned, plan, start_us);
}

/// Offers tiles whose runs consist of the source's innermost modes and whose rows consist of the target's. No mode may
/// be in both.
[[gnu::noinline, gnu::cold]] constexpr void offer_sectors(copy_plans& plans, device_model const& device,
                                                          copy_traffic const& traffic) {
  copy_problem const& p = plans.problem;
  if (p.rank < 2 || p.mode[0].target != 1 || p.element_bytes == window_bytes) return;
  for (int m = 0; m < p.rank; ++m)
    if (p.mode[m].source < 0) return;
  source_order const order(p);
  if (p.mode[order.mode[0]].source != 1) return;
  bool const gaps = source_has_gaps(p);
  best_plans<10> best;
  std::int64_t rows = 1;
  for (int i = 1; i < p.rank; ++i) {
    copy_mode const& outer = p.mode[order.mode[i - 1]];
    if (outer.source != rows) break;  // a run has no gaps
    rows *= outer.extent;
    if (rows >= 1 << 30) break;
    std::int64_t length = 1;
    for (int j = 1; j < p.rank; ++j) {
      bool both = p.mode[j - 1].target != length;
      for (int k = 0; k < i; ++k) both = both || order.mode[k] == j - 1;
      if (both) break;
      length *= p.mode[j - 1].extent;
      if (length >= 1 << 30) break;
      sector_tile tile;
      tile.source_modes = i;
      tile.target_modes = j;
      // Rows longer than the whole problem are left to tiles of one part.
      for (std::int64_t bytes = 128; bytes <= 1024 && bytes < 2 * length * p.element_bytes; bytes *= 2) {
        tile.row_length = bytes / p.element_bytes;
        for (std::int64_t const run : {128, 192, 256, 320, 384, 512, 640, 768, 1024}) {
          tile.run_length = run / p.element_bytes < rows ? run / p.element_bytes : rows;
          offer_sector_tile(best, p, device, traffic, gaps, order, tile, rows, length);
          if (tile.run_length == rows) break;
        }
      }
    }
  }
  best.give_to(plans);
}
}  // namespace COSMATI_NAMESPACE::detail
#include <cosmati/core/macros_end.hpp>
