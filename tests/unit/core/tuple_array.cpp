// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/tuple_array.hpp>

#include <gtest/gtest.h>

namespace {

using namespace cosmati;

TEST(tuple_array, to_array_flattens) {
  auto const a = to_array(make_tuple(_1{}, make_tuple(6, 3, _3{}), 4));
  static_assert(std::is_same_v<decltype(a), array<std::int64_t, 5> const>);
  EXPECT_TRUE(a == (array<std::int64_t, 5>{1, 6, 3, 3, 4}));
  EXPECT_TRUE(to_array<int>(7) == (array<int, 1>{7}));
}

TEST(tuple_array, make_int_tuple_fills_up) {
  int const values[] = {5, 6};
  EXPECT_TRUE(make_int_tuple<4>(values, 2, 1) == make_tuple(5, 6, 1, 1));
  EXPECT_TRUE(make_int_tuple<2>(values, 2, 1) == make_tuple(5, 6));
  EXPECT_EQ(make_int_tuple<1>(values, 0, 9), 9);
}

TEST(tuple_array, run_time_integers_are_filled_in_order) {
  using T = tuple<_1, tuple<int, int, _3>, int, _2>;
  auto const t = make_int_tuple_from<T>(6, 3, 4);
  EXPECT_TRUE(t == make_tuple(_1{}, make_tuple(6, 3, _3{}), 4, _2{}));
  T u{_1{}, make_tuple(0, 0, _3{}), 0, _2{}};
  auto const left = fill_int_tuple_from(u, make_tuple(7, 8, 9, 10));
  EXPECT_TRUE(u == make_tuple(_1{}, make_tuple(7, 8, _3{}), 9, _2{}));
  EXPECT_TRUE(left == make_tuple(10));
}

}  // namespace
