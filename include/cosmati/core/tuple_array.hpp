// SPDX-License-Identifier: Apache-2.0
/// @file
/// Conversions between tuples of integers and arrays, whose values a program knows only at run time: `to_array`,
/// `make_int_tuple`, `make_int_tuple_from`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/array.hpp>
#include <cosmati/core/int_tuple.hpp>
#include <cosmati/core/tuple/flatten.hpp>

namespace COSMATI_NAMESPACE {

/// All integers of a tuple in order, as an array of T: `to_array((_1,(6,3),4))` is {1, 6, 3, 4}.
template <class T = std::int64_t, int_tuple Tuple>
COSMATI_HD constexpr auto to_array(Tuple const& t) {
  auto const flat = flatten_to_tuple(t);
  return [&]<std::size_t... Is>(std::index_sequence<Is...>) {
    return array<T, sizeof...(Is)>{static_cast<T>(get<Is>(flat))...};
  }
  (std::make_index_sequence<tuple_size_v<std::remove_const_t<decltype(flat)>>>{});
}

/// A tuple of N run-time integers: the first n of `values`, then copies of `rest`. If N is 1, the result is an integer.
template <int N, class Values, class T>
COSMATI_HD constexpr auto make_int_tuple(Values const& values, int n, T const& rest) {
  static_assert(N > 0, "make_int_tuple<N>: N must be 1 or more");
  using V = std::common_type_t<std::remove_cvref_t<decltype(values[0])>, T>;
  auto const at = [&](int i) { return i < n ? static_cast<V>(values[i]) : static_cast<V>(rest); };
  if constexpr (N == 1) {
    return at(0);
  } else {
    return [&]<std::size_t... Is>(std::index_sequence<Is...>) { return make_tuple(at(static_cast<int>(Is))...); }
    (std::make_index_sequence<std::size_t{N}>{});
  }
}

namespace detail {
template <class T>
inline constexpr int run_time_leaves = is_static_v<T> ? 0 : 1;
template <class... T>
inline constexpr int run_time_leaves<tuple<T...>> = (0 + ... + run_time_leaves<T>);

/// A T whose run-time integers are taken from `values`, starting at number `first`.
template <class T, int first, class Values>
COSMATI_HD constexpr T filled(Values const& values) {
  if constexpr (is_static_v<T>) {
    return T{};
  } else if constexpr (tuple_type<T>) {
    return []<class... E>(std::type_identity<tuple<E...>>, Values const& v) {
      return [&]<std::size_t... Is>(std::index_sequence<Is...>) {
        constexpr auto before = [](std::size_t i) {
          constexpr int counts[] = {run_time_leaves<E>...};
          int n = first;
          for (std::size_t k = 0; k < i; ++k) n += counts[k];
          return n;
        };
        return make_tuple(filled<E, before(Is)>(v)...);
      }
      (std::make_index_sequence<sizeof...(E)>{});
    }(std::type_identity<T>{}, values);
  } else {
    static_assert(
        first < tuple_size_v<Values>,
        "make_int_tuple_from, fill_int_tuple_from: the tuple has more run-time integers than there are values");
    return static_cast<T>(get<static_cast<std::size_t>(first)>(values));
  }
}
}  // namespace detail

/// Assigns new values to the run-time integers of a tuple, in order. @return the values that are left
template <class Tuple, class Values>
COSMATI_HD constexpr auto fill_int_tuple_from(Tuple& result, Values const& values) {
  constexpr int used = detail::run_time_leaves<Tuple>;
  result = detail::filled<Tuple, 0>(values);
  return [&]<std::size_t... Is>(std::index_sequence<Is...>) { return make_tuple(get<Is + used>(values)...); }
  (std::make_index_sequence<static_cast<std::size_t>(tuple_size_v<Values> - used)>{});
}
/// A Tuple whose run-time integers are the given values, in order.
template <class Tuple, class... T>
COSMATI_HD constexpr Tuple make_int_tuple_from(T const&... values) {
  return detail::filled<Tuple, 0>(make_tuple(values...));
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
