// SPDX-License-Identifier: Apache-2.0
// composition with an offset between two functions.
#include <gtest/gtest.h>

#include <cosmati/layout/composed_layout.hpp>

using namespace cosmati;

namespace {

TEST(ComposedLayout, CompositionWithAnOffset) {
  constexpr Layout<Shape<_4, _8>, Stride<_8, _1>> inner;
  auto const swizzled = composition(Swizzle<2, 0, 3>{}, C<5>{}, inner);
  auto const after_layout = composition(make_layout(C<64>{}, C<3>{}), 7, inner);  // a run-time offset
  for (int i = 0; i < 32; ++i) {
    int const offset = inner(i);
    EXPECT_EQ(static_cast<int>(swizzled(i)), (5 + offset) ^ (((5 + offset) >> 3) & 3));
    EXPECT_EQ(static_cast<int>(after_layout(i)), 3 * (7 + offset));
  }
  // A swizzle of no bits vanishes only together with the offset 0.
  static_assert(
      std::is_same_v<std::remove_cv_t<decltype(inner)>, decltype(composition(Swizzle<0, 4, 3>{}, C<0>{}, inner))>);
  static_assert(is_composed_layout<decltype(composition(Swizzle<0, 4, 3>{}, C<1>{}, inner))>::value);
}

/// Modes go to the inner layout; the layout does not become a tuple.
TEST(ComposedLayout, MoreModes) {
  auto const swizzled = composition(Swizzle<2, 3, 3>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{});
  auto const is_inner = [](auto const& found, auto const& inner) {
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(found)>,
                                 std::remove_cvref_t<decltype(composition(Swizzle<2, 3, 3>{}, inner))>>);
  };
  Layout<_2, C<256>> const more;
  is_inner(append<4>(swizzled, more), append<4>(swizzled.layout_b(), more));
  is_inner(append(swizzled, more), append(swizzled.layout_b(), more));
  is_inner(prepend<3>(swizzled, more), prepend<3>(swizzled.layout_b(), more));
  is_inner(replace<1>(swizzled, more), replace<1>(swizzled.layout_b(), more));
  EXPECT_EQ(static_cast<int>(append<3>(swizzled, more)(make_coord(3, 5, 1))), 256 + (101 ^ 8));
  static_assert(
      std::is_same_v<decltype(complement(swizzled, C<1024>{})), decltype(complement(swizzled.layout_b(), C<1024>{}))>);
}

}  // namespace
