// SPDX-License-Identifier: Apache-2.0
#include <cosmati/layout/transform_layout.hpp>

#include <gtest/gtest.h>

#include <cosmati/layout/operations.hpp>

namespace {

using namespace cosmati;

TEST(transform_layout, mode_by_mode) {
  auto const halved = transform_layout(Layout<Shape<_4, _6>>{}, [](auto l) { return logical_divide(l, _2{}); });
  static_assert(
      std::is_same_v<decltype(halved),
                     Layout<Shape<Shape<_2, _2>, Shape<_2, _3>>, Stride<Stride<_1, _2>, Stride<_4, _8>>> const>);
}

TEST(transform_layout, with_a_shorter_tuple_the_rest_stays) {
  auto const divide = [](auto l, auto t) { return logical_divide(l, t); };
  auto const r = transform_layout(make_layout(make_shape(4, _6{}, _8{})), Shape<_2, _3>{}, divide);
  auto const expected = make_layout(logical_divide(make_layout(4), _2{}), logical_divide(make_layout(_6{}, 4), _3{}),
                                    make_layout(_8{}, 24));
  for (int i = 0; i < 4 * 6 * 8; ++i) EXPECT_EQ(r(i), expected(i));
  EXPECT_EQ(decltype(rank(r))::value, 3);
}

}  // namespace
