// SPDX-License-Identifier: Apache-2.0
#include <cosmati/layout/swizzled_composition.hpp>

#include <gtest/gtest.h>

namespace {

using namespace cosmati;

/// composition(a, b)(i) is a(b(i)), for each i.
template <class A, class B>
void check_law(A const& a, B const& b) {
  auto const r = composition(a, b);
  for (int i = 0; i < static_cast<int>(size(b)); ++i)
    ASSERT_EQ(static_cast<int>(r(i)), static_cast<int>(a(static_cast<int>(b(i))))) << i;
}

TEST(swizzled_composition, is_the_layout_after_the_swizzled_one) {
  check_law(Layout<Shape<_8, _8>, Stride<_8, _1>>{},
            composition(Swizzle<2, 0, -3>{}, Layout<Shape<_8, _8>, Stride<_8, _1>>{}));
  check_law(Layout<Shape<_16, _16>, Stride<_16, _1>>{}, composition(Swizzle<2, 0, 4>{}, Layout<Shape<_16, _16>>{}));
  check_law(Layout<_256>{}, composition(Swizzle<3, 2, 3>{}, Layout<Shape<_16, _16>, Stride<_16, _1>>{}));
  check_law(Layout<_256, _4>{}, composition(Swizzle<3, 1, 4>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{}));
  check_law(Layout<Shape<_4, _4, _16>, Stride<_16, _64, _1>>{}, composition(Swizzle<2, 0, 2>{}, Layout<_256>{}));
  // composition drops all bits that the swizzle changes.
  check_law(Layout<Shape<_4, _64>, Stride<_0, _1>>{}, composition(Swizzle<2, 0, 4>{}, Layout<_256>{}));
}

TEST(swizzled_composition, as_CuTe_prints_it) {
  auto const r = composition(Layout<Shape<_8, _8>, Stride<_8, _1>>{},
                             composition(Swizzle<2, 0, -3>{}, Layout<Shape<_8, _8>, Stride<_8, _1>>{}));
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(r.layout_a())>, Swizzle<2, 0, 3>>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(r.layout_b())>, Layout<Shape<_8, _8>, Stride<_1, _8>>>);
}

}  // namespace
