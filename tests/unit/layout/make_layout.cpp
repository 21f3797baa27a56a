// SPDX-License-Identifier: Apache-2.0
#include <cosmati/layout/make_layout.hpp>

#include <gtest/gtest.h>

#include <cosmati/layout/modes.hpp>

using namespace cosmati;

namespace {

TEST(MakeLayout, IsCompactInEitherOrder) {
  auto const left = make_layout(make_shape(3, make_shape(_4{}, 5)));
  EXPECT_EQ(left(1, make_tuple(2, 3)), 1 + 3 * 2 + 12 * 3);
  auto const right = make_layout(make_shape(3, make_shape(_4{}, 5)), LayoutRight{});
  EXPECT_EQ(right(1, make_tuple(2, 3)), 20 * 1 + 5 * 2 + 3);
  static_assert(std::is_same_v<decltype(make_layout(Shape<_2, _3>{})), Layout<Shape<_2, _3>, Stride<_1, _2>>>);
}
TEST(MakeLayout, OrdersItsModes) {
  auto const l = make_ordered_layout(make_shape(2, 3, 4), Step<_2, _0, _1>{});
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) EXPECT_EQ(l(i, j, k), j + 3 * k + 12 * i);
}
TEST(MakeLayout, OfCoordinates) {
  auto const at = make_identity_layout(make_shape(3, 4))(2, 3);
  EXPECT_EQ(get<0>(at), 2);
  EXPECT_EQ(get<1>(at), 3);
}

}  // namespace
