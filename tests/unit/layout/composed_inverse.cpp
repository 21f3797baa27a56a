// SPDX-License-Identifier: Apache-2.0
// Inverses of swizzled layouts, against the layouts' values.
#include <gtest/gtest.h>

#include <cosmati/layout/composed_inverse.hpp>

using namespace cosmati;

namespace {

/// right_inverse and left_inverse of Sw o 0 o L, for all of L.
template <class Sw, class L>
void inverts(L const& l) {
  auto const composed = make_composed_layout(Sw{}, C<0>{}, l);
  auto const right = right_inverse(composed);
  auto const left = left_inverse(composed);
  int const n = static_cast<int>(size(l));
  ASSERT_EQ(static_cast<int>(size(right)), n);
  for (int i = 0; i < n; ++i) {
    EXPECT_EQ(static_cast<int>(left(static_cast<int>(composed(i)))), i);
    int const at = static_cast<int>(right(i));
    if (at < n) {
      EXPECT_EQ(static_cast<int>(composed(at)), i);
    }
  }
}
/// The number of the 48 swizzles for which l has an inverse. Each inverse is checked.
template <class L>
int inverted_swizzles(L const& l) {
  int n = 0;
  auto const one = [&]<class Sw>(Sw const&) {
    using Inverse = decltype(right_inverse(l));
    if constexpr (detail::swizzles_move_behind<Inverse, Sw::yyy_msk::value, Sw::zzz_msk::value>) {
      inverts<Sw>(l);
      ++n;
    }
  };
  [&]<int... k>(std::integer_sequence<int, k...>) {
    // B 0..3, M 0..2, S = +-B, +-(B+1)
    (one(Swizzle<k % 4, k / 4 % 3, (k / 12 % 2 ? -1 : 1) * (k % 4 + k / 24)>{}), ...);
  }
  (std::make_integer_sequence<int, 48>{});
  return n;
}

TEST(ComposedInverse, OfCompactLayoutsByEverySwizzle) {
  EXPECT_EQ(inverted_swizzles(Layout<_128>{}), 48);
  EXPECT_EQ(inverted_swizzles(Layout<Int<96>>{}), 48);
  EXPECT_EQ(inverted_swizzles(Layout<Shape<_8, _16>>{}), 48);
  // One contiguous mode: swizzles whose bits stay together have inverses.
  EXPECT_GE(inverted_swizzles(Layout<Shape<_8, _8>, Stride<_8, _1>>{}), 12);
  EXPECT_GE(inverted_swizzles(Layout<Shape<_8, Shape<_8, _2>>, Stride<_16, Stride<_1, _8>>>{}), 12);
  EXPECT_GE(inverted_swizzles(Layout<Shape<_2, _4, _16>, Stride<_64, _16, _1>>{}), 12);
  EXPECT_GE(inverted_swizzles(Layout<Shape<_2, _4, _16>, Stride<_4, _1, _8>>{}), 12);
  EXPECT_GE(inverted_swizzles(Layout<Shape<_4, _3>, Stride<_1, _4>>{}), 12);
}
TEST(ComposedInverse, TextsAreCuTes) {
  constexpr auto swizzled = composition(Swizzle<3, 0, 3>{}, Layout<Shape<_8, _8>, Stride<_8, _1>>{});
  static_assert(std::is_same_v<decltype(right_inverse(swizzled)),
                               ComposedLayout<Swizzle<3, 0, -3>, C<0>, Layout<Shape<_8, _8>, Stride<_8, _1>>>>);
  static_assert(std::is_same_v<decltype(right_inverse(Swizzle<3, 4, 3>{})), Swizzle<3, 4, 3>>);
  static_assert(std::is_same_v<decltype(left_inverse(Swizzle<3, 4, 3>{})), Swizzle<3, 4, 3>>);
  // The identity swizzle vanishes.
  static_assert(std::is_same_v<decltype(left_inverse(make_composed_layout(Swizzle<0, 4, 3>{}, C<0>{}, Layout<_8>{}))),
                               Layout<_8>>);
}
TEST(ComposedInverse, WithAnOffset) {
  auto const l = make_composed_layout(Swizzle<2, 0, 3>{}, C<2>{}, Layout<Shape<_3, _16>, Stride<_16, _1>>{});
  auto const left = left_inverse(l);
  static_assert(std::is_same_v<decltype(left),
                               ComposedLayout<Layout<Shape<_16, _3>, Stride<_3, _1>>, C<-2>, Swizzle<2, 0, 3>> const>);
  for (int i = 0; i < 48; ++i) EXPECT_EQ(static_cast<int>(left(static_cast<int>(l(i)))), i);
}
TEST(ComposedInverse, OfALayoutAfterALayout) {
  auto const l =
      make_composed_layout(Layout<Shape<_4, _6>, Stride<_6, _1>>{}, C<0>{}, Layout<Shape<_6, _4>, Stride<_4, _1>>{});
  auto const right = right_inverse(l);
  auto const left = left_inverse(l);
  for (int i = 0; i < 24; ++i) {
    EXPECT_EQ(static_cast<int>(l(static_cast<int>(right(i)))), i);
    EXPECT_EQ(static_cast<int>(left(static_cast<int>(l(i)))), i);
  }
}

}  // namespace
