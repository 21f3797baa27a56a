// SPDX-License-Identifier: Apache-2.0
/// @file
/// `slice` and `dice` of tuples: the modes where a coordinate has `_`, and those where it has an integer.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple/elements.hpp>
#include <cosmati/core/underscore.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
template <int coordinate_modes, int tuple_modes>
struct coordinate_and_tuple_differ_in_rank {
  static_assert(coordinate_modes == tuple_modes,
                "slice, dice: the coordinate has another number of modes than the tuple "
                "(coordinate_and_tuple_differ_in_rank<COORDINATE, TUPLE>); give one integer, `_` or tuple a mode");
  static constexpr bool ok = coordinate_modes == tuple_modes;
};
template <bool keep_open, class C0, class T>
COSMATI_HD constexpr auto kept_modes(C0 const& c, T const& t);
template <bool keep_open, class C0, class T, std::size_t... k>
COSMATI_HD constexpr auto kept_of_each([[maybe_unused]] C0 const& c, [[maybe_unused]] T const& t,
                                       std::index_sequence<k...>) {
  return tuple_cat(make_tuple(), kept_modes<keep_open>(get<k>(c), get<k>(t))...);
}
/// The part of one mode that stays, as a tuple of zero, one or several elements.
template <bool keep_open, class C0, class T>
COSMATI_HD constexpr auto kept_modes([[maybe_unused]] C0 const& c, [[maybe_unused]] T const& t) {
  if constexpr (tuple_type<C0>) {
    constexpr int n = tuple_size_v<C0>;
    if constexpr (!coordinate_and_tuple_differ_in_rank<n, (tuple_type<T> ? tuple_size_v<T> : 1)>::ok)
      return make_tuple();
    else
      return kept_of_each<keep_open>(c, t, std::make_index_sequence<std::size_t{n}>{});
  } else if constexpr (is_underscore_v<C0> == keep_open) {
    return make_tuple(t);
  } else {
    return make_tuple();
  }
}
}  // namespace detail

/// The modes of t where the coordinate has `_`: slice((_, 1, _), (a, b, c)) is (a, c). A single `_` keeps all of t, an
/// integer nothing.
template <class C0, class T>
requires(tuple_type<T> || integer<T> || is_underscore_v<T>) COSMATI_HD
    constexpr auto slice(C0 const& coord, T const& t) {
  if constexpr (tuple_type<C0>)
    return detail::kept_modes<true>(coord, t);
  else if constexpr (is_underscore_v<C0>)
    return t;
  else
    return make_tuple();
}
/// The modes of t where the coordinate, such as a projection, has an integer: dice(Step<_1, X, _1>{}, (a, b, c)) is (a,
/// c).
template <class C0, class T>
requires(tuple_type<T> || integer<T> || is_underscore_v<T>) COSMATI_HD
    constexpr auto dice(C0 const& coord, T const& t) {
  if constexpr (tuple_type<C0>)
    return detail::kept_modes<false>(coord, t);
  else if constexpr (is_underscore_v<C0>)
    return make_tuple();
  else
    return t;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
