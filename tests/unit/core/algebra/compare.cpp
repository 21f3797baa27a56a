// SPDX-License-Identifier: Apache-2.0
// Orders of tuples, against the definitions written out for every pair of small tuples.
#include <gtest/gtest.h>
#include <cosmati/core/algebra/compare.hpp>

#include "property/algebra_text.hpp"
#include "sim/message.hpp"

#include <algorithm>
#include <array>

namespace algebra = cosmati::algebra;
using algebra_test::tuple;

namespace {

TEST(AlgebraCompare, Orders) {
  EXPECT_TRUE(algebra::lex_less(tuple("(1,5)"), tuple("(2,3)")));
  EXPECT_FALSE(algebra::colex_less(tuple("(1,5)"), tuple("(2,3)")));
  EXPECT_FALSE(algebra::elem_less(tuple("(1,5)"), tuple("(2,3)")));
  EXPECT_TRUE(algebra::elem_less(tuple("(1,2)"), tuple("(2,3)")));
  EXPECT_TRUE(algebra::lex_less(tuple("(1)"), tuple("(1,0)")));
  EXPECT_THROW(algebra::lex_less(tuple("((1),16)"), tuple("(1,1)")), cosmati::error);
}

TEST(AlgebraCompare, EveryPairOfTriples) {
  using triple = std::array<int, 3>;
  auto const tree = [](triple const& t) {
    return tuple("(" + std::to_string(t[0]) + ",(" + std::to_string(t[1]) + "," + std::to_string(t[2]) + "))");
  };
  for (int x = 0; x < 8; ++x) {
    for (int y = 0; y < 8; ++y) {
      triple const a{x & 1, x >> 1 & 1, x >> 2}, b{y & 1, y >> 1 & 1, y >> 2};
      auto const s = tree(a), t = tree(b);
      bool const each = a[0] < b[0] && a[1] < b[1] && a[2] < b[2];
      bool const each_back = b[0] < a[0] && b[1] < a[1] && b[2] < a[2];
      triple const ra{a[2], a[1], a[0]}, rb{b[2], b[1], b[0]};
      EXPECT_EQ(algebra::equal(s, t), x == y);
      EXPECT_EQ(algebra::elem_less(s, t), each);
      EXPECT_EQ(algebra::elem_gtr(s, t), each_back);
      EXPECT_EQ(algebra::elem_leq(s, t), !each_back);  // CuTe's, also where the order is partial
      EXPECT_EQ(algebra::elem_geq(s, t), !each);
      EXPECT_EQ(algebra::lex_less(s, t), a < b);
      EXPECT_EQ(algebra::lex_gtr(s, t), b < a);
      EXPECT_EQ(algebra::lex_leq(s, t), a <= b);
      EXPECT_EQ(algebra::lex_geq(s, t), a >= b);
      EXPECT_EQ(algebra::colex_less(s, t), ra < rb);
      EXPECT_EQ(algebra::colex_gtr(s, t), rb < ra);
      EXPECT_EQ(algebra::colex_leq(s, t), ra <= rb);
      EXPECT_EQ(algebra::colex_geq(s, t), ra >= rb);
    }
  }
}

TEST(AlgebraCompare, OfEmptyAndOfUnequalRanks) {
  EXPECT_TRUE(algebra::equal(tuple("()"), tuple("()")));
  EXPECT_FALSE(algebra::equal(tuple("5"), tuple("(5)")));
  EXPECT_TRUE(algebra::elem_less(tuple("()"), tuple("(0)")));
  EXPECT_FALSE(algebra::elem_less(tuple("(0,0)"), tuple("(1)"))) << "the longer is not below the shorter";
  EXPECT_TRUE(algebra::colex_less(tuple("(9,1)"), tuple("(1,2)")));
  EXPECT_TRUE(algebra::lex_less(tuple("-3"), tuple("-2")));
}

TEST(AlgebraCompare, RefusesATupleBesideAnInteger) {
  EXPECT_MESSAGE(algebra::elem_less(tuple("(1,2,3)"), tuple("4")), "a tuple of rank 3 cannot be compared");
  // Each pair is looked at, also where an earlier mode has decided.
  EXPECT_MESSAGE(algebra::lex_less(tuple("(1,(2,2))"), tuple("(5,1)")), "a tuple of rank 2 cannot be compared");
}

}  // namespace
