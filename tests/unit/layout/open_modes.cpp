// SPDX-License-Identifier: Apache-2.0
// Slices by flat coordinates, which need no evaluation of the algebra: they are what the algebra gives.
#include <cosmati/layout/modes.hpp>
#include <cosmati/layout/open_modes.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {

template <class Coord, class L>
void is_what_the_algebra_gives(Coord const& coord, L const& l) {
  auto const direct = slice(coord, l);
  auto const by_algebra = detail::layout_result<detail::slice_object, Coord, L>::make(coord, l);
  static_assert(std::is_same_v<decltype(direct), decltype(by_algebra)>);
  EXPECT_TRUE(direct == by_algebra);
}

TEST(OpenModes, OnlyFlatCoordinatesOfTheSameRankAreDirect) {
  using S = Shape<_4, Shape<_2, int>, int>;
  static_assert(detail::is_flat_slice<tuple<Underscore, int, _1>, S>);
  static_assert(!detail::is_flat_slice<tuple<Underscore, tuple<Underscore, int>, int>, S>);
  static_assert(!detail::is_flat_slice<tuple<Underscore, int>, S>);
  static_assert(!detail::is_flat_slice<Underscore, S>);
  static_assert(!detail::is_flat_slice<int, int>);
  static_assert(std::is_same_v<detail::open_positions_of<tuple<Underscore, int, Underscore>>::type, seq<0, 2>>);
  static_assert(std::is_same_v<detail::open_positions_of<tuple<int>>::type, seq<>>);
}

TEST(OpenModes, StaticLayoutsAreSlicedAsByTheAlgebra) {
  using L = Layout<Shape<_4, Shape<_2, _8>, _3, _5>, Stride<_1, Stride<_0, _4>, _64, _1024>>;
  is_what_the_algebra_gives(make_coord(_, _, _, _), L{});
  is_what_the_algebra_gives(make_coord(_, 3, _, _1{}), L{});
  is_what_the_algebra_gives(make_coord(1, _, 2, _), L{});
  is_what_the_algebra_gives(make_coord(0, 0, _0{}, 0), L{});
  is_what_the_algebra_gives(make_coord(_), Layout<Shape<_4>, Stride<_7>>{});
  static_assert(std::is_same_v<decltype(L{}(_, 3, _, 1)), Layout<Shape<_4, _3>, Stride<_1, _64>>>);
}

TEST(OpenModes, RunTimeIntegersAndBasesAreKept) {
  int const m = 6, n = 7;
  std::int64_t const far = std::int64_t{1} << 40;
  auto const l = make_layout(make_shape(m, make_shape(_2{}, n), _3{}), make_stride(far, make_stride(_1{}, 2), m));
  is_what_the_algebra_gives(make_coord(_, 3, 1), l);
  is_what_the_algebra_gives(make_coord(2, _, _), l);
  is_what_the_algebra_gives(make_coord(_, _, _), l);
  auto const coordinates = make_layout(make_shape(m, n, _2{}), make_stride(E<1>{}, E<0>{}, E<2>{}));
  is_what_the_algebra_gives(make_coord(_, 2, _), coordinates);
  is_what_the_algebra_gives(make_coord(_, _, 0), coordinates);
  EXPECT_TRUE(slice(make_coord(_, 3, 1), l) == make_layout(make_shape(6), make_stride(far)));
}

}  // namespace
