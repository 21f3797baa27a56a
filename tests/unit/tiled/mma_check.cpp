// SPDX-License-Identifier: Apache-2.0
// Which tensors a tiled MMA partitions, and what it says of the others: extents that the tile does not divide, ranks.
#include <gtest/gtest.h>
#include <cosmati/tiled/mma_check.hpp>
#include <cosmati/tiled/tiled_mma.hpp>

using namespace cosmati;

namespace {

template <class Mistake, class Wanted>
constexpr bool is = std::is_same_v<typename Mistake::type, Wanted>;

static_assert(!detail::ragged_partitions_are_meant, "unless the program is one for CuTe");
static_assert(is<decltype(detail::mma_mode_mistake<_32, 16, 'M'>()), void>);
static_assert(is<decltype(detail::mma_mode_mistake<int, 16, 'M'>()), void>, "the type does not tell");
static_assert(is<decltype(detail::mma_mode_mistake<_24, 16, 'N'>()), detail::mma_tile_does_not_divide<24, 16, 'N'>>);

// Two by three threads of one multiply-add: tiles of 2 x 3 x 1.
using mma = decltype(make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_2, _3>>{}));
template <class L>
using tensor = decltype(make_tensor(make_gmem_ptr(std::declval<float*>()), L{}));
template <int x, int y, class L>
using mistake = decltype(detail::mma_partition_mistake<mma, x, y, tensor<L>>());
static_assert(is<mistake<0, 1, Layout<Shape<_4, _6>>>, void>, "C: (M, N)");
static_assert(is<mistake<0, 1, Layout<Shape<_5, _6>>>, detail::mma_tile_does_not_divide<5, 2, 'M'>>);
static_assert(is<mistake<0, 1, Layout<Shape<_4, _7>>>, detail::mma_tile_does_not_divide<7, 3, 'N'>>);
static_assert(is<mistake<0, 1, Layout<Shape<_5, _7>>>, detail::mma_tile_does_not_divide<5, 2, 'M'>>, "the first");
static_assert(is<mistake<0, 2, Layout<Shape<_4, _5>>>, void>, "A: (M, K), and K is cut into single elements");
static_assert(is<mistake<0, 1, Layout<_4>>, detail::operand_has_fewer_than_two_modes<1>>);
static_assert(is<mistake<0, 1, Layout<Shape<_4, _6, _5>>>, void>, "modes behind them are as they are");

// Coordinates are no memory: they may reach beyond.
using coordinates = decltype(make_identity_tensor(Shape<_5, _7>{}));
static_assert(is<decltype(detail::mma_partition_mistake<mma, 0, 1, coordinates>()), void>);

TEST(MmaCheck, IsOfTypes) { SUCCEED(); }

}  // namespace
