// SPDX-License-Identifier: Apache-2.0
// What a whole tuple comes to, per mode or in all; of the empty tuple; and overflow.
#include <gtest/gtest.h>
#include <cosmati/core/algebra/reduce.hpp>

#include "property/algebra_text.hpp"
#include "sim/message.hpp"

#include <numeric>

namespace algebra = cosmati::algebra;
using algebra_test::tuple;
using algebra_test::tuple_str;

namespace {

TEST(AlgebraReduce, OfTuples) {
  EXPECT_EQ(algebra::size(tuple("(2,(3,4))")), 24);
  EXPECT_EQ(algebra::size(tuple("(2,(3,4))"), 1), 12);
  EXPECT_EQ(tuple_str(algebra::product_each(tuple("(2,(3,4))"))), "(2,12)");
  EXPECT_EQ(tuple_str(algebra::product_each(tuple("5"))), "(5)");
  EXPECT_EQ(algebra::sum(tuple("(2,(3,4))")), 9);
  EXPECT_EQ(algebra::gcd(tuple("(12,(18,30))")), 6);
  EXPECT_EQ(algebra::inner_product(tuple("(2,(3,4))"), tuple("(1,(10,100))")), 432);
  EXPECT_THROW(algebra::inner_product(tuple("(2,(3,4))"), tuple("(1,10,100)")), cosmati::error);
  EXPECT_THROW(algebra::max(tuple("()")), cosmati::error);
}

TEST(AlgebraReduce, LargestSmallestAndProductsByAGuide) {
  EXPECT_EQ(algebra::max(tuple("(2,(7,-3))")), 7);
  EXPECT_EQ(algebra::min(tuple("(2,(7,-3))")), -3);
  EXPECT_EQ(algebra::max(tuple("-4")), -4);
  EXPECT_EQ(tuple_str(algebra::product_like(tuple("((2,3),(4,(5,6)))"), tuple("(1,(1,1))"))), "(6,(4,30))");
  EXPECT_EQ(tuple_str(algebra::product_like(tuple("((2,3),4)"), tuple("1"))), "24");
  EXPECT_MESSAGE(algebra::product_like(tuple("(2,3)"), tuple("(1,1,1)")), "product_like");
}

TEST(AlgebraReduce, OfNothing) {
  EXPECT_EQ(algebra::size(tuple("()")), 1);
  EXPECT_EQ(algebra::product(tuple("()")), 1);
  EXPECT_EQ(algebra::sum(tuple("()")), 0);
  EXPECT_EQ(algebra::inner_product(tuple("()"), tuple("()")), 0);
  EXPECT_MESSAGE(algebra::min(tuple("()")), "minimum");
  EXPECT_MESSAGE(algebra::gcd(tuple("()")), "greatest common divisor");
}

TEST(AlgebraReduce, GreatestCommonDivisorIsThatOfTheStandardLibrary) {
  for (std::int64_t a = 0; a < 30; ++a)
    for (std::int64_t b = 0; b < 30; ++b) EXPECT_EQ(algebra::gcd(a, b), std::gcd(a, b)) << a << ' ' << b;
}

TEST(AlgebraReduce, OverflowOfKnownIntegersIsAnError) {
  using algebra_test::layout;
  auto const large = tuple<cosmati::symbolic_integer>("(4294967296,4294967296)");
  EXPECT_MESSAGE(algebra::size(large), "integer overflow: 4294967296 * 4294967296 does not fit 64 bits");
}

}  // namespace
