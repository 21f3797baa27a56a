// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/tuple_extremes.hpp>

#include <gtest/gtest.h>

namespace {

using namespace cosmati;

TEST(tuple_extremes, static_where_all_is) {
  using T = tuple<_3, tuple<_5, _1>, _4>;
  static_assert(decltype(max(T{}))::value == 5 && decltype(min(T{}))::value == 1 && decltype(gcd(T{}))::value == 1);
  static_assert(decltype(gcd(tuple<_12, tuple<_8>>{}, _6{}))::value == 2);
  static_assert(decltype(max(_7{}, T{}))::value == 7 && decltype(min(T{}, T{}, C<-2>{}))::value == -2);
}

TEST(tuple_extremes, at_run_time) {
  auto const t = make_tuple(12, make_tuple(C<18>{}, 30), 6);
  EXPECT_EQ(max(t), 30);
  EXPECT_EQ(min(t), 6);
  EXPECT_EQ(gcd(t), 6);
  EXPECT_EQ(max(t, 31), 31);
  EXPECT_EQ(min(5, t), 5);
  EXPECT_EQ(gcd(make_tuple(9), t), 3);
}

}  // namespace
