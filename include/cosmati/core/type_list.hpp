// SPDX-License-Identifier: Apache-2.0
/// @file
/// `type_list<T...>`: a list of types without values.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/tuple.hpp>

namespace COSMATI_NAMESPACE {

/// A list of types that answers as a tuple does: `tuple_size_v`, `tuple_element_t<i, ...>`, `get<i>(list)` (a new value
/// of the type), `find<X>`.
template <class... T>
struct type_list {};

template <class... T>
inline constexpr int tuple_size_v<type_list<T...>> = static_cast<int>(sizeof...(T));
template <std::size_t i, class... T>
struct tuple_element<i, type_list<T...>> : detail::element<static_cast<int>(i), T...> {};

template <std::size_t i, class... T>
COSMATI_HD constexpr auto get(type_list<T...> const&) {
  static_assert(i < sizeof...(T), "get<i>: the list has fewer types than i + 1");
  return typename detail::element<static_cast<int>(i), T...>::type{};
}

namespace detail {
/// The position of X among T...; sizeof...(T) if it is absent.
template <class X, class... T>
constexpr std::size_t place_of_type() {
  std::size_t i = 0;
  (void)((std::is_same_v<X, T> || (++i, false)) || ...);
  return i;
}
}  // namespace detail

/// @name find<X>: the position of the first X as a static integer; the number of types if there is none
/// @{
template <class X, class... T>
COSMATI_HD constexpr auto find(type_list<T...> const&) {
  return C<detail::place_of_type<X, T...>()>{};
}
template <class X, class... T>
COSMATI_HD constexpr auto find(tuple<T...> const&) {
  return C<detail::place_of_type<X, T...>()>{};
}
/// @}

}  // namespace COSMATI_NAMESPACE

template <class... T>
struct std::tuple_size<COSMATI_NAMESPACE::type_list<T...>> : std::integral_constant<std::size_t, sizeof...(T)> {};
template <std::size_t i, class... T>
struct std::tuple_element<i, COSMATI_NAMESPACE::type_list<T...>>
    : COSMATI_NAMESPACE::tuple_element<i, COSMATI_NAMESPACE::type_list<T...>> {};

#include <cosmati/core/macros_end.hpp>
