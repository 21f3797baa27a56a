// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cosmati/layout/parse.hpp>
#include <cosmati/render/tiles.hpp>

namespace {

using namespace cosmati;

AnyLayout layout(char const* text) { return parse_layout(text); }

TEST(PictureOfADivide, TilesAreTheSameCellsInArgumentAndResult) {
  AnyLayout const l = layout("(4,(2,4)):(2,(1,8))");
  AnyTuple const tiler = parse_tuple("(2,4)");
  AnyLayout const indices(l.shape());
  figure const f =
      picture_divide("", l, logical_divide(l, tiler), zipped_divide(indices, tiler), logical_divide(indices, tiler));
  ASSERT_EQ(f.grid.size(), 2u);
  figure_grid const &argument = f.grid[0], &result = f.grid[1];
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 8; ++c) EXPECT_EQ(argument.at(r, c).unit, r / 2 + 2 * (c / 4)) << r << "," << c;
  }
  // An element belongs to one tile in every grid.
  std::map<std::int64_t, std::int64_t> tile_of;
  for (figure_cell const& c : argument.cell) tile_of[c.offset] = c.unit;
  for (figure_cell const& c : result.cell) {
    EXPECT_EQ(c.unit, tile_of.at(c.offset));
    EXPECT_EQ(c.color, f.key[static_cast<std::size_t>(c.unit)].color);
  }
  EXPECT_EQ(argument.outline.size(), 4u);
  EXPECT_EQ(f.color_is, "tile");
}
TEST(PictureOfADivide, TilesInPartsHaveAFrameForEachPart) {
  AnyLayout const l = layout("16:1");
  AnyLayout const every_fourth = layout("4:4");
  AnyLayout const indices(l.shape());
  figure const f = picture_divide("", l, logical_divide(l, every_fourth), zipped_divide(indices, every_fourth),
                                  logical_divide(indices, every_fourth));
  EXPECT_EQ(f.grid[0].outline.size(), 16u);  // no two neighbours belong to one tile
  EXPECT_EQ(f.grid[1].outline.size(), 4u);
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) EXPECT_EQ(f.grid[1].at(r, c).unit, c);
  }
}
TEST(PictureOfAProduct, CopiesOfTheBlock) {
  AnyLayout const block = layout("(2,2):(2,1)"), at = layout("(3,4):(4,1)");
  figure const f = picture_product("", block, at, blocked_product(block, at), logical_product(block, at));
  ASSERT_EQ(f.grid.size(), 3u);
  figure_grid const& result = f.grid[2];
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 8; ++c) EXPECT_EQ(result.at(r, c).unit, r / 2 + 3 * (c / 2));
  }
  EXPECT_EQ(result.outline.size(), 12u);
  EXPECT_EQ(f.color_is, "copy of the block modulo 8");
  figure const raked = picture_product("", block, at, raked_product(block, at), logical_product(block, at));
  EXPECT_EQ(raked.grid[2].outline.size(), 48u);  // no two neighbours belong to one copy
}

}  // namespace
