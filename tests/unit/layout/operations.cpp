// SPDX-License-Identifier: Apache-2.0
// The algebra as types: each operation on static layouts, on run-time ones and on values gives the same layout.
#include <gtest/gtest.h>
#include <cosmati/layout/algebra/algebra.hpp>
#include <cosmati/layout/algebra/nullspace.hpp>
#include <cosmati/layout/make_layout.hpp>
#include <cosmati/layout/operations.hpp>

#include "property/algebra_text.hpp"

using namespace cosmati;
using algebra_test::str;

namespace {

/// A static layout as a value.
template <class L>
std::string text_of(L const&) {
  return str(detail::lifted<std::int64_t, L>());
}
using rows = Layout<Shape<_4, _6>, Stride<_6, _1>>;
using columns = Layout<Shape<_4, _6>>;
std::string const rows_text = "(4,6):(6,1)";

auto value(std::string const& text) { return algebra_test::layout(text); }

TEST(LayoutOperations, OfTypesAreThoseOfValues) {
  EXPECT_EQ(text_of(coalesce(columns{})), str(algebra::coalesce(value("(4,6):(1,4)"))));
  EXPECT_EQ(text_of(filter(Layout<Shape<_4, _6>, Stride<_0, _1>>{})), str(algebra::filter(value("(4,6):(0,1)"))));
  EXPECT_EQ(text_of(composition(rows{}, Layout<_2, _2>{})), str(algebra::composition(value(rows_text), value("2:2"))));
  EXPECT_EQ(text_of(complement(Layout<_2, _2>{}, _24{})), str(algebra::complement(value("2:2"), 24)));
  EXPECT_EQ(text_of(right_inverse(rows{})), str(algebra::right_inverse(value(rows_text))));
  EXPECT_EQ(text_of(left_inverse(rows{})), str(algebra::left_inverse(value(rows_text))));
  EXPECT_EQ(text_of(nullspace(Layout<Shape<_4, _6>, Stride<_0, _1>>{})), str(algebra::nullspace(value("(4,6):(0,1)"))));
  EXPECT_EQ(text_of(max_common_layout(rows{}, rows{})),
            str(algebra::max_common_layout(value(rows_text), value(rows_text))));
  EXPECT_EQ(text_of(logical_divide(rows{}, _2{})), str(algebra::logical_divide(value(rows_text), value("2"))));
  EXPECT_EQ(text_of(logical_product(Layout<_4>{}, Layout<_3>{})),
            str(algebra::logical_product(value("4:1"), value("3:1"))));
  EXPECT_EQ(text_of(upcast<2>(rows{})), str(algebra::upcast(value(rows_text), 2)));
  EXPECT_EQ(text_of(downcast<2>(rows{})), str(algebra::downcast(value(rows_text), 2)));
}

TEST(LayoutOperations, TheDividesNestTheSameTiles) {
  using tile = Shape<_2, _3>;
  EXPECT_EQ(text_of(logical_divide(rows{}, tile{})), "((2,2),(3,2)):((6,12),(1,3))");
  EXPECT_EQ(text_of(zipped_divide(rows{}, tile{})), "((2,3),(2,2)):((6,1),(12,3))");
  EXPECT_EQ(text_of(tiled_divide(rows{}, tile{})), "((2,3),2,2):((6,1),12,3)");
  EXPECT_EQ(text_of(flat_divide(rows{}, tile{})), "(2,3,2,2):(6,1,12,3)");
  EXPECT_EQ(text_of(blocked_product(Layout<Shape<_2, _2>>{}, Layout<Shape<_3, _1>>{})), "((2,3),(2,1)):((1,4),(2,0))");
  EXPECT_EQ(text_of(raked_product(Layout<Shape<_2, _2>>{}, Layout<Shape<_3, _1>>{})), "((3,2),(1,2)):((4,1),(0,2))");
  EXPECT_EQ(text_of(tile_to_shape(Layout<Shape<_2, _2>>{}, Shape<_4, _6>{})), "((2,2),(2,3)):((1,4),(2,8))");
}

// At run time the same offsets as at compile time, for every index.
TEST(LayoutOperations, OfRunTimeLayoutsHaveTheSameOffsets) {
  int const m = 4, n = 6, d = 6;
  auto const l = make_layout(make_shape(m, n), make_stride(d, _1{}));
  auto const same = [](auto const& a, auto const& b) {
    ASSERT_EQ(static_cast<int>(size(a)), static_cast<int>(size(b)));
    for (int i = 0; i < static_cast<int>(size(a)); ++i) EXPECT_EQ(static_cast<int>(a(i)), static_cast<int>(b(i))) << i;
  };
  same(zipped_divide(l, Shape<_2, _3>{}), zipped_divide(rows{}, Shape<_2, _3>{}));
  same(composition(l, make_layout(_2{}, _2{})), composition(rows{}, Layout<_2, _2>{}));
  same(with_shape(l, make_shape(m, _2{}, _3{})), with_shape(rows{}, Shape<_4, _2, _3>{}));
  same(logical_product(make_layout(make_shape(m)), Layout<_3>{}), logical_product(Layout<_4>{}, Layout<_3>{}));
}

TEST(LayoutOperations, CoordinatesOfIndices) {
  static_assert(std::is_same_v<decltype(idx2crd(Int<41>{}, Shape<_4, Shape<_5, _6>>{})), tuple<_1, tuple<_0, _2>>>);
  int const i = 41;
  EXPECT_TRUE(idx2crd(i, Shape<_4, Shape<_5, _6>>{}) == make_tuple(1, make_tuple(0, 2)));
  EXPECT_TRUE(crd2crd(make_tuple(1, 10), Shape<_4, Int<30>>{}, Shape<Shape<_2, _2>, Shape<_5, _6>>{}) ==
              make_tuple(make_tuple(1, 0), make_tuple(0, 2)));
  EXPECT_EQ(get<1>(rows{}.get_flat_coord(13)), 1) << "13 = 6 * 2 + 1";
  EXPECT_EQ(rows{}.get_1d_coord(13), 6);
}

}  // namespace
