// SPDX-License-Identifier: Apache-2.0
// Coordinates of shapes of static and run-time integers.
#include <cosmati/layout/composed_layout.hpp>
#include <cosmati/layout/make_layout.hpp>
#include <cosmati/layout/modes.hpp>
#include <cosmati/layout/operations.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {
TEST(Modes, CoordinatesThereAndBack) {
  int const m = 3, n = 4;
  auto const shape = make_tuple(m, make_tuple(_2{}, n));
  auto const stride = make_tuple(make_tuple(_8{}, 1), 100);  // stride of the shape ((2,n),m)
  auto const other = make_tuple(make_tuple(_2{}, n), m);
  for (int i = 0; i < 24; ++i) {
    auto const c = idx2crd(i, shape);
    EXPECT_TRUE(c == make_tuple(i % 3, make_tuple(i / 3 % 2, i / 6)));
    EXPECT_EQ(crd2idx(c, shape), i);
    EXPECT_EQ(crd2idx(i, shape), i);
    EXPECT_EQ(crd2idx(i, other, stride), i % 2 * 8 + i / 2 % 4 + i / 8 * 100);
    EXPECT_TRUE(crd2crd(c, shape, other) == make_tuple(make_tuple(i % 3 % 2, i % 3 / 2), i / 3));  // mode by mode
    EXPECT_TRUE(idx2crd(crd2idx(i, other, make_tuple(make_tuple(_1{}, 2), 8)), other,
                        make_tuple(make_tuple(_1{}, 2), 8)) == make_tuple(make_tuple(i % 2, i / 2 % 4), i / 8));
  }
  static_assert(decltype(crd2idx(tuple<_2, tuple<_1, _3>>{}, tuple<_3, tuple<_2, _4>>{}))::value == 23);
}
TEST(Modes, CompactStridesAreStaticAsFarAsTheExtentsAre) {
  int const m = 6;
  auto const t = make_tuple(_4{}, make_tuple(m, _5{}));
  auto const left = compact_col_major(t);
  auto const right = compact_row_major(t);
  static_assert(decltype(get<1, 0>(left))::value == 4 && decltype(get<1, 1>(right))::value == 1);
  EXPECT_TRUE(left == make_tuple(1, make_tuple(4, 24)));
  EXPECT_TRUE(right == make_tuple(30, make_tuple(5, 1)));
  EXPECT_TRUE(compact_order(t, tuple<_1, tuple<_2, _0>>{}) == make_tuple(5, make_tuple(20, 1)));
}

// Run-time extents of 0 have no coordinate: the result is 0. A division that has no result is an error.
TEST(Modes, AnExtentOf0IsNoFault) {
  int const none = 0, at = 3;
  auto const layout = make_layout(make_shape(none, 4), make_stride(1, 8));
  EXPECT_EQ(layout(at), 0);
  EXPECT_EQ(layout(0, 2), 16);
  EXPECT_EQ(make_layout(make_shape(4, none))(at), 3);
  EXPECT_EQ(make_layout(make_shape(make_shape(2, none), 4))(at), 0);
  EXPECT_EQ((Layout<Shape<_0, _4>, Stride<_1, _8>>{}(at)), 0);
  EXPECT_EQ(composition(Swizzle<2, 0, 3>{}, layout)(at), 0);
  EXPECT_EQ(crd2idx(at, make_shape(none, 4)), 0);
  EXPECT_TRUE(make_identity_layout(make_shape(none, 4))(at) == make_tuple(0, 0));
  EXPECT_TRUE(layout.get_hier_coord(at) == make_tuple(0, 0));
  EXPECT_EQ(static_cast<int>(size(zipped_divide(layout, Shape<_2, _2>{}))), 0);

  EXPECT_THROW((void)composition(layout, make_layout(at, at)), error);
  EXPECT_THROW((void)logical_divide(layout, make_layout(2, 2)), error);
  EXPECT_THROW((void)ceil_div(make_shape(6, 6), none), error);
  EXPECT_THROW((void)zipped_divide(layout, make_shape(2, none)), error);
  try {
    (void)ceil_div(make_shape(6, 6), none);
  } catch (error const& e) {
    EXPECT_STREQ(e.what(), "6 ceil_div 0: division by zero; is an extent or a stride 0 at run time?");
  }
}
}  // namespace
