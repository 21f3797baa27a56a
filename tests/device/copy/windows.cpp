// SPDX-License-Identifier: Apache-2.0
// Copies by windows: tiles of all sizes at odd addresses, gaps in the source, repeated sources.
#include <cosmati/kernel/copy/windows.hpp>

#include "../random_copies.hpp"
#include "../require_device.hpp"

using namespace cosmati;
using namespace random_copies;

namespace {

/// Tiles of windows with the extents `part`, and runs of `source_modes` modes.
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

/// Copies these modes by a tile of windows. Both buffers begin at the given element offsets.
/// @param look receives the tile as `window_tiles`
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

TEST(CopyByWindows, WindowsOfAllSizesAtOddAddresses) {
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
      // Runs and rows of different modes; parts of each mode, with ragged edges; more tiles than are looked up at once.
      go(reordered(e, {27, 3, 53}, {2, 1, 0}), 1, 3, 1, 1, {7, 1, 13});
      go(reordered(e, {11, 5, 13}, {2, 1, 0}), 3, 1, 2, 1, {11, 3, 13});
      // A mode that is in both, then one mode of each.
      go(reordered(e, {7, 9, 11}, {0, 2, 1}), 0, 1, 2, 2, {7, 4, 3});
      // Gaps between runs must not be read; gaps between rows must not be written.
      go(reordered(e, {19, 7, 30}, {2, 0, 1}, 3), 1, 0, 1, 1, {19, 1, 8});
      if (e == 16) continue;
      // Long rows that end with a mode of the runs, so their places repeat.
      go(reordered(e, {13, 90 * e}, {1, 0}), 1, 3, 1, 2, {13, 45 * e});
      go(reordered(e, {13 * e + 1, 41, 2, 3}, {1, 3, 0, 2}), 1, 2, 2, 2, {13 * e + 1, 41, 1, 2});
      // Both sides are contiguous except for their start.
      go(reordered(e, {601 * e, 3, 2}, {0, 2, 1}), 2, 1, 1, 1, {599 * e, 1, 1});
    }
  }
}

/// Runs of the source with gaps. The gaps are copied into shared memory too.
TEST(CopyByWindows, WindowsReadAcrossGaps) {
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
      // One gap and two gaps; the last mode whole and in part; ragged edges.
      go({{13, 180, 1}, {3, 1, 13}, {5, 5, 40}}, 1, 3, 2, 1, {7, 3, 5}, 23);
      go({{13, 180, 1}, {3, 1, 13}, {25, 5, 40}}, 3, 1, 2, 1, {7, 3, 9}, 43);
      go({{9, 400, 1}, {3, 1, 9}, {4, 5, 30}, {7, 23, 125}}, 0, 1, 3, 1, {9, 3, 4, 3}, 64);
      // The rows contain modes of the runs.
      go({{3, 1, 1}, {11, 4, 3}, {6, 50, 34}}, 1, 2, 2, 2, {3, 8, 1}, 31);
      go({{4, 6, 1}, {5, 1, 4}, {7, 31, 21}}, 2, 1, 3, 1, {4, 5, 3}, 85);
      if (e == 16) continue;
      // Long rows, so their places repeat.
      go({{3, 1, 1}, {300 * e, 5, 3}}, 1, 3, 2, 2, {3, 170 * e}, static_cast<std::uint32_t>(850 * e - 2));
    }
  }
}

/// Modes that repeat the source: in the rows, where a tile may have a part of such a mode; beyond the rows, where it
/// has a divisor; and in both. A tile loads a repeated element once, so it needs no shared memory for the repetitions.
TEST(CopyByWindows, WindowsStoreWhatIsRepeatedFromOneTile) {
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
      // Rows that begin with the repeated mode, end with it, or have it between other modes; ragged edges.
      go({{11, 0, 1}, {37, 1, 11}, {3, 37, 409}}, 1, 3, 1, 2, {11, 16, 1}, 1, 1);
      go({{11, 0, 1}, {5, 43, 11}, {43, 1, 57}}, 3, 1, 1, 2, {11, 2, 17}, 2, 17);
      go({{41, 1, 1}, {23, 0, 41}, {7, 41, 950}}, 0, 1, 2, 2, {41, 9, 3}, 1, 3);
      go({{5, 13, 1}, {6, 0, 5}, {3, 65, 30}, {13, 1, 91}}, 1, 1, 1, 3, {5, 6, 2, 7}, 10, 7);
      // The repeated mode beyond the rows, whole and by a divisor; the divided mode of the source comes after it.
      go({{29, 1, 1}, {12, 0, 37}, {3, 31, 450}}, 1, 2, 1, 1, {29, 4, 1}, 1, 4);
      go({{9, 31, 1}, {31, 1, 10}, {6, 0, 311}}, 2, 1, 1, 1, {5, 8, 6}, 5, 48);
      go({{9, 31, 1}, {6, 0, 10}, {31, 1, 61}}, 0, 3, 1, 1, {4, 3, 10}, 4, 30);
      // Two repeated modes, one in the rows and one beyond.
      go({{7, 19, 1}, {4, 0, 7}, {19, 1, 29}, {10, 0, 560}}, 1, 1, 1, 2, {7, 3, 8, 5}, 7, 40);
      if (e == 16) continue;
      // Long rows that end with the repeated mode. Their places repeat, so the tables have one period.
      go({{13, 1, 1}, {90 * e, 0, 13}, {3, 14, 1171 * e}}, 1, 3, 1, 2, {13, 45 * e, 1}, 1, 1);
      go({{45 * e, 0, 1}, {13, 1, 46 * e}, {2, 13, 600 * e}}, 3, 1, 1, 1, {41 * e, 5, 1}, 1, 5);
    }
  }
}

/// The gaps of a source may hold elements of the target, which must not be read during the copy.
TEST(CopyByWindows, GapsThatHoldTheTargetAreNotRead) {
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
      FAIL() << described(plan);
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

/// The content of the source's gaps has no effect, even where nobody has written it.
TEST(CopyByWindows, GapsThatNobodyHasWritten) {
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
    if (!detail::reads_gaps(p, plan)) continue;
    ++reading;
    launch_plan(p, plan, slices.data(), out.data());
    auto const copied = out.download();
    for (int i = 0; i < static_cast<int>(host.size()); ++i)
      ASSERT_EQ(copied[static_cast<std::size_t>(turned(i))], host[static_cast<std::size_t>(dense(i))])
          << described(plan);
  }
  EXPECT_GT(reading, 0);
}

/// A source with gaps whose elements are copied several times: it has as many loads as a source without gaps.
TEST(CopyByWindows, GapsBetweenElementsThatAreCopiedTwice) {
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
  for (copy_plan const& plan : every_plan(p).list) launch_plan(p, plan, sliding.data(), out.data());
  auto const copied = out.download();
  for (int i = 0; i < 8000; ++i)
    ASSERT_EQ(copied[static_cast<std::size_t>(turned(i))],
              host[static_cast<std::size_t>(twice(i) / 419 * 39 + twice(i) % 419)]);
}

}  // namespace
