// SPDX-License-Identifier: Apache-2.0
// Recorded steps computed at run time, each beside C++'s own arithmetic; inputs found at their place in an argument.
#include <gtest/gtest.h>
#include <cosmati/core/evaluate.hpp>
#include <cosmati/core/recorded_steps.hpp>

#include "sim/message.hpp"

using namespace cosmati;
using algebra::expression;

namespace {

// An operation of one binary step on two run-time inputs.
template <expression::operation op>
struct one_step {
  static constexpr detail::operand_forms operands{};
  template <class Num>
  static constexpr Num apply(flat_tree<Num> const& a, flat_tree<Num> const& b) {
    return algebra::detail::record(op, a.shape[0], b.shape[0], 0);
  }
};
template <expression::operation op, class A, class B>
auto computed(A a, B b) {
  return detail::evaluate_tuple<one_step<op>>(a, b);
}

TEST(RecordedSteps, AreCppsArithmetic) {
  for (int a : {-9, -1, 0, 1, 7, 64}) {
    for (int b : {-4, 1, 2, 7, 100}) {
      EXPECT_EQ(computed<expression::add>(a, b), a + b);
      EXPECT_EQ(computed<expression::subtract>(a, b), a - b);
      EXPECT_EQ(computed<expression::multiply>(a, b), a * b);
      EXPECT_EQ(computed<expression::divide>(a, b), a / b);
      EXPECT_EQ(computed<expression::modulo>(a, b), a % b);
      EXPECT_EQ(computed<expression::minimum>(a, b), a < b ? a : b);
      EXPECT_EQ(computed<expression::maximum>(a, b), a < b ? b : a);
      EXPECT_EQ(computed<expression::absolute>(a, b), a < 0 ? -a : a);
      EXPECT_EQ(computed<expression::sign>(a, b), (a > 0) - (a < 0));
      if (a >= 0 && b > 0) {
        EXPECT_EQ(computed<expression::ceil_divide>(a, b), (a + b - 1) / b);
      }
    }
  }
}

TEST(RecordedSteps, ProductsAre64BitsWide) {
  int const large = 1 << 20;
  EXPECT_EQ(computed<expression::multiply>(large, large), std::int64_t{1} << 40);
  static_assert(std::is_same_v<decltype(computed<expression::multiply>(1, 1)), std::int64_t>);
}

TEST(RecordedSteps, ARunTimeZeroDivides) {
  EXPECT_EQ(computed<expression::divide>(7, 0), 0) << "an extent of 0 has no coordinates";
  EXPECT_EQ(computed<expression::modulo>(7, 0), 0);
  EXPECT_MESSAGE(computed<expression::ceil_divide>(7, 0), "7 ceil_div 0: division by zero");
}

TEST(RecordedSteps, LeavesOfAnArgument) {
  auto const t = make_tuple(_2{}, make_tuple(30, _4{}, make_tuple(50L)), 60);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(leaf_at<0>(t))>, _2>);
  EXPECT_EQ(leaf_at<1>(t), 30);
  EXPECT_EQ(leaf_at<3>(t), 50);
  EXPECT_EQ(leaf_at<4>(t), 60);
  EXPECT_EQ((leaf_at<0>(ScaledBasis<int, 1>{7})), 7);
}

// Nibbles of a basis, outermost lowest, each index + 1: 0x23 is 4@1@2 as CuTe writes E<2,1>.
static_assert(std::is_same_v<detail::with_basis<_4, 0x23>::type, ScaledBasis<_4, 2, 1>>);
static_assert(std::is_same_v<detail::with_basis<int, 0>::type, int>);

}  // namespace
