// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/math.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

namespace {

using namespace cosmati;

TEST(math, max_and_min_are_static_of_static_integers) {
  static_assert(std::is_same_v<decltype(max(_3{}, _7{}, _5{})), _7> && std::is_same_v<decltype(min(_3{}, _7{})), _3>);
  static_assert(max(3, _7{}, 5) == 7 && std::is_same_v<decltype(max(3, _7{})), int>);
  static_assert(std::is_same_v<decltype(max(3, C<7LL>{})), long long> && max(_4{}) == _4{});
  static_assert(min(2.5f, 3) == 2.5f && max(-1, -2, -3, -4) == -1 && min(4u, 3u, 5u) == 3u);
  int const a = 4;
  int const b = -9;
  EXPECT_EQ(max(a, b, 2), 4);
  EXPECT_EQ(min(a, b, _2{}), -9);
}

TEST(math, abs_and_signum) {
  static_assert(std::is_same_v<decltype(abs(_m3{})), _3> && std::is_same_v<decltype(signum(_m3{})), _m1>);
  static_assert(abs(-2.5) == 2.5 && abs(7u) == 7u && signum(-2.f) == -1 && signum(0) == 0 && signum(5u) == 1);
}

TEST(math, gcd_and_lcm) {
  static_assert(std::is_same_v<decltype(gcd(_12{}, C<18>{})), _6> && std::is_same_v<decltype(lcm(_4{}, _6{})), _12>);
  static_assert(gcd(12, _8{}, 6) == 2 && gcd(0, 5) == 5 && gcd(0, 0) == 0 && lcm(0, 5) == 0 && lcm(2, 3, 4) == 12);
  for (int a = -40; a <= 40; ++a) {
    for (int b = -40; b <= 40; ++b) {
      ASSERT_EQ(gcd(a, b), std::gcd(a, b)) << a << ' ' << b;
      ASSERT_EQ(lcm(a, b), std::lcm(a, b)) << a << ' ' << b;
    }
  }
}

TEST(math, ceil_div_rounds_up_without_overflow) {
  static_assert(std::is_same_v<decltype(ceil_div(_7{}, _2{})), _4> && std::is_same_v<decltype(ceil_div(_0{}, 3)), _0>);
  static_assert(std::is_same_v<decltype(ceil_div(7u, _1{})), unsigned>);
  static_assert(ceil_div(std::numeric_limits<int>::max(), 2) == 1 << 30);
  static_assert(ceil_div(std::numeric_limits<unsigned>::max(), 2u) == 1u << 31);
  for (int a = -20; a <= 20; ++a) {
    for (int b = 1; b <= 9; ++b) {
      int quotient = -100;
      while (quotient * b < a) ++quotient;
      ASSERT_EQ(ceil_div(a, b), quotient) << a << ' ' << b;
    }
  }
  int zero = 0;
  EXPECT_THROW(ceil_div(3, zero), error);
}

TEST(math, safe_div_is_exact) {
  static_assert(std::is_same_v<decltype(safe_div(_8{}, _2{})), _4> && safe_div(8, _2{}) == 4 && safe_div(_8{}, 2) == 4);
  int const seven = 7;
  EXPECT_THROW(safe_div(seven, 2), error);
  EXPECT_THROW(safe_div(seven, 0), error);
  try {
    safe_div(seven, 2);
  } catch (error const& e) {
    EXPECT_STREQ(e.what(), "safe_div(7, 2): the first must be a multiple of the second");
  }
}

TEST(math, divmod_gives_both) {
  auto const [q, r] = divmod(17, _5{});
  EXPECT_EQ(q, 3);
  EXPECT_EQ(r, 2);
  using Static = decltype(divmod(C<17>{}, _5{}));
  static_assert(std::is_same_v<decltype(Static::div_), _3> && std::is_same_v<decltype(Static::mod_), _2>);
}

}  // namespace
