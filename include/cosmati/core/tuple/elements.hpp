// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tuples made from the elements of tuples: `take`, `select`, `insert`, `replace`, `append`, `group`, `tuple_cat`, ...
///
/// An integer, or anything else that is not a tuple, counts as its own only element.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/integer_sequence.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// Elements i... of t, then one x for each of J..., then elements K... of t.
template <class T, class X, int... i, int... J, int... K>
COSMATI_HD constexpr auto splice(T const& t, [[maybe_unused]] X const& x, seq<i...>, seq<J...>, seq<K...>) {
  return make_tuple(get<i>(t)..., (static_cast<void>(J), x)..., get<K>(t)...);
}
template <class T, int... i>
COSMATI_HD constexpr auto pick_elements([[maybe_unused]] T const& t, seq<i...>) {
  return make_tuple(get<i>(t)...);
}

/// The name that the error shows for an index, or a range of indices, that a tuple does not have.
template <int begin, int end, int size>
struct elements_out_of_range {
  static_assert(0 <= begin && begin <= end && end <= size,
                "the tuple has no such elements: elements_out_of_range<begin, end, size>");
  static constexpr bool value = true;
};
/// The name that the error shows for append<N> or prepend<N> of something longer than N.
template <int wanted, int size>
struct tuple_is_longer_than_wanted {
  static_assert(size <= wanted,
                "append<N>, prepend<N>: it has more than N elements: tuple_is_longer_than_wanted<N, size>");
  static constexpr bool value = true;
};
template <int end, class T>
inline constexpr int end_or_size = end == -1 ? tuple_size_v<T> : end;

template <bool last, class T>
COSMATI_HD constexpr decltype(auto) outer_leaf(T&& t) {
  if constexpr (tuple_type<T>)
    return outer_leaf<last>(get < last ? tuple_size_v<T> - 1 : 0 > (static_cast<T&&>(t)));
  else
    return static_cast<T>(static_cast<T&&>(t));
}
}  // namespace detail

/// @name Parts
/// @{
/// The first leaf: a reference into an lvalue if get<i> gives one, otherwise a value.
template <class T, class = detail::if_of_tuples<T>>
COSMATI_HD constexpr decltype(auto) front(T&& t) {
  return detail::outer_leaf<false>(static_cast<T&&>(t));
}
/// The last leaf: a reference or a value, as for `front`.
template <class T, class = detail::if_of_tuples<T>>
COSMATI_HD constexpr decltype(auto) back(T&& t) {
  return detail::outer_leaf<true>(static_cast<T&&>(t));
}
/// Elements B, ..., E - 1, or up to the last if E is -1. For an integer the result is a tuple of it.
template <int B, int E, class T>
COSMATI_HD constexpr auto take(T const& t) {
  constexpr int end = detail::end_or_size<E, T>;
  if constexpr (detail::elements_out_of_range<B, end, tuple_size_v<T>>::value) {
    return detail::pick_elements(t, make_range<B, end>{});
  }
}
/// Elements i..., in that order.
template <int... i, class T, class = detail::if_of_tuples<T>>
COSMATI_HD constexpr auto select(T const& t) {
  return detail::pick_elements(t, seq<i...>{});
}
/// t if it is a tuple, otherwise a tuple of t.
template <class T, class = detail::if_of_tuples<T>>
COSMATI_HD constexpr auto wrap(T const& t) {
  if constexpr (tuple_type<T>)
    return t;
  else
    return make_tuple(t);
}
/// The only element of a tuple of one, unwrapped again. Anything else stays as it is.
template <class T>
COSMATI_HD constexpr auto unwrap(T const& t) {
  if constexpr (tuple_type<T> && tuple_size_v<T> == 1)
    return unwrap(get<0>(t));
  else
    return t;
}
/// The elements in reverse order. An integer stays as it is.
template <class T, class = detail::if_of_tuples<T>>
COSMATI_HD constexpr auto reverse(T const& t) {
  if constexpr (tuple_type<T>)
    return detail::pick_elements(t, tuple_rseq<T>{});
  else
    return t;
}
/// @}

/// @name One element changed
/// @{
/// Inserts x before element N.
template <int N, class T, class X>
COSMATI_HD constexpr auto insert(T const& t, X const& x) {
  if constexpr (detail::elements_out_of_range<N, N, tuple_size_v<T>>::value) {
    return detail::splice(t, x, make_seq<N>{}, seq<0>{}, make_range<N, tuple_size_v<T>>{});
  }
}
template <int N, class T>
COSMATI_HD constexpr auto remove(T const& t) {
  if constexpr (detail::elements_out_of_range<N, N + 1, tuple_size_v<T>>::value) {
    return detail::splice(t, 0, make_seq<N>{}, seq<>{}, make_range<N + 1, tuple_size_v<T>>{});
  }
}
template <int N, class T, class X>
COSMATI_HD constexpr auto replace([[maybe_unused]] T const& t, X const& x) {
  if constexpr (!detail::elements_out_of_range<N, N + 1, tuple_size_v<T>>::value)
    return;
  else if constexpr (!tuple_type<T>)
    return x;
  else
    return detail::splice(t, x, make_seq<N>{}, seq<0>{}, make_range<N + 1, tuple_size_v<T>>{});
}
template <class T, class X>
COSMATI_HD constexpr auto replace_front(T const& t, X const& x) {
  return COSMATI_NAMESPACE::replace<0>(t, x);
}
template <class T, class X>
COSMATI_HD constexpr auto replace_back(T const& t, X const& x) {
  return COSMATI_NAMESPACE::replace<tuple_size_v<T> - 1>(t, x);
}
/// @}

/// @name Repetition
/// @{
/// A tuple of N copies of x.
template <int N, class X>
COSMATI_HD constexpr auto tuple_repeat(X const& x) {
  return detail::splice(0, x, seq<>{}, make_seq<N>{}, seq<>{});
}
/// A tuple of N copies of x; x itself if N is 1.
template <int N, class X>
COSMATI_HD constexpr auto repeat(X const& x) {
  if constexpr (N == 1)
    return x;
  else
    return tuple_repeat<N>(x);
}
namespace detail {
template <class T, class X, int... i>
COSMATI_HD constexpr auto repeat_elements(X const& x, seq<i...>);
template <class T, class X>
COSMATI_HD constexpr auto repeat_as(X const& x) {
  if constexpr (tuple_type<T>)
    return repeat_elements<T>(x, tuple_seq<T>{});
  else
    return x;
}
template <class T, class X, int... i>
COSMATI_HD constexpr auto repeat_elements([[maybe_unused]] X const& x, seq<i...>) {
  return make_tuple(repeat_as<tuple_element_t<std::size_t{i}, T>>(x)...);
}
}  // namespace detail
/// A tuple nested as t, with x at every leaf.
template <class T, class X>
COSMATI_HD constexpr auto repeat_like(T const&, X const& x) {
  return detail::repeat_as<T>(x);
}
/// @}

/// @name Longer and regrouped
/// @{
/// Groups elements B, ..., E - 1 (up to the last if E is -1) into one: `group<1, 3>((a, b, c, d))` is `(a, (b, c), d)`.
template <int B, int E, class T>
COSMATI_HD constexpr auto group(T const& t) {
  constexpr int end = detail::end_or_size<E, T>;
  if constexpr (detail::elements_out_of_range<B, end, tuple_size_v<T>>::value) {
    return detail::splice(t, detail::pick_elements(t, make_range<B, end>{}), make_seq<B>{}, make_seq<(B < end)>{},
                          make_range<end, tuple_size_v<T>>{});
  }
}
/// Appends x to t until it has N elements. An integer stays an integer if N is 1.
template <int N, class T, class X>
COSMATI_HD constexpr auto append(T const& t, X const& x) {
  if constexpr (!detail::tuple_is_longer_than_wanted<N, tuple_size_v<T>>::value)
    return;
  else if constexpr (N == tuple_size_v<T>)
    return t;
  else
    return detail::splice(t, x, tuple_seq<T>{}, make_seq<N - tuple_size_v<T>>{}, seq<>{});
}
template <class T, class X>
COSMATI_HD constexpr auto append(T const& t, X const& x) {
  return detail::splice(t, x, tuple_seq<T>{}, seq<0>{}, seq<>{});
}
/// Prepends x to t until it has N elements.
template <int N, class T, class X>
COSMATI_HD constexpr auto prepend(T const& t, X const& x) {
  if constexpr (!detail::tuple_is_longer_than_wanted<N, tuple_size_v<T>>::value)
    return;
  else if constexpr (N == tuple_size_v<T>)
    return t;
  else
    return detail::splice(t, x, seq<>{}, make_seq<N - tuple_size_v<T>>{}, tuple_seq<T>{});
}
template <class T, class X>
COSMATI_HD constexpr auto prepend(T const& t, X const& x) {
  return detail::splice(t, x, seq<>{}, seq<0>{}, tuple_seq<T>{});
}

namespace detail {
/// The tuple, and the element in it, that each element of a concatenation comes from. There is one such table per list
/// of sizes.
template <int... sizes>
struct concatenation {
  static constexpr int size = (0 + ... + sizes);
  struct table {
    int outer[std::size_t{size + 1}]{};
    int inner[std::size_t{size + 1}]{};
  };
  static constexpr table make() {
    int const size_of[] = {sizes...};
    table r;
    int k = 0;
    for (int i = 0; i < static_cast<int>(sizeof...(sizes)); ++i) {
      for (int j = 0; j < size_of[i]; ++j, ++k) {
        r.outer[k] = i;
        r.inner[k] = j;
      }
    }
    return r;
  }
};
template <int... sizes>
inline constexpr typename concatenation<sizes...>::table concatenation_v = concatenation<sizes...>::make();

template <class T, class U, int... i, int... J>
COSMATI_HD constexpr auto cat_two(T const& t, U const& u, seq<i...>, seq<J...>) {
  return make_tuple(get<i>(t)..., get<J>(u)...);
}
template <int... sizes, class T, int... K>
COSMATI_HD constexpr auto cat_all(T const& t, seq<K...>) {
  return make_tuple(get<concatenation_v<sizes...>.inner[K]>(get<concatenation_v<sizes...>.outer[K]>(t))...);
}
}  // namespace detail

/// The concatenation of the tuples t.
template <class... T>
COSMATI_HD constexpr auto tuple_cat(T const&... t) {
  if constexpr (sizeof...(T) == 0) {
    return tuple<>{};
  } else if constexpr (sizeof...(T) == 1) {
    return detail::pick_elements(t..., tuple_seq<T>{}...);
  } else if constexpr (sizeof...(T) == 2) {
    return detail::cat_two(t..., tuple_seq<T>{}...);
  } else {
    constexpr int n = detail::concatenation<tuple_size_v<T>...>::size;
    return detail::cat_all<tuple_size_v<T>...>(make_tuple(t...), make_seq<n>{});
  }
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
