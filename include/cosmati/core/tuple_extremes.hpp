// SPDX-License-Identifier: Apache-2.0
/// @file
/// `max`, `min` and `gcd` of all integers of tuples, and of tuples and integers together: `max(make_tuple(3, _5{}),
/// 4)`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/int_tuple.hpp>
#include <cosmati/core/math.hpp>

namespace COSMATI_NAMESPACE {

/// @name Over every integer of the arguments, of which at least one is a tuple
/// The result is static if all integers are.
/// @{
template <int_tuple T, int_tuple... U>
requires(tuple_type<T> || (tuple_type<U> || ...)) COSMATI_HD constexpr auto max(T const& t, U const&... u);
template <int_tuple T, int_tuple... U>
requires(tuple_type<T> || (tuple_type<U> || ...)) COSMATI_HD constexpr auto min(T const& t, U const&... u);
template <int_tuple T, int_tuple... U>
requires(tuple_type<T> || (tuple_type<U> || ...)) COSMATI_HD constexpr auto gcd(T const& t, U const&... u);
/// @}

namespace detail {
struct largest_of {
  template <class... T>
  COSMATI_HD constexpr auto operator()(T const&... t) const {
    return max(t...);
  }
};
struct smallest_of {
  template <class... T>
  COSMATI_HD constexpr auto operator()(T const&... t) const {
    return min(t...);
  }
};
struct divisor_of {
  template <class T>
  COSMATI_HD constexpr auto operator()(T const& t) const {
    return t;
  }
  template <class T, class U, class... V>
  COSMATI_HD constexpr auto operator()(T const& t, U const& u, V const&... v) const {
    return operator()(gcd(t, u), v...);
  }
};
/// Reduces one argument to one integer: a tuple by its elements; an integer stays.
template <class Combine, class T>
COSMATI_HD constexpr auto combined(Combine const& combine, T const& t) {
  if constexpr (!tuple_type<T>) {
    return t;
  } else {
    static_assert(tuple_size_v<T> != 0, "max, min, gcd: an empty tuple has none");
    return [&]<std::size_t... Is>(std::index_sequence<Is...>) { return combine(combined(combine, get<Is>(t))...); }
    (std::make_index_sequence<tuple_size_v<T>>{});
  }
}
}  // namespace detail

template <int_tuple T, int_tuple... U>
requires(tuple_type<T> || (tuple_type<U> || ...)) COSMATI_HD constexpr auto max(T const& t, U const&... u) {
  detail::largest_of const combine{};
  return combine(detail::combined(combine, t), detail::combined(combine, u)...);
}
template <int_tuple T, int_tuple... U>
requires(tuple_type<T> || (tuple_type<U> || ...)) COSMATI_HD constexpr auto min(T const& t, U const&... u) {
  detail::smallest_of const combine{};
  return combine(detail::combined(combine, t), detail::combined(combine, u)...);
}
template <int_tuple T, int_tuple... U>
requires(tuple_type<T> || (tuple_type<U> || ...)) COSMATI_HD constexpr auto gcd(T const& t, U const&... u) {
  detail::divisor_of const combine{};
  return combine(detail::combined(combine, t), detail::combined(combine, u)...);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
