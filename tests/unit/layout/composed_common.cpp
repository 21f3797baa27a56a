// SPDX-License-Identifier: Apache-2.0
// What swizzled layouts have in common with others, against the offsets; and their parts.
#include <gtest/gtest.h>
#include <cosmati/layout/composed_common.hpp>
#include <cosmati/layout/operations.hpp>

using namespace cosmati;

namespace {

using rows = Layout<Shape<_8, _32>, Stride<_32, _1>>;
using swizzled = decltype(composition(Swizzle<2, 3, 3>{}, rows{}));  // runs of 8 stay together

/// n elements from place 0 on along the rows lie side by side in both.
template <class A, class B>
bool run_of(A const& a, B const& b, int n) {
  for (int first = 0; first < 32; first += n) {
    for (int row = 0; row < 8; ++row) {
      for (int i = 0; i < n; ++i) {
        if (static_cast<int>(a(row, first + i)) != static_cast<int>(a(row, first)) + i) return false;
        if (static_cast<int>(b(row, first + i)) != static_cast<int>(b(row, first)) + i) return false;
      }
    }
  }
  return true;
}
template <class A, class B>
constexpr int common = decltype(max_common_vector(A{}, B{}))::value;

TEST(ComposedCommon, ASwizzleKeepsItsRuns) {
  static_assert(common<swizzled, rows> == 8 && common<rows, swizzled> == 8 && common<swizzled, swizzled> == 8);
  EXPECT_TRUE(run_of(swizzled{}, rows{}, 8));
  EXPECT_FALSE(run_of(swizzled{}, rows{}, 16)) << "no more lie side by side";
  using narrow = decltype(composition(Swizzle<1, 1, 4>{}, rows{}));
  static_assert(common<swizzled, narrow> == 2, "the smaller run");
  EXPECT_TRUE(run_of(swizzled{}, narrow{}, 2));
  using columns = Layout<Shape<_8, _32>>;
  static_assert(common<swizzled, columns> == 1);
  auto const unknown = max_common_vector(swizzled{}, make_layout(make_shape(8, _32{}), make_stride(32, _1{})));
  EXPECT_GE(static_cast<int>(unknown), 1);
}

TEST(ComposedCommon, AlignmentIsNoMoreThanTheSwizzleKeeps) {
  static_assert(decltype(max_alignment(swizzled{}))::value == 8);
  static_assert(decltype(max_alignment(composition(Swizzle<2, 3, 3>{}, _4{}, rows{})))::value == 4);
  static_assert(decltype(max_alignment(composition(Swizzle<2, 3, 3>{}, 4, rows{})))::value == 1,
                "known at run time only");
  for (int i = 0; i < 256; i += 8) EXPECT_EQ(static_cast<int>(swizzled{}(i / 32, i % 32)) % 8, 0);
}

TEST(ComposedCommon, Parts) {
  static_assert(std::is_same_v<get_swizzle_t<swizzled>, Swizzle<2, 3, 3>>);
  static_assert(std::is_same_v<get_swizzle_t<rows>, Swizzle<0, 4, 3>>, "of what has none");
  static_assert(std::is_same_v<decltype(get_swizzle_portion(swizzled{})), Swizzle<2, 3, 3>>);
  static_assert(std::is_same_v<decltype(get_nonswizzle_portion(swizzled{})), rows>);
  static_assert(std::is_same_v<decltype(get_nonswizzle_portion(rows{})), rows>);
  static_assert(std::is_same_v<decltype(make_fragment_like(swizzled{})), decltype(make_fragment_like(rows{}))>);
  static_assert(std::is_same_v<decltype(make_layout_like(swizzled{})), decltype(make_layout_like(rows{}))>);
}

}  // namespace
