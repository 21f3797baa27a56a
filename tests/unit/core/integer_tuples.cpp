// SPDX-License-Identifier: Apache-2.0
// The functions of integer tuples on values: results that CuTe gives, and what is refused.
#include <gtest/gtest.h>

#include <cosmati/core/algebra/algebra.hpp>
#include <cosmati/core/int_tuple.hpp>

#include "property/algebra_text.hpp"

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

TEST(AlgebraCompare, Orders) {
  EXPECT_TRUE(algebra::lex_less(tuple("(1,5)"), tuple("(2,3)")));
  EXPECT_FALSE(algebra::colex_less(tuple("(1,5)"), tuple("(2,3)")));
  EXPECT_FALSE(algebra::elem_less(tuple("(1,5)"), tuple("(2,3)")));
  EXPECT_TRUE(algebra::elem_less(tuple("(1,2)"), tuple("(2,3)")));
  EXPECT_TRUE(algebra::lex_less(tuple("(1)"), tuple("(1,0)")));
  EXPECT_THROW(algebra::lex_less(tuple("((1),16)"), tuple("(1,1)")), cosmati::error);
}

TEST(AlgebraCompact, Strides) {
  EXPECT_EQ(tuple_str(algebra::compact_col_major(tuple("(2,(1,4))"))), "(1,(0,2))");
  EXPECT_EQ(tuple_str(algebra::compact_row_major(tuple("(2,(1,4))"))), "(4,(0,1))");
  EXPECT_EQ(tuple_str(algebra::compact_col_major(tuple("((2,3),4)"), tuple("(1,100)"))), "((1,2),100)");
  EXPECT_EQ(tuple_str(algebra::compact_order(tuple("((2,3),4,5)"), tuple("(2,0,1)"))), "((20,40),1,4)");
  EXPECT_THROW(algebra::compact_order(tuple("(2,3)"), tuple("(1,2,3)")), cosmati::error);
}

TEST(AlgebraCoordinate, OfTuples) {
  EXPECT_EQ(tuple_str(algebra::idx2crd(tuple("41"), tuple("(4,(5,6))"))), "(1,(0,2))");
  EXPECT_EQ(algebra::crd2idx_in_shape(tuple("(1,10)"), tuple("(4,(5,6))")), 41);
  EXPECT_EQ(tuple_str(algebra::crd2crd(tuple("(1,10)"), tuple("(4,30)"), tuple("((2,2),(5,6))"))), "((1,0),(0,2))");
  EXPECT_EQ(tuple_str(algebra::crd2idx(tuple("(1,2)"), tuple("(4,5)"), tuple("(10,1)"))), "12");
  EXPECT_EQ(tuple_str(algebra::idx2crd(tuple("3"), tuple("(1,4)"))), "(0,3)") << "an extent of 1 takes nothing";
}

TEST(AlgebraModes, OfTuples) {
  EXPECT_EQ(tuple_str(algebra::flatten(tuple("(1,(2,(3)))"))), "(1,2,3)");
  EXPECT_EQ(tuple_str(algebra::unwrap(tuple("((5))"))), "5");
  EXPECT_EQ(tuple_str(algebra::wrap(tuple("5"))), "(5)");
  EXPECT_EQ(tuple_str(algebra::group(tuple("(1,2,3,4)"), 1, 3)), "(1,(2,3),4)");
  EXPECT_EQ(tuple_str(algebra::group(tuple("5"), 0, 1)), "((5))");
  EXPECT_EQ(tuple_str(algebra::zip(tuple("((1,2),(3,4))"))), "((1,3),(2,4))");
  EXPECT_EQ(tuple_str(algebra::zip(tuple("1"), tuple("2"))), "((1,2))");
  EXPECT_EQ(tuple_str(algebra::repeat_like<std::int64_t>(tuple("(1,(2,3))"), 7)), "(7,(7,7))");
  EXPECT_EQ(tuple_str(algebra::tuple_repeat(tuple("(1,2)"), 2)), "((1,2),(1,2))");
  EXPECT_EQ(tuple_str(algebra::dice(tuple("(_,(2,_))"), tuple("(3,(4,5))"))), "(4)");
}

}  // namespace
