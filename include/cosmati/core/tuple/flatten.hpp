// SPDX-License-Identifier: Apache-2.0
/// @file
/// Nested tuples: `flatten` and `unflatten`, `filter_tuple`, and the transpositions `zip` and `zip2_by`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple/elements.hpp>
#include <cosmati/core/tuple/transform.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
struct tuple_cat_fn {
  template <class... T>
  COSMATI_HD constexpr auto operator()(T const&... t) const {
    return COSMATI_NAMESPACE::tuple_cat(t...);
  }
};

template <class T>
inline constexpr bool is_flat_of = true;
template <class... T>
inline constexpr bool is_flat_of<tuple<T...>> = (!tuple_type<T> && ...);

/// The number of leaves of T.
template <class T>
inline constexpr int count_leaves = 1;
template <class... T>
inline constexpr int count_leaves<tuple<T...>> = (0 + ... + count_leaves<T>);

/// The number of leaves before element i.
template <int i, class T>
inline constexpr int leaves_before = 0;
template <int i, class... T>
constexpr int sum_before() {
  int const n[] = {count_leaves<T>..., 0};
  int r = 0;
  for (int k = 0; k < i; ++k) r += n[k];
  return r;
}
template <int i, class... T>
inline constexpr int leaves_before<i, tuple<T...>> = sum_before<i, T...>();
}  // namespace detail

/// Whether T has no tuple among its elements.
template <class T>
struct is_flat : bool_constant<detail::is_flat_of<std::remove_cvref_t<T>>> {};
template <class T>
inline constexpr bool is_flat_v = detail::is_flat_of<std::remove_cvref_t<T>>;

/// @name The concatenation of f(element), which are tuples
/// @{
COSMATI_ANY_FUNCTION
template <class T, class F>
COSMATI_HD constexpr auto filter_tuple(T const& t, F&& f) {
  return transform_apply(t, f, detail::tuple_cat_fn{});
}
COSMATI_ANY_FUNCTION
template <class T, class U, class F>
COSMATI_HD constexpr auto filter_tuple(T const& t, U const& u, F&& f) {
  return transform_apply(t, u, f, detail::tuple_cat_fn{});
}
COSMATI_ANY_FUNCTION
template <class T, class U, class V, class F>
COSMATI_HD constexpr auto filter_tuple(T const& t, U const& u, V const& v, F&& f) {
  return transform_apply(t, u, v, f, detail::tuple_cat_fn{});
}
/// @}

namespace detail {
struct flatten_to_tuple_fn {
  template <class T>
  COSMATI_HD constexpr auto operator()(T const& t) const;
};
}  // namespace detail

/// The leaves of t as one tuple, also if t is an integer.
template <class T>
COSMATI_HD constexpr auto flatten_to_tuple(T const& t) {
  if constexpr (!tuple_type<T>)
    return make_tuple(t);
  else if constexpr (is_flat_v<T>)
    return t;
  else
    return transform_apply(t, detail::flatten_to_tuple_fn{}, detail::tuple_cat_fn{});
}
template <class T>
COSMATI_HD constexpr auto detail::flatten_to_tuple_fn::operator()(T const& t) const {
  return COSMATI_NAMESPACE::flatten_to_tuple(t);
}
/// The leaves of t. An integer stays as it is.
template <class T, class = detail::if_of_tuples<T>>
COSMATI_HD constexpr auto flatten(T const& t) {
  if constexpr (tuple_type<T>)
    return flatten_to_tuple(t);
  else
    return t;
}

namespace detail {
template <int first, class Profile, class T, int... i>
COSMATI_HD constexpr auto unflatten_elements(T const& t, seq<i...>);
/// Elements first, first + 1, ... of t, in the nesting of Profile.
template <int first, class Profile, class T>
COSMATI_HD constexpr auto unflatten_as(T const& t) {
  if constexpr (tuple_type<Profile>)
    return unflatten_elements<first, Profile>(t, tuple_seq<Profile>{});
  else
    return get<first>(t);
}
template <int first, class Profile, class T, int... i>
COSMATI_HD constexpr auto unflatten_elements([[maybe_unused]] T const& t, seq<i...>) {
  return make_tuple(unflatten_as<first + leaves_before<i, Profile>, tuple_element_t<std::size_t{i}, Profile>>(t)...);
}
template <int size, int leaves>
struct profile_needs_another_size {
  static_assert(size == leaves,
                "unflatten: the flat tuple must have as many elements as the profile has leaves: "
                "profile_needs_another_size<size, leaves>");
  static constexpr bool value = true;
};
}  // namespace detail

/// The elements of the flat tuple t, in the nesting of `profile`.
template <class T, class Profile>
COSMATI_HD constexpr auto unflatten(T const& t, Profile const&) {
  if constexpr (detail::profile_needs_another_size<tuple_size_v<T>, detail::count_leaves<Profile>>::value) {
    return detail::unflatten_as<0, Profile>(t);
  }
}

namespace detail {
template <int J, class T, int... i>
COSMATI_HD constexpr auto zip_row(T const& t, seq<i...>) {
  return make_tuple(get<J>(get<i>(t))...);
}
template <class T, int... J>
COSMATI_HD constexpr auto zip_rows([[maybe_unused]] T const& t, seq<J...>) {
  return make_tuple(zip_row<J>(t, tuple_seq<T>{})...);
}
template <class... T>
struct tuples_to_zip_differ_in_size {
  static_assert(same_sizes<T...>,
                "zip: the tuples must have the same number of elements: they are the arguments of "
                "tuples_to_zip_differ_in_size");
  static constexpr bool value = true;
};
template <class T>
inline constexpr bool can_zip = true;
template <class... T>
inline constexpr bool can_zip<tuple<T...>> = tuples_to_zip_differ_in_size<T...>::value;
}  // namespace detail

/// Transposition: ((a, b, c), (x, y, z)) becomes ((a, x), (b, y), (c, z)).
template <class T, class = detail::if_of_tuples<T>>
COSMATI_HD constexpr auto zip(T const& t) {
  if constexpr (!tuple_type<T>) {
    return t;
  } else if constexpr (!tuple_type<tuple_element_t<0, T>>) {
    return make_tuple(t);
  } else if constexpr (detail::can_zip<T>) {
    return detail::zip_rows(t, tuple_seq<tuple_element_t<0, T>>{});
  }
}
/// The transposition of (t, u, ...).
template <class T, class U, class... V, class = detail::if_of_tuples<T>>
COSMATI_HD constexpr auto zip(T const& t, U const& u, V const&... v) {
  return zip(make_tuple(t, u, v...));
}

namespace detail {
template <class T, class G, int... i, int... K>
COSMATI_HD constexpr auto zip2_by_at(T const& t, G const& guide, seq<i...>, seq<K...>);
template <int size, int guide>
struct zip2_by_needs_pairs {
  static_assert(size == guide,
                "zip2_by: where the guide has a leaf, the tuple must have a pair, and it must be no "
                "shorter than the guide: zip2_by_needs_pairs<size, wanted>");
  static constexpr bool value = true;
};
}  // namespace detail

/// Separates pairs: `t` = ((A, a), ((B, b), (C, c)), d) by `guide` = (X, (X, X)) becomes ((A, (B, C)), (a, (b, c), d)).
template <class T, class G>
COSMATI_HD constexpr auto zip2_by(T const& t, G const& guide) {
  constexpr int size = tuple_size_v<T>;
  if constexpr (tuple_type<G>) {
    constexpr int wanted = tuple_size_v<G>;
    if constexpr (detail::zip2_by_needs_pairs<(size < wanted ? size : wanted), wanted>::value) {
      return detail::zip2_by_at(t, guide, make_range<0, wanted>{}, make_range<wanted, size>{});
    }
  } else if constexpr (detail::zip2_by_needs_pairs<size, 2>::value) {
    return t;
  }
}
namespace detail {
template <class S, class T, int... i, int... K>
COSMATI_HD constexpr auto zip2_by_merge(S const& split, [[maybe_unused]] T const& t, seq<i...>, seq<K...>) {
  return make_tuple(make_tuple(get<0>(get<i>(split))...), make_tuple(get<1>(get<i>(split))..., get<K>(t)...));
}
template <class T, class G, int... i, int... K>
COSMATI_HD constexpr auto zip2_by_at(T const& t, G const& guide, seq<i...>, seq<K...>) {
  return zip2_by_merge(make_tuple(COSMATI_NAMESPACE::zip2_by(get<i>(t), get<i>(guide))...), t, seq<i...>{},
                       seq<K...>{});
}
}  // namespace detail

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
