// SPDX-License-Identifier: Apache-2.0
// The layout examples of MoYe.jl's documentation and tests, with CuTe's 0-based coordinates and offsets.
#include <gtest/gtest.h>

#include <cosmati/layout/algebra/algebra.hpp>
#include <vector>

#include "property/algebra_text.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::divisor;
using algebra_test::layout;
using algebra_test::str;
using algebra_test::tiler;
using algebra_test::tuple;
using algebra_test::tuple_str;
using tree = algebra_test::flat_tree<std::int64_t>;
using table = std::vector<std::vector<int>>;

namespace {

/// The values of a layout of two modes, one row for each coordinate of the first.
table rows(tree const& f) {
  table t;
  for (int i = 0; i < algebra::size(f, 0); ++i) {
    t.emplace_back();
    for (int j = 0; j < algebra::size(f, 1); ++j) {
      t.back().push_back(static_cast<int>(algebra::crd2idx(i + algebra::size(f, 0) * j, f)));
    }
  }
  return t;
}
/// MoYe's table, with offsets from 1.
table from_1(table t) {
  for (auto& row : t) {
    for (int& x : row) --x;
  }
  return t;
}
std::int64_t at(tree const& f, char const* coord) { return algebra::crd2idx(tuple(coord), f).shape[0]; }

TEST(MoYeLayout, StridesThroughAVector) {
  tree const l = layout("4:2");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(algebra::crd2idx(i, l), 2 * i);
}

TEST(MoYeLayout, OfTwoModes) {
  tree const l = layout("(2,(2,2)):(4,(1,2))");
  EXPECT_EQ(str(l), "(2,(2,2)):(4,(1,2))");
  EXPECT_EQ(algebra::size(l), 8);
  EXPECT_EQ(algebra::rank(l), 2);
  EXPECT_EQ(algebra::depth(l), 2);
  EXPECT_EQ(algebra::cosize(l), 8);
  EXPECT_EQ(at(l, "(1,(0,1))"), 6);
  EXPECT_EQ(at(l, "(1,2)"), 6);
  EXPECT_EQ(at(l, "5"), 6);
  EXPECT_EQ(str(algebra::get(l, 1)), "(2,2):(1,2)");
  EXPECT_EQ(str(algebra::concatenate(layout("2:4"), layout("(2,2):(1,2)"))), "(2,(2,2)):(4,(1,2))");
}

TEST(MoYeLayout, OfThreeLevels) {
  tree const l = layout("(4,(2,2)):(2,(1,8))");
  EXPECT_EQ(rows(l), from_1({{1, 2, 9, 10}, {3, 4, 11, 12}, {5, 6, 13, 14}, {7, 8, 15, 16}}));
  EXPECT_EQ(at(l, "5"), 3);
  EXPECT_EQ(at(l, "(1,1)"), 3);
  EXPECT_EQ(at(l, "(1,(1,0))"), 3);
}

TEST(MoYeLayout, Coalesce) { EXPECT_EQ(str(algebra::coalesce(layout("(2,(1,6)):(1,(6,2))"))), "12:1"); }

TEST(MoYeLayout, Complement) {
  tree const c = algebra::complement(layout("4:2"), 24);
  EXPECT_EQ(str(c), "(2,3):(1,8)");
  EXPECT_EQ(rows(c), from_1({{1, 9, 17}, {2, 10, 18}}));
  tree const both = algebra::concatenate(layout("4:2"), c);
  EXPECT_EQ(str(both), "(4,(2,3)):(2,(1,8))");
  EXPECT_EQ(rows(both),
            from_1({{1, 2, 9, 10, 17, 18}, {3, 4, 11, 12, 19, 20}, {5, 6, 13, 14, 21, 22}, {7, 8, 15, 16, 23, 24}}));
  EXPECT_EQ(str(algebra::complement(layout("4:1"), 24)), "6:4");
  EXPECT_EQ(str(algebra::complement(layout("6:4"), 24)), "4:1");
}

class MoYeProducts : public testing::Test {
 protected:
  tree const tile = layout("(2,2):(1,2)");
  tree const matrix_of_tiles = layout("(3,4):(4,1)");
  table const logical = from_1({{1, 17, 33, 5, 21, 37, 9, 25, 41, 13, 29, 45},
                                {2, 18, 34, 6, 22, 38, 10, 26, 42, 14, 30, 46},
                                {3, 19, 35, 7, 23, 39, 11, 27, 43, 15, 31, 47},
                                {4, 20, 36, 8, 24, 40, 12, 28, 44, 16, 32, 48}});
  table const blocked = from_1({{1, 3, 5, 7, 9, 11, 13, 15},
                                {2, 4, 6, 8, 10, 12, 14, 16},
                                {17, 19, 21, 23, 25, 27, 29, 31},
                                {18, 20, 22, 24, 26, 28, 30, 32},
                                {33, 35, 37, 39, 41, 43, 45, 47},
                                {34, 36, 38, 40, 42, 44, 46, 48}});
};

TEST_F(MoYeProducts, Logical) {
  tree const r = algebra::logical_product(tile, matrix_of_tiles);
  EXPECT_EQ(str(r), "((2,2),(3,4)):((1,2),(16,4))");
  EXPECT_EQ(rows(r), logical);
}
TEST_F(MoYeProducts, Blocked) {
  tree const r = algebra::blocked_product(tile, matrix_of_tiles);
  EXPECT_EQ(str(r), "((2,3),(2,4)):((1,16),(2,4))");
  EXPECT_EQ(rows(r), blocked);
  EXPECT_EQ(str(algebra::coalesce(r, tuple("(1,1)"))), "((2,3),8):((1,16),2)");
}
TEST_F(MoYeProducts, Raked) {
  tree const r = algebra::raked_product(tile, matrix_of_tiles);
  EXPECT_EQ(str(r), "((3,2),(4,2)):((16,1),(4,2))");
  EXPECT_EQ(rows(r), from_1({{1, 5, 9, 13, 3, 7, 11, 15},
                             {17, 21, 25, 29, 19, 23, 27, 31},
                             {33, 37, 41, 45, 35, 39, 43, 47},
                             {2, 6, 10, 14, 4, 8, 12, 16},
                             {18, 22, 26, 30, 20, 24, 28, 32},
                             {34, 38, 42, 46, 36, 40, 44, 48}}));
  EXPECT_EQ(str(algebra::coalesce(r, tuple("(1,1)"))), "((3,2),(4,2)):((16,1),(4,2))");
}
TEST_F(MoYeProducts, ZippedAndTiled) {
  EXPECT_EQ(str(algebra::zipped_product(tile, matrix_of_tiles)), "((2,2),(3,4)):((1,2),(16,4))");
  EXPECT_EQ(str(algebra::tiled_product(tile, matrix_of_tiles)), "((2,2),3,4):((1,2),16,4)");
  EXPECT_EQ(str(algebra::logical_product(layout("1:0"), layout("(2,2):(1,2)"))), "(1,(2,2)):(0,(1,2))");
}
TEST_F(MoYeProducts, DividedAgain) {
  tree const raked = algebra::raked_product(tile, matrix_of_tiles);
  tree const by_mode = tiler("[2:3,2:4]");
  tree const divided = algebra::logical_divide(raked, by_mode);
  EXPECT_EQ(str(divided), "((2,3),(2,4)):((1,16),(2,4))");
  EXPECT_EQ(rows(divided), blocked);
  tree const zipped = algebra::zipped_divide(raked, by_mode);
  EXPECT_EQ(str(zipped), "((2,2),(3,4)):((1,2),(16,4))");
  EXPECT_EQ(rows(zipped), logical);
  EXPECT_EQ(str(algebra::tiled_divide(raked, by_mode)), "((2,2),3,4):((1,2),16,4)");
}

TEST(MoYeLayout, Composition) {
  EXPECT_EQ(str(algebra::composition(layout("20:2"), layout("(4,5):(1,4)"))), "(4,5):(2,8)");
  EXPECT_EQ(str(algebra::composition(layout("20:2"), layout("(4,5):(5,1)"))), "(4,5):(10,2)");
}

TEST(MoYeLayout, LogicalDivide) {
  EXPECT_EQ(str(algebra::logical_divide(layout("16:3"), layout("4:1"))), "(4,4):(3,12)");
  EXPECT_EQ(str(algebra::logical_divide(layout("16:3"), layout("4:4"))), "(4,4):(12,3)");
  EXPECT_EQ(str(algebra::logical_divide(layout("16:3"), layout("4:2"))), "(4,(2,2)):(6,(3,24))");
  EXPECT_EQ(str(algebra::logical_divide(layout("16:3"), layout("(2,2):(4,1)"))), "((2,2),(2,2)):((12,3),(6,24))");
}

TEST(MoYeLayout, FlattenAndCompactStrides) {
  EXPECT_EQ(str(algebra::flatten(layout("((4,3),1):((3,1),0)"))), "(4,3,1):(3,1,0)");
  // MoYe gives an extent of 1 the running stride; CuTe and Cosmati give it 0.
  EXPECT_EQ(tuple_str(algebra::compact_col_major(tuple("((1,(2,4)),1)"))), "((0,(1,2)),0)");
  EXPECT_EQ(tuple_str(algebra::compact_row_major(tuple("((1,(2,4)),1)"))), "((0,(4,1)),0)");
  EXPECT_EQ(tuple_str(algebra::compact_col_major(tuple("(3,4,5)"))), "(1,3,12)");
  EXPECT_EQ(tuple_str(algebra::compact_row_major(tuple("(3,4,5)"))), "(20,5,1)");
}

TEST(MoYeLayout, OrderedLayouts) {
  EXPECT_EQ(str(algebra::make_ordered_layout(tuple("(3,5)"), tuple("(2,6)"))), "(3,5):(1,3)");
  EXPECT_EQ(str(algebra::make_ordered_layout(tuple("(3,5)"), tuple("(10,2)"))), "(3,5):(5,1)");
}

TEST(MoYeStride, CoordinatesToIndices) {
  tree const l = layout("(3,4):(2,8)");
  EXPECT_EQ(at(l, "4"), 10);
  EXPECT_EQ(at(l, "6"), 16);
  EXPECT_EQ(at(l, "11"), 28);
  EXPECT_EQ(at(l, "(1,1)"), 10);
  EXPECT_EQ(at(l, "(0,2)"), 16);
  EXPECT_EQ(at(l, "(2,3)"), 28);
  tree const nested = layout("(3,(2,2)):(2,(16,8))");
  EXPECT_EQ(at(nested, "(1,2)"), 10);
  EXPECT_EQ(at(nested, "(0,1)"), 16);
  EXPECT_EQ(at(nested, "(2,3)"), 28);
  tree const compact = algebra::make_layout(tuple("(3,4)"));
  EXPECT_EQ(at(compact, "(0,1)"), 3);
  EXPECT_EQ(at(compact, "(1,2)"), 7);
  EXPECT_EQ(at(compact, "(2,3)"), 11);
}

TEST(MoYeStride, IndicesToCoordinates) {
  EXPECT_EQ(tuple_str(algebra::idx2crd(tuple("8"), tuple("(3,4)"), tuple("(1,3)"))), "(2,2)");
  EXPECT_EQ(tuple_str(algebra::idx2crd(tuple("9"), tuple("(3,4)"), tuple("(1,3)"))), "(0,3)");
}

TEST(MoYeIntTuple, ShapeDivAndSlice) {
  EXPECT_EQ(tuple_str(algebra::shape_div(tuple("(12,3)"), tuple("(2,3)"))), "(6,1)");
  EXPECT_EQ(tuple_str(algebra::shape_div(tuple("(12,3)"), tuple("3"))), "(4,3)");
  EXPECT_EQ(tuple_str(algebra::shape_div(tuple("12"), tuple("(3,4)"))), "1");
  EXPECT_EQ(tuple_str(algebra::slice(tuple("(_,(2,_))"), tuple("(3,(4,5))"))), "(3,5)");
  EXPECT_EQ(tuple_str(algebra::idx2crd(tuple("3"), tuple("(3,4)"))), "(0,1)") << "the coordinate behind (2,0)";
}

TEST(MoYeArray, BroadcastLayoutHasOneElement) {
  EXPECT_EQ(algebra::cosize(layout("(3,4):(0,0)")), 1);
  EXPECT_EQ(str(algebra::filter(layout("(3,4):(0,0)"))), "1:0");
}

TEST(MoYeArray, View) {
  tree const a = layout("((3,2),(2,5,2)):((4,1),(2,13,100))");
  table const all = rows(a);
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[0],
            from_1({{1, 3, 14, 16, 27, 29, 40, 42, 53, 55, 101, 103, 114, 116, 127, 129, 140, 142, 153, 155}})[0]);
  EXPECT_EQ(all[1],
            from_1({{5, 7, 18, 20, 31, 33, 44, 46, 57, 59, 105, 107, 118, 120, 131, 133, 144, 146, 157, 159}})[0]);
  auto const row = algebra::slice_and_offset(tuple("(1,_)"), a);
  EXPECT_EQ(str(row.layout), "((2,5,2)):((2,13,100))");
  EXPECT_EQ(row.offset.shape[0], 4);
}

TEST(MoYeTiling, TileAndParallelize) {
  tree const a = layout("(6,8):(1,6)");
  // @tile a (3,4) (1,2): the tile (0,1).
  auto const tile = algebra::slice_and_offset(tuple("(_,(0,1))"), algebra::zipped_divide(a, tiler("[3,4]")));
  EXPECT_EQ(str(algebra::get(tile.layout, 0)), "(3,4):(1,6)");
  EXPECT_EQ(tile.offset.shape[0], 24);
  // @parallelize of this tile over (3,2), thread (0,0): the first elements of the tiles.
  auto const share = algebra::slice_and_offset(tuple("((0,0),_)"),
                                               algebra::zipped_divide(algebra::get(tile.layout, 0), tiler("[3,2]")));
  EXPECT_EQ(str(algebra::get(share.layout, 0)), "(1,2):(0,12)");
  EXPECT_EQ(tile.offset.shape[0] + share.offset.shape[0], 24);
  // @tile sub (3,1) (1,2).
  auto const column = algebra::slice_and_offset(tuple("(_,(0,1))"),
                                                algebra::zipped_divide(algebra::get(tile.layout, 0), divisor("[3,1]")));
  EXPECT_EQ(str(algebra::get(column.layout, 0)), "(3,1):(1,0)");
  EXPECT_EQ(tile.offset.shape[0] + column.offset.shape[0], 30);
  // @parallelize a (2,2): the elements of a thread are (3,4):(2,12), from the thread's place on.
  tree const by_threads = algebra::zipped_divide(a, tiler("[2,2]"));
  EXPECT_EQ(str(algebra::get(by_threads, 1)), "(3,4):(2,12)");
  EXPECT_EQ(algebra::slice_and_offset(tuple("((1,0),_)"), by_threads).offset.shape[0], 1) << "thread 1 of (2,2):(1,2)";
  EXPECT_EQ(algebra::slice_and_offset(tuple("((0,1),_)"), by_threads).offset.shape[0], 6) << "thread 1 of (2,2):(2,1)";
  EXPECT_EQ(rows(algebra::get(by_threads, 0)), from_1({{1, 7}, {2, 8}})) << "@tile a (2,2) (1,1)";
}

TEST(MoYeTiling, TileIterator) {
  tree const z = algebra::zipped_divide(layout("(4,9):(1,4)"), tiler("[2,3]"));
  EXPECT_EQ(str(z), "((2,3),(2,3)):((1,4),(2,12))");
  EXPECT_EQ(rows(z), from_1({{1, 3, 13, 15, 25, 27},
                             {2, 4, 14, 16, 26, 28},
                             {5, 7, 17, 19, 29, 31},
                             {6, 8, 18, 20, 30, 32},
                             {9, 11, 21, 23, 33, 35},
                             {10, 12, 22, 24, 34, 36}}));
}

TEST(MoYeArray, RecastAppendPrepend) {
  EXPECT_EQ(str(algebra::recast_layout(layout("(2,3):(1,2)"), 32, 16)), "(4,3):(1,4)");
  // MoYe and CuTe give the extent 1 the stride 1, so the mode keeps its stride.
  EXPECT_EQ(str(algebra::recast_layout(layout("(2,3):(1,2)"), 32, 64)), "(1,3):(1,1)");
  EXPECT_EQ(str(algebra::recast_layout(layout("(4,3):(1,4)"), 64, 32)), "(8,3):(1,8)");
  EXPECT_EQ(str(algebra::recast_layout(layout("(4,3):(1,4)"), 64, 128)), "(2,3):(1,2)");
  EXPECT_EQ(str(algebra::append(layout("(2,3):(1,2)"), 3)), "(2,3,1):(1,2,0)");
  EXPECT_EQ(str(algebra::prepend(layout("(2,3):(1,2)"), 3)), "(1,2,3):(0,1,2)");
}

TEST(MoYeArray, BroadcastKeepsTheOrder) {
  EXPECT_EQ(str(algebra::make_layout_like(layout("(3,2):(2,1)"))), "(3,2):(2,1)");
}

// thr (2,3):(3,1), val (2,3):(1,2): the threads hold adjacent blocks of 2 x 3, row by row.
TEST(MoYeTiledCopy, ThreadAndValueLayout) {
  tree const raked = algebra::raked_product(layout("(2,3):(3,1)"), layout("(2,3):(1,2)"));
  tree const tv = algebra::with_shape(algebra::right_inverse(raked), tuple("(6,6)"));
  EXPECT_EQ(str(tv), "((3,2),(2,3)):((12,2),(1,4))");
  table holder(4, std::vector<int>(9));
  for (int t = 0; t < 6; ++t) {
    for (int v = 0; v < 6; ++v) {
      auto const place = algebra::crd2idx(t + 6 * v, tv);
      holder[static_cast<std::size_t>(place % 4)][static_cast<std::size_t>(place / 4)] = t + 1;
    }
  }
  EXPECT_EQ(holder, (table{{1, 1, 1, 2, 2, 2, 3, 3, 3},
                           {1, 1, 1, 2, 2, 2, 3, 3, 3},
                           {4, 4, 4, 5, 5, 5, 6, 6, 6},
                           {4, 4, 4, 5, 5, 5, 6, 6, 6}}));
}

}  // namespace
