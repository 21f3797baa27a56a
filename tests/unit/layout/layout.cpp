// SPDX-License-Identifier: Apache-2.0
// Layouts store their run-time integers and nothing else, in any nesting.
#include <cosmati/layout/layout.hpp>

#include <gtest/gtest.h>

#include <cosmati/layout/composed_layout.hpp>
#include <cosmati/tensor/local_tile.hpp>
#include <cosmati/tiled/tiled_copy.hpp>

using namespace cosmati;

namespace {

using Static = Layout<Shape<_4, _2>, Stride<_2, _1>>;
using OneInteger = Layout<Shape<int, _2>, Stride<_2, _1>>;
using TwoIntegers = Layout<Shape<int, _2>, Stride<_1, int>>;
template <class L>
using Swizzled = ComposedLayout<Swizzle<2, 0, 2>, _0, L>;

TEST(Layout, StoresItsRunTimeIntegers) {
  static_assert(std::is_empty_v<Static> && std::is_empty_v<Swizzled<Static>>);
  static_assert(sizeof(OneInteger) == 4 && sizeof(TwoIntegers) == 8);
  static_assert(sizeof(Layout<Shape<int, Shape<_2, int>>, Stride<_1, Stride<int, _8>>>) == 12);
  static_assert(sizeof(Layout<Shape<std::int64_t, _2>, Stride<_1, std::int64_t>>) == 16);
  static_assert(sizeof(Swizzled<TwoIntegers>) == 8);
}

TEST(Layout, StoresNothingMoreInsideOfOtherClasses) {
  static_assert(sizeof(tuple<OneInteger, _1>) == 4);
  static_assert(sizeof(tuple<_1, OneInteger>) == 4);
  static_assert(sizeof(tuple<TwoIntegers, _1>) == 8);
  static_assert(sizeof(tuple<TwoIntegers, Static, tuple<_1, TwoIntegers>>) == 16);
  static_assert(sizeof(tuple<Swizzled<TwoIntegers>, _2>) == 8);
  static_assert(sizeof(ComposedLayout<Swizzle<2, 0, 2>, _0, ComposedLayout<Swizzle<1, 0, 1>, _0, TwoIntegers>>) == 8);
  static_assert(sizeof(Tensor<ViewEngine<float*>, Static>) == sizeof(float*));
  static_assert(sizeof(tuple<Tensor<ViewEngine<float*>, Static>, _1>) == sizeof(float*));
  static_assert(sizeof(Tensor<ViewEngine<float*>, TwoIntegers>) == sizeof(float*) + 8);
}

TEST(Layout, SlicesOfTiledCopiesStoreTheThread) {
  using Copy = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<int>, int>{}, Layout<_32>{}, Layout<_1>{}));
  static_assert(std::is_empty_v<Copy>);
  static_assert(sizeof(decltype(Copy::get_slice(0u))) == 4);
  static_assert(sizeof(tuple<decltype(Copy::get_slice(0u)), Copy, _1>) == 4);
}

}  // namespace
