// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/elementwise.hpp>

#include <gtest/gtest.h>

namespace {

using namespace cosmati;

TEST(elementwise, elem_scale_multiplies_by_products) {
  auto const r = elem_scale(make_tuple(2, _3{}), make_tuple(make_tuple(4, 5), _6{}));
  EXPECT_EQ(get<0>(r), 40);
  static_assert(std::is_same_v<decltype(elem_scale(tuple<_2, _3>{}, tuple<_4, _6>{})), tuple<C<8>, C<18>>>);
}

TEST(elementwise, filter_zeros_of_shapes) {
  auto const r = filter_zeros(make_tuple(_0{}, 3, _0{}), make_tuple(4, 5, make_tuple(6, 7)));
  EXPECT_TRUE(r == make_tuple(_1{}, 5, make_tuple(_1{}, _1{})));
}

}  // namespace
