// SPDX-License-Identifier: Apache-2.0
// Division of integers and tuples: results that CuTe gives, the definitions for many small integers, and refusals.
#include <gtest/gtest.h>
#include <cosmati/core/algebra/division.hpp>

#include "property/algebra_text.hpp"
#include "sim/message.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::tuple;
using algebra_test::tuple_str;

namespace {

TEST(AlgebraDivision, CeilDivCarriesFromModeToMode) {
  EXPECT_EQ(tuple_str(algebra::ceil_div(tuple("(4,(5,6))"), tuple("40"))), "(1,(1,3))");
  EXPECT_EQ(tuple_str(algebra::ceil_div(tuple("(12,20,3)"), tuple("(5,8)"))), "(3,3,3)");
  EXPECT_EQ(tuple_str(algebra::ceil_div(tuple("100"), tuple("(5,8)"))), "3");
  EXPECT_THROW(algebra::ceil_div(tuple("(4,5)"), tuple("(1,2,3)")), cosmati::error);
  EXPECT_THROW(algebra::ceil_div(tuple("(4,5)"), tuple("0")), cosmati::error);
}

TEST(AlgebraDivision, ShapeDivNeedsDivisors) {
  EXPECT_EQ(tuple_str(algebra::shape_div(tuple("(4,5,6)"), tuple("40"))), "(1,1,3)");
  EXPECT_THROW(algebra::shape_div(tuple("6"), tuple("4")), cosmati::error);
  EXPECT_THROW(algebra::shape_div(tuple("(6,4)"), tuple("(3,2,1)")), cosmati::error);
  EXPECT_EQ(algebra::safe_div<std::int64_t>(12, 4), 3);
  EXPECT_THROW(algebra::safe_div<std::int64_t>(12, 5), cosmati::error);
}

TEST(AlgebraDivision, RoundUpAndEvenlyDivides) {
  EXPECT_EQ(tuple_str(algebra::round_up(tuple("(12,(20,3))"), tuple("(5,(8))"))), "(15,(24,3))");
  EXPECT_TRUE(algebra::evenly_divides(tuple("(12,20)"), tuple("(4,5)")));
  EXPECT_FALSE(algebra::evenly_divides(tuple("(12,20)"), tuple("(5,5)")));
  EXPECT_FALSE(algebra::evenly_divides(tuple("12"), tuple("(4,1)")));
}

TEST(AlgebraDivision, OfIntegersByTheirDefinitions) {
  for (std::int64_t a = 0; a < 40; ++a) {
    for (std::int64_t b = 1; b < 12; ++b) {
      std::int64_t const up = algebra::ceil_div(a, b);
      EXPECT_TRUE(up * b >= a && (up - 1) * b < a) << a << " by " << b;
      std::int64_t const rounded = algebra::round_up(algebra::make_leaf(a), algebra::make_leaf(b)).shape[0];
      EXPECT_EQ(rounded, up * b);
      EXPECT_EQ(algebra::evenly_divides(algebra::make_leaf(a), algebra::make_leaf(b)), a % b == 0);
      EXPECT_EQ(algebra::quotient(a, b) * b + algebra::remainder(a, b), a);
    }
  }
  EXPECT_EQ(algebra::quotient(std::int64_t{-7}, std::int64_t{2}), -3);
  EXPECT_EQ(algebra::remainder(std::int64_t{-7}, std::int64_t{2}), -1) << "the sign of the dividend";
}

TEST(AlgebraDivision, EitherOfTwoIntegersMayDivideTheOther) {
  EXPECT_EQ(tuple_str(algebra::shape_div(tuple("(2,3)"), tuple("(8,3)"))), "(1,1)");
  EXPECT_EQ(tuple_str(algebra::shape_div(tuple("12"), tuple("(2,3)"))), "2") << "by the tuple's product";
}

TEST(AlgebraDivision, RefusalsNameTheNumbers) {
  EXPECT_MESSAGE(algebra::shape_div(tuple("(4,6)"), tuple("(4,4)")), "shape_div(6, 4): one of the two must divide");
  EXPECT_MESSAGE(algebra::safe_div<std::int64_t>(12, 5), "safe_div(12, 5): the second must divide the first");
  EXPECT_MESSAGE(algebra::safe_div<std::int64_t>(12, 0), "12 safe_div 0: division by zero");
  EXPECT_MESSAGE(algebra::ceil_div(std::int64_t{9}, std::int64_t{0}), "9 ceil_div 0: division by zero");
  EXPECT_MESSAGE(algebra::remainder(std::int64_t{9}, std::int64_t{0}), "9 % 0: division by zero");
  EXPECT_MESSAGE(algebra::round_up(tuple("(4,5)"), tuple("(1,2,3)")), "of rank 2 cannot be divided by one of rank 3");
  // Where a reader waits for the note nothing is thrown.
  auto dividend = tuple("(6,8)");
  dividend.note.is_read = true;
  auto const refused = algebra::shape_div(dividend, tuple("(4,2)"));
  EXPECT_EQ(refused.note.why, cosmati::refusal_reason::neither_divides);
  EXPECT_EQ(refused.note.first, 6);
  EXPECT_EQ(refused.note.second, 4);
}

}  // namespace
