// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/tuple/elements.hpp>

#include <gtest/gtest.h>

namespace {

using namespace cosmati;

constexpr tuple<_1, _2, _3, _4> t;

TEST(tuple_edit, front_and_back_are_leaves) {
  static_assert(front(make_tuple(make_tuple(5, 6), 7)) == 5 && back(make_tuple(5, make_tuple(6, 7))) == 7);
  static_assert(front(3) == 3 && back(3) == 3);
  auto x = make_tuple(make_tuple(5, 6), make_tuple(7));
  front(x) = 50;
  back(x) = 70;
  EXPECT_TRUE(x == make_tuple(make_tuple(50, 6), make_tuple(70)));
}

TEST(tuple_edit, take_and_select) {
  static_assert(std::is_same_v<decltype(take<1, 3>(t)), tuple<_2, _3>>);
  static_assert(std::is_same_v<decltype(take<2, -1>(t)), tuple<_3, _4>>);
  static_assert(std::is_same_v<decltype(take<2, 2>(t)), tuple<>>);
  static_assert(std::is_same_v<decltype(take<0, -1>(_7{})), tuple<_7>>);
  static_assert(std::is_same_v<decltype(select<3, 0, 0>(t)), tuple<_4, _1, _1>>);
  EXPECT_TRUE((select<1, 0>(make_tuple(5, 6)) == make_tuple(6, 5)));
}

TEST(tuple_edit, wrap_and_unwrap) {
  static_assert(std::is_same_v<decltype(wrap(_1{})), tuple<_1>> &&
                std::is_same_v<decltype(wrap(tuple<_1>{})), tuple<_1>>);
  static_assert(std::is_same_v<decltype(unwrap(tuple<tuple<_1>>{})), _1> && unwrap(3) == 3);
  static_assert(std::is_same_v<decltype(unwrap(tuple<tuple<_1, _2>>{})), tuple<_1, _2>>);
}

TEST(tuple_edit, reverse) {
  static_assert(std::is_same_v<decltype(reverse(t)), tuple<_4, _3, _2, _1>> && reverse(5) == 5);
  static_assert(std::is_same_v<decltype(reverse(tuple<_1, tuple<_2, _3>>{})), tuple<tuple<_2, _3>, _1>>);
}

TEST(tuple_edit, insert_remove_replace) {
  static_assert(std::is_same_v<decltype(insert<1>(tuple<_1, _2>{}, _9{})), tuple<_1, _9, _2>>);
  static_assert(std::is_same_v<decltype(insert<2>(tuple<_1, _2>{}, _9{})), tuple<_1, _2, _9>>);
  static_assert(std::is_same_v<decltype(remove<0>(t)), tuple<_2, _3, _4>>);
  static_assert(std::is_same_v<decltype(remove<0>(tuple<_1>{})), tuple<>>);
  static_assert(std::is_same_v<decltype(replace<2>(t, tuple<_0>{})), tuple<_1, _2, tuple<_0>, _4>>);
  static_assert(replace<0>(3, 4) == 4 && replace_front(3, 4) == 4 && replace_back(3, 4) == 4);
  static_assert(std::is_same_v<decltype(replace_front(t, _9{})), tuple<_9, _2, _3, _4>>);
  static_assert(std::is_same_v<decltype(replace_back(t, _9{})), tuple<_1, _2, _3, _9>>);
}

TEST(tuple_edit, repeat) {
  static_assert(std::is_same_v<decltype(tuple_repeat<3>(_7{})), tuple<_7, _7, _7>>);
  static_assert(std::is_same_v<decltype(tuple_repeat<1>(_7{})), tuple<_7>>);
  static_assert(std::is_same_v<decltype(repeat<1>(_7{})), _7> && std::is_same_v<decltype(repeat<0>(_7{})), tuple<>>);
  EXPECT_TRUE(repeat_like(make_tuple(1, make_tuple(2, 3)), 8) == make_tuple(8, make_tuple(8, 8)));
  static_assert(repeat_like(1, 8) == 8);
}

TEST(tuple_edit, group) {
  static_assert(std::is_same_v<decltype(group<1, 3>(t)), tuple<_1, tuple<_2, _3>, _4>>);
  static_assert(std::is_same_v<decltype(group<2, -1>(t)), tuple<_1, _2, tuple<_3, _4>>>);
  static_assert(std::is_same_v<decltype(group<2, 2>(t)), tuple<_1, _2, _3, _4>>);
  static_assert(std::is_same_v<decltype(group<0, -1>(_7{})), tuple<tuple<_7>>>);
}

TEST(tuple_edit, append_and_prepend) {
  static_assert(std::is_same_v<decltype(append(tuple<_1>{}, tuple<_2>{})), tuple<_1, tuple<_2>>>);
  static_assert(std::is_same_v<decltype(append(_1{}, _2{})), tuple<_1, _2>>);
  static_assert(std::is_same_v<decltype(append<3>(tuple<_1>{}, _2{})), tuple<_1, _2, _2>>);
  static_assert(std::is_same_v<decltype(append<3>(_1{}, _2{})), tuple<_1, _2, _2>> && append<1>(5, _2{}) == 5);
  static_assert(std::is_same_v<decltype(append<4>(t, _2{})), tuple<_1, _2, _3, _4>>);
  static_assert(std::is_same_v<decltype(prepend(tuple<_1>{}, _2{})), tuple<_2, _1>>);
  static_assert(std::is_same_v<decltype(prepend(_1{}, _2{})), tuple<_2, _1>>);
  static_assert(std::is_same_v<decltype(prepend<3>(tuple<_1>{}, _2{})), tuple<_2, _2, _1>>);
  static_assert(std::is_same_v<decltype(prepend<3>(_1{}, _2{})), tuple<_2, _2, _1>> && prepend<1>(5, _2{}) == 5);
}

TEST(tuple_edit, concatenation) {
  static_assert(std::is_same_v<decltype(tuple_cat()), tuple<>> &&
                std::is_same_v<decltype(tuple_cat(tuple<_1>{})), tuple<_1>>);
  static_assert(std::is_same_v<decltype(tuple_cat(tuple<>{}, tuple<_1, tuple<_2>>{})), tuple<_1, tuple<_2>>>);
  static_assert(
      std::is_same_v<decltype(tuple_cat(tuple<_1>{}, tuple<>{}, tuple<_2, _3>{}, tuple<_4>{})), tuple<_1, _2, _3, _4>>);
  static_assert(std::is_same_v<decltype(tuple_cat(tuple<>{}, tuple<>{}, tuple<>{})), tuple<>>);
  EXPECT_TRUE(tuple_cat(make_tuple(1, 2), make_tuple(_3{}), make_tuple(4, make_tuple(5)), make_tuple(6, 7, 8, 9)) ==
              make_tuple(1, 2, 3, 4, make_tuple(5), 6, 7, 8, 9));
}

}  // namespace
