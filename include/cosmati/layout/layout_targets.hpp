// SPDX-License-Identifier: Apache-2.0
/// @file
/// Layouts in the place of a shape: the tiler of `evenly_divides`, the target of `tile_to_shape`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/composed_layout.hpp>
#include <cosmati/layout/operations.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// A layout, or a tuple that contains one.
template <class T>
inline constexpr bool holds_layout = plain_layout<T>;
template <class... T>
inline constexpr bool holds_layout<tuple<T...>> = (holds_layout<T> || ...);
}  // namespace detail

/// @name Whether tiles by the tiler's layouts cover the shape exactly
/// The size of each mode must be that of the tile times the number of tiles that fit, rounded up. `<8:3, 32>` does not
/// divide (32, 64): 8:3 reaches over 22 and fits twice, which makes 16.
/// @{
template <int_tuple A, class S, class D>
COSMATI_HD constexpr auto evenly_divides(A const& a, Layout<S, D> const& b) {
  return size(a) == size(b) * size(ceil_div(a, b));
}
template <int_tuple A, int_tuple B>
requires(detail::holds_layout<B>) COSMATI_HD constexpr auto evenly_divides(A const& a, B const& b) {
  if constexpr (tuple_size_v < B >> tuple_size_v<A>) {
    return C<false>{};
  } else {
    return [&]<std::size_t... Is>(std::index_sequence<Is...>) {
      return (C<true>{} && ... && evenly_divides(get<Is>(a), get<Is>(b)));
    }
    (std::make_index_sequence<tuple_size_v<B>>{});
  }
}
/// @}

/// Repeats the block until its shape is that of another layout.
template <class S, class D, class L, class... Order>
requires(detail::is_layout_of<L>) COSMATI_HD
    constexpr auto tile_to_shape(Layout<S, D> const& block, L const& target, Order const&... order) {
  return tile_to_shape(block, target.shape(), order...);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
