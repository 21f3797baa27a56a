// SPDX-License-Identifier: Apache-2.0
// copy_tensor: every kind of pair of tensors, and random ones against a loop over the elements. More of these with
// COSMATI_RANDOM_COPIES=N (CONTRIBUTING.md).
#include <cosmati/core/complex.hpp>
#include <cosmati/kernel/copy/tune.hpp>

#if defined(COSMATI_SIMULATED)
#include <cosmati/runtime/cost_trace.hpp>
#endif
#include <limits>
#include <set>

#include "random_copies.hpp"
#include "require_device.hpp"

using namespace cosmati;
using namespace random_copies;

namespace {

template <class T>
std::vector<T> numbers(std::size_t n) {
  std::vector<T> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<T>(i * 7 + 1);
  return v;
}

TEST(CopyTensor, RandomPairs) {
  COSMATI_REQUIRE_DEVICE();
  char const* const wanted = std::getenv("COSMATI_RANDOM_COPIES");
  char const* const from = std::getenv("COSMATI_FIRST_RANDOM_COPY");
  int const count = wanted != nullptr ? std::atoi(wanted) : 60, first = from != nullptr ? std::atoi(from) : 0;
  for (int n = first; n < first + count && !HasFailure(); ++n) {
    SCOPED_TRACE("problem number " + std::to_string(n));
    std::mt19937 random(static_cast<unsigned>(n));
    strides s(static_cast<unsigned>(n) + 77);
    int const element_bytes = 1 << s.below(5);
    copy_problem const p = s.problem(element_bytes, s.one_in(8) ? 100000 : 4000);
    // An address may be less aligned than the element: two complex numbers of 8 bytes are one element of 16.
    auto const shift = static_cast<std::size_t>(s.one_in(4) ? 1 << s.below(5) : element_bytes * s.below(4));
    auto const other = static_cast<std::size_t>(s.one_in(4) ? 1 << s.below(5) : element_bytes * s.below(4));
    expect_copied(p, shift, other, s.one_in(3), random);
  }
}

/// Of a matrix of `long_mode` x `short_mode` x 2, the first mode together in the source, or in the target.
copy_problem turned(int element_bytes, std::int64_t long_mode, std::int64_t short_mode, bool long_in_source) {
  copy_problem p;
  p.element_bytes = element_bytes;
  std::int64_t const outer = long_mode * short_mode + 3;  // rows at addresses of every kind
  p.push(long_mode, long_in_source ? 1 : short_mode, long_in_source ? short_mode : 1);
  p.push(short_mode, long_in_source ? long_mode : 1, long_in_source ? 1 : long_mode);
  p.push(2, outer, outer + 2);
  return p;
}
/// Runs of one mode each side; `long_part` and `short_part` of these modes in a tile.
copy_plan runs_of(copy_problem const& p, std::int64_t long_part, std::int64_t short_part, int padding) {
  copy_plan plan;
  plan.route = copy_route::runs;
  for (int m = 0; m < p.rank; ++m) plan.tile.extent[m] = 1;
  int const long_mode = p.mode[0].extent > p.mode[1].extent ? 0 : 1;
  plan.tile.extent[long_mode] = long_part;
  plan.tile.extent[1 - long_mode] = short_part;
  plan.tile.padding = padding;
  return plan;
}

TEST(CopyTensor, RunsOfTheSourceAtOddAddresses) {
  COSMATI_REQUIRE_DEVICE();
  std::mt19937 random(1);
  // Runs of 2-byte elements that begin in the middle of words, for each number of elements a lane.
  for (std::int64_t const length : {5, 31, 61, 63, 64, 65, 125, 127, 129, 253, 255})
    for (std::size_t const shift : {0u, 2u})
      expect_copied_by(turned(2, length, 3, true), shift, 2 - shift, random, [&](copy_plans const& plans) {
        return runs_of(plans.problem, length, length % 4 == 1 ? 2 : 3, length % 3);
      });
  // Tiles at the edge that have one element of a run, or one run.
  expect_copied_by(turned(2, 257, 7, true), 2, 0, random,
                   [&](copy_plans const& plans) { return runs_of(plans.problem, 64, 6, 0); });
  for (int e = 1; e <= 16; e *= 2)
    expect_copied_by(turned(e, 129, 5, true), static_cast<std::size_t>(e), 0, random,
                     [&](copy_plans const& plans) { return runs_of(plans.problem, 128, 4, 1); });
}
TEST(CopyTensor, RunsOfTheTargetAsLongAsATile) {
  COSMATI_REQUIRE_DEVICE();
  std::mt19937 random(2);
  for (int e = 1; e <= 16; e *= 2) {
    std::int64_t const across = e < 8 ? 24 / e : 3, most = run_copy_stage / e / across;
    for (int shift = 0; shift < 2; ++shift)
      expect_copied_by(turned(e, most + 5, across, false), static_cast<std::size_t>(e * (1 - shift)),
                       static_cast<std::size_t>(e * shift), random, [&](copy_plans const& plans) {
                         return runs_of(plans.problem, shift == 0 ? most : 2050 / e + 1, across, shift);
                       });
  }
}
/// Tiles of windows: `part` of each mode, runs of so many modes.
copy_plan windows_of(copy_problem const& p, int source_modes, int target_modes,
                     std::initializer_list<std::int64_t> part, bool bulk) {
  copy_plan plan;
  plan.route = copy_route::windows;
  plan.bulk = bulk;
  plan.tile.source_modes = source_modes;
  plan.tile.target_modes = target_modes;
  int m = 0;
  for (std::int64_t const n : part) plan.tile.extent[m++] = n;
  EXPECT_EQ(m, p.rank);
  return plan;
}
/// Elements of modes in the target's order; `source` says in which order they lie in the source.
copy_problem reordered(int element_bytes, std::vector<std::int64_t> const& extents, std::vector<int> const& source,
                       std::int64_t gap = 0) {
  copy_problem p;
  p.element_bytes = element_bytes;
  std::vector<std::int64_t> stride(extents.size());
  std::int64_t next = 1;
  for (int const m : source) {
    stride[static_cast<std::size_t>(m)] = next;
    next = next * extents[static_cast<std::size_t>(m)] + gap;
  }
  next = 1;
  for (std::size_t m = 0; m < extents.size(); ++m) {
    p.push(extents[m], stride[m], next);
    next = next * extents[m] + gap;
  }
  return p;
}

/// Copies these modes by a tile of windows, from and to so many elements late. @param look at the tile, as
/// `window_tiles`
template <class Look>
void expect_copied_by_windows(int element_bytes, std::initializer_list<copy_mode> modes, int first, int second,
                              int source_modes, int target_modes, std::initializer_list<std::int64_t> part, bool bulk,
                              std::mt19937& random, Look const& look) {
  copy_problem p;
  p.element_bytes = element_bytes;
  for (copy_mode const& m : modes) p.push(m.extent, m.source, m.target);
  expect_copied_by(p, static_cast<std::size_t>(element_bytes * first), static_cast<std::size_t>(element_bytes * second),
                   random, [&](copy_plans const& plans) {
                     copy_plan const plan = windows_of(plans.problem, source_modes, target_modes, part, bulk);
                     look(window_tiles::of(plans.problem, plan.tile));
                     return plan;
                   });
}

TEST(CopyTensor, WindowsOfAllSizesAtOddAddresses) {
  COSMATI_REQUIRE_DEVICE();
  std::mt19937 random(4);
  for (int e = 1; e <= 16; e *= 2) {
    for (bool const bulk : {false, true}) {
      auto const at = [&](int elements) { return static_cast<std::size_t>(e * elements); };
      auto const go = [&](copy_problem const& p, int first, int second, int source_modes, int target_modes,
                          std::initializer_list<std::int64_t> part) {
        expect_copied_by(p, at(first), at(second), random, [&](copy_plans const& plans) {
          return windows_of(plans.problem, source_modes, target_modes, part, bulk);
        });
      };
      // Runs and rows of other modes; a part of each, the edges ragged; more tiles than are looked up at once.
      go(reordered(e, {27, 3, 53}, {2, 1, 0}), 1, 3, 1, 1, {7, 1, 13});
      go(reordered(e, {11, 5, 13}, {2, 1, 0}), 3, 1, 2, 1, {11, 3, 13});
      // A mode of both, then one of each.
      go(reordered(e, {7, 9, 11}, {0, 2, 1}), 0, 1, 2, 2, {7, 4, 3});
      // Gaps between runs, which may not be read, and between rows, which may not be written.
      go(reordered(e, {19, 7, 30}, {2, 0, 1}, 3), 1, 0, 1, 1, {19, 1, 8});
      if (e == 16) continue;
      // Long rows that end with a mode of the runs: their places repeat.
      go(reordered(e, {13, 90 * e}, {1, 0}), 1, 3, 1, 2, {13, 45 * e});
      go(reordered(e, {13 * e + 1, 41, 2, 3}, {1, 3, 0, 2}), 1, 2, 2, 2, {13 * e + 1, 41, 1, 2});
      // All of it contiguous on both sides, but for where it begins.
      go(reordered(e, {601 * e, 3, 2}, {0, 2, 1}), 2, 1, 1, 1, {599 * e, 1, 1});
    }
  }
}
/// Runs of the source that have gaps, which come into shared memory with them.
TEST(CopyTensor, WindowsReadAcrossGaps) {
  COSMATI_REQUIRE_DEVICE();
  std::mt19937 random(8);
  for (int e = 1; e <= 16; e *= 2) {
    for (bool const bulk : {false, true}) {
      auto const go = [&](std::initializer_list<copy_mode> modes, int first, int second, int source_modes,
                          int target_modes, std::initializer_list<std::int64_t> part, std::uint32_t elements) {
        expect_copied_by_windows(
            e, modes, first, second, source_modes, target_modes, part, bulk, random,
            [&](window_tiles const& tiles) { EXPECT_EQ(tiles.run_elements(tiles.source.cut_tile), elements); });
      };
      // One gap and two, the last mode whole and a part of it, the edges ragged.
      go({{13, 180, 1}, {3, 1, 13}, {5, 5, 40}}, 1, 3, 2, 1, {7, 3, 5}, 23);
      go({{13, 180, 1}, {3, 1, 13}, {25, 5, 40}}, 3, 1, 2, 1, {7, 3, 9}, 43);
      go({{9, 400, 1}, {3, 1, 9}, {4, 5, 30}, {7, 23, 125}}, 0, 1, 3, 1, {9, 3, 4, 3}, 64);
      // The rows have modes of the runs.
      go({{3, 1, 1}, {11, 4, 3}, {6, 50, 34}}, 1, 2, 2, 2, {3, 8, 1}, 31);
      go({{4, 6, 1}, {5, 1, 4}, {7, 31, 21}}, 2, 1, 3, 1, {4, 5, 3}, 85);
      if (e == 16) continue;
      // Long rows: their places repeat.
      go({{3, 1, 1}, {300 * e, 5, 3}}, 1, 3, 2, 2, {3, 170 * e}, static_cast<std::uint32_t>(850 * e - 2));
    }
  }
}
/// Rows of the target that have gaps, which are left as they are.
TEST(CopyTensor, WindowsLeaveGapsOut) {
  COSMATI_REQUIRE_DEVICE();
  std::mt19937 random(9);
  for (int e = 1; e <= 2; ++e) {
    for (bool const bulk : {false, true}) {
      auto const go = [&](std::initializer_list<copy_mode> modes, int first, int second, int source_modes,
                          int target_modes, std::initializer_list<std::int64_t> part, std::uint32_t elements,
                          std::uint32_t copied) {
        expect_copied_by_windows(e, modes, first, second, source_modes, target_modes, part, bulk, random,
                                 [&](window_tiles const& tiles) {
                                   EXPECT_EQ(tiles.row_length, elements);
                                   EXPECT_EQ(tiles.row_copied, copied);
                                 });
      };
      // One gap and two, the last mode whole and a part of it, the edges ragged; some windows have nothing.
      go({{3, 19, 1}, {5, 57, 4}, {19, 1, 20}}, 1, 3, 1, 2, {3, 5, 7}, 19, 15);
      go({{3, 19, 1}, {25, 57, 7}, {19, 1, 180}}, 3, 1, 1, 2, {3, 9, 8}, 59, 27);
      go({{1 + 8 / e, 19, 1}, {3, 200, 40 / e}, {4, 700, 160 / e}, {19, 1, 700}}, 0, 2, 1, 3, {1 + 8 / e, 3, 3, 8},
         static_cast<std::uint32_t>(1 + 8 / e + 80 / e + 320 / e), static_cast<std::uint32_t>(9 * (1 + 8 / e)));
      // The runs have modes of the rows, and gaps as well; rows repeat the source.
      go({{3, 1, 1}, {11, 4, 5}, {6, 50, 70}}, 1, 2, 2, 2, {3, 8, 1}, 38, 24);
      go({{5, 1, 1}, {4, 0, 6}, {7, 5, 25}, {3, 40, 200}}, 2, 1, 2, 3, {5, 4, 3, 1}, 73, 60);
      // Modes of more than one row of tiles; long rows.
      go({{2, 1, 1}, {100, 2, 3}, {3, 0, 320}, {5, 200, 1000}}, 1, 1, 1, 2, {2, 100, 1, 1}, 299, 200);
      go({{7, 31, 1}, {31, 217, 8}, {31, 1, 256}}, 0, 1, 1, 2, {7, 20, 13}, 159, 140);
    }
  }
}
/// Modes that repeat the source: in the rows, where a tile may have a part of them; beyond the rows, where it has a
/// divisor; and both. What a tile has of them is loaded once, so that it needs no shared memory.
TEST(CopyTensor, WindowsStoreWhatIsRepeatedFromOneTile) {
  COSMATI_REQUIRE_DEVICE();
  std::mt19937 random(7);
  for (int e = 1; e <= 16; e *= 2) {
    for (bool const bulk : {false, true}) {
      auto const go = [&](std::initializer_list<copy_mode> modes, int first, int second, int source_modes,
                          int target_modes, std::initializer_list<std::int64_t> part, std::uint32_t runs,
                          std::uint32_t rows) {
        expect_copied_by_windows(e, modes, first, second, source_modes, target_modes, part, bulk, random,
                                 [&](window_tiles const& tiles) {
                                   EXPECT_EQ(tiles.runs, runs);
                                   EXPECT_EQ(tiles.rows, rows);
                                 });
      };
      // Rows that begin with the repeated mode, end with it, have it between others; the edges ragged.
      go({{11, 0, 1}, {37, 1, 11}, {3, 37, 409}}, 1, 3, 1, 2, {11, 16, 1}, 1, 1);
      go({{11, 0, 1}, {5, 43, 11}, {43, 1, 57}}, 3, 1, 1, 2, {11, 2, 17}, 2, 17);
      go({{41, 1, 1}, {23, 0, 41}, {7, 41, 950}}, 0, 1, 2, 2, {41, 9, 3}, 1, 3);
      go({{5, 13, 1}, {6, 0, 5}, {3, 65, 30}, {13, 1, 91}}, 1, 1, 1, 3, {5, 6, 2, 7}, 10, 7);
      // Beyond the rows, all of it and a divisor; the cut mode of the source is counted behind it.
      go({{29, 1, 1}, {12, 0, 37}, {3, 31, 450}}, 1, 2, 1, 1, {29, 4, 1}, 1, 4);
      go({{9, 31, 1}, {31, 1, 10}, {6, 0, 311}}, 2, 1, 1, 1, {5, 8, 6}, 5, 48);
      go({{9, 31, 1}, {6, 0, 10}, {31, 1, 61}}, 0, 3, 1, 1, {4, 3, 10}, 4, 30);
      // Two of them, one in the rows and one beyond.
      go({{7, 19, 1}, {4, 0, 7}, {19, 1, 29}, {10, 0, 560}}, 1, 1, 1, 2, {7, 3, 8, 5}, 7, 40);
      if (e == 16) continue;
      // Long rows that end with it: their places repeat, and so the tables are of one period.
      go({{13, 1, 1}, {90 * e, 0, 13}, {3, 14, 1171 * e}}, 1, 3, 1, 2, {13, 45 * e, 1}, 1, 1);
      go({{45 * e, 0, 1}, {13, 1, 46 * e}, {2, 13, 600 * e}}, 3, 1, 1, 1, {41 * e, 5, 1}, 1, 5);
    }
  }
}
TEST(CopyTensor, SectorsOfRowsThatBeginAnywhere) {
  COSMATI_REQUIRE_DEVICE();
  std::mt19937 random(6);
  for (int e = 1; e <= 16; e *= 2) {
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
    // Rows and runs of two modes, one mode between.
    go(reordered(e, {7, 48 / e + 3, 3, 5, 9}, {3, 4, 2, 1, 0}), 1, 2, {2, 2, 11, 128});
    // Gaps between runs, which may not be read, and between rows, which may not be written.
    go(reordered(e, {41, 23, 2}, {1, 0, 2}, 3), 1, 0, {1, 1, 23, 1024});
    // Runs of more lines than are loaded at once.
    go(reordered(e, {130 / e + 9, 1400 / e, 1}, {1, 0, 2}), 1, 1, {1, 1, 1024 / e, 128});
    // The tile of large transposes, by 17 or 9 warps where it is loaded by lines.
    go(reordered(e, {700 / e + 3, 1300 / e + 1, 1}, {1, 0, 2}), 3, 1, {1, 1, 640 / e, e == 1 ? 128 : 512});
  }
}
/// What is left of the runs for a last round of loads goes to a warp or two more.
TEST(CopyTensor, ThreadsThatLoadByLines) {
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
  EXPECT_EQ(fours.threads_by_lines(), 544);  // twice 68 runs
  EXPECT_EQ(eights.runs, 64u + 3);
  EXPECT_EQ(eights.threads(), 256);
  EXPECT_EQ(eights.threads_by_lines(), 288);                       // twice 36
  EXPECT_EQ(sizes_of(4, 160, 512, 4096).threads_by_lines(), 512);  // 128 runs, nothing left
  EXPECT_EQ(sizes_of(4, 16, 128, 4095).threads_by_lines(), 256);   // 32 + 7 runs: 3 warps more would be a third
  EXPECT_EQ(sizes_of(16, 80, 256, 4095).threads_by_lines(), 256);  // 17 runs are less than one round
}
#if defined(COSMATI_SIMULATED)
/// What Nsight Compute counted of the same launches on an H200: instructions, requests and sectors of stores,
/// instructions and wavefronts of loads of shared memory.
TEST(CopyTensor, SectorsAreCountedAsByTheHardware) {
  struct counted {
    int element_bytes;
    bool short_rows;
    unsigned long long stores, sectors, loads, wavefronts;
  };
  for (counted const& c : {counted{1, false, 1364, 11025, 19794, 45652}, counted{1, true, 259, 1763, 3917, 10594},
                           counted{2, false, 1064, 10986, 9976, 13321}, counted{2, true, 233, 1840, 2320, 5763},
                           counted{4, false, 760, 10234, 6024, 8948}, counted{4, true, 180, 1992, 1212, 2728},
                           counted{8, false, 836, 10836, 4484, 9510}, counted{8, true, 205, 2295, 857, 1841},
                           counted{16, false, 760, 10234, 2584, 5734}, counted{16, true, 216, 2835, 576, 1368}}) {
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
TEST(CopyTensor, RowsAtAnyAddressInVectors) {
  COSMATI_REQUIRE_DEVICE();
  std::mt19937 random(3);
  for (int e = 1; e <= 8; e *= 2) {
    for (int vector = 2; vector * e <= 16; vector *= 2) {
      // Rows of fewer elements than a vector, of whole vectors, and of all that begins and ends within one.
      for (std::int64_t const row : {vector - 1, vector, 4 * vector, 6 * vector + 1}) {
        if (row == 1) continue;
        for (int const stride : {1, 3, 0, -1}) {
          copy_problem p;
          p.element_bytes = e;
          p.push(row, stride, 1);
          p.push(vector + 1, 3 * row + 1, row + 1);  // begins at each element of a vector
          if (stride < 0) p.source_offset = row;
          auto const shift = static_cast<std::size_t>((row + stride + 1) % 4 * e);
          expect_copied_by(p, shift, 3 * static_cast<std::size_t>(e), random, [&](copy_plans const&) {
            copy_plan plan;
            plan.vector = vector;
            return plan;
          });
        }
      }
    }
  }
}
/// Windows of the target that are put together from those of the source: rows with and without gaps between them on
/// either side, of less than a window and of several; by blocks that take several parts, too.
TEST(CopyTensor, WindowsPutTogether) {
  COSMATI_REQUIRE_DEVICE();
  std::mt19937 random(4);
  int number = 0;
  for (int e = 1; e <= 2; ++e) {
    for (std::int64_t const row : {2, 3, 5, 7, 8, 11, 16, 17, 33, 100}) {
      for (std::int64_t const gap : {0, 1, 30}) {
        for (std::int64_t const behind : {0, 1, 16}) {
          copy_problem p;
          p.element_bytes = e;
          p.push(row, 1, 1);
          p.push(13, 4 * (row + gap), row);
          p.push(4, row + gap, 13 * row + behind);
          auto const shift = static_cast<std::size_t>(number % 16 / e * e);
          ++number;
          expect_copied_by(p, shift, static_cast<std::size_t>(number % 5 * e), random, [&](copy_plans const& plans) {
            copy_plan plan;
            plan.vector = 16 / plans.problem.element_bytes;
            plan.launch = {.threads = 32 << number % 3, .at_once = 1 << number % 3, .blocks = number % 2};
            return plan;
          });
        }
      }
    }
  }
}
/// Of rows shorter than 64 bytes they are seldom the fastest, and others up to twice as fast: no plans.
TEST(CopyTensor, ShortRowsAreNotPutTogether) {
  for (int const e : {1, 2})
    for (int const bytes : {31, 62, 66, 101}) {
      copy_problem p;
      p.element_bytes = e;
      p.push(bytes / e, 1, 1);
      p.push(1000, bytes / e | 1, 128 / e);
      int together = 0, all = 0;
      for (copy_plan const& plan : every_plan(p).list) {
        ++all;
        together += plan.route == copy_route::direct && !plan.together && detail::is_shifted_vector(p, plan.vector);
      }
      EXPECT_EQ(together > 0, bytes >= 64) << e << ' ' << bytes;
      EXPECT_GE(all, 500);
    }
}
/// Of large copies no transposes by narrow vectors, and none in tiles that are less than a third full: hardly one was
/// the fastest. Small ones were not measured.
TEST(CopyTensor, LargeTransposesAreByWideVectorsInTilesThatAreFull) {
  auto const transposes = [](int element_bytes, std::int64_t rows, std::int64_t columns, std::int64_t batches) {
    copy_problem p;
    p.element_bytes = element_bytes;
    p.push(rows, columns, 1);
    p.push(columns, 1, rows);
    p.push(batches, rows * columns, rows * columns);
    std::vector<int> widths;
    for (copy_plan const& plan : every_plan(p).list)
      if (plan.route == copy_route::transpose) widths.push_back(plan.vector * element_bytes);
    return widths;
  };
  using widths = std::vector<int>;
  EXPECT_EQ(transposes(2, 1024, 1024, 1), (widths{2, 4, 8, 16}));
  EXPECT_EQ(transposes(2, 1024, 1024, 64), (widths{8, 16}));
  EXPECT_EQ(transposes(1, 1024, 1024, 64), (widths{4, 8, 16}));
  EXPECT_EQ(transposes(4, 1023, 1024, 64), widths{});
  EXPECT_EQ(transposes(8, 1023, 1024, 64), widths{8});
  EXPECT_EQ(transposes(8, 40, 8, 100), (widths{8, 16}));
  EXPECT_EQ(transposes(8, 40, 8, 40000), widths{});
  EXPECT_EQ(transposes(8, 40, 24, 40000), widths{16});  // tiles of 32 x 32; by 8 bytes of 64 x 64
}
TEST(CopyTensor, ThePlannersSpaceIsLargeAndItsChoiceFollowsTheLayouts) {
  static_assert(plan_copy(Layout<Shape<_64, _32>, Stride<_32, _1>>{}, Layout<Shape<_64, _32>>{}, 4).plan[0].route ==
                copy_route::transpose);
  constexpr copy_plan rows =
      plan_copy(Layout<Shape<Int<129>, _4>, Stride<_1, Int<131>>>{}, Layout<Shape<Int<129>, _4>>{}, 2).plan[0];
  static_assert(rows.route == copy_route::direct && rows.vector == 8 && !rows.together);
  // (31,45,57,63,101) in C order, of 2 bytes, its modes in the order 2, 4, 0, 1, 3.
  constexpr std::int64_t extent[] = {31, 45, 57, 63, 101};
  copy_problem p;
  p.element_bytes = 2;
  std::int64_t source[5], target[5], next = 1;
  for (int const m : {4, 3, 2, 1, 0}) source[m] = next, next *= extent[m];
  next = 1;
  for (int const m : {3, 1, 0, 4, 2}) target[m] = next, next *= extent[m];
  for (int m = 0; m < 5; ++m) p.push(extent[m], source[m], target[m]);
  copy_plans const plans = plan_copy(p);
  EXPECT_EQ(plans.plan[0].route, copy_route::sectors);
  EXPECT_GE(plans.considered, 500);
  ASSERT_EQ(plans.kept, copy_plans_kept);
  for (int k = 1; k < plans.kept; ++k) EXPECT_LE(plans.plan[k - 1].us, plans.plan[k].us);
}

/// From 256 MiB on L2 keeps what is read. Then elements of 4 and 8 bytes are transposed fastest by whole lines, those
/// of 16 by large tiles that share sectors; smaller copies go by bulk copies and whole sectors of the target.
TEST(CopyTensor, ThePlannerKnowsWhatL2IsToldToKeep) {
  auto const plan_of = [](int element_bytes, std::int64_t batches) {
    copy_problem p;
    p.element_bytes = element_bytes;
    p.push(batches, 4095 * 8193, 4095 * 8193);
    p.push(4095, 8193, 1);
    p.push(8193, 1, 4095);
    return plan_copy(p).plan[0];
  };
  EXPECT_EQ(detail::hint_of_copy((std::int64_t{256} << 20) - 1), l2_hint::none);
  EXPECT_EQ(detail::hint_of_copy(std::int64_t{256} << 20), l2_hint::evict_last);
  for (int const bytes : {4, 8}) {
    copy_plan const large = plan_of(bytes, 32 / bytes);
    EXPECT_EQ(large.route, copy_route::sectors) << bytes;
    EXPECT_TRUE(large.sectors.by_lines) << bytes;
  }
  copy_plan const quads = plan_of(16, 2);
  EXPECT_EQ(quads.route, copy_route::transpose);
  EXPECT_EQ(quads.vector, 1);
  copy_plan const pairs = plan_of(2, 16);
  EXPECT_EQ(pairs.route, copy_route::sectors);
  EXPECT_EQ(pairs.sectors.run_length, 320);
  EXPECT_EQ(pairs.sectors.row_length, 128);
  copy_problem even;
  even.element_bytes = 8;
  even.push(16384, 32768, 1);
  even.push(32768, 1, 16384);
  EXPECT_EQ(plan_copy(even).plan[0].route, copy_route::transpose);
  EXPECT_EQ(plan_copy(even).plan[0].vector, 2);
  copy_problem small;
  small.element_bytes = 8;
  small.push(1023, 4097, 1);
  small.push(4097, 1, 1023);
  EXPECT_EQ(plan_copy(small).plan[0].route, copy_route::sectors);
  EXPECT_FALSE(plan_copy(small).plan[0].sectors.by_lines);
}

/// Few bytes that are read again and again come from L1 or, slowly, from one place of L2; lines of single elements that
/// L1 has no more cost a cycle each. On an H200 the other routes took 3 to 15 times as long, 2.8 and 1.7 times.
TEST(CopyTensor, ThePlannerKnowsWhatL1Keeps) {
  auto const choice = [](std::initializer_list<copy_mode> modes, int element_bytes = 1) {
    copy_problem p;
    p.element_bytes = element_bytes;
    for (copy_mode const& m : modes) p.push(m.extent, m.source, m.target);
    return plan_copy(p).plan[0];
  };
  EXPECT_EQ(choice({{1457692, 0, 1}, {127, 1, 1457692}}).route, copy_route::direct);
  EXPECT_EQ(choice({{6353811, 8, 1}, {8, 1, 6353811}, {2, 50830488, 50830501}}).route, copy_route::windows);
  // Measured: 1175 us by runs, 149 where each element is loaded once to a register, 140 where a tile is stored 256
  // times.
  auto const is_repeated = [](copy_plan const& plan) {
    return plan.launch.once || (plan.route == copy_route::windows && plan.tile.extent[2] > 1);
  };
  EXPECT_TRUE(is_repeated(choice({{15, 16, 1}, {16, 1, 15}, {1670563, 0, 240}})));
  EXPECT_TRUE(is_repeated(choice({{13, 16, 1}, {16, 1, 13}, {919155, 0, 208}})));
  // A column of a matrix, 49 times: 196 bytes apart.
  EXPECT_TRUE(choice({{1017953, 49, 1}, {49, 0, 1017953}}, 8).launch.once);
}

/// Trees that can be walked: every branch stays within its tree, leaves are small, features exist.
template <std::size_t size>
void expect_trees(char const (&text)[size]) {
  std::size_t const length = size - 1;
  auto const number = [&](std::size_t at, int digits) {
    int n = 0;
    for (int k = 0; k < digits; ++k) {
      char const digit = text[at + static_cast<std::size_t>(k)];
      EXPECT_TRUE(digit >= '#' && digit <= '[') << digit;
      n = n * 57 + (digit - '#');
    }
    return n;
  };
  std::size_t count = 0, root = 0;
  while (root < length) {
    std::size_t const end = root + static_cast<std::size_t>(number(root, 2));
    ASSERT_GT(end, root + 5);
    ASSERT_LE(end, length);
    std::vector<std::size_t> open = {root + 2};
    std::size_t seen = 2;  // characters
    while (!open.empty()) {
      std::size_t const node = open.back();
      open.pop_back();
      ASSERT_LE(node + 4, end);
      if (text[node] == '~') {
        ASSERT_LE(std::abs(number(node + 1, 3) - 32768), 2048);
        seen += 4;
      } else {
        int const feature = text[node] - (text[node] > '[' ? '$' : '#'), skip = number(node + 1, 2);
        ASSERT_NE(text[node], '\\');
        ASSERT_GE(feature, 0);
        ASSERT_LT(feature, detail::plan_feature_count);
        ASSERT_LE(std::abs(number(node + 3, 3) - 32768), 32768);
        ASSERT_GE(skip, 10);
        open.push_back(node + 6);
        open.push_back(node + static_cast<std::size_t>(skip));
        seen += 6;
      }
    }
    EXPECT_EQ(seen, end - root) << "each node is reached once";
    root = end;
    ++count;
  }
  EXPECT_EQ(root, length);
  EXPECT_GE(count, 30u);
}
TEST(PlanCorrections, TreesAreWhole) {
  expect_trees(detail::plan_order_trees_direct);
  expect_trees(detail::plan_order_trees_runs);
  expect_trees(detail::plan_order_trees_windows);
  expect_trees(detail::plan_order_trees_sectors);
  expect_trees(detail::plan_order_trees_once);
  expect_trees(detail::plan_time_trees_direct);
  expect_trees(detail::plan_time_trees_transpose);
  expect_trees(detail::plan_time_trees_runs);
  expect_trees(detail::plan_time_trees_windows);
  expect_trees(detail::plan_time_trees_sectors);
  expect_trees(detail::plan_time_trees_once);
}
TEST(PlanCorrections, SumsWhatTheLeavesSay) {
  // The first tree asks whether feature 2 is at most 5/256, the second is a leaf, the third asks for feature 60.
  auto const digits = [](int n, int count) {
    std::string s;
    for (; count > 0; --count, n /= 57) s.insert(s.begin(), static_cast<char>('#' + n % 57));
    return s;
  };
  auto const leaf = [&](int value) { return "~" + digits(32768 + value, 3); };
  auto const tree = [&](std::string const& nodes) { return digits(static_cast<int>(nodes.size()) + 2, 2) + nodes; };
  std::string const text =
      tree('%' + digits(10, 2) + digits(32768 + 5, 3) + leaf(4096) + leaf(-4096)) + tree(leaf(1024)) +
      tree(static_cast<char>('$' + 60) + digits(10, 2) + digits(32768 - 256, 3) + leaf(0) + leaf(2048));
  detail::plan_forest forest("");
  forest.tree = text.c_str();
  forest.length = static_cast<int>(text.size());
  detail::plan_features f;
  f.value[60] = -256;
  f.value[2] = 5;
  EXPECT_DOUBLE_EQ(forest.sum(f).logarithm(), 1.25);
  f.value[2] = 6;
  EXPECT_DOUBLE_EQ(forest.sum(f).logarithm(), -0.75);
  f.value[60] = -255;
  EXPECT_DOUBLE_EQ(forest.sum(f).logarithm(), -0.25);
  detail::forest_sum const first = forest.sum(f, {}, 1);
  EXPECT_DOUBLE_EQ(first.logarithm(), -1);
  EXPECT_DOUBLE_EQ(forest.sum(f, first).logarithm(), -0.25);
  for (double const x : {-2.0, -0.3, 0.0, 0.05, 1.5})
    EXPECT_NEAR(detail::exponential(x), std::exp(x), 1e-9 * std::exp(x));
  f.set_log(detail::plan_feature::bytes, 96);
  EXPECT_EQ(f[detail::plan_feature::bytes], 256 * 6 + 128);
  f.set_log(detail::plan_feature::bytes, 0);
  EXPECT_EQ(f[detail::plan_feature::bytes], -64 * 256);
  f.set(detail::plan_feature::bytes, 1e9);
  EXPECT_EQ(f[detail::plan_feature::bytes], 32767);
}
/// Of each route no plan is put before the one that is said to be its best.
TEST(PlanCorrections, OthersStayBehindTheBest) {
  std::mt19937 random(8);
  for (int n = 0; n < 40; ++n) {
    copy_problem p;
    p.element_bytes = 1 << n % 5;
    std::int64_t const rows = 300 + random() % 900, inner = 2 + random() % 40, gap = random() % 3;
    p.push(rows, inner + gap, 1);
    p.push(inner, 1, rows);
    p.push((std::int64_t{1} << 27) / p.element_bytes / (rows * inner), rows * (inner + gap), rows * inner + gap);
    p = simplified(p);
    ASSERT_TRUE(detail::is_corrected(p, {}));
    detail::plan_pool pool(p);
    offer_plans(pool);
    double best[detail::plan_groups] = {};
    for (int g = 0; g < detail::plan_groups; ++g)
      if (pool.within_reach(g) > 0) best[g] = pool.at(g, 0).us;
    copy_device const device;
    detail::plan_view const view(p, device, best);
    for (int g = 0; g < detail::plan_groups; ++g) {
      if (pool.within_reach(g) == 0) continue;
      detail::plan_ranking const ranking(pool, view, g);
      double const least = pool.at(g, ranking.leader).us * ranking.factor[ranking.leader];
      EXPECT_GT(ranking.leader_us, 0);
      EXPECT_EQ(ranking.finalists, std::min(pool.within_reach(g), detail::plan_finalists));
      EXPECT_EQ(ranking.timed, std::min(pool.within_reach(g), detail::plan_timed));
      for (int k = 0; k < pool.within_reach(g); ++k)
        EXPECT_GE(pool.at(g, k).us * ranking.factor[k], least * (1 - 1e-12)) << n << ' ' << g << ' ' << k;
    }
  }
}
/// What was drawn at random is 64 MiB, or less where its last extent was rounded: 98.5 us through registers where the
/// costs chose windows, 176 us, and 52 us loaded once instead of 123 (H200).
TEST(PlanCorrections, TheSmallestThatWereMeasured) {
  copy_problem rows, repeated;
  rows.element_bytes = 4;
  for (copy_mode const& m : {copy_mode{3, 1, 1}, {85, 32, 3}, {8, 2752, 255}, {7111, 22048, 2040}})
    rows.push(m.extent, m.source, m.target);
  ASSERT_LT(rows.size() * 4, 64 << 20);
  copy_plan const of_rows = plan_copy(rows).plan[0];
  EXPECT_EQ(of_rows.route, copy_route::direct);
  EXPECT_NEAR(of_rows.us, 98.5, 15);
  repeated.element_bytes = 2;
  for (copy_mode const& m : {copy_mode{216, 2064, 1}, {6, 0, 256}, {344, 6, 1536}, {72, 445825, 528384}})
    repeated.push(m.extent, m.source, m.target);
  copy_plan const of_repeated = plan_copy(repeated).plan[0];
  EXPECT_TRUE(of_repeated.launch.once);
  EXPECT_NEAR(of_repeated.us, 52, 8);
}
/// What was not measured goes by the costs alone: small copies, contiguous ones, bases at odd addresses, source modes
/// that run backwards, other devices; and what is at the memory's limit.
TEST(PlanCorrections, OnlyWhereTheyWereMeasured) {
  auto const problem = [](std::int64_t rows, std::int64_t columns) {
    copy_problem p;
    p.element_bytes = 4;
    p.push(rows, columns, 1);
    p.push(columns, 1, rows);
    return p;
  };
  auto const corrected = [](copy_problem const& p, copy_device const& device = {}) {
    copy_plans const plans = plan_copy(p, device);
    bool any = false;
    for (int k = 0; k < plans.kept; ++k) any = any || plans.plan[k].correction != 1;
    return any;
  };
  copy_problem const large = problem(5001, 4097);
  EXPECT_TRUE(corrected(large));
  EXPECT_FALSE(corrected(problem(1001, 4097)));
  copy_device other;
  other.multiprocessors = 114;
  EXPECT_FALSE(corrected(large, other));
  copy_problem p = large;
  p.source_alignment = 4;
  EXPECT_FALSE(corrected(p));
  p = large;
  p.target_offset = 1;
  EXPECT_FALSE(corrected(p));
  p = large;
  p.mode[1].source = -1;
  p.source_offset = 4096;
  EXPECT_FALSE(corrected(p));
  p = {};
  p.element_bytes = 4;
  p.push(1 << 26, 1, 1);
  EXPECT_FALSE(corrected(p));
  for (std::int64_t const n : {8192, 32768}) {
    EXPECT_FALSE(corrected(problem(n, n)));
    EXPECT_EQ(plan_copy(problem(n, n)).plan[0].route, copy_route::transpose);
  }
  p = {};  // whole lines, but tiles of 32 x 32 that are half full
  p.element_bytes = 16;
  p.push(72, 40, 1), p.push(4, 4492800, 72), p.push(1560, 2880, 288), p.push(40, 1, 449280);
  EXPECT_TRUE(corrected(p));
  p = problem(32768, 32768);
  p.element_bytes = 8;
  EXPECT_EQ(plan_copy(p).plan[0].route, copy_route::transpose);
  EXPECT_EQ(plan_copy(p).plan[0].vector, 2);
}
/// A constant is chosen with less counted, as compilers count its steps: one of the best, if not the first.
void expect_of_the_best(copy_plan const& constant, copy_plans const& plans) {
  for (int k = 0; k < plans.kept; ++k)
    if (detail::key_of(plans.problem, plans.plan[k]) == detail::key_of(plans.problem, constant)) {
      EXPECT_LT(plans.plan[k].us, 1.15 * plans.plan[0].us);
      return;
    }
  ADD_FAILURE() << detail::key_of(plans.problem, constant) << " is none of the best";
}
/// Permutations and transposes of hundreds of megabytes, by all compilers as they are: these count what a constant
/// takes.
TEST(PlanCorrections, AreConstantsWithinTheCompilersLimits) {
  using permuted = Layout<Shape<Int<31>, Int<45>, Int<57>, Int<63>, Int<101>>,
                          Stride<Int<161595>, Int<3591>, Int<63>, _1, Int<5009445>>>;
  using in_order = Layout<Shape<Int<31>, Int<45>, Int<57>, Int<63>, Int<101>>>;
  constexpr copy_plan of_permuted = plan_copy(permuted{}, in_order{}, 2).plan[0];
  copy_plans const plans = plan_copy(make_copy_problem(permuted{}, in_order{}, 2));
  expect_of_the_best(of_permuted, plans);
  using all_rows = Layout<Shape<Int<15>, _16, Int<1670563>>>;
  using repeated = Layout<Shape<Int<15>, _16, Int<1670563>>, Stride<_16, _1, _0>>;
  constexpr copy_plan of_repeated = plan_copy(repeated{}, all_rows{}, 1).plan[0];
  copy_plans const at_run_time = plan_copy(make_copy_problem(repeated{}, all_rows{}, 1));
  expect_of_the_best(of_repeated, at_run_time);
}
/// The best first, the costs' own prediction to be had from each plan.
TEST(PlanCorrections, PlansAreInOrder) {
  using rows = Layout<Shape<Int<8191>, Int<4097>>, Stride<Int<4097>, _1>>;
  using columns = Layout<Shape<Int<8191>, Int<4097>>>;
  constexpr copy_plan fixed = plan_copy(rows{}, columns{}, 4).plan[0];
  copy_plans const plans = plan_copy(make_copy_problem(rows{}, columns{}, 4));
  expect_of_the_best(fixed, plans);
  every_plan const all(plans.problem, true);
  EXPECT_EQ(plans.considered, static_cast<int>(all.list.size()));
  ASSERT_EQ(plans.kept, copy_plans_kept);
  for (int k = 0; k < plans.kept; ++k) {
    copy_plan const& plan = plans.plan[k];
    EXPECT_LE(plans.plan[k > 0 ? k - 1 : 0].us, plan.us);
    EXPECT_GT(plan.correction, 0.3);
    EXPECT_LT(plan.correction, 3);
    auto const same = [&](copy_plan const& one) {
      return detail::key_of(plans.problem, one) == detail::key_of(plans.problem, plan);
    };
    auto const found = std::find_if(all.list.begin(), all.list.end(), same);
    ASSERT_NE(found, all.list.end());
    EXPECT_NEAR(found->us, plan.us / plan.correction, 1e-6 * found->us);
  }
}
/// The best of all plans within reach are kept, in order, whatever the order they come in.
TEST(PlanCorrections, ThePoolKeepsTheBestOfEachRoute) {
  detail::plan_pool pool(copy_problem{});
  std::mt19937 random(4);
  std::vector<double> offered;
  for (int n = 0; n < 500; ++n) {
    copy_plan plan;
    plan.route = copy_route::windows;
    plan.us = 100 + static_cast<double>(random() % 1000) / 10;
    pool.offer(plan);
    offered.push_back(plan.us);
    plan.route = copy_route::runs;
    plan.us = 90 - n % 7;
    pool.offer(plan);
  }
  std::sort(offered.begin(), offered.end());
  EXPECT_EQ(pool.considered, 1000);
  int const group = static_cast<int>(copy_route::windows), count = pool.within_reach(group);
  int const within = static_cast<int>(std::count_if(
      offered.begin(), offered.end(), [&](double us) { return us <= offered[0] * detail::plan_tree_reach[group]; }));
  ASSERT_EQ(count, std::min(within, detail::plan_pool::most_of(group)));
  for (int k = 0; k < count; ++k) EXPECT_EQ(pool.at(group, k).us, offered[static_cast<std::size_t>(k)]);
  EXPECT_EQ(pool.limit(copy_route::windows),
            std::min(offered[static_cast<std::size_t>(detail::plan_pool::most_of(group) - 1)],
                     offered[0] * detail::plan_tree_reach[group]));
  EXPECT_EQ(pool.within_reach(static_cast<int>(copy_route::direct)), 0);
}
/// Rows that repeat one element: tiles of sectors read each of their runs from L2 once for each of a row's, those of
/// windows hold it once. On an H200 sectors took 239 and 52 us, registers 58 and 30, windows 44 and 26.
TEST(PlanCorrections, RowsOfOneElementRepeated) {
  copy_problem few;
  few.element_bytes = 4;
  few.push(10041, 0, 1);
  few.push(292, 1, 10041);
  few.push(6, 584, 2931972);
  few.push(2, 292, 17591832);
  EXPECT_EQ(plan_copy(few).plan[0].route, copy_route::windows);
  copy_problem many;
  many.element_bytes = 2;
  many.push(523, 0, 1);
  many.push(69442, 1, 523);
  EXPECT_EQ(plan_copy(many).plan[0].route, copy_route::windows);
}

/// Distinct ones: the same launch is not counted twice.
TEST(CopyTensor, AtLeast500PlansForEveryKindOfProblem) {
  auto const expect_many = [](copy_problem const& p) {
    every_plan const all(p);
    std::set<std::string> distinct;
    for (copy_plan const& plan : all.list) distinct.insert(detail::key_of(all.problem, plan));
    EXPECT_GE(distinct.size(), 500u) << text(p);
    EXPECT_EQ(plan_copy(p).considered, static_cast<int>(all.list.size())) << text(p);
  };
  for (int e = 1; e <= 16; e *= 2) {
    auto const problem = [&](std::initializer_list<copy_mode> modes) {
      copy_problem p;
      p.element_bytes = e;
      for (copy_mode const& m : modes) p.push(m.extent, m.source, m.target);
      expect_many(p);
    };
    problem({{1 << 24, 1, 1}});                                            // contiguous
    problem({{1000, 1, 1}, {5000, 1024, 1024}});                           // pitched
    problem({{1001, 1, 1}, {5000, 1003, 1024}});                           // at odd addresses
    problem({{4096, 4096, 1}, {4096, 1, 4096}});                           // transposed
    problem({{4095, 8193, 1}, {8193, 1, 4095}, {2, 33550335, 33550335}});  // ragged, a batch
    problem({{31, 8127, 1}, {45, 1, 31}, {57, 141, 1395}});                // a slice, permuted
    problem({{512, 0, 1}, {1000, 1, 512}});                                // broadcast
    problem({{512, 1, 1}, {1000, 0, 512}});
    problem({{100, 3, 5}, {1000, 301, 500}});  // strided on both sides
  }
  strides random(9);
  for (int n = 0; n < 30; ++n) expect_many(random.problem(1 << random.below(5), 100000));
}

TEST(CopyTensor, StaticAndHierarchicalLayouts) {
  COSMATI_REQUIRE_DEVICE();
  auto const host = numbers<float>(24 * 10);
  device_buffer<float> in(host), out(host.size());
  out.clear();
  auto const src = make_tensor(make_gmem_ptr(in.data()), make_layout(make_shape(_24{}, 10), make_stride(10, _1{})));
  // The same 24 x 10, the first mode as 4 x 6.
  auto const dst = make_tensor(make_gmem_ptr(out.data()), make_layout(make_shape(make_shape(_4{}, _6{}), 10),
                                                                      make_stride(make_stride(60, 10), 1)));
  copy_tensor(src, dst);
  auto const got = out.download();
  for (std::size_t i = 0; i < 24; ++i)
    for (std::size_t j = 0; j < 10; ++j) EXPECT_EQ(got[i % 4 * 60 + i / 4 * 10 + j], host[10 * i + j]) << i << ' ' << j;
}
TEST(CopyTensor, BroadcastRow) {
  COSMATI_REQUIRE_DEVICE();
  auto const host = numbers<std::uint16_t>(100);
  device_buffer<std::uint16_t> in(host), out(7 * 100);
  copy_tensor(make_tensor(make_gmem_ptr(in.data()), make_layout(make_shape(7, 100), make_stride(0, 1))),
              make_tensor(make_gmem_ptr(out.data()), make_layout(make_shape(7, 100), make_stride(100, 1))));
  auto const got = out.download();
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], host[i % 100]);
}
/// Rows of `columns` elements, converted, and the same transposed.
template <class From, class To>
void expect_converted(int columns, int gap) {
  int const rows = 9, pitch = columns + gap;
  std::vector<From> host(static_cast<std::size_t>(rows * pitch));
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<From>(static_cast<float>(i % 120) + 0.25f);
  device_buffer<From> in(host);
  device_buffer<To> out(static_cast<std::size_t>(rows * pitch));
  out.clear();
  auto const src = make_tensor(make_gmem_ptr(in.data()), make_layout(make_shape(rows, columns), make_stride(pitch, 1)));
  for (bool const transposed : {false, true}) {
    auto const dst =
        make_tensor(make_gmem_ptr(out.data()),
                    make_layout(make_shape(rows, columns), transposed ? make_stride(1, rows) : make_stride(pitch, 1)));
    copy_tensor(src, dst);
    auto const got = out.download();
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) {
        auto const at = static_cast<std::size_t>(transposed ? i + rows * j : pitch * i + j);
        ASSERT_TRUE(got[at] == static_cast<To>(host[static_cast<std::size_t>(pitch * i + j)])) << i << ' ' << j;
      }
    }
  }
}
TEST(CopyTensor, Converts) {
  COSMATI_REQUIRE_DEVICE();
  for (int columns : {64, 61, 131}) {
    expect_converted<float, bfloat16_t>(columns, 0);
    expect_converted<bfloat16_t, float>(columns, 3);
    expect_converted<float, half_t>(columns, 0);
    expect_converted<half_t, float>(columns, 1);
    expect_converted<float, float_e4m3_t>(columns, 0);
    expect_converted<float_e5m2_t, half_t>(columns, 0);
    expect_converted<std::int32_t, float>(columns, 0);
    expect_converted<double, std::int8_t>(columns, 0);
    expect_converted<std::uint8_t, std::int64_t>(columns, 0);
  }
}
/// At addresses that are no multiples of the elements' sizes: those of complex numbers need not be.
template <class From, class To, class Number>
void expect_converted_at(std::size_t from, std::size_t to) {
  int const rows = 7, columns = 33;
  std::vector<From> host(static_cast<std::size_t>(rows * columns));
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = From(static_cast<Number>(i % 100 + 1));
  std::vector<unsigned char> bytes(from + host.size() * sizeof(From)), filled(to + host.size() * sizeof(To) + 16, 0xa5);
  std::memcpy(bytes.data() + from, host.data(), host.size() * sizeof(From));
  device_buffer<unsigned char> in(bytes);
  for (bool const transposed : {false, true}) {
    device_buffer<unsigned char> out(filled);
    auto const layout = make_layout(make_shape(rows, columns), make_stride(columns, 1));
    auto const other = transposed ? make_layout(make_shape(rows, columns), make_stride(1, rows)) : layout;
    copy_tensor(make_tensor(make_gmem_ptr(reinterpret_cast<From const*>(in.data() + from)), layout),
                make_tensor(make_gmem_ptr(reinterpret_cast<To*>(out.data() + to)), other));
    auto wanted = filled;
    for (int i = 0; i < rows * columns; ++i) {
      To const x = static_cast<To>(host[static_cast<std::size_t>(layout(i))]);
      std::memcpy(wanted.data() + to + static_cast<std::size_t>(other(i)) * sizeof(To), &x, sizeof x);
    }
    EXPECT_TRUE(out.download() == wanted) << sizeof(From) << " at " << from << " to " << sizeof(To) << " at " << to;
  }
}
TEST(CopyTensor, ConvertsAtAnyAddress) {
  COSMATI_REQUIRE_DEVICE();
  for (std::size_t const shift : {0u, 4u, 8u, 12u}) {
    expect_converted_at<complex<float>, complex<double>, float>(4, shift);
    expect_converted_at<complex<double>, complex<float>, double>(shift, 4);
  }
  for (std::size_t const shift : {0u, 1u, 2u, 3u, 5u}) {
    expect_converted_at<float, half_t, float>(shift, 0);
    expect_converted_at<half_t, float, float>(2, shift);
    expect_converted_at<float, float_e4m3_t, float>(shift, shift);
    expect_converted_at<std::int8_t, double, int>(1, shift);
  }
}
/// Every element has the bits that a cast on the host gives, NaNs any of a NaN's.
template <class From, class To>
void expect_cast(std::vector<From> const& host) {
  device_buffer<From> in(host);
  device_buffer<To> out(host.size());
  out.clear();
  int const n = static_cast<int>(host.size());
  copy_tensor(make_tensor(make_gmem_ptr(in.data()), make_layout(n)),
              make_tensor(make_gmem_ptr(out.data()), make_layout(n)));
  auto const got = out.download();
  for (std::size_t i = 0; i < host.size(); ++i) {
    To const wanted = static_cast<To>(host[i]);
    bool const both_nan = wanted != wanted && got[i] != got[i];
    ASSERT_TRUE(both_nan || std::memcmp(&wanted, &got[i], sizeof wanted) == 0)
        << i << ": " << static_cast<float>(host[i]) << " -> " << static_cast<float>(got[i]);
  }
}
/// All there are of 8 or 16 bits.
template <class T>
std::vector<T> all_codes() {
  std::vector<T> codes;
  for (unsigned k = 0; k < 1u << (8 * sizeof(T)); ++k) codes.push_back(T::from_code(k));
  return codes;
}
TEST(CopyTensor, ConvertsEveryNumberAsACastDoes) {
  COSMATI_REQUIRE_DEVICE();
  std::vector<float> floats = {0.f,     -0.f,    INFINITY, -INFINITY, NAN,   448.f,  464.f,   465.f,
                               57344.f, 61440.f, 65519.f,  65520.f,   1e-8f, 1e-40f, 3.4e38f, -3.4e38f};
  std::mt19937 random(5);
  while (floats.size() % 64 != 37 || floats.size() < 20000) {  // of all magnitudes, more of those that 8 bits hold
    float const f = static_cast<float>(random()) / 4294967296.f - 0.5f;
    floats.push_back(std::ldexp(
        f, static_cast<int>(random() % (floats.size() % 2 != 0 ? 250 : 36)) - (floats.size() % 2 != 0 ? 125 : 20)));
  }
  auto const halves = all_codes<half_t>();
  auto const bfloats = all_codes<bfloat16_t>();
  expect_cast<float, half_t>(floats);
  expect_cast<float, bfloat16_t>(floats);
  expect_cast<float, float_e4m3_t>(floats);
  expect_cast<float, float_e5m2_t>(floats);
  expect_cast<half_t, float>(halves);
  expect_cast<half_t, float_e4m3_t>(halves);
  expect_cast<half_t, float_e5m2_t>(halves);
  expect_cast<bfloat16_t, float_e4m3_t>(bfloats);
  expect_cast<bfloat16_t, half_t>(bfloats);
  expect_cast<float_e4m3_t, float>(all_codes<float_e4m3_t>());
  expect_cast<float_e4m3_t, half_t>(all_codes<float_e4m3_t>());
  expect_cast<float_e4m3_t, bfloat16_t>(all_codes<float_e4m3_t>());
  expect_cast<float_e5m2_t, float>(all_codes<float_e5m2_t>());
  expect_cast<float_e5m2_t, half_t>(all_codes<float_e5m2_t>());
}
TEST(CopyTensor, NothingToCopy) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> in(4), out(std::vector<float>(4, 2.f));
  copy_tensor(make_tensor(make_gmem_ptr(in.data()), make_layout(make_shape(0, 3))),
              make_tensor(make_gmem_ptr(out.data()), make_layout(make_shape(0, 3))));
  EXPECT_EQ(out.download(), std::vector<float>(4, 2.f));
}
TEST(CopyTensor, SaysWhatIsWrong) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> buffer(64);
  auto const view = [&](auto layout) { return make_tensor(make_gmem_ptr(buffer.data()), layout); };
  auto const message = [&](auto source, auto target) -> std::string {
    try {
      copy_tensor(view(source), view(target));
    } catch (error const& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_NE(message(make_layout(make_shape(4, 5)), make_layout(make_shape(4, 6)))
                .find("mode 1 of src is of size 5, that of dst of size 6"),
            std::string::npos);
  EXPECT_NE(message(make_layout(make_shape(4, 5)), make_layout(make_shape(4, 5), make_stride(1, 0)))
                .find("a mode of extent 5 has stride 0 in the destination"),
            std::string::npos);
  EXPECT_NE(message(make_layout(make_shape(make_shape(4, 3), 1)), make_layout(make_shape(make_shape(6, 2), 1)))
                .find("mode 0 is cut at 4 in src and at 6 in dst"),
            std::string::npos);
}

/// What the call throws.
template <class Call>
std::string thrown(Call const& call) {
  try {
    call();
  } catch (error const& e) {
    return e.what();
  }
  return "no error";
}
#define EXPECT_SAYS(text, ...)                             \
  do {                                                     \
    std::string const says = thrown([&] { __VA_ARGS__; }); \
    EXPECT_NE(says.find(text), std::string::npos) << says; \
  } while (false)

TEST(CopyTensor, RefusesWhatItsIntegersCannotHold) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> in(64), out(std::vector<float>(64, 2.f));
  device_buffer<half_t> halves(64);
  auto const from = [&](auto layout) { return make_tensor(make_gmem_ptr(in.data()), layout); };
  auto const to = [&](auto layout) { return make_tensor(make_gmem_ptr(out.data()), layout); };
  std::int64_t const b32 = std::int64_t{1} << 32, b62 = std::int64_t{1} << 62;
  auto const square = make_shape(b32, b32);
  EXPECT_SAYS("mode 1 of extent 4294967296, times 4294967296 elements of the modes before, is more than 2^56",
              copy_tensor(from(make_layout(square, make_stride(0, 0))), to(make_layout(square, make_stride(1, b32)))));
  EXPECT_SAYS("mode 0 of src is cut into an extent of 4294967296 and others of 4294967296 elements",
              copy_tensor(from(make_layout(make_shape(square, 1), make_stride(make_stride(0, 0), 0))),
                          to(make_layout(make_shape(5, 1)))));
  EXPECT_SAYS("with mode 1 of extent 4, stride 4611686018427387904 in the source and 4 in the destination",
              copy_tensor(from(make_layout(make_shape(4, 4), make_stride(1, b62))), to(make_layout(make_shape(4, 4)))));
  EXPECT_SAYS("with mode 0 of extent 2, stride -9223372036854775808 in the source",
              copy_tensor(from(make_layout(2, std::numeric_limits<std::int64_t>::min())), to(make_layout(2))));
  EXPECT_SAYS("mode 0 of src has extent -4; extents are 0 or more",
              copy_tensor(from(make_layout(make_shape(-4, 10))), to(make_layout(make_shape(-4, 10)))));
  EXPECT_SAYS("mode 1 of dst has extent -3",
              copy_tensor(from(make_layout(make_shape(0, 3))), to(make_layout(make_shape(0, -3)))));
  EXPECT_SAYS("mode 0 of src has extent -4",
              copy_tensor(from(make_layout(-4)), make_tensor(make_gmem_ptr(halves.data()), make_layout(-4))));
  EXPECT_EQ(out.download(), std::vector<float>(64, 2.f));
  auto const sixteen = make_layout(make_shape(4, 4));
  for (int const bytes : {0, 3, 32, -4})
    EXPECT_SAYS("elements of " + std::to_string(bytes) + " bytes: they are of 1, 2, 4, 8 or 16",
                (void)plan_copy(sixteen, sixteen, bytes));
  copy_problem p;
  p.source_offset = b62;
  EXPECT_SAYS(
      "it begins at element 4611686018427387904 of the source and 0 of the destination, the most is 2^56 from either "
      "base; "
      "mend the offsets",
      (void)plan_copy(p));
  p = {};
  p.rank = 33;
  EXPECT_SAYS("a problem of rank 33, where 0 to 32 are possible; append modes by push", (void)plan_copy(p));
  // The largest that there may be is planned.
  p = {};
  p.element_bytes = 16;
  p.push(1 << 28, 1 << 28, 1), p.push(1 << 28, 1, 1 << 28);
  EXPECT_GT(plan_copy(p).plan[0].us, 1e11);
}
TEST(CopyTensor, ProblemsOfManyModes) {
  copy_problem p;
  p.element_bytes = 4;
  for (int m = 0; m < 20; ++m) p.push(1, 5, 7), p.push(1, 0, 0), p.push(2, std::int64_t{1} << m, std::int64_t{1} << m);
  EXPECT_LE(p.rank, copy_max_modes);
  EXPECT_EQ(p.size(), 1 << 20);
  EXPECT_TRUE(is_contiguous(simplified(p)));
  p = {};  // the outer mode first
  for (int m = 39; m >= 0; --m) p.push(2, std::int64_t{1} << m, std::int64_t{1} << m);
  EXPECT_EQ(p.size(), std::int64_t{1} << 40);
  EXPECT_TRUE(is_contiguous(simplified(p)));
  p = {};
  std::int64_t stride = 1;
  for (int m = 0; m < copy_max_modes; ++m, stride *= 3) p.push(2, stride, stride);
  EXPECT_SAYS("32 modes that cannot be merged, and one more of extent 5; the most is 32, and 8 after merging",
              p.push(5, 1, 1));
  EXPECT_EQ(p.rank, copy_max_modes);
  EXPECT_SAYS("32 modes remain after merging what can be merged, the most is 8", (void)simplified(p));
}
/// Eight modes that cannot be merged, at addresses that cut elements into pieces: a ninth.
TEST(CopyTensor, EightModesAtAnyAddress) {
  COSMATI_REQUIRE_DEVICE();
  std::mt19937 random(21);
  for (int const e : {4, 16}) {
    copy_problem p;
    p.element_bytes = e;
    std::int64_t source = 1, target = 1;
    for (int m = 0; m < 8; ++m) {
      std::int64_t const extent = 2 + m % 2;
      p.push(extent, source, target);
      source *= extent + 1;
      target = target * extent + m % 2;
    }
    for (int const shift : {1, e / 2}) {
      expect_copied(p, static_cast<std::size_t>(shift), 0, true, random);
      expect_copied(p, 0, static_cast<std::size_t>(shift), false, random);
    }
    p.push(2, source, target);
    EXPECT_SAYS("9 modes remain after merging", (void)plan_copy(p));
    p.source_alignment = 1;
    EXPECT_SAYS("modes remain after merging", (void)plan_copy(p));
  }
}

TEST(CopyTensor, TargetsWhoseElementsMeet) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> in(numbers<float>(64)), out(std::vector<float>(64, 2.f));
  auto const square = make_shape(4, 4);
  EXPECT_SAYS(
      "two elements of the destination are one place, steps of -2 in the mode of extent 4 and stride 1, 1 in the mode "
      "of "
      "extent 4 and stride 2 apart",
      copy_tensor(make_tensor(make_gmem_ptr(in.data()), make_layout(square)),
                  make_tensor(make_gmem_ptr(out.data()), make_layout(square, make_stride(1, 2)))));
  EXPECT_EQ(out.download(), std::vector<float>(64, 2.f));
  // Random strides, against a set of all offsets.
  std::mt19937 random(31);
  auto const below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int met = 0, interleaved = 0;
  for (int n = 0; n < 4000; ++n) {
    copy_problem p;
    int const rank = 1 + below(5);
    std::int64_t reach = 0;
    bool nested = true;
    for (int m = 0; m < rank; ++m) {
      int const stride = 1 + below(1 << below(8));
      p.push(1 + below(6), m, below(2) ? stride : -stride);
      nested = nested && (stride > reach || p.mode[m].extent == 1);
      reach += (p.mode[m].extent - 1) * stride;
    }
    std::set<std::int64_t> places;
    std::int64_t elements = 0;
    for_every_element(p, [&](std::int64_t, std::int64_t t) { places.insert(t), ++elements; });
    bool const distinct = places.size() == static_cast<std::size_t>(elements);
    std::string const says = thrown([&] { (void)simplified(p); });
    EXPECT_EQ(says == "no error", distinct) << text(p) << ' ' << says;
    met += !distinct;
    interleaved += distinct && !nested;
  }
  EXPECT_GT(met, 500);
  EXPECT_GT(interleaved, 200);
  copy_problem far;  // two modes are decided whatever their extents are
  far.push(1000003, 1, 1000033), far.push(1000033, 1, 1000003);
  EXPECT_EQ(simplified(far).rank, 2);
  ++far.mode[0].extent, ++far.mode[1].extent;
  EXPECT_SAYS("1000003 in the mode of extent 1000004 and stride 1000033 apart", (void)simplified(far));
  static_assert(plan_copy(Layout<Shape<_3, _2>>{}, Layout<Shape<_3, _2>, Stride<_2, _3>>{}, 4).kept > 0);
  static_assert(plan_copy(Layout<Shape<_2, _2, _4>>{}, Layout<Shape<_2, _2, _4>, Stride<_3, _2, _6>>{}, 4).kept > 0);
}

/// Source and target in one buffer: against a copy through another one, where they do not meet.
TEST(CopyTensor, SidesThatMeet) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> buffer(std::vector<float>(128 * 64, 2.f));
  auto const at = [&](int offset, auto layout) { return make_tensor(make_gmem_ptr(buffer.data() + offset), layout); };
  char const* const refused = "elements of dst lie where other elements of src do";
  auto const columns = make_layout(make_shape(64, 64));
  auto const rows = make_layout(make_shape(64, 64), make_stride(64, 1));
  EXPECT_SAYS(refused, copy_tensor(at(0, columns), at(0, rows)));
  EXPECT_SAYS(refused, copy_tensor(at(0, make_layout(make_shape(128, 64))),
                                   at(0, make_layout(make_shape(128, 64), make_stride(64, 1)))));
  EXPECT_SAYS(refused, copy_tensor(at(0, make_layout(make_shape(64, 64), make_stride(1, 80))),
                                   at(0, make_layout(make_shape(64, 64), make_stride(80, 1)))));
  EXPECT_SAYS(refused, copy_tensor(at(0, make_layout(4000)), at(1, make_layout(4000))));
  EXPECT_SAYS(refused, copy_tensor(at(1, make_layout(4000)), at(0, make_layout(4000))));
  EXPECT_SAYS(refused, copy_tensor(at(63, make_layout(64, -1)), at(0, make_layout(64))));
  EXPECT_SAYS(refused, copy_tensor(at(3, make_layout(64, 0)), at(0, make_layout(64))));
  auto* const halves = reinterpret_cast<half_t*>(buffer.data());
  EXPECT_SAYS(refused, copy_tensor(at(0, make_layout(4000)), make_tensor(make_gmem_ptr(halves), make_layout(4000))));
  EXPECT_EQ(buffer.download(), std::vector<float>(128 * 64, 2.f));

  auto const host = numbers<float>(128 * 64);
  auto const copied = [&](int from, auto source, int to, auto target) {
    buffer = device_buffer<float>(host);
    copy_tensor(at(from, source), at(to, target));
    auto wanted = host;
    for (int i = 0; i < static_cast<int>(size(source)); ++i)
      wanted[static_cast<std::size_t>(to + target(i))] = host[static_cast<std::size_t>(from + source(i))];
    EXPECT_TRUE(buffer.download() == wanted);
  };
  copied(0, columns, 0, columns);                                      // to itself
  copied(0, make_layout(1000, 2), 1, make_layout(1000, 2));            // even to odd
  copied(0, make_layout(make_shape(50, 64), make_stride(1, 100)), 50,  // left half to right half
         make_layout(make_shape(50, 64), make_stride(1, 100)));
  copied(0, make_layout(make_shape(50, 40), make_stride(1, 100)), 50,  // the same, transposed
         make_layout(make_shape(50, 40), make_stride(100, 1)));
  copied(0, make_layout(100), 100, make_layout(100));  // side by side
  // The target in the source's gaps, which windows would read with the source.
  copied(0, make_layout(make_shape(3, 9, 50), make_stride(1, 8, 72)), 4,
         make_layout(make_shape(3, 9, 50), make_stride(1, 8, 72)));
  copied(0, make_layout(make_shape(3, 9, 50), make_stride(1, 8, 72)), 4,
         make_layout(make_shape(3, 9, 50), make_stride(1, 400, 8)));
  copied(3, make_layout(2), 2, make_layout(2, 2));  // one element meets itself
}

TEST(CopyTensor, LoadsOnceWhatIsRepeated) {
  COSMATI_REQUIRE_DEVICE();
  random_copies::strides draw(17);
  std::mt19937 random(17);
  int once = 0;
  for (int n = 0; n < 300 && !testing::Test::HasFailure(); ++n) {
    copy_problem p = draw.problem(1 << draw.below(5), 20000);
    for (int m = 1 + draw.below(p.rank); m < p.rank; m += 1 + draw.below(3)) p.mode[m].source = 0;
    p.source_offset = draw.below(17) - random_copies::span(p, true).low;
    auto const shift = [&] { return static_cast<std::size_t>(draw.one_in(2) ? 0 : draw.below(16)); };
    random_copies::expect_copied_by(p, shift(), shift(), random, [&](copy_plans const& plans) {
      random_copies::every_plan all(plans.problem);
      std::erase_if(all.list, [](copy_plan const& plan) { return !plan.launch.once; });
      if (all.list.empty()) return plans.plan[0];
      ++once;
      return all.list[random() % all.list.size()];
    });
  }
  EXPECT_GE(once, 100);
  // More places than a grid has rows, and parts of them for each thread.
  copy_problem few;
  few.element_bytes = 4;
  few.push(3, 1, 1);
  few.push(70000, 0, 5);
  random_copies::expect_copied_by(few, 0, 0, random, [&](copy_plans const& plans) {
    EXPECT_EQ(plans.problem.mode[1].source, 0);
    copy_plan plan;
    plan.launch = {.threads = 64, .once = true};
    return plan;
  });
}

/// How `copy_once` divides a problem of so many bytes an element.
constexpr once_windows windows_of(int bytes, std::initializer_list<copy_mode> modes, int vector, int threads) {
  copy_problem p;
  p.element_bytes = bytes;
  for (copy_mode const& m : modes) p.push(m.extent, m.source, m.target);
  return once_windows::of(p, vector, threads);
}

TEST(CopyTensor, BlocksGoOnToWhatIsRepeated) {
  COSMATI_REQUIRE_DEVICE();
  // Three floats at 70000 places side by side: 344 of these are 258 windows of 16 bytes, more than a block's 256, and
  // begin where the next ones do.
  constexpr once_windows few = windows_of(4, {{3, 1, 1}, {70000, 0, 3}}, 4, 256);
  static_assert(few.together == 344 && few.left == 70000 % 344 && few.in_run && few.run_modes == 2);
  static_assert(few.run_length == 1032 && few.windows == 258 && !few.turns && few.places == 204);
  static_assert(few.place[0].extent == 204 && few.place[0].target == 1032 && few.slots() == 258);
  // An eighth of the places at most, and what makes whole windows; none where a run has one for each thread.
  constexpr once_windows eighth = windows_of(4, {{3, 1, 1}, {70, 0, 3}, {5, 3, 210}}, 4, 256);
  static_assert(eighth.together == 8 && eighth.places == 9 && eighth.loaded.rank == 3 && eighth.slots() == 35);
  constexpr once_windows none = windows_of(4, {{3, 1, 1}, {1000, 4, 3}, {70000, 0, 3000}}, 4, 256);
  static_assert(none.together == 1 && none.run_modes == 2 && none.places == 70000 && none.windows == 750);
  // As many of few places as do not turn, where runs are short.
  constexpr once_windows half = windows_of(4, {{3, 1, 1}, {11, 0, 3}}, 4, 256);
  static_assert(half.together == 4 && half.left == 3 && half.places == 3 && !half.turns);
  // Places with gaps between them are slots of their own.
  constexpr once_windows gaps = windows_of(4, {{3, 1, 1}, {70, 0, 4}}, 4, 256);
  static_assert(gaps.together == 8 && !gaps.in_run && gaps.windows == 1 && gaps.slots() == 8 && gaps.slots_inside == 1);
  // Where they lie differently to 16 bytes, a run may have one window more, and its windows turn.
  constexpr once_windows turning = windows_of(1, {{100, 1, 1}, {7, 0, 101}}, 16, 64);
  static_assert(turning.turns && turning.windows == 8 && turning.places == 7);
  static_assert(!windows_of(1, {{100, 1, 1}, {7, 0, 101}}, 1, 64).turns);
  static_assert(windows_of(1, {{100, 1, 1}, {7, 0, 101}}, 0, 64).bytes == 1);  // no kernel's, which is said elsewhere
  // A first mode with gaps: each element by itself.
  static_assert(windows_of(1, {{100, 1, 2}, {7, 0, 200}}, 1, 64).run_length == 1);
  // Not so many that slots are no longer numbers of 31 bits.
  constexpr once_windows large = windows_of(4, {{3, 1, 1}, {70000, 0, 3}, {1 << 28, 3, 210000}}, 4, 256);
  static_assert(large.together == 1 && large.fit());
  static_assert(!windows_of(4, {{3, 1, 1}, {70, 0, 3}, {1 << 30, 3, 210}}, 1, 256).fit());
  // A full turn of the multiprocessors, and no more shares than that: each loads.
  static_assert(few.places_each(256, 132) == 1 && none.places_each(256, 132) == 199);

  std::mt19937 random(5);
  random_copies::strides draw(5);
  for (int n = 0; n < 200 && !testing::Test::HasFailure(); ++n) {
    // Few elements, places of which some do not fill the last, and then what is not repeated, or is again.
    copy_problem p;
    p.element_bytes = 1 << draw.below(5);
    int const inner = 1 + draw.below(20), between = draw.one_in(2) ? 1 + draw.below(4) : 1,
              places = 16 + draw.below(300);
    bool const again = draw.one_in(2);
    p.push(inner, draw.one_in(2) ? 1 : 7, 1);
    p.push(between, 150, inner + 1);
    p.push(places, 0, (inner + 1) * between);
    p.push(1 + draw.below(5), again ? 0 : 1000, (inner + 1) * between * (places + 1));
    p.push(1 + draw.below(3), 5000, (inner + 1) * between * (places + 1) * 5);
    random_copies::expect_copied_by(p, 0, draw.below(16), random, [&](copy_plans const& plans) {
      random_copies::every_plan all(plans.problem);
      std::erase_if(all.list, [](copy_plan const& plan) { return !plan.launch.once; });
      EXPECT_FALSE(all.list.empty());
      return all.list.empty() ? plans.plan[0] : all.list[random() % all.list.size()];
    });
  }
}

TEST(CopyTensor, PlansThatThereAreNoKernelsFor) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> buffer(64);
  bool once = false;
  auto const message = [&](int vector, int at_once, std::int64_t pitch) -> std::string {
    copy_problem p;
    p.element_bytes = 4;
    p.push(4, 1, 1);
    p.push(4, pitch, 4);
    copy_plan plan;
    plan.vector = vector;
    plan.together = true;
    plan.launch.at_once = at_once;
    plan.launch.once = once;
    try {
      launch_plan(simplified(p, false), plan, buffer.data(), buffer.data() + 32);
    } catch (error const& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(1, 3, 8), "launch_plan: the plan's launch.at_once is 3; there are kernels for 1, 2, 4");
  EXPECT_EQ(message(1, 0, 4), "launch_plan: the plan's launch.at_once is 0; there are kernels for 1, 2, 4");
  for (int const vector : {0, 3, 8})
    EXPECT_NE(message(vector, 1, 8)
                  .find("vectors have " + std::to_string(vector) +
                        " elements of 4 bytes; there are kernels for powers of two up to 4"),
              std::string::npos)
        << message(vector, 1, 8);
  once = true;
  EXPECT_EQ(message(1, 2, 8),
            "launch_plan: the plan's launch.once goes with launch.at_once 1, not 2, and with elements as they are");
  copy_problem repeated;
  repeated.element_bytes = 4;
  repeated.push(4, 1, 1);
  repeated.push(std::int64_t{1} << 31, 0, 4);
  copy_plan plan;
  plan.launch.once = true;
  try {
    launch_plan(repeated, plan, buffer.data(), buffer.data());
    ADD_FAILURE() << "no error";
  } catch (error const& e) {
    EXPECT_NE(std::string(e.what()).find("windows and 2147483648 places"), std::string::npos) << e.what();
  }
}

TEST(CopyTensor, PlansThatAreNotTheProblems) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> in(64), out(std::vector<float>(64, 2.f));
  copy_problem p;
  p.element_bytes = 4;
  p.push(4, 8, 1), p.push(3, 1, 8);
  auto const with = [&](auto const& change) {
    return [&, change] {
      copy_problem q = p;
      copy_plan plan;
      void const* source = in.data();
      change(q, plan, source);
      launch_plan(q, plan, source, out.data());
    };
  };
  using P = copy_problem&;
  using L = copy_plan&;
  using S = void const*&;
  for (int const threads : {0, -32, 31, 33, 2048})
    EXPECT_SAYS(
        "the plan's launch.threads is " + std::to_string(threads) +
            ", and blocks have a multiple of 32 threads, at most 1024; take a plan of plan_copy for this problem",
        with([&](P, L plan, S) { plan.launch.threads = threads; })());
  EXPECT_SAYS("launch.blocks is -1", with([](P, L plan, S) { plan.launch.blocks = -1; })());
  EXPECT_SAYS("no mode of the problem but the first repeats", with([](P, L plan, S) { plan.launch.once = true; })());
  EXPECT_SAYS("launch.once goes with vectors of one element or of 4, 8 or 16 bytes, and not with 2 elements of 1",
              with([](P q, L plan, S) {
                q.element_bytes = 1, q.mode[1].source = 0, plan.vector = 2, plan.launch.once = true;
              })());
  EXPECT_SAYS("vectors of 4 elements go together, and those of the source are not all at multiples of 16 bytes",
              with([](P, L plan, S) { plan.vector = 4, plan.together = true; })());
  EXPECT_SAYS("vectors have 2 elements, and the problem's first mode does not lie together in the target",
              with([](P q, L plan, S) {
                plan.vector = 2, q.mode[0] = {4, 1, 2};
              })());
  auto const transposes = [](L plan, int column, int row, int vector) {
    plan.route = copy_route::transpose, plan.column_mode = column, plan.row_mode = row, plan.vector = vector;
  };
  EXPECT_SAYS("column_mode is 2 and row_mode 0, and they are two of the problem's 2 modes",
              with([&](P, L plan, S) { transposes(plan, 2, 0, 1); })());
  EXPECT_SAYS("column_mode is 0, of stride 8 in the source, and row_mode 1, of stride 8 in the target: both are 1",
              with([&](P, L plan, S) { transposes(plan, 0, 1, 1); })());
  EXPECT_SAYS("vectors have 2 elements, of which extents of modes 1 and 0",
              with([&](P, L plan, S) { transposes(plan, 1, 0, 2); })());
  EXPECT_SAYS("vectors have 8 elements of 4 bytes", with([&](P, L plan, S) { transposes(plan, 1, 0, 8); })());
  EXPECT_SAYS("and a grid has fewer than 2^31 blocks", with([&](P q, L plan, S) {
                transposes(plan, 1, 0, 1);
                q.push(std::int64_t{1} << 31, 64, 64);
              })());
  auto const tiles = [](L plan, copy_route route, std::int64_t first, std::int64_t second) {
    plan.route = route, plan.tile.extent[0] = first, plan.tile.extent[1] = second;
  };
  for (copy_route const route : {copy_route::runs, copy_route::windows}) {
    EXPECT_SAYS("tile.extent[0] is 0, and the mode has 4 elements",
                with([&](P, L plan, S) { tiles(plan, route, 0, 3); })());
    EXPECT_SAYS("tile.extent[1] is 4, and the mode has 3 elements",
                with([&](P, L plan, S) { tiles(plan, route, 4, 4); })());
    EXPECT_SAYS("tile.source_modes is 0, of a problem of 2 modes",
                with([&](P, L plan, S) { tiles(plan, route, 4, 3), plan.tile.source_modes = 0; })());
    EXPECT_SAYS("tile.target_modes is 2, and mode 1 does not begin where those before end: its stride is 30",
                with([&](P q, L plan, S) {
                  tiles(plan, route, 4, 3), plan.tile.target_modes = 2;
                  q.mode[1].target = 30;
                })());
    EXPECT_SAYS("tile.source_modes is 2, and mode 0 does not begin where those before end: its stride is 90",
                with([&](P q, L plan, S) {
                  tiles(plan, route, 4, 3), plan.tile.source_modes = 2;
                  q.mode[0] = {4, 90, 1}, q.mode[1] = {3, 1, 4};
                })());
    EXPECT_SAYS("tile.padding is -1 words",
                with([&](P, L plan, S) { tiles(plan, route, 4, 3), plan.tile.padding = -1; })());
    EXPECT_SAYS("which takes no negative strides", with([&](P q, L plan, S) {
                  tiles(plan, route, 4, 3);
                  q.mode[1].source = -1;
                })());
    EXPECT_SAYS("more than shared memory has room for", with([&](P q, L plan, S) {
                  q.mode[0] = {1000, 1000, 1}, q.mode[1] = {1000, 1, 1000};
                  tiles(plan, route, 1000, 200);
                })());
  }
  // Gaps count where a tile is loaded, and where it is stored.
  EXPECT_SAYS("tile has 12000 elements of 4 bytes, in runs from first to last of 59984 and rows of 12000",
              with([&](P q, L plan, S) {
                q.mode[0] = {4, 1, 1}, q.mode[1] = {3000, 20, 4};
                tiles(plan, copy_route::windows, 4, 3000), plan.tile.source_modes = plan.tile.target_modes = 2;
              })());
  // A mode that neither side's runs take from: windows take a divisor of one that repeats the source.
  auto const beyond = [&](P q, L plan, copy_route route, std::int64_t source, std::int64_t part) {
    tiles(plan, route, 4, 3);
    q.push(6, source, 100);
    plan.tile.extent[2] = part;
  };
  EXPECT_SAYS("tile.extent[2] is 3, and the mode is in neither side's runs: 1",
              with([&](P q, L plan, S) { beyond(q, plan, copy_route::windows, 40, 3); })());
  EXPECT_SAYS("tile.extent[2] is 3, and the mode is in neither side's runs: 1",
              with([&](P q, L plan, S) { beyond(q, plan, copy_route::runs, 0, 3); })());
  EXPECT_SAYS("tile.extent[2] is 4, and the mode, which repeats the source, has 6 elements: a divisor",
              with([&](P q, L plan, S) { beyond(q, plan, copy_route::windows, 0, 4); })());
  EXPECT_SAYS(
      "tile.extent[2] is 2, and the mode, which repeats the source, has 2147483648 elements: a divisor, and 1 "
      "of more than 1073741824",
      with([&](P q, L plan, S) {
        beyond(q, plan, copy_route::windows, 0, 2);
        q.mode[2].extent = std::int64_t{1} << 31;
      })());
  EXPECT_SAYS("tile stores 25165824 elements; the most is 16777216", with([&](P q, L plan, S) {
                beyond(q, plan, copy_route::windows, 0, 1 << 21);
                q.mode[2].extent = 1 << 21;
              })());
  EXPECT_SAYS("tile has runs of 300 elements of the source; the most is 256", with([&](P q, L plan, S) {
                q.mode[0] = {4, 300, 1}, q.mode[1] = {300, 1, 4};
                tiles(plan, copy_route::runs, 4, 300);
              })());
  auto const sectors = [](L plan, sector_tile const& tile) { plan.route = copy_route::sectors, plan.sectors = tile; };
  EXPECT_SAYS("sectors.row_length is 33 elements of 4 bytes", with([&](P, L plan, S) {
                sectors(plan, {1, 1, 3, 33});
              })());
  EXPECT_SAYS("sectors.run_length is 4, and there are 3 rows", with([&](P, L plan, S) {
                sectors(plan, {1, 1, 4, 32});
              })());
  EXPECT_SAYS("sectors have mode 0 in a run of the source and in a row of the target", with([&](P q, L plan, S) {
                q.mode[0].source = 1, q.mode[1].source = 4, sectors(plan, {1, 1, 3, 32});
              })());
  EXPECT_SAYS("the plan's route is 5, which is none", with([](P, L plan, S) { plan.route = copy_route{5}; })());
  // What is wrong with the problem itself, or with addresses.
  EXPECT_SAYS("elements of 3 bytes", with([](P q, L, S) { q.element_bytes = 3; })());
  EXPECT_SAYS("mode 1 has extent -3", with([](P q, L, S) { q.mode[1].extent = -3; })());
  EXPECT_SAYS("a problem of rank 40, where 0 to 32 are possible; append modes by push",
              with([](P q, L, S) { q.rank = 40; })());
  EXPECT_SAYS("source_alignment 12, target_alignment 16, apart_alignment 1: each is a power of two",
              with([](P q, L, S) { q.source_alignment = 12; })());
  EXPECT_SAYS(
      "is not at a multiple of the problem's source_alignment, 16 bytes; plan a problem whose source_alignment is 4",
      with([&](P, L, S source) { source = in.data() + 1; })());
  EXPECT_SAYS("launch_plan: the source is null, and there are elements to move",
              with([](P, L, S source) { source = nullptr; })());
  EXPECT_EQ(out.download(), std::vector<float>(64, 2.f));
}

/// Between the elements of a source there may be others' of the target, which nobody may read meanwhile.
TEST(CopyTensor, GapsThatHoldTheTargetAreNotRead) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> buffer(numbers<float>(64 * 64));
  auto const columns = make_layout(make_shape(3, 9, 50), make_stride(1, 8, 72));
  auto const rows = make_layout(make_shape(3, 9, 50), make_stride(1, 400, 8));
  auto const source = make_tensor(make_gmem_ptr(buffer.data()), columns);
  auto const inside = make_tensor(make_gmem_ptr(buffer.data() + 4), rows);
  copy_problem const apart = make_copy_problem(columns, rows, 4), meshed = make_copy_problem(source, inside);
  EXPECT_FALSE(apart.interleaved);
  EXPECT_TRUE(meshed.interleaved);
  int reading = 0;
  std::string message;
  for (copy_plan const& plan : every_plan(apart).list) {
    if (!detail::reads_gaps(simplified(apart), plan)) continue;
    ++reading;
    try {
      launch_plan(simplified(apart), plan, buffer.data(), buffer.data() + 4);
      FAIL() << text(plan);
    } catch (error const& e) {
      message = e.what();
    }
    EXPECT_THROW(launch_plan(simplified(meshed), plan, buffer.data(), buffer.data() + 4), error);
  }
  EXPECT_GT(reading, 0);
  EXPECT_NE(message.find("the plan reads what lies between the source's elements, and some of the target's lie there"),
            std::string::npos)
      << message;
  for (copy_plan const& plan : every_plan(meshed).list) EXPECT_FALSE(detail::reads_gaps(simplified(meshed), plan));
  EXPECT_EQ(buffer.download(), numbers<float>(64 * 64));
}

/// What lies in gaps of the source counts for nothing, also where nobody has written it.
TEST(CopyTensor, GapsThatNobodyHasWritten) {
  COSMATI_REQUIRE_DEVICE();
  auto const host = numbers<half_t>(5 * 60 * 40);
  auto const dense = make_layout(make_shape(5, 60, 40));
  auto const sparse = make_layout(make_shape(5, 60, 40), make_stride(1, 8, 500));
  auto const turned = make_layout(make_shape(5, 60, 40), make_stride(2400, 40, 1));
  device_buffer<half_t> given(host), slices(500 * 40), out(host.size());
  copy_tensor(make_tensor(make_gmem_ptr(given.data()), dense), make_tensor(make_gmem_ptr(slices.data()), sparse));
  copy_problem const p = simplified(make_copy_problem(sparse, turned, 2));
  int reading = 0;
  for (copy_plan const& plan : every_plan(p).list) {
    if (!detail::reads_gaps(p, plan) || reading++ % 16 != 0) continue;
    launch_plan(p, plan, slices.data(), out.data());
    auto const copied = out.download();
    for (int i = 0; i < static_cast<int>(host.size()); ++i)
      ASSERT_EQ(copied[static_cast<std::size_t>(turned(i))], host[static_cast<std::size_t>(dense(i))]) << text(plan);
  }
  EXPECT_GT(reading, 0);
}

/// A source with gaps whose elements are copied several times, as many as if there were none.
TEST(CopyTensor, GapsBetweenElementsThatAreCopiedTwice) {
  COSMATI_REQUIRE_DEVICE();
  auto const twice = make_layout(make_shape(20, 20, 20), make_stride(1, 1, 419));
  auto const runs = make_layout(make_shape(39, 20), make_stride(1, 419));
  auto const turned = make_layout(make_shape(20, 20, 20), make_stride(20, 1, 400));
  EXPECT_EQ(cosize(twice), size(twice));
  auto const host = numbers<half_t>(39 * 20);
  device_buffer<half_t> given(host), sliding(8000), out(8000);
  copy_tensor(make_tensor(make_gmem_ptr(given.data()), make_layout(make_shape(39, 20))),
              make_tensor(make_gmem_ptr(sliding.data()), runs));
  copy_problem const p = simplified(make_copy_problem(twice, turned, 2));
  EXPECT_TRUE(detail::source_has_gaps(p));
  EXPECT_FALSE(detail::source_has_gaps(simplified(
      make_copy_problem(make_layout(make_shape(20, 9), make_stride(1, 1)), make_layout(make_shape(20, 9)), 2))));
  int number = 0;
  for (copy_plan const& plan : every_plan(p).list) {
    if (number++ % 16 != 0) continue;
    launch_plan(p, plan, sliding.data(), out.data());
  }
  auto const copied = out.download();
  for (int i = 0; i < 8000; ++i)
    ASSERT_EQ(copied[static_cast<std::size_t>(turned(i))],
              host[static_cast<std::size_t>(twice(i) / 419 * 39 + twice(i) % 419)]);
}

/// Vectors of rows that begin anywhere are put together from windows of the source, which may reach into its gaps: not
/// where elements of the target lie there, whatever the planner was told.
TEST(CopyTensor, ShiftedVectorsReadGapsThatAreNotTheTargets) {
  COSMATI_REQUIRE_DEVICE();
  auto const host = numbers<half_t>(70 * 30);
  auto const dense = make_layout(make_shape(70, 30));
  auto const sparse = make_layout(make_shape(70, 30), make_stride(1, 151));
  device_buffer<half_t> given(host), rows(151 * 30), out(host.size());
  copy_tensor(make_tensor(make_gmem_ptr(given.data()), dense), make_tensor(make_gmem_ptr(rows.data()), sparse));
  auto const copied = [&](auto const& source, auto const& target, half_t const* from, half_t* to) {
    copy_problem const p = simplified(make_copy_problem(source, target, 2));
    int shifted = 0;
    for (copy_plan const& plan : every_plan(p).list) {
      if (plan.route != copy_route::direct || plan.together || !detail::is_shifted_vector(p, plan.vector)) continue;
      if (shifted++ % 16 != 0) continue;
      launch_plan(p, plan, from, to);
    }
    EXPECT_GT(shifted, 0);
  };
  copied(sparse, dense, rows.data(), out.data());  // gaps that nobody has written
  EXPECT_EQ(out.download(), host);
  copied(sparse, sparse, rows.data(), rows.data() + 72);  // gaps that the target lies in
  auto const both = rows.download();
  for (int i = 0; i < 70 * 30; ++i)
    EXPECT_EQ(both[static_cast<std::size_t>(sparse(i) + 72)], host[static_cast<std::size_t>(i)]);
}

/// A plan of one problem, or one with a field changed, either copies another problem or is refused.
TEST(CopyTensor, PlansOfOtherProblemsAreRefusedOrRight) {
  COSMATI_REQUIRE_DEVICE();
  char const* const wanted = std::getenv("COSMATI_RANDOM_COPIES");
  int const count = wanted != nullptr ? std::atoi(wanted) : 300;
  std::mt19937 random(41);
  strides draw(41);
  int refused = 0, right = 0;
  for (int n = 0; n < count && !HasFailure(); ++n) {
    int const element_bytes = 1 << draw.below(5);
    every_plan const others(draw.problem(element_bytes, 3000));
    copy_problem const p = draw.problem(element_bytes, 3000);
    auto const choose = [&](copy_plans const& plans) {
      bool const own = draw.one_in(2);
      copy_plan plan = any_of(own ? every_plan(plans.problem).list : others.list, random);
      auto const mode = static_cast<std::size_t>(draw.below(copy_max_rank));
      if (own) {
        switch (draw.below(9)) {
          case 0:
            plan.vector *= 2;
            break;
          case 1:
            plan.together = !plan.together;
            break;
          case 2:
            plan.launch.once = !plan.launch.once, plan.launch.at_once = 1;
            break;
          case 3:
            std::swap(plan.column_mode, plan.row_mode);
            break;
          case 4:
            plan.tile.extent[mode] += draw.below(5) - 2;
            break;
          case 5:
            plan.tile.source_modes += draw.one_in(2) ? 1 : -1;
            break;
          case 6:
            plan.tile.target_modes += draw.one_in(2) ? 1 : -1;
            break;
          case 7:
            plan.sectors.run_length += draw.below(9) - 4;
            break;
          default:
            plan.route = copy_route{draw.below(5)};
            break;
        }
      }
      return plan;
    };
    auto const go = [&](copy_problem const& problem, copy_plan const& plan, unsigned char* source,
                        unsigned char* target) {
      try {
        launch_plan(problem, plan, source, target);
        ++right;
      } catch (error const& e) {
        ASSERT_EQ(std::string(e.what()).find("launch_plan: the plan's "), 0u) << e.what();
        ++refused;
        launch_plan(problem, plan_copy(problem).plan[0], source, target);
      }
    };
    auto const shift = [&] { return static_cast<std::size_t>(draw.one_in(2) ? 0 : draw.below(16)); };
    expect_copied_by(p, shift(), shift(), random, choose, go);
  }
  EXPECT_GT(refused, count / 8);
  EXPECT_GT(right, count / 8);
}

/// The kernels that go by tiles count in 32 bits along a mode: longer ones are copied in parts.
TEST(CopyTensor, PartsOfLongModes) {
  COSMATI_REQUIRE_DEVICE();
  std::mt19937 random(43);
  strides draw(43);
  for (copy_route const route : {copy_route::transpose, copy_route::runs, copy_route::windows, copy_route::sectors}) {
    for (int n = 0; n < 6; ++n) {
      int const bytes = 1 << draw.below(4);
      std::int64_t const extent = (n % 2 ? 5000 : 2049) + draw.below(64), other = 3 + draw.below(6);
      bool const of_source = draw.one_in(2);
      copy_problem p;
      p.element_bytes = bytes;
      p.push(of_source ? other : extent, of_source ? extent : other, 1);
      p.push(of_source ? extent : other, 1, of_source ? other : extent);
      if (draw.one_in(2)) p.push(2, 40000, 50000);
      int parts = 0;
      bool offered = true;
      auto const choose = [&](copy_plans const& plans) {
        every_plan all(plans.problem);
        std::erase_if(all.list, [&](copy_plan const& plan) { return plan.route != route; });
        offered = !all.list.empty();
        return offered ? all.list[random() % all.list.size()] : plans.plan[0];
      };
      auto const go = [&](copy_problem const& problem, copy_plan const& plan, void const* source, void* target) {
        if (!offered) return launch_plan(problem, plan, source, target);
        detail::for_parts(problem, 2048, [&](copy_problem const& part) {
          ++parts;
          for (int m = 0; m < part.rank; ++m) ASSERT_LE(part.mode[m].extent, 2048);
          launch_plan(part, plan, source, target);
        });
      };
      expect_copied_by(p, 0, static_cast<std::size_t>(bytes) * (n % 3), random, choose, go);
    }
  }
  // Halves of the direct route have elements each, between vectors of the first mode.
  for (int n = 0; n < 200; ++n) {
    copy_problem const p = draw.problem(1, 100000);
    if (p.size() < 64) continue;
    detail::copy_halves const halves = detail::copy_halves::of_longest_mode(p, 16);
    EXPECT_GT(halves.low.size(), 0) << text(p);
    EXPECT_GT(halves.high.size(), 0) << text(p);
    EXPECT_EQ(halves.low.size() + halves.high.size(), p.size());
    if (halves.low.mode[0].extent != p.mode[0].extent) {
      EXPECT_EQ(halves.low.mode[0].extent % 16, 0) << text(p);
    }
  }
  copy_problem rows;  // of more elements than a launch has slots, though not of more windows
  rows.element_bytes = 4;
  rows.push(30, 2, 1), rows.push(1 << 26, 60, 32), rows.push(2, 0, std::int64_t{1} << 34);
  for (copy_plan const& plan : every_plan(rows).list)
    if (plan.launch.once) {
      EXPECT_GT(plan.vector, 1);
    }
  copy_problem pairs;  // as many tiles as a grid cannot have
  pairs.push(2, 2, 1), pairs.push(2, 1, 2), pairs.push(std::int64_t{1} << 31, 5, 4);
  for (copy_plan const& plan : every_plan(pairs).list) EXPECT_NE(plan.route, copy_route::transpose);
}

#if !defined(COSMATI_SIMULATED)
__global__ void fill_with_places(unsigned char* bytes, std::int64_t count, unsigned char less) {
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
    bytes[i] = static_cast<unsigned char>(static_cast<unsigned char>(i % 251) - less);
}
/// Counts bytes of a transposed matrix that are not the places that they come from.
__global__ void count_wrong_places(unsigned char const* bytes, std::int64_t rows, std::int64_t columns,
                                   unsigned long long* wrong) {
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < rows * columns;
       i += static_cast<std::int64_t>(gridDim.x) * blockDim.x)
    if (bytes[i] != static_cast<unsigned char>((i % rows * columns + i / rows) % 251)) atomicAdd(wrong, 1ull);
}
/// On a GPU with 26 GB to spare.
TEST(CopyTensor, ModesOfMoreThan2To32Elements) {
  COSMATI_REQUIRE_DEVICE();
  std::int64_t const most = (std::int64_t{1} << 32) + 64;
  device_buffer<unsigned char> in, out;
  try {
    in = device_buffer<unsigned char>(static_cast<std::size_t>(3 * most));
    out = device_buffer<unsigned char>(static_cast<std::size_t>(3 * most));
  } catch (error const& e) {
    GTEST_SKIP() << e.what();
  }
  launch(fill_with_places, {.grid = 4096, .block = 256}, in.data(), 3 * most, static_cast<unsigned char>(0));
  device_buffer<unsigned long long> wrong(1);
  for (std::int64_t const extent : {(std::int64_t{1} << 31) + 37, most, most - 27}) {
    for (bool const of_source : {false, true}) {
      copy_problem p;
      std::int64_t const rows = of_source ? 3 : extent, columns = of_source ? extent : 3;
      p.push(rows, columns, 1), p.push(columns, 1, rows);
      std::set<copy_route> seen;
      every_plan all(p, true);
      copy_plan by_tiles;  // of single bytes: not one of the planner's
      by_tiles.route = copy_route::transpose;
      by_tiles.column_mode = 1;
      all.list.push_back(by_tiles);
      for (copy_plan const& plan : all.list) {
        if (!seen.insert(plan.route).second) continue;
        SCOPED_TRACE(text(all.problem) + "; " + text(plan));
        launch(fill_with_places, {.grid = 4096, .block = 256}, out.data(), 3 * extent, static_cast<unsigned char>(1));
        wrong.clear();
        launch_plan(all.problem, plan, in.data(), out.data());
        launch(count_wrong_places, {.grid = 4096, .block = 256}, static_cast<unsigned char const*>(out.data()), rows,
               columns, wrong.data());
        EXPECT_EQ(wrong.download()[0], 0u);
      }
      EXPECT_GE(seen.size(), 4u);
    }
  }
}
#endif

}  // namespace
