// SPDX-License-Identifier: Apache-2.0
/// @file
/// `transform_layout`: applies a function to each mode of a layout; the results are the modes of a new layout.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/make_layout.hpp>
#include <cosmati/layout/modes.hpp>

namespace COSMATI_NAMESPACE {

/// The layout of f(mode 0), f(mode 1), ...
template <plain_layout L, class F>
COSMATI_HD constexpr auto transform_layout(L const& l, F&& f) {
  return [&]<int... Is>(std::integer_sequence<int, Is...>) { return make_layout(f(layout<Is>(l))...); }
  (std::make_integer_sequence<int, L::rank>{});
}

namespace detail {
/// Mode k of a layout, or element k of a tuple.
template <int k, class T>
COSMATI_HD constexpr auto mode_or_element(T const& x) {
  if constexpr (plain_layout<T>)
    return layout<k>(x);
  else
    return get<static_cast<std::size_t>(k)>(x);
}
}  // namespace detail

/// The layout of f(mode 0, element 0), ... The operands are a layout and a tuple, or two of either. The longer operand
/// keeps its further modes.
template <class A, class B, class F>
requires(plain_layout<A> || plain_layout<B>) COSMATI_HD constexpr auto transform_layout(A const& a, B const& b, F&& f) {
  constexpr int in_a = rank_v<A>, in_b = rank_v<B>, both = in_a < in_b ? in_a : in_b;
  return [&]<int... Is, int... Ia, int... Ib>(std::integer_sequence<int, Is...>, std::integer_sequence<int, Ia...>,
                                              std::integer_sequence<int, Ib...>) {
    return make_layout(f(detail::mode_or_element<Is>(a), detail::mode_or_element<Is>(b))...,
                       detail::mode_or_element<both + Ia>(a)..., detail::mode_or_element<both + Ib>(b)...);
  }
  (std::make_integer_sequence<int, both>{}, std::make_integer_sequence<int, in_a - both>{},
   std::make_integer_sequence<int, in_b - both>{});
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
