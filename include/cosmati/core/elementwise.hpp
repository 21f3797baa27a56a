// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions that combine two tuples leaf by leaf: `elem_scale`, `filter_zeros`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/elementwise.hpp>
#include <cosmati/core/int_tuple.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
struct elem_scale_object {
  static constexpr operand_forms operands{};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& a, flat_tree<Num> const& b) {
    return algebra::elem_scale(a, b);
  }
};
struct filter_zeros_of_tuple_object {
  static constexpr operand_forms operands{};
  template <class Num>
  static constexpr auto apply(flat_tree<Num> const& guide, flat_tree<Num> const& t) {
    return algebra::filter_zeros(guide, t);
  }
};
}  // namespace detail

/// A tuple nested as `a`. Each integer is multiplied by the product of the corresponding part of `b`.
template <int_tuple A, int_tuple B>
COSMATI_HD constexpr auto elem_scale(A const& a, B const& b) {
  return detail::evaluate_tuple<detail::elem_scale_object>(a, b);
}
/// `t` with 1 wherever `guide` is the static 0. If the guide is the stride of a layout, the result drops its broadcast
/// extents.
template <int_tuple G, int_tuple T>
COSMATI_HD constexpr auto filter_zeros(G const& guide, T const& t) {
  return detail::evaluate_tuple<detail::filter_zeros_of_tuple_object>(guide, t);
}
/// The same of one tuple, its own guide: 1 for every static 0.
template <int_tuple T>
COSMATI_HD constexpr auto filter_zeros(T const& t) {
  return filter_zeros(t, t);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
