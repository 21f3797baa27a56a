// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/symbolic_integer.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {

TEST(SymbolicInteger, ComputesWhatIsKnown) {
  symbolic_integer const a(7), b(2);
  EXPECT_TRUE(algebra::is_known(a) && algebra::is(a * b, 14) && algebra::is(a + b, 9) && algebra::is(a - b, 5));
  EXPECT_TRUE(algebra::is(a / b, 3) && algebra::is(a % b, 1) && algebra::same(a, symbolic_integer(7)));
  EXPECT_EQ(algebra::known(a, "the extent"), 7);
  EXPECT_THROW(a / symbolic_integer(0), error);
  EXPECT_THROW(symbolic_integer(std::int64_t{1} << 62) * symbolic_integer(2), error);
}
TEST(SymbolicInteger, RecordsWhatIsNot) {
  algebra::expression_list list;
  symbolic_integer n;
  n.node = list.record({algebra::expression::input, 0, 0, 0});
  n.list = &list;
  symbolic_integer const product = n * symbolic_integer(3);
  EXPECT_FALSE(algebra::is_known(product));
  EXPECT_EQ(list.step[product.node].op, algebra::expression::multiply);
  EXPECT_EQ((n * symbolic_integer(1)).node, n.node);  // nothing to compute
  EXPECT_FALSE(algebra::same(n, n));                  // not known to be equal
  EXPECT_THROW(algebra::known(n, "the extent"), error);
}
TEST(SymbolicInteger, CarriesABasis) {
  symbolic_integer const e(1, 1);
  EXPECT_EQ(algebra::basis_of(e * symbolic_integer(4)), 1u);
  EXPECT_FALSE(algebra::is(e, 1));
  EXPECT_THROW(e * e, error);
}

}  // namespace
