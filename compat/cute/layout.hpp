// SPDX-License-Identifier: Apache-2.0
/// @file
/// `Layout` and its algebra.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple_extremes.hpp>
#include <cosmati/layout/layout.hpp>
#include <cosmati/layout/make_layout.hpp>
#include <cosmati/layout/modes.hpp>
#include <cosmati/layout/operations.hpp>
#include <cosmati/layout/print.hpp>
#include <cosmati/layout/stream.hpp>
#include <cosmati/layout/transform_layout.hpp>
#include <cute/numeric/arithmetic_tuple.hpp>
#include <cute/numeric/integral_ratio.hpp>
#include <cute/numeric/numeric_types.hpp>
#include <cute/stride.hpp>
#include <cute/underscore.hpp>

namespace COSMATI_NAMESPACE {

/// Of all of a mode, all of it.
COSMATI_HD constexpr Underscore right_inverse(Underscore const&) { return {}; }
COSMATI_HD constexpr Underscore left_inverse(Underscore const&) { return {}; }

/// The modes of l in a nesting of which the leaves are `_`.
template <class S, class D, int_tuple P>
requires(has_underscore<P>::value) COSMATI_HD constexpr auto unflatten(Layout<S, D> const& l, P const& profile) {
  return make_layout(unflatten(wrap(l.shape()), profile), unflatten(wrap(l.stride()), profile));
}

/// The extents of how many tiles there are: the second mode of `logical_divide(target, tiler)`.
template <class S1, class D1, class S, class D>
COSMATI_HD constexpr auto ceil_div(Layout<S1, D1> const& target, Layout<S, D> const& tiler) {
  return ceil_div(target.shape(), tiler);
}

/// @name Compact strides in an order that has a name
/// @{
template <class Shape>
COSMATI_HD constexpr auto compact_order(Shape const& shape, LayoutLeft const&) {
  return compact_col_major(shape);
}
template <class Shape>
COSMATI_HD constexpr auto compact_order(Shape const& shape, LayoutRight const&) {
  return compact_row_major(shape);
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
