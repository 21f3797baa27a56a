// SPDX-License-Identifier: Apache-2.0
// What a tiled copy covers of a tile, computed from the types.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy/place_facts.hpp>

using namespace cosmati;

namespace {

// Copies of 4:2 begin at 0, 1, 8, 9, ...: two of them fill 8 elements.
static_assert(detail::period_of_tile<Layout<_4, _2>> == 8);
static_assert(detail::period_of_tile<Layout<_4, _1>> == 4);
static_assert(detail::period_of_tile<Layout<Shape<_2, _2>, Stride<_1, _8>>> == 16);
static_assert(detail::period_of_tile<Int<6>> == 6);

using place = tile_place<Shape<_16, Int<6>>, Shape<_64, int>, tuple<int, int>>;
static_assert(detail::divides_tile<Shape<_8, _4>, place, 0> && !detail::divides_tile<Shape<_8, _4>, place, 1>);
static_assert(!detail::divides_tile<Shape<_32>, place, 0> && detail::divides_tile<Shape<_8>, place, 1>);
static_assert(!detail::is_whole_place<place>);
static_assert(detail::is_whole_place<tile_place<Shape<_4, int>, Shape<_4, int>, Shape<_0, _0>>>);

static_assert(detail::extent_of_tile<Layout<Shape<_2, _4>, Stride<_8, _1>>> == 8 && detail::extent_of_tile<int> == 0);
static_assert(detail::step_along<Shape<_8, Layout<_4, _2>>, 0> == 8 &&
              detail::step_along<Shape<_8, Layout<_4, _2>>, 1> == 8);
static_assert(detail::step_along<Shape<_8>, 1> == 0);

// Thread t of 32 begins at a multiple of 4 elements: rows of 20, four values each.
using tiled = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{},
                                       Layout<Shape<_8, _4>, Stride<_4, _1>>{}, Layout<Shape<_1, _4>>{}));
using matrix =
    decltype(make_tensor(make_gmem_ptr(std::declval<float*>()), Layout<Shape<_8, _16>, Stride<Int<20>, _1>>{}));
using partition = decltype(tiled{}.get_slice(0).partition_S(std::declval<matrix>()));
static_assert(detail::has_thread_place<partition> && !detail::has_thread_place<matrix>);
static_assert(detail::step_of_threads<partition> == 4 && detail::step_of_threads<matrix> == 0);

TEST(PlaceFacts, AreKnownAtCompileTime) { SUCCEED(); }

}  // namespace
