// SPDX-License-Identifier: Apache-2.0
// Layouts made from shapes, and taken apart: compact, ordered, like another, of coordinates.
#include <gtest/gtest.h>
#include <cosmati/layout/algebra/make.hpp>

#include "property/algebra_text.hpp"
#include "sim/message.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::layout;
using algebra_test::str;
using algebra_test::tuple;
using algebra_test::tuple_str;

namespace {

TEST(AlgebraMake, FromShapesAndStrides) {
  EXPECT_EQ(str(algebra::make_layout(tuple("(2,(3,4))"), tuple("(1,(10,2))"))), "(2,(3,4)):(1,(10,2))");
  EXPECT_EQ(str(algebra::make_layout(tuple("(2,(3,4))"))), "(2,(3,4)):(1,(2,6))");
  EXPECT_EQ(str(algebra::make_layout(tuple("(2,(3,4))"), algebra::major::right)), "(2,(3,4)):(12,(4,1))");
  EXPECT_EQ(str(algebra::make_layout(tuple("()"))), "():()");
  EXPECT_EQ(str(algebra::concatenate(layout("2:5"), layout("(3,4):(1,3)"))), "(2,(3,4)):(5,(1,3))");
  EXPECT_MESSAGE(algebra::make_layout(tuple("(2,3)"), tuple("(1,(2))")), "layout");
}

TEST(AlgebraMake, TakenApart) {
  auto const l = layout("(2,(3,4)):(1,(10,2))");
  EXPECT_EQ(tuple_str(algebra::shape(l)), "(2,(3,4))");
  EXPECT_EQ(tuple_str(algebra::stride(l)), "(1,(10,2))");
  EXPECT_EQ(str(algebra::make_layout(algebra::shape(l), algebra::stride(l))), str(l));
}

TEST(AlgebraMake, OrderedAndLike) {
  EXPECT_EQ(str(algebra::make_ordered_layout(tuple("(2,3,4)"), tuple("(2,0,1)"))), "(2,3,4):(12,1,3)");
  // Strides in the order of the layout's, compact; a stride of 0 stays 0.
  EXPECT_EQ(str(algebra::make_layout_like(layout("(2,3,4):(100,7,0)"))), "(2,3,4):(3,1,0)");
  EXPECT_EQ(str(algebra::make_layout_like(layout("(4,(2,2)):(2,(1,50))"))), "(4,(2,2)):(2,(1,8))");
}

TEST(AlgebraMake, IdentityMapsCoordinatesToThemselves) {
  using cosmati::symbolic_integer;
  EXPECT_EQ(str(algebra::make_identity_layout(tuple<symbolic_integer>("(4,(2,3))"))), "(4,(2,3)):(1@0,(1@0@1,1@1@1))");
  EXPECT_EQ(str(algebra::make_identity_layout(tuple("7"))), "7:1");
  EXPECT_MESSAGE(algebra::make_identity_layout(tuple("(2,3)")), "identity layout of rank 2 or more");
  EXPECT_MESSAGE(algebra::make_identity_layout(tuple<symbolic_integer>("(((((((((2)))))))))")), "a basis of depth 9");
}

}  // namespace
