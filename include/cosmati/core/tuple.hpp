// SPDX-License-Identifier: Apache-2.0
/// @file
/// `tuple<T...>`: an aggregate whose empty elements take no room, and access to its elements.
///
/// A compiler instantiates an aggregate of named members at a fraction of the cost of recursive or base-class tuples.
/// `tuple<int, _2>{7, _2{}}`, `make_tuple(7, _2{})` and `auto [a, b] = t;` all work. `get<i>` of an empty element
/// returns a value, otherwise a reference.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/stored.hpp>
#include <cstddef>
#include <utility>

namespace COSMATI_NAMESPACE {

namespace detail {
template <class... T>
COSMATI_HD constexpr stored_elements<T...> store_elements(T const&... t);
}
/// A tuple with state. It is initialised by `tuple<int, _2>{7, _2{}}` or with parentheses.
template <class... T>
struct tuple : detail::stored_elements<T...> {
  tuple() = default;
  // always_inline: a call would store without g++'s instrumentation, and `cosmati sim` would report the store.
  [[gnu::always_inline]] COSMATI_HD constexpr explicit(sizeof...(T) == 1) tuple(T const&... t)
      : detail::stored_elements<T...>(detail::store_elements<T...>(t...)) {}
};
/// A tuple whose elements are all empty needs no members. It is an ordinary empty class, which nvcc accepts as a
/// kernel's parameter. nvcc does not accept a class of nothing but [[no_unique_address]] members.
template <class... T>
requires((detail::holds_nothing<T> && ...)) struct tuple<T...> {
  tuple() = default;
  COSMATI_HD constexpr explicit(sizeof...(T) == 1) tuple(T const&...) {}
};
/// A tuple of static integers. It is the most frequent one and needs no further test.
template <auto... v>
struct tuple<C<v>...> {
  tuple() = default;
  COSMATI_HD constexpr explicit(sizeof...(v) == 1) tuple(C<v> const&...) {}
};
template <>
struct tuple<> {};

template <class... T>
tuple(T...) -> tuple<T...>;

/// @name Traits
/// @{
namespace detail {
template <class T>
inline constexpr bool is_tuple_of = false;
template <class... T>
inline constexpr bool is_tuple_of<tuple<T...>> = true;
COSMATI_ALSO_OF_REFERENCES(bool, is_tuple_of)

template <int i, class... T>
struct element;
template <class A, class... T>
struct element<0, A, T...> {
  using type = A;
};
template <class A, class B, class... T>
struct element<1, A, B, T...> {
  using type = B;
};
template <class A, class B, class D, class... T>
struct element<2, A, B, D, T...> {
  using type = D;
};
template <class A, class B, class D, class E, class... T>
struct element<3, A, B, D, E, T...> {
  using type = E;
};
template <int i, class A, class B, class D, class E, class... T>
requires(i >= 4) struct element<i, A, B, D, E, T...> : element<i - 4, T...> {
};
}  // namespace detail

/// A tuple, possibly const or a reference.
template <class T>
concept tuple_type = detail::is_tuple_of<T>;
/// Whether T is a tuple.
template <class T>
struct is_tuple : bool_constant<tuple_type<T>> {};

/// Declared for types of this namespace, so that only argument-dependent lookup finds it.
template <class T>
std::true_type belongs_here(T const&);
}  // namespace COSMATI_NAMESPACE
namespace cosmati_lookup {
void belongs_here();  // ends the ordinary lookup
template <class T>
concept of_the_library = requires(T const& t) {
  belongs_here(t);
};
}  // namespace cosmati_lookup
namespace COSMATI_NAMESPACE {
namespace detail {
/// The argument type of functions of tuples that have common names: a tuple, an integer, or a type of this namespace. A
/// program's own types reach the program's functions of these names, whatever namespaces it uses. A `requires` clause
/// would make the library's functions the better match.
template <class T>
using if_of_tuples = std::enable_if_t<tuple_type<T> || integer<std::remove_cvref_t<T>> ||
                                      cosmati_lookup::of_the_library<std::remove_cvref_t<T>>>;
}  // namespace detail
template <class T>
inline constexpr bool is_tuple_v = tuple_type<T>;
/// The number of elements; 1 for anything that is not a tuple.
template <class T>
inline constexpr int tuple_size_v = 1;
template <class... T>
inline constexpr int tuple_size_v<tuple<T...>> = sizeof...(T);
COSMATI_ALSO_OF_REFERENCES(int, tuple_size_v)
template <class T>
struct tuple_size : std::integral_constant<std::size_t, static_cast<std::size_t>(tuple_size_v<T>)> {};
template <std::size_t i, class T>
struct tuple_element;
template <std::size_t i, class... T>
struct tuple_element<i, tuple<T...>> : detail::element<static_cast<int>(i), T...> {};
template <std::size_t i, class T>
struct tuple_element<i, T const> : tuple_element<i, T> {};
template <std::size_t i, class T>
struct tuple_element<i, T&> : tuple_element<i, T> {};
template <std::size_t i, class T>
struct tuple_element<i, T&&> : tuple_element<i, T> {};
template <std::size_t i, class T>
using tuple_element_t = typename tuple_element<i, T>::type;
/// @}

namespace detail {
template <class T, class M>
COSMATI_HD constexpr decltype(auto) unstore(M& m) {
  if constexpr (__is_empty(T))
    return T{};
  else if constexpr (may_be_padded<T>)
    return (m.value);
  else
    return (m);
}
template <int i, class Self, class A, class... R>
COSMATI_HD constexpr decltype(auto) get_element(Self& t) {
  using T = typename element<i, A, R...>::type;
  if constexpr (i == 0)
    return unstore<T>(t.m0);
  else if constexpr (i == 1)
    return unstore<T>(t.m1);
  else if constexpr (i == 2)
    return unstore<T>(t.m2);
  else if constexpr (i == 3)
    return unstore<T>(t.m3);
  else if constexpr (i == 4)
    return unstore<T>(t.m4);
  else if constexpr (i == 5)
    return unstore<T>(t.m5);
  else if constexpr (i == 6)
    return unstore<T>(t.m6);
  else
    return unstore<T>(t.m7);
}
template <int i, int N>
struct mode_is_out_of_range {
  static_assert(i >= 0 && i < N,
                "mode_is_out_of_range<MODE, MODES>: modes count from 0 to MODES - 1; ask for one that is there");
};
}  // namespace detail

/// Element i: a reference, or a value if the element is empty.
template <std::size_t i, class... T>
COSMATI_HD constexpr decltype(auto) get(tuple<T...> const& t) {
  if constexpr (i >= sizeof...(T)) {
    static_assert(sizeof(detail::mode_is_out_of_range<static_cast<int>(i), static_cast<int>(sizeof...(T))>) != 0);
    return C<1>{};
  } else if constexpr (__is_empty(typename detail::element<static_cast<int>(i), T...>::type)) {
    return typename detail::element<static_cast<int>(i), T...>::type{};
  } else if constexpr (i >= 8) {
    return get<i - 8>(t.rest);
  } else {
    return detail::get_element<static_cast<int>(i), tuple<T...> const, T...>(t);
  }
}
template <std::size_t i, class... T>
COSMATI_HD constexpr decltype(auto) get(tuple<T...>& t) {
  if constexpr (i >= sizeof...(T)) {
    static_assert(sizeof(detail::mode_is_out_of_range<static_cast<int>(i), static_cast<int>(sizeof...(T))>) != 0);
    return C<1>{};
  } else if constexpr (__is_empty(typename detail::element<static_cast<int>(i), T...>::type)) {
    return typename detail::element<static_cast<int>(i), T...>::type{};
  } else if constexpr (i >= 8) {
    return get<i - 8>(t.rest);
  } else {
    return detail::get_element<static_cast<int>(i), tuple<T...>, T...>(t);
  }
}
template <std::size_t i, class... T>
COSMATI_HD constexpr auto get(tuple<T...>&& t) {
  return get<i>(static_cast<tuple<T...> const&>(t));
}
/// An integer is its own element 0.
template <std::size_t i, integer T>
requires(i == 0) COSMATI_HD constexpr T get(T const& t) { return t; }

/// The tuple of copies of the arguments.
template <class... T>
COSMATI_HD constexpr tuple<T...> make_tuple(T const&... t);

namespace detail {
template <class... T, class A, class B, class D, class E, class F, class G, class H, class J, class... Rest>
COSMATI_HD constexpr stored_elements<T...> store_many(A const& a, B const& b, D const& d, E const& e, F const& f,
                                                      G const& g, H const& h, J const& j, Rest const&... rest) {
  return {a, b, d, e, f, g, h, j, make_tuple(rest...)};
}
template <class... T>
COSMATI_HD constexpr stored_elements<T...> store_elements(T const&... t) {
  if constexpr (sizeof...(T) <= 8)
    return {t...};
  else
    return store_many<T...>(t...);
}
}  // namespace detail

template <class... T>
COSMATI_HD constexpr tuple<T...> make_tuple(T const&... t) {
  if constexpr ((__is_empty(T) && ...))
    return {};
  else
    return tuple<T...>(t...);
}

template <class... T, class... U>
COSMATI_HD constexpr auto operator==(tuple<T...> const& a, tuple<U...> const& b) {
  if constexpr (sizeof...(T) != sizeof...(U)) {
    return C<false>{};
  } else {
    return [&]<std::size_t... Is>(std::index_sequence<Is...>) {
      return (C<true>{} && ... && (get<Is>(a) == get<Is>(b)));
    }
    (std::make_index_sequence<sizeof...(T)>{});
  }
}
template <class... T, class U>
requires(!tuple_type<U>) COSMATI_HD constexpr C<false> operator==(tuple<T...> const&, U const&) { return {}; }
template <class U, class... T>
requires(!tuple_type<U>) COSMATI_HD constexpr C<false> operator==(U const&, tuple<T...> const&) { return {}; }
template <class... T, class U>
COSMATI_HD constexpr auto operator!=(tuple<T...> const& a, U const& b) {
  return !(a == b);
}

}  // namespace COSMATI_NAMESPACE

// Structured bindings.
template <class... T>
struct std::tuple_size<COSMATI_NAMESPACE::tuple<T...>> : std::integral_constant<std::size_t, sizeof...(T)> {};
template <std::size_t i, class... T>
struct std::tuple_element<i, COSMATI_NAMESPACE::tuple<T...>>
    : COSMATI_NAMESPACE::tuple_element<i, COSMATI_NAMESPACE::tuple<T...>> {};

#include <cosmati/core/macros_end.hpp>
