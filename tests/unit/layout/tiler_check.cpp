// SPDX-License-Identifier: Apache-2.0
// Tilers of more modes than what they divide: which fit, at which depth one does not, and which calls there are.
#include <gtest/gtest.h>
#include <cosmati/layout/operations.hpp>
#include <cosmati/layout/tiler_check.hpp>

using namespace cosmati;

namespace {

static_assert(detail::tiler_modes<_4> == 1 && detail::tiler_modes<Layout<_4>> == 1 &&
              detail::tiler_modes<Shape<_2, _2>> == 2);

// One mode of the tiler for each of the shape, or fewer; a layout stands for all of them.
static_assert(detail::tiler_fits<Shape<_2, _2>, Shape<_4, _4>> && detail::tiler_fits<Shape<_2>, Shape<_4, _4>>);
static_assert(detail::tiler_fits<Layout<Shape<_2, _2, _2>>, Shape<_4, _4>> && detail::tiler_fits<_8, _4>);
static_assert(!detail::tiler_fits<Shape<_2, _2, _2>, Shape<_4, _4>> && !detail::tiler_fits<Shape<_2, _2>, _4>);

// A tiler within a tiler is for a mode that is a tuple.
using nested = Shape<Shape<_4, _4>, _8>;
static_assert(detail::tiler_fits<tuple<Shape<_2, _2>, _2>, nested>);
static_assert(!detail::tiler_fits<tuple<Shape<_2, _2, _2>, _2>, nested>);
constexpr detail::tiler_misfit three = detail::nested_misfit<tuple<Shape<_2, _2, _2>, _2>, nested>;
static_assert(three.layout == 2 && three.tiler == 3);
constexpr detail::tiler_misfit two = detail::nested_misfit<tuple<_2, Shape<_2, _2>>, nested>;
static_assert(two.layout == 1 && two.tiler == 2, "an integer has one mode");
constexpr detail::tiler_misfit none = detail::nested_misfit<tuple<Shape<_2, _2>, _2>, nested>;
static_assert(none.tiler == 0);

// A tiler that stands for a refused call gives another such, and nothing is said.
static_assert(refusal<decltype(logical_divide(Layout<_4>{}, refused{}))>);
static_assert(refusal<decltype(zipped_product(Layout<_4>{}, refused{}))>);
static_assert(refusal<decltype(composition(Layout<_4>{}, refused{}))>);

TEST(TilerCheck, IsOfTypes) { SUCCEED(); }

}  // namespace
