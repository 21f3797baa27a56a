// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/tuple/fold.hpp>

#include <gtest/gtest.h>

namespace {

using namespace cosmati;

struct add {
  template <class T, class U>
  constexpr auto operator()(T const& x, U const& y) const {
    return x + y;
  }
};
struct digits {
  constexpr int operator()(int x, int y) const { return 10 * x + y; }
};

TEST(tuple_fold, goes_from_the_left) {
  static_assert(fold(make_tuple(1, 2, 3), 9, digits{}) == 9123 && fold_first(make_tuple(1, 2, 3), digits{}) == 123);
  static_assert(fold(7, 1, digits{}) == 17 && fold_first(7, digits{}) == 7 && fold(tuple<>{}, 5, digits{}) == 5);
  static_assert(std::is_same_v<decltype(fold(tuple<_1, _2, _3>{}, _4{}, add{})), _10>);
  static_assert(std::is_same_v<decltype(fold_first(tuple<_7>{}, add{})), _7>);
  EXPECT_EQ(fold(make_tuple(1, _2{}, 3), _0{}, add{}), 6);
}

TEST(tuple_fold, may_change_the_type_of_its_value) {
  auto const pair = [](auto v, auto x) { return make_tuple(v, x); };
  static_assert(std::is_same_v<decltype(fold(tuple<_1, _2>{}, _0{}, pair)), tuple<tuple<_0, _1>, _2>>);
}

TEST(tuple_fold, takes_a_function_with_state) {
  int calls = 0;
  auto count = [&](int v, int x) { return ++calls, v + x; };
  EXPECT_EQ(fold(make_tuple(1, 2, 3), 0, count), 6);
  EXPECT_EQ(calls, 3);
  EXPECT_TRUE(escan(make_tuple(1, 2, 3), 0, count) == make_tuple(0, 1, 3));
  EXPECT_EQ(calls, 5);  // the last element is not visited
}

TEST(tuple_fold, scans) {
  static_assert(iscan(make_tuple(1, 2, 3), 10, add{}) == make_tuple(11, 13, 16));
  static_assert(escan(make_tuple(1, 2, 3), 10, add{}) == make_tuple(10, 11, 13));
  static_assert(std::is_same_v<decltype(iscan(tuple<_2, _3, _4>{}, _1{}, add{})), tuple<_3, _6, _10>>);
  static_assert(std::is_same_v<decltype(escan(tuple<_2, _3, _4>{}, _1{}, add{})), tuple<_1, _3, _6>>);
  static_assert(std::is_same_v<decltype(escan(tuple<>{}, _1{}, add{})), tuple<>>);
  static_assert(std::is_same_v<decltype(iscan(tuple<>{}, _1{}, add{})), tuple<>>);
  static_assert(iscan(4, 3, add{}) == 7 && escan(4, 3, add{}) == 3);
}

}  // namespace
