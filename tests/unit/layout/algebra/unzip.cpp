// SPDX-License-Identifier: Apache-2.0
// Pairs of tile and rest, gathered: tiles first, then the rests and the modes that have no tile.
#include <gtest/gtest.h>
#include <cosmati/layout/algebra/unzip.hpp>

#include "property/algebra_text.hpp"
#include "sim/message.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::layout;
using algebra_test::str;
using algebra_test::tuple;
using algebra_test::tuple_str;

namespace {

TEST(AlgebraUnzip, TilesFirstThenRests) {
  auto const l = layout("((2,3),(4,5),6):((1,2),(10,20),100)");
  EXPECT_EQ(str(algebra::tile_unzip(l, algebra_test::tiler("[2,4]"))), "((2,4),(3,5,6)):((1,10),(2,20,100))");
  EXPECT_EQ(str(algebra::tile_unzip(layout("(2,3):(1,2)"), algebra_test::tiler("2"))), "(2,3):(1,2)");
  auto const nested = layout("(((2,3),(4,5)),(6,7)):(((1,2),(3,4)),(5,6))");
  EXPECT_EQ(str(algebra::tile_unzip(nested, algebra_test::tiler("[[2,4],6]"))),
            "(((2,4),6),((3,5),7)):(((1,3),5),((2,4),6))");
}

TEST(AlgebraUnzip, OpensPairs) {
  auto const pair = layout("((2,3),(4,5)):((1,2),(10,20))");
  EXPECT_EQ(str(algebra::detail::opened(pair, false)), "((2,3),4,5):((1,2),10,20)");
  EXPECT_EQ(str(algebra::detail::opened(pair, true)), "(2,3,4,5):(1,2,10,20)");
  EXPECT_EQ(str(algebra::detail::opened(layout("((2),(4)):((1),(10))"), true)), "((2),(4)):((1),(10))")
      << "a mode of rank 1 stays";
}

TEST(AlgebraUnzip, UnitsOfDivisors) {
  auto tiler = layout("(1,1,4):(1,1,1)");
  algebra::units_as_layouts(tiler, 0b101);
  EXPECT_EQ(str(tiler), "(1,1,4):(0,1,1)");
}

TEST(AlgebraUnzip, Refusals) {
  EXPECT_MESSAGE(algebra::tile_unzip(layout("((2,3),4):((1,2),6)"), algebra_test::tiler("[2,4]")),
                 "a mode of rank 1 stands where a pair (tile, rest) is needed");
  EXPECT_MESSAGE(algebra::tile_unzip(layout("((2,3),(4,5)):((1,2),(6,7))"), algebra_test::tiler("[2,4,6]")),
                 "a tiler of rank 3 was given for a layout of rank 2");
}

}  // namespace
