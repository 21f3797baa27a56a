// SPDX-License-Identifier: Apache-2.0
// Sizes that do not fit: the verdict names the mode and the extents.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy/check/misfit.hpp>

using namespace cosmati;

namespace {

template <class Tile, class Full, class Origin, class Tiler, int... open>
constexpr detail::misfit of = detail::misfit_of<tile_place<Tile, Full, Origin, open...>, Tiler>::value;
constexpr bool operator==(detail::misfit const& a, detail::misfit const& b) {
  return a.mode == b.mode && a.extent == b.extent && a.tile == b.tile;
}
constexpr detail::misfit none{};

using at_origin = Shape<_0, _0>;
static_assert(of<Shape<_32, _64>, Shape<_32, _64>, at_origin, Shape<_16, _64>> == none);
// The tiled copy does not divide the tile.
static_assert(of<Shape<_32, Int<48>>, Shape<_64, Int<96>>, at_origin, Shape<_16, _32>> == detail::misfit{1, 48, 32});
// The tile does not divide the tensor. This is a mistake for the last tile, or where all tiles are covered.
static_assert(of<Shape<_32, _16>, Shape<Int<40>, _16>, at_origin, Shape<_16, _16>> == none);
static_assert(of<Shape<_32, _16>, Shape<Int<40>, _16>, Shape<_32, _0>, Shape<_16, _16>> == detail::misfit{0, 40, 32});
static_assert(of<Shape<_32, _16>, Shape<Int<40>, _16>, tuple<int, _0>, Shape<_16, _16>> == none);
static_assert(of<Shape<_32, _16>, Shape<Int<40>, _16>, tuple<int, _0>, Shape<_16, _16>, 0> ==
              detail::misfit{0, 40, 32});
// Extents known at run time are not judged.
static_assert(of<Shape<int, _16>, Shape<int, _16>, at_origin, Shape<_16, _16>> == none);

template <class L>
using view = decltype(make_tensor(std::declval<float*>(), L{}));
template <class L1, class L2>
constexpr detail::extents_that_differ differ = detail::find_extents_that_differ<view<L1>, view<L2>>();
constexpr bool is(detail::extents_that_differ const& e, int mode, int source, int destination) {
  return e.mode == mode && e.source == source && e.destination == destination;
}
static_assert(is(differ<Layout<Shape<_4, _6>>, Layout<Shape<_4, _6>>>, -1, 0, 0));
static_assert(is(differ<Layout<Shape<_4, _6>>, Layout<Shape<_4, _8>>>, 1, 6, 8));
static_assert(is(differ<Layout<Shape<_4, _6>>, Layout<_4>>, 1, 6, 1));  // a missing mode has one element
static_assert(is(differ<Layout<Shape<int, _6>>, Layout<Shape<_4, _5>>>, 1, 6, 5));

TEST(Misfit, IsKnownAtCompileTime) { SUCCEED(); }

}  // namespace
