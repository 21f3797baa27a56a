// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/tuple/slice.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {
template <class A, class B>
constexpr bool same_type = std::is_same_v<std::remove_cvref_t<A>, B>;
constexpr auto abc = make_tuple(_2{}, 3, make_tuple(_4{}, 5));

TEST(Slice, KeepsWhatIsOpen) {
  static_assert(same_type<decltype(slice(make_tuple(_, 1, _), abc)), tuple<_2, tuple<_4, int>>>);
  static_assert(same_type<decltype(slice(make_tuple(_, 1, make_tuple(0, _)), abc)), tuple<_2, int>>);
  static_assert(same_type<decltype(slice(_, abc)), tuple<_2, int, tuple<_4, int>>>);
  static_assert(same_type<decltype(slice(7, abc)), tuple<>>);
  EXPECT_EQ(get<1>(slice(make_tuple(_, 1, make_tuple(0, _)), abc)), 5);
}
TEST(Dice, KeepsWhatIsFixed) {
  static_assert(same_type<decltype(dice(tuple<_1, X, _1>{}, abc)), tuple<_2, tuple<_4, int>>>);
  static_assert(same_type<decltype(dice(make_tuple(_, 1, make_tuple(_, 0)), abc)), tuple<int, int>>);
  static_assert(same_type<decltype(dice(_, abc)), tuple<>>);
  EXPECT_EQ(get<0>(dice(make_tuple(_, 1, _), abc)), 3);
}
TEST(Slice, AndDiceComplementEachOther) {
  constexpr auto coord = make_tuple(1, _, make_tuple(_, 2));
  static_assert(tuple_size_v<decltype(slice(coord, abc))> + tuple_size_v<decltype(dice(coord, abc))> == 4);
  SUCCEED();
}
}  // namespace
