// SPDX-License-Identifier: Apache-2.0
// Why a vector is not contiguous: the mode of the next value, and its stride.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy/check/broken_run.hpp>
#include <cosmati/layout/composed_layout.hpp>

using namespace cosmati;

namespace {

template <class L, class TV = void, class Tiler = void>
constexpr bool ends(int mode, int stride) {
  using T = decltype(make_tensor(std::declval<float*>(), L{}));
  constexpr detail::run_end end = detail::end_of_run<T, TV, Tiler>();
  return end.mode == mode && end.stride == stride;
}
static_assert(ends<Layout<Shape<_8, _4>, Stride<_4, _1>>>(0, 4));
static_assert(ends<Layout<Shape<_2, _4>, Stride<_1, Int<12>>>>(1, 12));
static_assert(ends<Layout<Shape<_2, Shape<_2, _4>>, Stride<_1, Stride<_2, _8>>>>(1, 8));
static_assert(ends<Layout<Shape<_4, _8>, Stride<_1, int>>>(1, 0));  // known at run time
static_assert(
    ends<decltype(composition(Swizzle<2, 1, 3>{}, Layout<Shape<_32, _32>>{}))>(0, 1));  // the swizzle cuts the vector

// The mode of a tiled copy is a mode of the tile: 4 values in a column, or in a row, of a tile of 16 x 8.
using in_columns = Layout<Shape<_32, _4>, Stride<_4, _1>>;
using in_rows = Layout<Shape<_32, _4>, Stride<_1, _16>>;
static_assert(ends<Layout<_4, _8>, in_columns, Shape<_16, _8>>(0, 8));
static_assert(ends<Layout<_4, _8>, in_rows, Shape<_16, _8>>(1, 8));

TEST(BrokenRun, IsKnownAtCompileTime) { SUCCEED(); }

}  // namespace
