// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cosmati/layout/parse.hpp>
#include <cosmati/render/pictures.hpp>

namespace {

using namespace cosmati;

AnyLayout layout(char const* text) { return parse_layout(text); }

TEST(PictureOfALayout, CellsAreItsOffsets) {
  AnyLayout const l = layout("((2,2),4):((1,8),2)");
  figure const f = picture(l);
  ASSERT_EQ(f.grid.size(), 1u);
  EXPECT_EQ(f.title, "((2,2),4):((1,8),2)");
  figure_grid const& g = f.grid[0];
  ASSERT_EQ(g.rows, 4);
  ASSERT_EQ(g.columns, 4);
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) {
      std::int64_t const offset = l(AnyTuple(r), AnyTuple(c));
      EXPECT_EQ(g.at(r, c).text, std::to_string(offset));
      EXPECT_EQ(g.at(r, c).color, offset % 8);
    }
  }
}
TEST(PictureOfALayout, OneModeIsARow) {
  figure const f = picture(layout("5:3"));
  EXPECT_EQ(f.grid[0].rows, 1);
  EXPECT_EQ(f.grid[0].columns, 5);
  EXPECT_EQ(f.grid[0].at(0, 4).text, "12");
  EXPECT_EQ(picture(layout("1:0")).cells(), 1);
}
TEST(PictureOfALayout, FurtherModesAreSlices) {
  AnyLayout const l = layout("(2,3,2,2):(1,2,6,12)");
  figure const f = picture(l);
  ASSERT_EQ(f.grid.size(), 4u);
  EXPECT_EQ(f.grid[1].title, "[:,:,1,0]");
  EXPECT_EQ(f.grid[2].title, "[:,:,0,1]");
  EXPECT_EQ(f.grid[3].at(1, 2).text, "23");
  EXPECT_EQ(f.grid[3].right, 3);
}
TEST(PictureOfALayout, NegativeOffsetsHaveColours) {
  figure const f = picture(layout("(4):(-3)"));
  for (figure_cell const& c : f.grid[0].cell) {
    EXPECT_GE(c.color, 0);
    EXPECT_LT(c.color, detail::palette_size);
  }
}
TEST(PictureOfALayout, BasesAreCoordinates) {
  EXPECT_EQ(picture(layout("(2,3):(1@0,1@1)")).grid[0].at(1, 2).text, "(1,2)");
}
TEST(PictureOfALayout, MoreCellsThanAnybodyLooksAtAreRefused) {
  EXPECT_THROW((void)picture(layout("(2048,1024):(1,2048)")), error);
}
TEST(PictureOfASwizzledLayout, RowsOfAColumnOfVectorsHaveEightColours) {
  // Eight rows of 64 half floats: what ldmatrix reads at once lies in all banks with the swizzle, in few without.
  auto const colors = [](AnyComposedLayout const& l) {
    figure const f = picture(l, 16);
    std::uint32_t seen = 0;
    for (int r = 0; r < 8; ++r) seen |= 1u << f.grid[0].at(r, 0).color;
    return __builtin_popcount(seen);
  };
  AnyLayout const rows = layout("(8,64):(64,1)");
  EXPECT_EQ(colors({AnySwizzle(3, 3, 3), 0, rows}), 8);
  EXPECT_EQ(colors({AnySwizzle(0, 3, 3), 0, rows}), 1);
}

TEST(Owners, OfAThreadValueLayout) {
  // thr (2,2):(1,2), val (2,1): tile (4,2)
  figure const f = picture_tv(layout("(4,2):(2,1)"), {4, 2});
  figure_grid const& g = f.grid[0];
  EXPECT_EQ(g.at(0, 0).text, "T0\nV0");
  EXPECT_EQ(g.at(1, 0).text, "T0\nV1");
  EXPECT_EQ(g.at(2, 0).text, "T1\nV0");
  EXPECT_EQ(g.at(0, 1).text, "T2\nV0");
  EXPECT_EQ(g.at(3, 1).thread, 3);
  EXPECT_EQ(g.at(3, 1).value, 1);
}
TEST(Owners, SeveralOfOneElementAreCounted) {
  figure const f = picture_tv(layout("(4,1):(0,0)"), {2});
  EXPECT_EQ(f.grid[0].at(0, 0).text, "T0\nV0\n+3");
  EXPECT_EQ(f.grid[0].at(0, 1).text, "");
  EXPECT_EQ(f.grid[0].at(0, 1).thread, -1);
}
TEST(Owners, VectorsAreFramedWhereTheyAreRectangles) {
  std::vector<figure_grid> const rows = owners("", layout("(4,4):(4,1)"), {4, 4}, {4});
  ASSERT_EQ(rows[0].outline.size(), 4u);
  EXPECT_EQ(rows[0].outline[1].column, 1);
  EXPECT_EQ(rows[0].outline[1].rows, 4);
  EXPECT_EQ(rows[0].outline[1].columns, 1);
  // Every other element: a frame would hold those of others.
  EXPECT_TRUE(owners("", layout("(2,4):(1,2)"), {8}, {4})[0].outline.empty());
}
TEST(Owners, ATileThatIsTooSmallIsRefused) { EXPECT_THROW((void)owners("", layout("(4,2):(2,1)"), {4}), error); }

TEST(PictureOfACopy, SourceLeftDestinationRight) {
  AnyLayout const tv = layout("(4,2):(2,1)");
  figure const f = picture_copy("copy", {tv, 2}, {tv, 1}, {4, 2});
  ASSERT_EQ(f.grid.size(), 2u);
  EXPECT_EQ(f.grid[0].title, "source");
  EXPECT_EQ(f.grid[0].outline.size(), 4u);
  EXPECT_EQ(f.grid[1].right, 1);
  EXPECT_TRUE(f.grid[1].outline.empty());
}
TEST(PictureOfAnMma, BIsAboveWithItsKDown) {
  // One thread: A (2,3), B (4,3), C (2,4)
  figure const f = picture_mma("mma", layout("(1,6):(0,1)"), layout("(1,12):(0,1)"), layout("(1,8):(0,1)"), 2, 4, 3);
  ASSERT_EQ(f.grid.size(), 3u);
  EXPECT_EQ(f.grid[0].title, "B");
  EXPECT_EQ(f.grid[0].rows, 3);
  EXPECT_EQ(f.grid[0].columns, 4);
  EXPECT_EQ(f.grid[0].at(1, 2).text, "T0\nV6");  // n = 2, k = 1: 2 + 4
  EXPECT_EQ(f.grid[1].down, 1);
  EXPECT_EQ(f.grid[1].right, 0);
  EXPECT_EQ(f.grid[2].down, 1);
  EXPECT_EQ(f.grid[2].right, 1);
}

}  // namespace
