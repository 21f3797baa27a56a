// SPDX-License-Identifier: Apache-2.0
// The order of tiles: every tile comes once, and the common lines of neighbours equal a count of all lines.
#include <gtest/gtest.h>

#include <cosmati/kernel/copy/sector_tiles.hpp>
#include <cosmati/kernel/copy_text.hpp>
#include <cosmati/kernel/tile_order.hpp>
#include <map>
#include <set>
#include <vector>

#include "problems.hpp"

using namespace cosmati;

namespace {

copy_problem problem_of(int element_bytes, std::initializer_list<copy_mode> modes) {
  copy_problem p;
  p.element_bytes = element_bytes;
  for (copy_mode const& m : modes) p.push(m.extent, m.source, m.target);
  return p;
}
using extents = std::int64_t[copy_max_rank];

tile_order order_of(copy_problem const& p, extents const& tile) { return tile_order::of(p, tile_set::of(p, tile)); }
std::vector<int> modes_of(tile_order const& order) { return {order.mode, order.mode + order.rank}; }

/// The places where the tiles of a grid begin in both tensors, in the grid's order.
std::vector<std::pair<std::int64_t, std::int64_t>> corners_of(tile_grid const& grid) {
  std::vector<std::pair<std::int64_t, std::int64_t>> corners;
  for (std::uint32_t n = 0; n < grid.count; ++n) {
    tile_corner const at = corner_of_tile(grid, n, 0, 1);
    corners.emplace_back(at.source, at.target);
  }
  return corners;
}

TEST(TileOrder, HasEveryTileOnce) {
  bench::random_copies random(1);
  std::mt19937 draw(1);
  for (int n = 0; n < 300; ++n) {
    copy_problem const p = simplified(random.next().problem);
    extents tile = {};
    std::int64_t count = 1;
    for (int m = 0; m < p.rank; ++m) {
      std::int64_t const most = std::max<std::int64_t>(1, 4000 / count), all = p.mode[m].extent;
      std::int64_t const parts = std::min<std::int64_t>({all, most, 1 + static_cast<std::int64_t>(draw() % 12)});
      tile[m] = (all + parts - 1) / parts;
      count *= (all + tile[m] - 1) / tile[m];
    }
    tile_set const set = tile_set::of(p, tile);
    tile_grid const& tiles = set.grid;
    tile_order const order = order_of(p, tile);
    auto before = corners_of(tiles), after = corners_of(order.grid_of(tiles));
    ASSERT_EQ(before.size(), after.size());
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    EXPECT_EQ(before, after) << n;
    // The numbers along two modes are still theirs.
    for (int m = 0; m < p.rank; ++m) {
      ordered_tiles const ordered = ordered_tiles::of(p, set, m, (m + 1) % p.rank);
      std::uint32_t const last = tiles.count - 1;
      tile_corner const at = corner_of_tile(ordered.grid, last, ordered.first, ordered.second);
      EXPECT_EQ(at.first, tiles.tiles[m].divisor - 1);
      EXPECT_EQ(at.second, tiles.tiles[(m + 1) % p.rank].divisor - 1);
    }
  }
}
TEST(TileOrder, CostsNoMoreThanTheTargetsOrder) {
  bench::random_copies random(2);
  for (int n = 0; n < 1000; ++n) {
    copy_problem const p = simplified(random.next().problem);
    extents tile = {};
    for (int m = 0; m < p.rank; ++m) tile[m] = std::min<std::int64_t>(p.mode[m].extent, m < 2 ? 40 : 1);
    tile_set const tiles = tile_set::of(p, tile);
    detail::tile_neighbours const neighbours(p, tiles);
    tile_order const best = order_of(p, tile), by_target = tile_order::with_first(neighbours, tiles.grid, -1, -1);
    double const cost = best.again + best.in_parts, other = by_target.again + by_target.in_parts;
    if (modes_of(best) == modes_of(by_target))
      EXPECT_EQ(cost, other);
    else
      EXPECT_LT(cost, other - 0.01);
  }
}

/// The pieces of one side that a tile and its next one along a mode have in common, as the mean of all such pairs.
double common_pieces(copy_problem const& p, extents const& tile, int along, bool of_source, std::int64_t piece) {
  std::map<std::vector<std::int64_t>, std::set<std::int64_t>> touched;  // key: a tile's numbers
  std::vector<std::int64_t> at(static_cast<std::size_t>(p.rank));
  for (std::int64_t n = 0; n < p.size(); ++n) {
    std::int64_t rest = n, offset = 0;
    for (int m = 0; m < p.rank; ++m) {
      std::int64_t const c = rest % p.mode[m].extent;
      rest /= p.mode[m].extent;
      at[static_cast<std::size_t>(m)] = c / tile[m];
      offset += c * (of_source ? p.mode[m].source : p.mode[m].target) * p.element_bytes;
    }
    for (int b = 0; b < p.element_bytes; ++b) touched[at].insert((offset + b) / piece);
  }
  double common = 0, pairs = 0;
  for (auto const& [number, pieces] : touched) {
    auto next = number;
    ++next[static_cast<std::size_t>(along)];
    auto const other = touched.find(next);
    if (other == touched.end()) continue;
    ++pairs;
    for (std::int64_t const one : pieces) common += static_cast<double>(other->second.count(one));
  }
  return common / pairs;
}
/// Finds what `tile_neighbours` counts from the cost of an order whose first mode is another one of 10^7 tiles. In that
/// order, no common lines along this mode are left in L2.
/// @param again relative tolerance of the common reads
/// @param in_parts relative tolerance of the common writes
/// @param apart tolerance that is added to both, in pieces times their weight
void expect_common(copy_problem const& p, extents const& tile, int along, double again, double in_parts,
                   double apart = 0.02) {
  double bytes = p.element_bytes;
  for (int m = 0; m < p.rank; ++m) bytes *= static_cast<double>(tile[m]);
  tile_set tiles = tile_set::of(p, tile);
  detail::tile_neighbours const neighbours(p, tiles);
  int const far = along == 0 ? 1 : 0;
  int const order[] = {far, along}, alone[] = {far};
  tiles.grid.tiles[far] = fast_divider(10'000'000);
  double read = 0, written = 0, far_read = 0, far_written = 0;
  neighbours.cost(order, 2, read, written);
  neighbours.cost(alone, 1, far_read, far_written);
  double const gone = 1e7 * 2 * bytes, held = gone / (gone + 50e6), parts_held = gone / (gone + 8e6);
  double const lines = 0.13 * common_pieces(p, tile, along, true, 128),
               pages = 0.06 * common_pieces(p, tile, along, true, 2048),
               parts = 0.5 * common_pieces(p, tile, along, false, 128),
               target_pages = 0.2 * common_pieces(p, tile, along, false, 2048);
  EXPECT_NEAR((read - far_read) * bytes / 64, (lines + pages) * held, again * (lines + pages) + apart);
  EXPECT_NEAR((written - far_written) * bytes / 64, parts * parts_held + target_pages * held,
              in_parts * (parts + target_pages) + apart);
}
TEST(TileOrder, CountsWhatNeighboursHaveInCommon) {
  // Rows of 25 bytes, one directly after the other; rows that begin at lines; a repeated source; runs of 24 bytes.
  copy_problem const rows = problem_of(1, {{25, 96, 1}, {40, 2400, 25}, {96, 1, 1000}});
  expect_common(rows, {25, 1, 96}, 1, 0.05, 0.15);
  expect_common(rows, {25, 4, 24}, 2, 0.1, 0.1);
  copy_problem const lines = problem_of(4, {{64, 32, 1}, {32, 1, 64}, {8, 2048, 2048}});
  // A page with parts of several rows is counted as if its start were uniform among them.
  expect_common(lines, {32, 32, 1}, 0, 0.05, 0.05, 0.2);
  expect_common(lines, {32, 8, 1}, 1, 0.05, 0.05, 0.2);
  copy_problem const repeated = problem_of(8, {{40, 1, 1}, {20, 0, 40}, {12, 40, 800}});
  expect_common(repeated, {40, 5, 1}, 1, 0.1, 0.3);
}
TEST(TileOrder, OfWhatWasSlow) {
  // Plans that an H200 copied 1.24 to 1.69 times as fast in another order than the target's
  // (bench/notes/tile-order.md). Rows of 25 bytes: the order follows the mode along which they share lines.
  EXPECT_EQ(modes_of(order_of(problem_of(1, {{25, 12070772, 1}, {2, 6035386, 25}, {6035386, 1, 75}}), {25, 1, 512})),
            (std::vector<int>{1, 2}));
  // A source that is repeated along the outer mode: this mode comes first.
  EXPECT_EQ(modes_of(order_of(problem_of(16, {{11, 1, 1}, {10259, 5984, 11}, {32, 0, 112849}, {17, 11, 3611168}}),
                              {11, 11, 1, 17})),
            (std::vector<int>{2, 1}));
  // Runs of 24 elements of 8 bytes, repeated along the second mode: the tiles along the first mode come later.
  EXPECT_NE(modes_of(order_of(problem_of(8, {{63051, 1470, 1}, {7, 0, 63051}, {210, 1, 441357}}), {252, 1, 30}))[0], 0);
  // Whole lines on both sides: the order is the target's.
  EXPECT_EQ(modes_of(order_of(problem_of(4, {{4096, 4096, 1}, {4096, 1, 4096}}), {64, 64})), (std::vector<int>{0, 1}));
}
TEST(TileOrder, IsSaidOfAPlan) {
  copy_problem const p = problem_of(16, {{11, 1, 1}, {10259, 5984, 11}, {32, 0, 112849}, {17, 11, 3611168}});
  copy_plan plan;
  plan.route = copy_route::windows;
  plan.tile.source_modes = plan.tile.target_modes = 2;
  std::int64_t const extent[] = {11, 11, 1, 17};
  for (int m = 0; m < 4; ++m) plan.tile.extent[m] = extent[m];
  EXPECT_NE(text(p, plan).find(", tiles first along mode 2"), std::string::npos) << text(p, plan);
  plan.tile.extent[2] = 32;  // there is one tile along this mode
  EXPECT_EQ(text(p, plan).find("tiles first"), std::string::npos) << text(p, plan);
  // In a plan by sectors, the grid's first two modes are rows and runs, for all orders of the copy's modes.
  auto const ends_with = [](std::string const& all, std::string const& end) {
    return all.size() > end.size() && all.compare(all.size() - end.size(), end.size(), end) == 0;
  };
  auto const of_sectors = [](copy_problem const& q, sector_tile const& tile) {
    copy_plan by_sectors;
    by_sectors.route = copy_route::sectors;
    by_sectors.sectors = tile;
    return text(q, by_sectors);
  };
  EXPECT_PRED2(ends_with, of_sectors(problem_of(4, {{40960, 24, 1}, {24, 1, 40960}}), {1, 1, 8, 128, false}),
               ", tiles first along runs");
  EXPECT_PRED2(ends_with,
               of_sectors(problem_of(4, {{2580, 67392, 1}, {12, 0, 2592}, {5616, 1, 31104}}), {1, 1, 64, 128, false}),
               ", tiles first along mode 1");
  EXPECT_PRED2(ends_with,
               of_sectors(problem_of(16, {{119, 28504, 1}, {28, 1, 119}, {11, 0, 3332}, {1018, 28, 36652}}),
                          {2, 1, 24, 64, false}),
               ", tiles first along rows, then mode 2");
}
TEST(TileOrder, OfTilesBySectorsHasThemAll) {
  copy_problem p = problem_of(2, {{300, 64, 1}, {50, 300 * 64, 300}, {64, 1, 300 * 50}, {3, 1000000, 300 * 50 * 64}});
  sector_tile const tile = {
      .source_modes = 1, .target_modes = 2, .run_length = 24, .row_length = 128, .by_lines = false};
  tile_set const set = tiles_by_sectors(p, tile);
  // Rows of 15,000 elements in parts of 128 elements, including the latest start of a row; 64 rows in parts of 24; 3.
  sector_sizes const sizes = sector_sizes::of(p, tile);
  ASSERT_EQ(set.grid.rank, 3);
  EXPECT_EQ(set.grid.tiles[0].divisor, (15000 + sizes.slack + 127) / 128);
  EXPECT_EQ(set.grid.tiles[1].divisor, 3u);
  EXPECT_EQ(set.grid.tiles[2].divisor, 3u);
  EXPECT_EQ(set.one[0], 128);
  EXPECT_EQ(set.one[1], 1);
  EXPECT_EQ(set.one[2], 24);
  EXPECT_EQ(set.two[1][2], 48);
  EXPECT_EQ(set.two[2][3], 2);
  ordered_tiles const ordered = order_of_tiles(p, tile);
  EXPECT_EQ(ordered.grid.count, set.grid.count);
  tile_corner const last = corner_of_tile(ordered.grid, ordered.grid.count - 1, ordered.first, ordered.second);
  EXPECT_EQ(last.first, set.grid.tiles[0].divisor - 1);
  EXPECT_EQ(last.second, 2u);
  EXPECT_EQ(last.source, 2 * 1000000 * 2);
}

}  // namespace
