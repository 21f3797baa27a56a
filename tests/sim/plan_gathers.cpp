// SPDX-License-Identifier: Apache-2.0
// What the planner's corrections count of a plan's loads, beside what the simulated device counts of the whole copy.
#include <cosmati/kernel/copy/once.hpp>
#include <cosmati/kernel/copy/plan.hpp>
#include <cosmati/kernel/copy/plan_costs.hpp>
#include <cosmati/kernel/copy/plan_direct.hpp>
#include <cosmati/kernel/copy/plan_gathers.hpp>
#include <cosmati/kernel/copy/plan_once.hpp>
#include <cosmati/kernel/copy/sectors.hpp>
#include <cosmati/kernel/copy/windows.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/cost_trace.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace cosmati;

namespace {

copy_problem problem_of(int element_bytes, std::initializer_list<copy_mode> modes) {
  copy_problem p;
  p.element_bytes = element_bytes;
  p.source_alignment = p.target_alignment = 16;
  for (copy_mode const& m : modes) p.push(m.extent, m.source, m.target);
  return p;
}
run_tile tile_of(int source_modes, int target_modes, std::initializer_list<std::int64_t> extents) {
  run_tile tile;
  tile.source_modes = source_modes;
  tile.target_modes = target_modes;
  int m = 0;
  for (std::int64_t const n : extents) tile.extent[m++] = n;
  return tile;
}
/// Wavefronts of all loads from shared memory of a copy, for 32 of its elements.
template <class Launch>
double counted(copy_problem const& p, Launch const& copy) {
  device_buffer<unsigned char> const in(std::vector<unsigned char>(std::size_t{1} << 21, 7));
  device_buffer<unsigned char> out(std::size_t{1} << 21);
  cost_trace const counting;
  copy(in.data(), out.data());
  return static_cast<double>(counting.kernels().at(0)[instruction_kind::shared_load].wavefronts) * 32 /
         static_cast<double>(p.size());
}
/// `rest`: what tables, and elements at the ends of rows, take beside what is counted.
void expect_near(double counted_of_it, double all, double rest) {
  EXPECT_GE(all, 0.95 * counted_of_it);
  EXPECT_LE(all, 1.1 * counted_of_it + rest);
}
template <int element_bytes>
void expect_of_windows(std::initializer_list<copy_mode> modes, run_tile const& tile, double rest) {
  SCOPED_TRACE(element_bytes);
  copy_problem const p = problem_of(element_bytes, modes);
  double const all = counted(p, [&](void const* from, void* to) {
    detail::launch_windows<element_bytes>(p, tile, false, from, to, stream_handle{});
  });
  expect_near(detail::window_gathers(window_tiles::of(p, tile), element_bytes).wavefronts(), all, rest);
}
template <int element_bytes>
void expect_of_sectors(std::initializer_list<copy_mode> modes, sector_tile const& tile, std::uint32_t step) {
  SCOPED_TRACE(element_bytes);
  copy_problem const p = problem_of(element_bytes, modes);
  double const all = counted(p, [&](void const* from, void* to) {
    detail::launch_sectors<element_bytes>(p, tile, from, to, stream_handle{});
  });
  sector_tiles const tiles = sector_tiles::of(p, tile);
  EXPECT_EQ(tiles.step, step);
  expect_near(detail::sector_gathers(tiles, element_bytes).wavefronts(), all, 1.5);
}

// Each costs what an H200 was seen to take far longer for than for its neighbour (bench/NOTES.md).
TEST(PlanGathers, OfWindows) {
  // Gaps in rows: lanes 256 bytes apart, and not.
  expect_of_windows<2>({{35, 16, 1}, {24, 560, 47}, {16, 1, 1139}, {5, 13440, 18233}}, tile_of(3, 2, {35, 4, 16, 1}),
                       1);
  expect_of_windows<2>({{35, 16, 1}, {24, 560, 47}, {16, 1, 1139}, {5, 13440, 18233}}, tile_of(1, 2, {35, 4, 16, 1}),
                       3.5);
  // Rows that begin differently within windows.
  expect_of_windows<1>({{174, 8, 1}, {8, 1, 174}, {640, 1392, 1392}}, tile_of(3, 2, {174, 8, 32}), 1);
  expect_of_windows<1>({{174, 8, 1}, {8, 1, 174}, {640, 1392, 1392}}, tile_of(3, 1, {174, 8, 32}), 3);
  expect_of_windows<2>({{51, 16, 1}, {16, 1, 64}, {245, 816, 1024}}, tile_of(3, 1, {51, 16, 35}), 1.5);
  // Runs of two modes, rows of four; runs of 32 bytes.
  expect_of_windows<1>({{17, 816, 1}, {17, 1, 17}, {8, 13872, 289}, {48, 17, 2312}, {3, 110976, 110976}},
                       tile_of(2, 4, {17, 17, 8, 12, 1}), 1.5);
  expect_of_windows<4>({{251, 8, 1}, {8, 1, 251}, {133, 2008, 2008}}, tile_of(1, 2, {251, 8, 1}), 3.5);
  expect_of_windows<2>({{1024, 13, 1}, {13, 1, 1024}, {40, 13312, 13312}}, tile_of(2, 1, {1024, 13, 1}), 1.5);
}
TEST(PlanGathers, OfSectors) {
  // Rows of two modes begin equally late in a sector 64 rows on, not 32: places were looked up anew for each.
  expect_of_sectors<1>({{419, 2496, 1}, {2, 1248, 419}, {312, 4, 838}, {4, 1, 261456}}, {2, 2, 256, 128}, 64);
  expect_of_sectors<1>({{419, 2496, 1}, {2, 1248, 419}, {312, 4, 838}, {4, 1, 261456}}, {2, 2, 640, 128}, 64);
  expect_of_sectors<2>({{419, 1248, 1}, {624, 2, 419}, {2, 1, 261456}}, {2, 1, 256, 128}, 32);
  expect_of_sectors<4>({{419, 600, 1}, {600, 1, 419}}, {1, 1, 64, 128}, 8);
  // Of a mode of five rows all begin as late 32 fives on, of which two are a multiple of the 64 rows at once.
  expect_of_sectors<1>({{419, 1600, 1}, {320, 5, 419}, {5, 1, 134080}}, {2, 1, 640, 128}, 320);
  // Fewer rows than begin differently: as many as there are at once.
  expect_of_sectors<2>({{419, 1248, 1}, {624, 2, 419}, {2, 1, 261456}}, {2, 1, 12, 64}, 32);
}
/// Modes whose steps are less than a sector have their neighbours in it.
TEST(PlanGathers, SectorsLinesAndPagesOfABlock) {
  copy_problem const p = problem_of(2, {{100, 64, 1}, {8, 2, 100}, {50, 0, 800}, {9, 6400, 40000}});
  EXPECT_DOUBLE_EQ(detail::pieces_of_block(p, 100, false, sector_bytes), 100);
  EXPECT_DOUBLE_EQ(detail::pieces_of_block(p, 400, false, sector_bytes), 100);  // four of 4 bytes apart
  EXPECT_DOUBLE_EQ(detail::pieces_of_block(p, 1600, false, sector_bytes), 100);
  EXPECT_DOUBLE_EQ(detail::pieces_of_block(p, 1600, true, sector_bytes), 200);  // two places of the last mode
  copy_problem const together = problem_of(4, {{1000, 1, 1}, {10, 1000, 1024}});
  EXPECT_DOUBLE_EQ(detail::pieces_of_block(together, 800, false, sector_bytes), 100);
  EXPECT_DOUBLE_EQ(detail::pieces_of_block(together, 800, false, line_bytes), 25);
  EXPECT_DOUBLE_EQ(detail::pieces_of_block(p, 400, false, line_bytes), 100);  // 128 bytes apart
  copy_problem const pages = problem_of(8, {{16, 1 << 20, 1}, {64, 1, 16}});
  EXPECT_DOUBLE_EQ(detail::pieces_of_block(pages, 16, false, detail::page_bytes), 16);
}
TEST(PlanGathers, PagesOfATile) {
  copy_problem const p = problem_of(4, {{64, 1 << 20, 1}, {256, 1, 64}, {4, 1 << 18, 16384}});
  std::int64_t const extent[] = {8, 256, 4};
  // Runs of 1 KiB, four of which are 1 MiB apart: eight groups, each two and a half pages long.
  EXPECT_NEAR(detail::pieces_of_tile(p, extent, true, detail::page_bytes), 8 * 2.5, 0.01);
  EXPECT_NEAR(detail::pieces_of_tile(p, extent, false, detail::page_bytes), 1.125, 0.01);
}
/// What rows have beside whole vectors is stored element by element: before the first, behind the last.
TEST(PlanGathers, SingleStoresOfARow) {
  EXPECT_DOUBLE_EQ(detail::single_stores(problem_of(4, {{31, 1, 1}, {100, 31, 64}}), 4), 3);
  EXPECT_DOUBLE_EQ(detail::single_stores(problem_of(4, {{31, 1, 1}, {100, 31, 64}}), 2), 1);
  EXPECT_DOUBLE_EQ(detail::single_stores(problem_of(4, {{31, 1, 1}, {100, 31, 64}}), 1), 0);
  EXPECT_DOUBLE_EQ(detail::single_stores(problem_of(1, {{127, 1, 1}, {100, 127, 128}}), 16), 15);
  // Rows that begin at 0 or 8 bytes of 16, 30 elements: none and two, or two and none.
  EXPECT_DOUBLE_EQ(detail::single_stores(problem_of(4, {{30, 1, 1}, {100, 30, 30}}), 4), 2);
  // At all of 0, 4, 8, 12: 31 elements have three single ones, or 3 + 0, 2 + 1, 1 + 2.
  EXPECT_DOUBLE_EQ(detail::single_stores(problem_of(4, {{31, 1, 1}, {100, 31, 31}}), 4), 3);
  EXPECT_DOUBLE_EQ(detail::single_stores(problem_of(4, {{3, 1, 1}, {100, 3, 3}}), 4), 3);  // never a whole vector
}
/// What a cache does not hold until its neighbours are loaded is fetched again.
TEST(PlanGathers, PiecesBeyondWhatACacheHolds) {
  copy_problem const near = problem_of(4, {{1000, 64, 1}, {8, 1, 1000}});
  EXPECT_DOUBLE_EQ(detail::pieces_beyond(near, 1000, false, 64), 1.0 / 8);
  EXPECT_DOUBLE_EQ(detail::pieces_beyond(near, 999, false, 64), 1);
  copy_problem const repeated = problem_of(4, {{1000, 64, 1}, {10, 0, 1000}, {8, 1, 10000}});
  EXPECT_DOUBLE_EQ(detail::pieces_beyond(repeated, 1000, false, 64), 1.0 / 80);
  EXPECT_DOUBLE_EQ(detail::pieces_beyond(repeated, 1000, true, 64), 1.0 / 8);
  EXPECT_DOUBLE_EQ(detail::pieces_beyond(repeated, 10, true, 64), 1);
  copy_problem const together = problem_of(4, {{1 << 20, 1, 1}});
  EXPECT_DOUBLE_EQ(detail::pieces_beyond(together, 1000, false, 64), 1.0 / 16);
  EXPECT_DOUBLE_EQ(detail::pieces_beyond(together, 1 << 20, false, 64), 1.0 / 16);
  // A second mode of which a part has room.
  copy_problem const part = problem_of(4, {{4, 1, 1}, {1000, 100, 4}, {10, 4, 4000}});
  EXPECT_DOUBLE_EQ(detail::pieces_beyond(part, 500, false, 64), 1.0 / 4);
}

struct least_of_direct {
  copy_problem problem;
  bool once;
  double us[17] = {}, memory_us = 0;

  double limit(copy_route) const { return 1e300; }
  void offer(copy_plan const& plan) {
    if (plan.route != copy_route::direct || plan.launch.once != once) return;
    double& least = us[plan.vector];
    if (least == 0 || plan.us < least) least = plan.us;
    memory_us = plan.memory_us;
  }
};
/// A source that comes twice: three of each 41 bytes are copied at first, the next ones after 155 million elements.
TEST(PlanGathers, CopiesThroughRegistersReadWhatL2Lost) {
  least_of_direct found = {problem_of(1, {{632, 41, 1}, {3, 1, 632}, {81864, 25919, 1896}, {2, 13, 155214144}}), false};
  copy_device const device;
  detail::offer_direct(found, device, detail::copy_traffic(found.problem, device));
  double const source = 81864.0 * 25919;
  EXPECT_GT(found.memory_us, 2 * 0.9 * source / device.bytes_per_us);
  // The same, repeated: loaded once, it comes twice all the same.
  least_of_direct once = {
      problem_of(1, {{632, 41, 1}, {3, 1, 632}, {4, 0, 1896}, {20466, 103676, 7584}, {2, 13, 155214144}}), true};
  detail::offer_once(once, device, detail::copy_traffic(once.problem, device));
  EXPECT_GT(once.memory_us, 2 * 0.9 * (20466.0 * 25919) / device.bytes_per_us);
}
/// Rows of five bytes in steps of 12: 475 us by vectors of four and a single byte, 814 by single bytes (H200).
TEST(PlanGathers, SingleStoresOfShortRowsShareSectors) {
  least_of_direct found = {problem_of(1, {{5, 31892808, 1}, {1328859, 1, 12}, {24, 1328867, 15946324}}), false};
  copy_device const device;
  detail::offer_direct(found, device, detail::copy_traffic(found.problem, device));
  EXPECT_LT(found.us[4], found.us[1]);
}
/// Rows of one repeated byte: 387 us by 27 vectors of eight, 570 by 13 of sixteen and eight single bytes (H200).
TEST(PlanGathers, SingleStoresOfRepeatedElements) {
  least_of_direct found = {problem_of(1, {{216, 0, 1}, {3231959, 216, 216}}), false};
  copy_device const device;
  detail::offer_direct(found, device, detail::copy_traffic(found.problem, device));
  EXPECT_LT(found.us[8], found.us[16]);
}

/// Lines of 128 bytes that all warps of `copy_once` touch, beside what is counted of four of them.
void expect_lines(copy_problem const& p, int vector, int threads, double loads_of_a_window) {
  once_windows const w = once_windows::of(p, vector, threads);
  detail::once_accesses const warp = detail::once_accesses::of(p, w);
  device_buffer<std::uint32_t> const in(std::vector<std::uint32_t>(std::size_t{1} << 19, 7));
  device_buffer<std::uint32_t> out(std::size_t{1} << 20);
  cost_trace const counting;
  detail::launch_once<4>(p, vector, {.threads = threads, .once = true}, in.data(), out.data(), stream_handle{}, 1);
  kernel_costs const costs = counting.kernels().at(0);
  double const warps = static_cast<double>(w.slots()) / 32,
               shares = static_cast<double>(detail::ceil_of(w.places, w.places_each(threads, 1)));
  instruction_costs const& load = costs[instruction_kind::global_load];
  instruction_costs const& store = costs[instruction_kind::global_store];
  EXPECT_NEAR(warp.store_lines * warps * static_cast<double>(w.places), static_cast<double>(store.lines),
              0.02 * static_cast<double>(store.lines));
  EXPECT_NEAR(warp.load_lines * warps * shares, static_cast<double>(load.lines),
              0.02 * static_cast<double>(load.lines));
  EXPECT_NEAR(warps * shares * loads_of_a_window, static_cast<double>(load.instructions),
              0.02 * static_cast<double>(load.instructions));
}
TEST(PlanGathers, LinesOfWhatIsLoadedOnce) {
  expect_lines(problem_of(4, {{1024, 1, 1}, {16, 0, 1024}, {8, 1024, 16384}}), 1, 256, 1);
  expect_lines(problem_of(4, {{64, 128, 1}, {40, 0, 64}, {32, 1, 2560}}), 1, 128, 1);  // every load has a line
  expect_lines(problem_of(4, {{64, 128, 1}, {40, 0, 64}, {32, 1, 2560}}), 4, 128, 4);  // four of a window
  expect_lines(problem_of(4, {{8, 2, 1}, {512, 0, 16}, {128, 16, 8192}}), 1, 256, 1);  // rows of 32 bytes
  expect_lines(problem_of(4, {{8, 2, 1}, {512, 0, 16}, {128, 16, 8192}}), 4, 256, 4);
}
TEST(PlanGathers, SectorsThatStoresCut) {
  auto const cut = [](copy_problem const& p, int vector) {
    return detail::once_accesses::of(p, once_windows::of(p, vector, 64)).cut_sectors;
  };
  EXPECT_DOUBLE_EQ(cut(problem_of(1, {{4096, 1, 1}, {64, 0, 4096}}), 1), 0);
  EXPECT_DOUBLE_EQ(cut(problem_of(1, {{4096, 1, 1}, {64, 0, 4096}}), 16), 0);
  copy_problem late = problem_of(1, {{32, 1, 1}, {64, 0, 64}, {512, 32, 4096}});
  EXPECT_DOUBLE_EQ(cut(late, 1), 0);
  late.target_offset = 8;  // a row is parts of two
  EXPECT_DOUBLE_EQ(cut(late, 1), 2);
  EXPECT_DOUBLE_EQ(cut(problem_of(8, {{1, 0, 1}, {64, 0, 8}, {512, 1, 512}}), 1), 32);  // each lane has its own
}
/// Units of 64 bytes that are written in part, with a sector that is: byte by byte.
TEST(PlanGathers, UnitsThatRowsCut) {
  for (int const row : {3, 8, 24, 32, 33, 40, 56, 64, 72, 96, 100, 129})
    for (int const step : {200, 208, 224, 256, 264, 320}) {
      SCOPED_TRACE(std::to_string(row) + " of " + std::to_string(step));
      copy_problem const p = problem_of(1, {{row, 1, 1}, {64, row, step}});
      std::vector<bool> written(static_cast<std::size_t>(64 * step), false);
      for (int k = 0; k < 64; ++k)
        for (int b = 0; b < row; ++b) written[static_cast<std::size_t>(k * step + b)] = true;
      int alone = 0, beside = 0;
      for (std::size_t unit = 0; unit < written.size(); unit += 64) {
        int of[2] = {};
        for (std::size_t b = 0; b < 64; ++b) of[b / 32] += written[unit + b] ? 1 : 0;
        bool const is_cut = of[0] % 32 != 0 || of[1] % 32 != 0;
        if (is_cut) ++(of[0] > 0 && of[1] > 0 ? beside : alone);
      }
      detail::cut_units const found(p);
      EXPECT_DOUBLE_EQ(found.alone, alone);
      EXPECT_DOUBLE_EQ(found.beside, beside);
    }
  EXPECT_DOUBLE_EQ(detail::cut_units(problem_of(1, {{100, 1, 1}, {64, 0, 100}})).alone, 0);  // no gap
  detail::cut_units const near(problem_of(1, {{3, 1, 1}, {6400, 3, 16}}));
  EXPECT_DOUBLE_EQ(near.alone + near.beside, 1600);  // each unit once, though four rows cut it
}
struct timed_once {
  copy_problem problem;
  int vector, threads;
  double measured;  ///< us (H200)
};
/// What was off by factors of 1.6 to 3.2: rows with gaps, elements far apart, short rows.
TEST(PlanGathers, WhatIsLoadedOnceTakesAsLongAsMeasured) {
  for (timed_once const& t :
       {timed_once{problem_of(1, {{404, 1, 1}, {407734, 0, 407}}), 16, 64, 152},
        {problem_of(1, {{15, 1, 1}, {786639, 0, 128}, {24, 11799585, 100689792}}), 1, 1024, 1472},
        {problem_of(2, {{3, 1, 1}, {28, 0, 3}, {1073190, 351, 84}}), 4, 128, 207},
        {problem_of(4, {{544, 64064, 1}, {56, 1144, 557}, {2, 1, 31200}, {52, 0, 62400}, {11, 104, 3244811}}), 1, 128,
         94},
        {problem_of(4, {{211, 177555, 1}, {177555, 0, 224}}), 1, 256, 85},
        {problem_of(2, {{170, 973380, 1}, {6, 0, 192}, {162228, 1, 1152}}), 8, 128, 233.8}}) {
    least_of_direct found = {t.problem, true};
    copy_device const device;
    detail::offer_once(found, device, detail::copy_traffic(found.problem, device));
    EXPECT_NEAR(found.us[t.vector] / t.measured, 1, 0.25) << t.measured << " us";
  }
}

/// Stores of warps that write windows of rows with gaps, beside those of a copy: each step of each warp, if it has a
/// window at all.
template <int element_bytes>
void expect_stores(std::initializer_list<copy_mode> modes, run_tile const& tile, double within) {
  SCOPED_TRACE(element_bytes);
  copy_problem const p = problem_of(element_bytes, modes);
  device_buffer<unsigned char> const in(std::vector<unsigned char>(std::size_t{1} << 21, 7));
  device_buffer<unsigned char> out(std::size_t{1} << 21);
  cost_trace const counting;
  detail::launch_windows<element_bytes>(p, tile, false, in.data(), out.data(), stream_handle{});
  window_tiles const t = window_tiles::of(p, tile);
  ASSERT_TRUE(t.row_has_gaps());
  int const across = std::min(32, 1 << detail::window_row_log(t));
  double const row_steps = std::ceil(static_cast<double>(t.rows) * across / 32),
               steps = row_steps * std::ceil(static_cast<double>(t.row_length) / t.each / across) *
                       static_cast<double>(p.size()) / (static_cast<double>(t.rows) * t.row_copied);
  double const stores =
      static_cast<double>(counting.kernels().at(0)[instruction_kind::global_store].instructions) / steps;
  EXPECT_NEAR(detail::stores_between_gaps(p) / stores, 1, within) << stores;
}
TEST(PlanGathers, StoresBetweenGaps) {
  expect_stores<1>({{28, 1, 1}, {64, 28, 33}, {64, 1792, 2176}}, tile_of(2, 2, {28, 64, 1}), 0.1);
  expect_stores<1>({{3, 1, 1}, {128, 3, 11}, {64, 384, 1408}}, tile_of(3, 2, {3, 128, 4}), 0.2);
  expect_stores<1>({{112, 1, 1}, {16, 112, 130}, {64, 1792, 2080}}, tile_of(3, 2, {112, 16, 4}), 0.2);
  expect_stores<2>({{15, 1, 1}, {64, 15, 19}, {64, 960, 1216}}, tile_of(3, 2, {15, 64, 2}), 0.2);
  // All begin as late within windows: a whole one, and eight bytes of the next.
  expect_stores<1>({{24, 1, 1}, {64, 24, 32}, {64, 1536, 2048}}, tile_of(2, 2, {24, 64, 1}), 0.01);
  EXPECT_DOUBLE_EQ(detail::stores_between_gaps(problem_of(1, {{24, 1, 1}, {64, 24, 32}})), 2 - std::exp2(-31));
  EXPECT_DOUBLE_EQ(detail::stores_between_gaps(problem_of(1, {{24, 1, 1}, {64, 0, 24}})), 1);  // no gap
}
struct timed_windows {
  copy_problem problem;
  bool bulk;
  run_tile tile;
  double measured;  ///< us (H200)
};

struct windows_of {
  copy_problem problem;
  bool bulk = false;
  std::vector<copy_plan> list = {};

  double limit(copy_route) const { return 1e300; }
  void offer(copy_plan const& plan) {
    if (plan.route == copy_route::windows && plan.bulk == bulk) list.push_back(plan);
  }
  double us(run_tile const& tile) const {
    for (copy_plan const& plan : list)
      if (plan.tile.source_modes == tile.source_modes && plan.tile.target_modes == tile.target_modes &&
          std::equal(plan.tile.extent, plan.tile.extent + problem.rank, tile.extent))
        return plan.us;
    return 0;
  }
};
/// What was off by factors of 2.2 to 3.7: short parts of rows, each cut, and up to 31 stores for a warp's windows.
TEST(PlanGathers, RowsWithGapsTakeAsLongAsMeasured) {
  for (timed_windows const& t :
       {timed_windows{problem_of(1, {{4, 1, 1}, {344, 0, 6}, {504, 16, 2072}, {142, 8064, 1044299}}), true,
                      tile_of(2, 2, {4, 69, 126, 1}), 684.2},
        {problem_of(1, {{3, 56848896, 1},
                        {292, 194688, 6},
                        {338, 576, 1752},
                        {24, 8, 592176},
                        {8, 1, 14212224},
                        {3, 192, 113697792}}),
         false, tile_of(2, 2, {3, 73, 1, 8, 8, 1}), 1462},
        {problem_of(1, {{3, 1, 1}, {32, 3, 11}, {1044839, 128, 352}}), false, tile_of(3, 2, {3, 32, 128}), 1190},
        {problem_of(1, {{8, 53091095, 1}, {241, 220295, 10}, {220295, 1, 2422}}), true, tile_of(1, 2, {8, 25, 64}),
         1897}}) {
    windows_of found = {t.problem, t.bulk};
    offer_plans(found);
    EXPECT_NEAR(found.us(t.tile) / t.measured, 1, 0.15) << t.measured << " us";
  }
}
/// 64 tiles leave half of 132 multiprocessors idle: 456 us, by 128 tiles 206 (H200).
TEST(PlanGathers, FewerTilesThanMultiprocessorsTakeLonger) {
  windows_of found = {
      problem_of(1, {{517, 0, 1}, {216, 420, 517}, {21, 20, 111672}, {20, 1, 2345112}, {8, 46902272, 46902240}})};
  offer_plans(found);
  double const of_64 = found.us(tile_of(3, 2, {517, 27, 21, 20, 1})),
               of_128 = found.us(tile_of(3, 2, {517, 14, 21, 20, 1}));
  EXPECT_GT(of_128, 0);
  EXPECT_GT(of_64, 1.6 * of_128);
}
/// Rows of 36 bytes, 128 apart: each cuts a sector, which is read first. 1314 us where that was not counted.
TEST(PlanGathers, SectorsThatRowsCutAreReadFirst) {
  windows_of found = {problem_of(4, {{9, 0, 1}, {27100417, 1, 32}}), true};
  offer_plans(found);
  EXPECT_NEAR(found.us(tile_of(1, 1, {9, 896})), 2149, 215);  // H200
}

}  // namespace
