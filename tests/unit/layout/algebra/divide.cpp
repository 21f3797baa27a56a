// SPDX-License-Identifier: Apache-2.0
// Single cases of divides and products: the results are CuTe's.
#include <gtest/gtest.h>

#include <cosmati/layout/algebra/divide.hpp>
#include <cosmati/layout/algebra/product.hpp>
#include <cosmati/layout/operations.hpp>

#include "property/algebra_text.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::divisor;
using algebra_test::layout;
using algebra_test::str;
using algebra_test::tiler;
using algebra_test::tuple;

namespace {

TEST(Divides, RoundUpAsCuTeDoes) {
  EXPECT_EQ(str(algebra::logical_divide(layout("(6,2,2):(8,1,2)"), layout("4:1"))), "(4,(2,4)):(8,(32,1))");
  EXPECT_EQ(str(algebra::zipped_divide(layout("(12,32):(64,1)"), tiler("[5,8]"))), "((5,8),(3,4)):((64,1),(320,8))");
}

TEST(Divides, KeepAModeOfRank1Closed) {
  EXPECT_EQ(str(algebra::tiled_divide(layout("16:3"), tiler("[4]"))), "((4),(4)):((3),(12))");
  EXPECT_EQ(str(algebra::flat_divide(layout("16:3"), tiler("[4]"))), "((4),(4)):((3),(12))");
  EXPECT_EQ(str(algebra::tiled_divide(layout("16:3"), layout("4:1"))), "(4,4):(3,12)");
  EXPECT_EQ(str(algebra::make_fragment_like(layout("((4,2),3):((1,8),16)"))), "((4,2),(3)):((1,4),(8))");
}

TEST(Divides, ByTheInteger1AndByUnderscore) {
  EXPECT_EQ(str(algebra::logical_divide(layout("16:3"), divisor("1"))), "(1,16):(0,3)");
  EXPECT_EQ(str(algebra::composition(layout("(4,2):(2,1)"), layout("1"))), "1:1");
  EXPECT_EQ(str(algebra::logical_divide(layout("(2,(4)):(1,(2))"), tiler("[_,1:2]"))), "(2,(1,4)):(1,(4,2))");
}

TEST(Divides, AndProductsByTheLayout1Are) {
  EXPECT_EQ(str(algebra::logical_divide(layout("24:12"), layout("1:1"))), "(1,24):(12,12)");
  EXPECT_EQ(str(algebra::logical_divide(layout("((3,1,3),(2)):((1,18,6),(3))"), layout("1:1"))),
            "(1,(3,3,2)):(3,(1,6,3))");
  EXPECT_EQ(str(algebra::zipped_divide(layout("(1,2):(1,1)"), tiler("[1:1,4:2]"))), "((1,4),(1,2)):((1,2),(0,1))");
  EXPECT_EQ(str(algebra::logical_divide(layout("(1,2):(4,3)"), divisor("[1:1,1]"))), "((1,1),(1,2)):((4,0),(0,3))");
  EXPECT_EQ(str(algebra::logical_product(layout("4:1"), layout("1:1"))), "(4,1):(1,0)");
  EXPECT_EQ(str(algebra::blocked_product(layout("16:16"), layout("1:1"))), "((16,1)):((16,1))");
}

template <class L>
std::string text(L const&) {
  return str(cosmati::detail::lifted<std::int64_t, L>());
}
TEST(Divides, OfTypesTellTheInteger1FromTheLayout) {
  using namespace cosmati;
  Layout<Shape<_1, _2>, Stride<_4, _3>> const l;
  Layout<_1, _1> const one;
  EXPECT_EQ(text(logical_divide(l, make_tile(one, _1{}))), "((1,1),(1,2)):((4,0),(0,3))");
  EXPECT_EQ(text(logical_divide(l, make_tile(one, make_tile(_1{})))), "((1,1),((1,2))):((4,0),((0,3)))");
  EXPECT_EQ(text(logical_product(l, make_tile(one, _1{}))), "((1,1),(2,1)):((4,0),(3,0))");
  EXPECT_EQ(text(composition(l, make_tile(one, _1{}))), "(1,1):(4,3)");
  EXPECT_EQ(text(zipped_divide(l, make_tile(_1{}, _1{}))), "((1,1),(1,2)):((0,0),(0,3))");
  auto const mixed = logical_divide(make_layout(make_shape(6, _2{}), make_stride(5, 7)), make_tile(one, _1{}));
  EXPECT_EQ(decltype(mixed.stride<1, 0>())::value, 0);
  EXPECT_EQ((mixed.stride<0, 0>()), 5);
}

TEST(Products, OfLeavesAreWrapped) {
  EXPECT_EQ(str(algebra::blocked_product(layout("4:1"), layout("2:1"))), "((4,2)):((1,4))");
  EXPECT_EQ(str(algebra::blocked_product(layout("(4):(1)"), layout("(2):(1)"))), "((4,2)):((1,4))");
  EXPECT_EQ(str(algebra::raked_product(layout("(2):(1)"), layout("3:1"))), "((3,(2))):((2,(1)))");
}

}  // namespace
