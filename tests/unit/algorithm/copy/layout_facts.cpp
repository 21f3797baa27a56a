// SPDX-License-Identifier: Apache-2.0
// Contiguous runs and the alignment of vectors in a layout, computed by hand.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy/layout_facts.hpp>
#include <cosmati/layout/composed_layout.hpp>

using namespace cosmati;

namespace {

template <class L>
constexpr auto run = detail::layout_facts<L>::run;
static_assert(run<Layout<Shape<_16, _8>>> == 128 && run<Layout<Shape<_16, _8>, Stride<_1, _32>>> == 16);
static_assert(run<Layout<Shape<_16, _8>, Stride<_8, _1>>> == 1);
static_assert(run<Layout<Shape<Shape<_4, _2>, _8>, Stride<Stride<_1, _4>, _16>>> == 8);
static_assert(run<Layout<Shape<_1, _8>, Stride<_7, _1>>> == 8);    // a mode of one element does not end a run
static_assert(run<Layout<Shape<int, _8>, Stride<_1, int>>> == 1);  // a mode of unknown extent is not part of the run

/// Largest divisor of the offsets at which vectors of `vector` elements begin.
template <class L, int vector, int of_run_time_strides = 1>
constexpr auto alignment = detail::layout_facts<L>::template alignment<vector, of_run_time_strides>;
static_assert(alignment<Layout<Shape<_16, _8>, Stride<_1, Int<20>>>, 4> == 4);  // 0, 4, 8, 12, 20, 24, ...
static_assert(alignment<Layout<Shape<_16, _8>, Stride<_1, Int<18>>>, 4> == 2);  // 0, 4, 8, 12, 18, ...
static_assert(alignment<Layout<Shape<_4, _8>, Stride<_1, Int<17>>>, 4> == 17);  // 0, 17, 34, ...
static_assert(alignment<Layout<Shape<_16, _8>, Stride<_1, int>>, 4, 1> == 1);
static_assert(alignment<Layout<Shape<_16, _8>, Stride<_1, int>>, 4, 4> == 4);

// A swizzle keeps 2^M elements together that begin at a multiple of 2^M.
template <int M>
using swizzled = decltype(composition(Swizzle<2, M, 3>{}, Layout<Shape<_32, _32>>{}));
static_assert(run<swizzled<0>> == 1 && run<swizzled<2>> == 4 && run<swizzled<3>> == 8);
static_assert(alignment<swizzled<2>, 4> == 4);

TEST(LayoutFacts, AreKnownAtCompileTime) { SUCCEED(); }

}  // namespace
