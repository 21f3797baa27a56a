// SPDX-License-Identifier: Apache-2.0
// Signed coordinates are decomposed with C++'s division of signed integers, unsigned ones with that of unsigned
// integers.
#include <gtest/gtest.h>

#include <cosmati/layout/operations.hpp>

namespace {

using namespace cosmati;

/// The definition: each mode but the last takes the remainder, the last mode takes the rest.
template <int n>
long long by_division(long long index, long long const (&extent)[n], long long const (&stride)[n]) {
  long long r = 0;
  for (int i = 0; i + 1 < n; ++i) {
    r += index % extent[i] * stride[i];
    index /= extent[i];
  }
  return r + index * stride[n - 1];
}

TEST(signed_coordinates, by_the_definition) {
  long long const extent[] = {4, 2, 3}, stride[] = {1, 8, 32};
  auto const fixed = Layout<Shape<_4, _2, _3>, Stride<_1, _8, _32>>{};
  auto const mixed = make_layout(make_shape(4, _2{}, 3), make_stride(_1{}, 8, _32{}));
  auto const open = make_layout(make_shape(4, 2, 3), make_stride(1, 8, 32));
  auto const wide = make_layout(make_shape(4, std::int64_t{2}, 3), make_stride(1, 8, 32));
  for (int i = -60; i < 60; ++i) {
    long long const expected = by_division(i, extent, stride);
    EXPECT_EQ(fixed(i), expected) << i;
    EXPECT_EQ(mixed(i), expected) << i;
    EXPECT_EQ(open(i), expected) << i;
    EXPECT_EQ(wide(i), expected) << i;
    EXPECT_EQ(open(static_cast<std::int64_t>(i)), expected) << i;
    EXPECT_EQ(open(static_cast<short>(i)), expected) << i;
  }
}

TEST(signed_coordinates, static_ones) {
  static_assert(decltype(Layout<Shape<_4, _2>, Stride<_1, _8>>{}(C<-1>{}))::value == -1);
  static_assert(decltype(Layout<Shape<_3, _2>, Stride<_1, _8>>{}(C<-4>{}))::value == -1 - 8);
  static_assert(Layout<Shape<_1, Shape<_2, _4>>, Stride<_0, Stride<C<-1>, C<512>>>>{}(-1) == 1);
  static_assert(left_inverse(Layout<_4, C<-1>>{})(-2) == 2);
}

TEST(signed_coordinates, an_index_and_its_coordinate_agree) {
  auto const layout = make_layout(make_shape(make_shape(3, 2), 5), make_stride(make_stride(20, 1), 4));
  for (int i = -40; i < 40; ++i) EXPECT_EQ(layout(idx2crd(i, layout.shape())), layout(i)) << i;
}

TEST(signed_coordinates, unsigned_ones_stay_unsigned) {
  auto const layout = make_layout(make_shape(3, 2), make_stride(std::int64_t{1}, std::int64_t{8}));
  unsigned const last = 0xffffffffu;
  EXPECT_EQ(layout(last), static_cast<long long>(last % 3) + static_cast<long long>(last / 3) * 8);
}

TEST(signed_coordinates, extents_beyond_31_bits) {
  auto const layout = make_layout(make_shape(C<3000000000>{}, 2), make_stride(_1{}, _0{}));
  EXPECT_EQ(layout(2000000000), 2000000000);
  EXPECT_EQ(layout(-2000000000), -2000000000);
  auto const open = make_layout(make_shape(std::int64_t{3000000000}, 2), make_stride(_1{}, _0{}));
  EXPECT_EQ(open(2000000000), 2000000000);
  EXPECT_EQ(open(-5), -5);
}

}  // namespace
