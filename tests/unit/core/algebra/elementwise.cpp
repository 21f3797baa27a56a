// SPDX-License-Identifier: Apache-2.0
// Tuples combined leaf by leaf, on values; layouts keep their strides.
#include <gtest/gtest.h>
#include <cosmati/core/algebra/elementwise.hpp>

#include "property/algebra_text.hpp"
#include "sim/message.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::layout;
using algebra_test::str;
using algebra_test::tuple;
using algebra_test::tuple_str;

namespace {

TEST(AlgebraElementwise, FilterZerosPutsOnesWhereTheGuideIsZero) {
  EXPECT_EQ(tuple_str(algebra::filter_zeros(tuple("(0,3,0)"), tuple("(4,5,(6,7))"))), "(1,5,(1,1))");
  EXPECT_EQ(tuple_str(algebra::filter_zeros(tuple("0"), tuple("(4,(5,6))"))), "(1,(1,1))");
  EXPECT_EQ(tuple_str(algebra::filter_zeros(tuple("1"), tuple("(4,0)"))), "(4,0)") << "the guide decides";
  EXPECT_EQ(str(algebra::filter_zeros(tuple("(0,8)"), layout("(4,5):(0,8)"))), "(1,5):(0,8)");
}

TEST(AlgebraElementwise, ElemScaleMultipliesByProducts) {
  EXPECT_EQ(tuple_str(algebra::elem_scale(tuple("(2,(3,5))"), tuple("((4,5),(6,(1,7)))"))), "(40,(18,35))");
  EXPECT_EQ(tuple_str(algebra::elem_scale(tuple("()"), tuple("()"))), "()");
  EXPECT_MESSAGE(algebra::elem_scale(tuple("(2,3)"), tuple("(4,5,6)")), "elem_scale");
}

}  // namespace
