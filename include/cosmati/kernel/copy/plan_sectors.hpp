// SPDX-License-Identifier: Apache-2.0
/// @file
/// The plans of the route by whole sectors of the target, and what they cost.
#pragma once

#include <cosmati/kernel/copy/plan_costs.hpp>

namespace COSMATI_NAMESPACE::detail {

/// The plan with this tile. @param all_rows, all_row_length rows there are, elements of each
template <class Plans>
constexpr void offer_sector_tile(Plans& plans, copy_device const& device, sector_tile const& tile,
                                 std::int64_t all_rows, std::int64_t all_row_length) {
  copy_problem const& p = plans.problem;
  sector_sizes const sizes = sector_sizes::of(p, tile);
  if (!sizes.fit()) return;
  double const along = static_cast<double>(ceil_of(all_row_length + sizes.slack, tile.row_length));
  double const across = static_cast<double>(ceil_of(all_rows, tile.run_length));
  double const others = static_cast<double>(p.size()) / static_cast<double>(all_rows * all_row_length);
  if (along * across * others >= 2147483648.0) return;
  double const length = static_cast<double>(tile.row_length), run = static_cast<double>(tile.run_length);
  // How full tiles are, those at the edges counted in.
  double const filled_rows = static_cast<double>(all_rows) / (across * run);
  double const filled_row = static_cast<double>(all_row_length) / (along * length);
  double const element = p.element_bytes, runs = static_cast<double>(sizes.runs);
  // Fitted to 800 tiles. Of the memory: sectors at the ends of runs and of the target's rows, runs that two tiles read.
  double const memory = 1.03 + 15.6 / (run * element) + 120 / (static_cast<double>(all_row_length) * element) +
                        0.28 * sizes.slack / length;
  // Of the multiprocessor: a block's cycles beside its bytes, of which 9.2 a cycle and direction are the memory's pace.
  double const cycles = 1020 + runs * (51 + 0.032 * run * element) + (p.element_bytes == 1 ? run * length / 37 : 0);
  double const waiting =
      9.2 * cycles / (static_cast<double>(sizes.blocks()) * run * length * element * filled_rows * filled_row);
  double const longer = larger(memory, waiting),
               ratio = memory + waiting - longer < longer ? (memory + waiting - longer) / longer : 1.0;
  double const fourth = ratio * ratio * ratio * ratio;
  double const ideal = 2 * static_cast<double>(p.size()) * p.element_bytes / device.bytes_per_us *
                       (p.element_bytes < 4    ? 1.07
                        : p.element_bytes < 16 ? 1.05
                                               : 1.04);
  copy_plan plan;
  plan.route = copy_route::sectors;
  plan.sectors = tile;
  plan.memory_us = ideal * memory;
  plan.issue_us = ideal * waiting;
  plan.us = device.launch_us + ideal * longer * (1 + 0.12 * fourth * fourth);
  plans.offer(plan);
}

/// Runs of the source take from its innermost modes, rows of the target from the target's, as long as none is both.
template <class Plans>
constexpr void offer_sectors(Plans& plans, copy_device const& device) {
  copy_problem const& p = plans.problem;
  if (p.rank < 2 || p.mode[0].target != 1) return;
  for (int m = 0; m < p.rank; ++m)
    if (p.mode[m].source < 0) return;
  source_order const order(p);
  if (p.mode[order.mode[0]].source != 1) return;
  std::int64_t rows = 1;
  for (int i = 1; i < p.rank; ++i) {
    copy_mode const& outer = p.mode[order.mode[i - 1]];
    if (outer.source != rows) return;  // a run has no gaps
    rows *= outer.extent;
    if (rows >= 1 << 30) return;
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
      // Longer rows than all there is are for tiles of one part.
      for (std::int64_t bytes = 128; bytes <= 1024 && bytes < 2 * length * p.element_bytes; bytes *= 2) {
        tile.row_length = bytes / p.element_bytes;
        for (std::int64_t const run : {128, 192, 256, 320, 384, 512, 640, 768, 1024}) {
          tile.run_length = run / p.element_bytes < rows ? run / p.element_bytes : rows;
          offer_sector_tile(plans, device, tile, rows, length);
          if (tile.run_length == rows) break;
        }
      }
    }
  }
}

}  // namespace COSMATI_NAMESPACE::detail
