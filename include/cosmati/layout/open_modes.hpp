// SPDX-License-Identifier: Apache-2.0
/// @file
/// The modes that a flat coordinate leaves open, without the algebra.
///
/// Most slices have one `_` or integer for each mode of the layout. Then the result is known from the types alone, and
/// a compiler need not evaluate the algebra's `slice`, which knows every nesting.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/integer_sequence.hpp>
#include <cosmati/core/underscore.hpp>
#include <cosmati/layout/layout.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Whether a coordinate has one `_` or integer for each mode of a shape.
template <class Coord, class Shape>
inline constexpr bool is_flat_slice = false;
template <class... C0, class... S>
requires(sizeof...(C0) ==
         sizeof...(S)) inline constexpr bool is_flat_slice<tuple<C0...>, tuple<S...>> = ((is_underscore_v<C0> ||
                                                                                          integer<C0>)&&...);

/// The positions of `_` in a coordinate. @tparam found those before element i
template <int i, class found, class... C0>
struct open_positions {
  using type = found;
};
template <int i, int... k, class A, class... C0>
struct open_positions<i, seq<k...>, A, C0...> : open_positions<i + 1, seq<k...>, C0...> {};
template <int i, int... k, class... C0>
struct open_positions<i, seq<k...>, Underscore, C0...> : open_positions<i + 1, seq<k..., i>, C0...> {};
template <class Coord>
struct open_positions_of;
template <class... C0>
struct open_positions_of<tuple<C0...>> : open_positions<0, seq<>, C0...> {};

/// Modes i... of a layout.
template <int... i, class... S, class... D>
COSMATI_HD constexpr auto modes_at([[maybe_unused]] Layout<tuple<S...>, tuple<D...>> const& l, seq<i...>) {
  using Shape_ = tuple<typename element<i, S...>::type...>;
  using Stride_ = tuple<typename element<i, D...>::type...>;
  if constexpr (__is_empty(Layout<Shape_, Stride_>))
    return Layout<Shape_, Stride_>{};
  else
    return Layout<Shape_, Stride_>(Shape_(get<i>(l.shape())...), Stride_(get<i>(l.stride())...));
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
