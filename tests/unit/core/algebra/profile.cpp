// SPDX-License-Identifier: Apache-2.0
// The nesting of tuples, and when one fits another: as values, and of run-time integers as types leave it open.
#include <gtest/gtest.h>
#include <cosmati/core/algebra/profile.hpp>
#include <cosmati/core/int_tuple.hpp>

#include "property/algebra_text.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::tuple;

namespace {

TEST(AlgebraProfile, Fitting) {
  EXPECT_EQ(algebra::depth(tuple("(2,(3,(4)))")), 3);
  EXPECT_EQ(algebra::depth(tuple("7")), 0);
  EXPECT_TRUE(algebra::congruent(tuple("(2,(3,4))"), tuple("(1,(1,1))")));
  EXPECT_FALSE(algebra::congruent(tuple("(2,(3,4))"), tuple("(1,(1,(1)))")));
  EXPECT_TRUE(algebra::weakly_congruent(tuple("(2,3)"), tuple("(1,(1,1))")));
  EXPECT_FALSE(algebra::weakly_congruent(tuple("(2,(3,4))"), tuple("(1,1)")));
  EXPECT_TRUE(algebra::compatible(tuple("(2,12)"), tuple("(2,(3,4))")));
  EXPECT_FALSE(algebra::compatible(tuple("(2,(3,4))"), tuple("(2,12)")));
}

TEST(AlgebraProfile, RankAndDepthOfTheSmallest) {
  EXPECT_EQ(algebra::rank(tuple("()")), 0);
  EXPECT_EQ(algebra::depth(tuple("()")), 1);
  EXPECT_EQ(algebra::rank(tuple("7")), 1);
  EXPECT_EQ(algebra::rank(tuple("(7)")), 1);
  EXPECT_EQ(algebra::rank(tuple("(2,(3,4,5))"), 1), 3);
  EXPECT_EQ(algebra::rank(tuple("(2,(3,4,5))"), 0), 1);
}

// A partial order: reflexive, antisymmetric up to congruence, transitive; compatibility is finer.
TEST(AlgebraProfile, PartialOrders) {
  char const* const all[] = {"12", "(12)", "(3,4)", "(4,3)", "(3,(2,2))", "((3),4)", "((3,1),(2,2))", "(2,(2,3))"};
  for (char const* x : all) {
    auto const a = tuple(x);
    EXPECT_TRUE(algebra::weakly_congruent(a, a) && algebra::compatible(a, a)) << x;
    EXPECT_TRUE(algebra::compatible(tuple("12"), a)) << x;
    EXPECT_FALSE(algebra::compatible(tuple("13"), a)) << x;
    for (char const* y : all) {
      auto const b = tuple(y);
      if (algebra::compatible(a, b)) {
        EXPECT_TRUE(algebra::weakly_congruent(a, b)) << x << y;
      }
      if (algebra::weakly_congruent(a, b) && algebra::weakly_congruent(b, a)) {
        EXPECT_TRUE(algebra::congruent(a, b)) << x << y;
      }
      for (char const* z : all) {
        auto const c = tuple(z);
        if (algebra::compatible(a, b) && algebra::compatible(b, c)) {
          EXPECT_TRUE(algebra::compatible(a, c)) << x << y << z;
        }
      }
    }
  }
}

// What the types leave open is answered at run time; what they decide, is a constant.
TEST(AlgebraProfile, QuestionsAboutRunTimeExtents) {
  using namespace cosmati;
  int const m = 3, n = 4, k = 6;
  EXPECT_TRUE(compatible(12, make_tuple(m, n)));
  EXPECT_FALSE(compatible(_16{}, make_tuple(m, n)));
  EXPECT_TRUE(compatible(make_tuple(_12{}, n), make_tuple(make_tuple(m, n), _4{})));
  EXPECT_FALSE(compatible(make_tuple(_12{}, m), make_tuple(make_tuple(m, n), n)));
  static_assert(!decltype(compatible(make_tuple(m, n), 12))::value);
  static_assert(!decltype(compatible(make_tuple(m, n), make_tuple(m, n, m)))::value);
  // ceil_div((6,4), 8) is (1,2), and 8 times 2 is not 24
  EXPECT_FALSE(evenly_divides(make_tuple(k, n), 8));
  EXPECT_FALSE(evenly_divides(make_tuple(_6{}, _4{}), _8{}));
  EXPECT_TRUE(evenly_divides(make_tuple(make_tuple(k, n), m), make_tuple(_12{}, 3)));
  EXPECT_FALSE(evenly_divides(make_tuple(m, n), make_tuple(2)));
}

}  // namespace
