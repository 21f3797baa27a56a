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
      EXPECT_EQ(g.at(r, c).color, offset / 2);  // sixteen offsets, eight colours, in their order
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
  // Eight rows of 64 half floats. With the swizzle, one ldmatrix reads all banks; without it, few banks.
  auto const colors = [](AnyComposedLayout const& l) {
    figure const f = picture_banks_of(l, 16);
    std::uint32_t seen = 0;
    for (int r = 0; r < 8; ++r) seen |= 1u << f.grid[0].at(r, 0).color;
    return __builtin_popcount(seen);
  };
  AnyLayout const rows = layout("(8,64):(64,1)");
  EXPECT_EQ(colors({AnySwizzle(3, 3, 3), 0, rows}), 8);
  EXPECT_EQ(colors({AnySwizzle(0, 3, 3), 0, rows}), 1);
}

TEST(PictureOfASwizzledLayout, BeforeAndAfterByOneKey) {
  figure const f = picture(AnyComposedLayout{AnySwizzle(3, 3, 3), 0, layout("(8,64):(64,1)")}, 16);
  ASSERT_EQ(f.grid.size(), 2u);
  EXPECT_EQ(f.key.size(), 8u);
  EXPECT_EQ(f.key[2].text, "8-11");
  for (int r = 0; r < 8; ++r) {
    for (int c = 0; c < 64; ++c) {
      // Eight halves are 16 bytes, or four banks. The swizzle exchanges these pieces depending on the row.
      EXPECT_EQ(f.grid[0].at(r, c).color, c / 8);
      EXPECT_EQ(f.grid[1].at(r, c).color, (c / 8) ^ r);
    }
  }
  // 64 columns: one label for each eight contiguous elements.
  EXPECT_EQ(f.grid[1].outline.size(), 64u);
  EXPECT_EQ(f.grid[1].outline[8].text, "72-79");
}
TEST(PictureOfALayout, WideRowsAreLabelledByNeighbours) {
  figure const f = picture(layout("(2,64):(1,2)"));  // no contiguous elements in a row
  EXPECT_TRUE(f.grid[0].outline.empty());
  figure const rows = picture(layout("(2,32):(32,1)"));
  ASSERT_EQ(rows.grid[0].outline.size(), 8u);  // one colour for eight offsets
  EXPECT_EQ(rows.grid[0].outline[5].text, "40-47");
  EXPECT_EQ(rows.color_is, "offset");
  EXPECT_EQ(rows.key[7].text, "56-63");
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
TEST(Owners, WhatTheSignsMeanIsSaid) {
  // Threads 0 and 2 hold element 0, thread 1 element 1.
  figure const f = picture_tv(layout("((2,2),1):((1,0),0)"), {2});
  EXPECT_EQ(f.grid[0].at(0, 0).text, "T0\nV0");  // two threads hold each element
  ASSERT_EQ(f.note.size(), 2u);
  EXPECT_EQ(f.note[1], "each element is held by 2 threads; the first is named");
  figure const some = picture_tv(layout("(3,1):(0,0)"), {2});
  EXPECT_EQ(some.note.back(), "+n = n more threads hold the same element");
  EXPECT_EQ(picture_tv(layout("(2,1):(0,0)"), {2}).note.back(), "+1 = one more thread holds the same element");
  EXPECT_EQ(some.note.front(), "T0 V0 = thread 0's value 0");
}
TEST(Owners, ALabelForEachVector) {
  // Thread t has row t, four values along it.
  std::vector<figure_grid> const g = owners("", layout("(4,4):(1,4)"), {4, 4}, {4});
  ASSERT_EQ(g[0].outline.size(), 4u);
  EXPECT_EQ(g[0].outline[2].text, "T2\nV0-3");
  EXPECT_EQ(g[0].outline[2].row, 2);
  EXPECT_EQ(g[0].outline[2].columns, 4);
  // A label cannot give the order of the values of a 2 x 2 square, so each cell keeps its label.
  std::vector<figure_grid> const square = owners("", layout("(1,4):(0,1)"), {2, 2}, {4});
  ASSERT_EQ(square[0].outline.size(), 1u);
  EXPECT_EQ(square[0].outline[0].text, "");
  // Descending values also keep their labels.
  EXPECT_EQ(owners("", layout("(1,4):(0,1)"), {4}, {4})[0].outline[0].text, "T0\nV0-3");
}
TEST(Owners, VectorsAreFramedWhereTheyAreRectangles) {
  std::vector<figure_grid> const rows = owners("", layout("(4,4):(4,1)"), {4, 4}, {4});
  ASSERT_EQ(rows[0].outline.size(), 4u);
  EXPECT_EQ(rows[0].outline[1].column, 1);
  EXPECT_EQ(rows[0].outline[1].rows, 4);
  EXPECT_EQ(rows[0].outline[1].columns, 1);
  // Every other element: a frame around them would include elements of other threads.
  EXPECT_TRUE(owners("", layout("(2,4):(1,2)"), {8}, {4})[0].outline.empty());
}
TEST(Owners, ATileThatIsTooSmallIsRefused) { EXPECT_THROW((void)owners("", layout("(4,2):(2,1)"), {4}), error); }

TEST(PictureOfACopy, EqualSidesAreDrawnOnce) {
  AnyLayout const tv = layout("(4,2):(2,1)");
  figure const f = picture_copy("copy", {tv, 2}, {layout("((2,2),2):((2,4),1)"), 2}, {8});  // the same function
  ASSERT_EQ(f.grid.size(), 1u);
  EXPECT_EQ(f.grid[0].title, "source and destination");
  EXPECT_EQ(picture_copy("copy", {tv, 2}, {layout("(4,2):(1,4)"), 2}, {8}).grid.size(), 2u);
}
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
  EXPECT_EQ(f.grid[0].axes(), "k down, n across");
  EXPECT_EQ(f.grid[1].axes(), "m down, k across");
  EXPECT_EQ(f.grid[2].axes(), "m down, n across");
  EXPECT_EQ(f.grid[0].rows, 3);
  EXPECT_EQ(f.grid[0].columns, 4);
  EXPECT_EQ(f.grid[0].at(1, 2).text, "T0\nV6");  // n = 2, k = 1: 2 + 4
  EXPECT_EQ(f.grid[1].down, 1);
  EXPECT_EQ(f.grid[1].right, 0);
  EXPECT_EQ(f.grid[2].down, 1);
  EXPECT_EQ(f.grid[2].right, 1);
}

}  // namespace
