// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/tuple/flatten.hpp>

#include <gtest/gtest.h>

namespace {

using namespace cosmati;

using nested = tuple<_1, tuple<_2, tuple<_3>>, tuple<>, _4>;

TEST(tuple_nesting, flatten) {
  static_assert(std::is_same_v<decltype(flatten(nested{})), tuple<_1, _2, _3, _4>>);
  static_assert(std::is_same_v<decltype(flatten_to_tuple(nested{})), tuple<_1, _2, _3, _4>>);
  static_assert(flatten(5) == 5 && std::is_same_v<decltype(flatten_to_tuple(_5{})), tuple<_5>>);
  static_assert(std::is_same_v<decltype(flatten(tuple<>{})), tuple<>>);
  static_assert(is_flat<tuple<int, _1>>::value && is_flat_v<int> && is_flat_v<tuple<>> && !is_flat_v<nested const&>);
  EXPECT_TRUE(flatten(make_tuple(make_tuple(1, 2), 3)) == make_tuple(1, 2, 3));
}

TEST(tuple_nesting, unflatten_is_the_inverse) {
  static_assert(std::is_same_v<decltype(unflatten(tuple<_5, _6, _7, _8>{}, nested{})),
                               tuple<_5, tuple<_6, tuple<_7>>, tuple<>, _8>>);
  static_assert(std::is_same_v<decltype(unflatten(flatten(nested{}), nested{})), nested>);
  static_assert(unflatten(make_tuple(3), 9) == 3);
  EXPECT_TRUE(unflatten(make_tuple(1, _2{}, 3), make_tuple(0, make_tuple(0, 0))) == make_tuple(1, make_tuple(2, 3)));
}

TEST(tuple_nesting, filter_tuple_drops_and_multiplies) {
  auto const odd_twice = [](auto x) {
    if constexpr (x % 2 == 1)
      return make_tuple(x, x);
    else
      return tuple<>{};
  };
  static_assert(std::is_same_v<decltype(filter_tuple(tuple<_1, _2, _3, _4>{}, odd_twice)), tuple<_1, _1, _3, _3>>);
  auto const where = [](auto x, auto keep) {
    if constexpr (keep)
      return make_tuple(x);
    else
      return tuple<>{};
  };
  auto const r = filter_tuple(make_tuple(5, 6, 7), tuple<true_type, false_type, true_type>{}, where);
  EXPECT_TRUE(r == make_tuple(5, 7));
}

TEST(tuple_nesting, zip_transposes) {
  static_assert(std::is_same_v<decltype(zip(tuple<tuple<_1, _2, _3>, tuple<_4, _5, _6>>{})),
                               tuple<tuple<_1, _4>, tuple<_2, _5>, tuple<_3, _6>>>);
  static_assert(std::is_same_v<decltype(zip(tuple<_1, _2>{}, tuple<_3, _4>{}, tuple<_5, _6>{})),
                               tuple<tuple<_1, _3, _5>, tuple<_2, _4, _6>>>);
  static_assert(std::is_same_v<decltype(zip(_1{}, _2{})), tuple<tuple<_1, _2>>> && zip(3) == 3);
  EXPECT_TRUE(zip(make_tuple(1, 2), make_tuple(3, 4)) == make_tuple(make_tuple(1, 3), make_tuple(2, 4)));
}

TEST(tuple_nesting, zip2_by_splits_pairs_apart) {
  using T = tuple<tuple<_1, _10>, tuple<tuple<_2, C<20>>, tuple<_3, C<30>>>, _4>;

  static_assert(std::is_same_v<decltype(zip2_by(T{}, tuple<_0, tuple<_0, _0>>{})),
                               tuple<tuple<_1, tuple<_2, _3>>, tuple<_10, tuple<C<20>, C<30>>, _4>>>);
  static_assert(std::is_same_v<decltype(zip2_by(tuple<_1, _2>{}, _0{})), tuple<_1, _2>>);
  EXPECT_TRUE(zip2_by(make_tuple(make_tuple(1, 2), 3), make_tuple(_0{})) ==
              make_tuple(make_tuple(1), make_tuple(2, 3)));
}

}  // namespace
