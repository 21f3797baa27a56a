// SPDX-License-Identifier: Apache-2.0
// Copies whose stores are whole sectors of the target: rows with any start, and counts of the hardware.
#include <cosmati/kernel/copy/sectors.hpp>

#include "../random_copies.hpp"
#include "../require_device.hpp"

#if defined(COSMATI_SIMULATED)
#include <cosmati/runtime/cost_trace.hpp>
#endif

using namespace cosmati;
using namespace random_copies;

namespace {

TEST(CopyBySectors, SectorsOfRowsThatBeginAnywhere) {
  COSMATI_REQUIRE_DEVICE();
  std::mt19937 random(6);
  for (int e = 1; e <= 8; e *= 2) {
    auto const go = [&](copy_problem const& p, int first, int second, sector_tile tile) {
      tile.row_length = tile.row_length / e;
      for (bool const by_lines : {false, true}) {
        tile.by_lines = by_lines;
        expect_copied_by(p, static_cast<std::size_t>(e * first), static_cast<std::size_t>(e * second), random,
                         [&](copy_plans const&) {
                           copy_plan plan;
                           plan.route = copy_route::sectors;
                           plan.sectors = tile;
                           return plan;
                         });
      }
    };
    // A ragged transpose; rows that end with a tile, and rows shorter than one.
    go(reordered(e, {523 / e + 2, 37, 2}, {1, 0, 2}), 1, 3, {1, 1, 16, 256});
    go(reordered(e, {512 / e, 19, 2}, {1, 0, 2}), 0, 0, {1, 1, 19, 512});
    go(reordered(e, {5, 43, 3}, {1, 0, 2}), 3, 1, {1, 1, 43, 128});
    // Rows of two modes and runs of two modes, with one mode between them.
    go(reordered(e, {7, 48 / e + 3, 3, 5, 9}, {3, 4, 2, 1, 0}), 1, 2, {2, 2, 11, 128});
    // Gaps between runs must not be read; gaps between rows must not be written.
    go(reordered(e, {41, 23, 2}, {1, 0, 2}, 3), 1, 0, {1, 1, 23, 1024});
    // Runs of more lines than are loaded at once.
    go(reordered(e, {130 / e + 9, 1400 / e, 1}, {1, 0, 2}), 1, 1, {1, 1, 1024 / e, 128});
    // The tile of large transposes, with 17 or 9 warps where lines are loaded.
    go(reordered(e, {700 / e + 3, 1300 / e + 1, 1}, {1, 0, 2}), 3, 1, {1, 1, 640 / e, e == 1 ? 128 : 512});
  }
}

/// The runs that remain for a last round of loads go to one or two more warps.
TEST(CopyBySectors, ThreadsThatLoadByLines) {
  auto const sizes_of = [](int element_bytes, std::int64_t rows, int row_bytes, std::int64_t target_extent) {
    copy_problem p;
    p.element_bytes = element_bytes;
    p.target_alignment = sector_bytes;
    p.push(target_extent, 8193, 1);
    p.push(8193, 1, target_extent);
    return sector_sizes::of(p, {1, 1, rows, row_bytes / element_bytes, true});
  };
  sector_sizes const fours = sizes_of(4, 160, 512, 4095), eights = sizes_of(8, 80, 512, 4095);
  EXPECT_EQ(fours.runs, 128u + 7);
  EXPECT_EQ(fours.threads(), 512);
  EXPECT_EQ(fours.threads_by_lines(), 544);  // 68 runs, twice
  EXPECT_EQ(eights.runs, 64u + 3);
  EXPECT_EQ(eights.threads(), 256);
  EXPECT_EQ(eights.threads_by_lines(), 288);                       // 36 runs, twice
  EXPECT_EQ(sizes_of(4, 160, 512, 4096).threads_by_lines(), 512);  // 128 runs without remainder
  EXPECT_EQ(sizes_of(4, 16, 128, 4095).threads_by_lines(), 256);   // 32 + 7 runs: 3 warps more would be a third
  EXPECT_EQ(sizes_of(16, 80, 256, 4095).threads_by_lines(), 256);  // 17 runs are less than one round
}

#if defined(COSMATI_SIMULATED)
/// Counts of Nsight Compute for the same launches on an H200: instructions, requests and sectors of stores, and
/// instructions and wavefronts of loads of shared memory.
TEST(CopyBySectors, SectorsAreCountedAsByTheHardware) {
  struct counted {
    int element_bytes;
    bool short_rows;
    unsigned long long stores, sectors, loads, wavefronts;
  };
  for (counted const& c : {counted{1, false, 1364, 11025, 19794, 45652}, counted{1, true, 259, 1763, 3917, 10594},
                           counted{2, false, 1064, 10986, 9976, 13321}, counted{2, true, 233, 1840, 2320, 5763},
                           counted{4, false, 760, 10234, 6024, 8948}, counted{4, true, 180, 1992, 1212, 2728},
                           counted{8, false, 836, 10836, 4484, 9510}, counted{8, true, 205, 2295, 857, 1841}}) {
    int const e = c.element_bytes, most = 128 / e < 8 ? 8 : 128 / e;
    copy_plan plan;
    plan.route = copy_route::sectors;
    plan.sectors = c.short_rows ? sector_tile{1, 1, 45, 128 / e} : sector_tile{1, 1, most, 256 / e};
    copy_problem p;
    p.element_bytes = e;
    std::int64_t const rows = 523 / e + 2, middle = 48 / e + 3;
    if (c.short_rows) {
      p.push(7, 45 * 3, 1), p.push(middle, 45 * 21, 7), p.push(3, 45, middle * 7), p.push(45, 1, middle * 21);
    } else {
      p.push(rows, 301, 1), p.push(301, 1, rows), p.push(2, rows * 301, rows * 301);
    }
    device_buffer<unsigned char> const in(std::vector<unsigned char>(std::size_t{1} << 20, 7));
    device_buffer<unsigned char> out(std::size_t{1} << 20);
    cost_trace const counting;
    launch_plan(simplified(p), plan, in.data(), out.data());
    kernel_costs const costs = counting.kernels().at(0);
    auto const& stores = costs[instruction_kind::global_store];
    auto const& loads = costs[instruction_kind::shared_load];
    EXPECT_EQ(stores.instructions, c.stores) << e << c.short_rows;
    EXPECT_EQ(stores.requests, c.stores) << e << c.short_rows;
    EXPECT_EQ(stores.sectors, c.sectors) << e << c.short_rows;
    EXPECT_EQ(loads.instructions, c.loads) << e << c.short_rows;
    EXPECT_EQ(loads.wavefronts, c.wavefronts) << e << c.short_rows;
  }
}
#endif

}  // namespace
