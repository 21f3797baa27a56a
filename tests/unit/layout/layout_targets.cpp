// SPDX-License-Identifier: Apache-2.0
#include <cosmati/layout/layout_targets.hpp>

#include <gtest/gtest.h>

namespace {

using namespace cosmati;

TEST(layout_targets, evenly_divides_counts_elements) {
  using no = C<false>;
  using yes = C<true>;
  // 8:3 spans 22 elements. That span fits 32 twice, so the layout takes 16 of 32 elements.
  static_assert(std::is_same_v<decltype(evenly_divides(Shape<_32, _64>{}, make_tile(Layout<_8, _3>{}, _32{}))), no>);
  static_assert(std::is_same_v<decltype(evenly_divides(Shape<_32, _64>{}, make_tile(Layout<_8, _4>{}, _32{}))), yes>);
  static_assert(std::is_same_v<decltype(evenly_divides(_32{}, Layout<_8, _1>{})), yes>);
  static_assert(std::is_same_v<decltype(evenly_divides(C<30>{}, Layout<_8, _1>{})), no>);
  static_assert(std::is_same_v<decltype(evenly_divides(_32{}, make_tile(_8{}, Layout<_2>{}))), no>);
  EXPECT_TRUE(bool(evenly_divides(make_shape(32, 64), make_tile(make_layout(8), 16))));
  EXPECT_FALSE(bool(evenly_divides(make_shape(33, 64), make_tile(make_layout(8), 16))));
}

TEST(layout_targets, an_integer_is_a_shape_of_one_mode) {
  EXPECT_TRUE(bool(evenly_divides(16, make_shape(16))));
  EXPECT_TRUE(bool(evenly_divides(16, make_shape(4))));
  EXPECT_FALSE(bool(evenly_divides(16, make_shape(5))));
  EXPECT_FALSE(bool(evenly_divides(16, make_shape(4, 4))));
}

TEST(layout_targets, tile_to_shape_of_another_layout) {
  auto const block = Layout<Shape<_2, _2>>{};
  auto const r = tile_to_shape(block, Layout<Shape<_4, _6>, Stride<_6, _1>>{});
  static_assert(std::is_same_v<decltype(r), decltype(tile_to_shape(block, Shape<_4, _6>{})) const>);
  auto const ordered = tile_to_shape(block, Layout<Shape<_4, _6>>{}, Step<_2, _1>{});
  static_assert(
      std::is_same_v<decltype(ordered), decltype(tile_to_shape(block, Shape<_4, _6>{}, Step<_2, _1>{})) const>);
}

}  // namespace
