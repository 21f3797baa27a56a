// SPDX-License-Identifier: Apache-2.0
// What `print` and `print_layout` write of integers, tuples, layouts and swizzles: CuTe's text.
#include <gtest/gtest.h>
#include <cosmati/layout/make_layout.hpp>
#include <cosmati/layout/operations.hpp>
#include <cosmati/layout/print.hpp>

#include "unit/printed.hpp"

using namespace cosmati;

namespace {

TEST(Print, Integers) {
  EXPECT_EQ(printed(3), "3");
  EXPECT_EQ(printed(-3ll), "-3");
  EXPECT_EQ(printed(_3{}), "_3");
  EXPECT_EQ(printed('c'), "c");
  EXPECT_EQ(printed(true), "1");
  EXPECT_EQ(written([] { print("text %d\n", 4); }), "text 4\n");
  EXPECT_EQ(written([] { print("100 %%\n"); }), "100 %\n");
  EXPECT_EQ(printed(1.5f), "1.500000");
}

TEST(Print, TuplesAndLayouts) {
  EXPECT_EQ(printed(make_tuple(1, _2{}, make_tuple(3, _))), "(1,_2,(3,_))");
  EXPECT_EQ(printed(make_tuple()), "()");
  EXPECT_EQ(printed(make_tuple(1, make_shape(_2{}, 3), make_layout(_4{}))), "(1,(_2,3),_4:_1)");
  EXPECT_EQ(printed(Layout<Shape<_8, _4>, Stride<_1, _8>>{}), "(_8,_4):(_1,_8)");
  EXPECT_EQ(printed(make_layout(make_shape(8, _4{}))), "(8,_4):(_1,8)");
  EXPECT_EQ(printed(make_identity_layout(make_shape(_4{}, 5))), "(_4,5):(_1@0,_1@1)");
  EXPECT_EQ(printed(E<0, 1>{}), "_1@1@0");
  EXPECT_EQ(printed(_2{} * E<1>{}), "_2@1");
  EXPECT_EQ(printed(Swizzle<3, 4, 3>{}), "Sw<3,4,3>");
  EXPECT_EQ(printed(composition(Swizzle<3, 4, 3>{}, Layout<Shape<_8, _64>>{})), "Sw<3,4,3> o _0 o (_8,_64):(_1,_8)");
}

TEST(PrintLayout, IsATable) {
  EXPECT_EQ(written([] { print_layout(Layout<Shape<_4, _3>, Stride<_3, _1>>{}); }), R"((_4,_3):(_3,_1)
       0    1    2 
    +----+----+----+
 0  |  0 |  1 |  2 |
    +----+----+----+
 1  |  3 |  4 |  5 |
    +----+----+----+
 2  |  6 |  7 |  8 |
    +----+----+----+
 3  |  9 | 10 | 11 |
    +----+----+----+
)");
  EXPECT_EQ(written([] { print_layout(Layout<Shape<_2, Shape<_2, _2>>, Stride<_1, Stride<Int<100>, _2>>>{}); }),
            R"((_2,(_2,_2)):(_1,(_100,_2))
        0     1     2     3 
    +-----+-----+-----+-----+
 0  |   0 | 100 |   2 | 102 |
    +-----+-----+-----+-----+
 1  |   1 | 101 |   3 | 103 |
    +-----+-----+-----+-----+
)");
  EXPECT_EQ(written([] { print_layout(composition(Swizzle<1, 0, 2>{}, Layout<Shape<_4, _4>>{})); }),
            R"(Sw<1,0,2> o _0 o (_4,_4):(_1,_4)
       0    1    2    3 
    +----+----+----+----+
 0  |  0 |  5 |  8 | 13 |
    +----+----+----+----+
 1  |  1 |  4 |  9 | 12 |
    +----+----+----+----+
 2  |  2 |  7 | 10 | 15 |
    +----+----+----+----+
 3  |  3 |  6 | 11 | 14 |
    +----+----+----+----+
)");
}

TEST(PrintLayout, OfOneModeIsAColumn) {
  EXPECT_EQ(written([] { print_layout(make_layout(2, Int<7>{})); }), R"(2:_7
      0 
    +---+
 0  | 0 |
    +---+
 1  | 7 |
    +---+
)");
}

}  // namespace
