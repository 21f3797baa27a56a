// SPDX-License-Identifier: Apache-2.0
/// @file
/// Folds and scans over the elements of a tuple: `fold`, `fold_first`, `iscan`, `escan`.
///
/// The type of the function's first argument may change from call to call. Anything that is not a tuple is its own only
/// element.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple/transform.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// The state of a left fold. `|` consumes one element.
template <class F, class V>
struct fold_state {
  F& f;
  V value;
};
COSMATI_ANY_FUNCTION
template <class F, class V, class X>
COSMATI_HD constexpr auto operator|(fold_state<F, V> const& s, X&& x) {
  auto next = s.f(s.value, static_cast<X&&>(x));
  return fold_state<F, decltype(next)>{s.f, next};
}
template <class T, class V, class F, int... i>
COSMATI_HD constexpr auto fold_at(T&& t, V const& v, F& f, seq<i...>) {
  return (fold_state<F, V>{f, v} | ... | get<i>(static_cast<T&&>(t))).value;
}

/// The state of a scan: the last value, and the results so far.
template <bool inclusive, class F, class V, class R>
struct scan_state {
  F& f;
  V value;
  R results;
};
template <class R, class X, int... i>
COSMATI_HD constexpr auto with_last(R const& r, X const& x, seq<i...>) {
  return make_tuple(get<i>(r)..., x);
}
COSMATI_ANY_FUNCTION
template <bool inclusive, class F, class V, class R, class X>
COSMATI_HD constexpr auto operator|(scan_state<inclusive, F, V, R> const& s, X const& x) {
  auto next = s.f(s.value, x);
  if constexpr (inclusive) {
    auto results = with_last(s.results, next, tuple_seq<R>{});
    return scan_state<inclusive, F, decltype(next), decltype(results)>{s.f, next, results};
  } else {
    auto results = with_last(s.results, s.value, tuple_seq<R>{});
    return scan_state<inclusive, F, decltype(next), decltype(results)>{s.f, next, results};
  }
}
template <bool inclusive, class T, class V, class F, int... i>
COSMATI_HD constexpr auto scan_at(T const& t, V const& v, F& f, seq<i...>) {
  return (scan_state<inclusive, F, V, tuple<>>{f, v, {}} | ... | get<i>(t));
}
}  // namespace detail

/// @name Folds and scans, from the left
/// @{
/// f(...f(f(v, t0), t1)..., tn).
COSMATI_ANY_FUNCTION
template <class T, class V, class F, class = detail::if_of_tuples<T>>
COSMATI_HD constexpr auto fold(T&& t, V const& v, F&& f) {
  if constexpr (tuple_type<T>)
    return detail::fold_at(static_cast<T&&>(t), v, f, tuple_seq<T>{});
  else
    return f(v, static_cast<T&&>(t));
}
/// A fold that starts with the first element.
COSMATI_ANY_FUNCTION
template <class T, class F>
COSMATI_HD constexpr auto fold_first(T&& t, F&& f) {
  if constexpr (tuple_type<T>)
    return detail::fold_at(t, get<0>(t), f, make_range<1, tuple_size_v<T>>{});
  else
    return t;
}
/// The inclusive scan: (f(v, t0), f(f(v, t0), t1), ...).
COSMATI_ANY_FUNCTION
template <class T, class V, class F>
COSMATI_HD constexpr auto iscan(T const& t, V const& v, F&& f) {
  if constexpr (tuple_type<T>)
    return detail::scan_at<true>(t, v, f, tuple_seq<T>{}).results;
  else
    return f(v, t);
}
/// The exclusive scan: (v, f(v, t0), f(f(v, t0), t1), ...), with as many elements as t.
COSMATI_ANY_FUNCTION
template <class T, class V, class F>
COSMATI_HD constexpr auto escan(T const& t, V const& v, F&& f) {
  if constexpr (!tuple_type<T>) {
    return v;
  } else if constexpr (tuple_size_v<T> == 0) {
    return tuple<>{};
  } else {
    // The scan does not use the last element, so f need not accept it.
    auto s = detail::scan_at<false>(t, v, f, make_seq<tuple_size_v<T> - 1>{});
    return detail::with_last(s.results, s.value, make_seq<tuple_size_v<T> - 1>{});
  }
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
