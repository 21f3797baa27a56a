// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cosmati/render/cost.hpp>

namespace {

using namespace cosmati;

warp_access every(std::int64_t bytes) {
  warp_access a;
  for (int l = 0; l < 32; ++l) a.offset[l] = bytes * l;
  return a;
}

TEST(Banks, AColumnOfFloatsMeetsInOneBank) {
  figure const f = picture_banks(load_shared(4), every(128));
  figure_grid const& g = f.grid[0];
  EXPECT_EQ(g.rows, 32);
  EXPECT_EQ(g.at(7, 0).text, "7");
  EXPECT_TRUE(g.at(7, 1).text.empty());
  EXPECT_EQ(f.words[0], "32 wavefronts, 1 without conflicts: 31 bank conflicts");
}
TEST(Banks, ARowIsOneWavefront) {
  figure const f = picture_banks(load_shared(4), every(4));
  EXPECT_EQ(f.grid[0].rows, 1);
  EXPECT_EQ(f.grid[0].at(0, 31).text, "31");
  EXPECT_EQ(f.words[0], "1 wavefront, 1 without conflicts: 0 bank conflicts");
}
TEST(Banks, LanesOfOneWordShareIt) {
  figure const f = picture_banks(load_shared(4), every(0));
  EXPECT_EQ(f.grid[0].rows, 1);
  EXPECT_EQ(f.grid[0].at(0, 0).text, "0-31");
}
TEST(Banks, VectorsGoInGroupsOf128Bytes) {
  figure const f = picture_banks(store_shared(16), every(16));
  EXPECT_EQ(f.grid[0].rows, 4);
  EXPECT_EQ(f.grid[0].row_heading(1), "lanes 8-15");
  EXPECT_EQ(f.grid[0].at(1, 31).text, "15");
}
TEST(Banks, InactiveLanesAskForNothing) {
  warp_access a = every(4);
  a.active = 0;
  EXPECT_EQ(picture_banks(load_shared(4), a).grid[0].rows, 0);
}
TEST(Sectors, NeighboursShareThem) {
  figure const f = picture_sectors(load_global(4), every(4));
  ASSERT_EQ(f.grid[0].rows, 1);
  EXPECT_EQ(f.grid[0].at(0, 0).text, "0-7");
  EXPECT_EQ(f.grid[0].at(0, 3).text, "24-31");
  EXPECT_EQ(f.words[0], "4 sectors, 4 needed; 1 lines, 1 needed");
}
TEST(Cells, SayWhichBankOrSectorTheyAreAndWhoAsks) {
  figure const banks = picture_banks(load_shared(4), every(128));  // all words are in bank 0
  EXPECT_EQ(banks.grid[0].at(3, 0).unit, 0);
  EXPECT_EQ(banks.grid[0].at(3, 0).lanes, std::vector<int>{3});
  EXPECT_EQ(banks.grid[0].at(3, 5).unit, 5);
  EXPECT_TRUE(banks.grid[0].at(3, 5).lanes.empty());
  figure const sectors = picture_sectors(load_global(4), every(128));  // the first sector of each line
  EXPECT_EQ(sectors.grid[0].at(2, 0).unit, 8);
  EXPECT_EQ(sectors.grid[0].at(2, 0).lanes, std::vector<int>{2});
  EXPECT_EQ(sectors.grid[0].at(2, 3).unit, 11);
}
TEST(Sectors, FarLanesHaveALineEach) {
  figure const f = picture_sectors(load_global(2), every(8192));
  EXPECT_EQ(f.grid[0].rows, 32);
  EXPECT_EQ(f.grid[0].row_heading(3), "byte 24576");
}

}  // namespace
