// SPDX-License-Identifier: Apache-2.0
/// @file
/// `tuple<T...>`: an aggregate whose empty elements take no room, and access to it.
///
/// Aggregates of named members cost a fraction of what recursive or base-class tuples cost a compiler.
/// `tuple<int, _2>{7, _2{}}`, `make_tuple(7, _2{})`, `auto [a, b] = t;` all work; `get<i>` of an empty element gives a
/// value, of another a reference.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/integral_constant.hpp>
#include <cstddef>
#include <utility>

namespace COSMATI_NAMESPACE {

namespace detail {
/// Stands for an empty member: the one numbered `index` of the class Owner. Two such members of one object have
/// different types, whatever is nested in what, so that none needs an address of its own.
template <class Owner, int index>
struct nothing {
  nothing() = default;
  template <class T>
  COSMATI_HD constexpr nothing(T const&) {}  // NOLINT(google-explicit-constructor): takes the element's initialiser
};
}  // namespace detail

template <class... T>
struct tuple;

namespace detail {
/// T has no run-time state. A tuple is asked by its elements' types, so that no class is completed for the answer.
template <class T>
inline constexpr bool holds_nothing = __is_empty(T);
template <auto v>
inline constexpr bool holds_nothing<C<v>> = true;
template <class... T>
inline constexpr bool holds_nothing<tuple<T...>> = (holds_nothing<T> && ...);
template <auto... v>
inline constexpr bool holds_nothing<tuple<C<v>...>> = true;

/// The sizes of the numbers in T, as bits: more than one, and T may end in padding.
template <class T>
inline constexpr int sizes_in = std::is_class_v<T> ? 3 : static_cast<int>(sizeof(T));
template <auto v>
inline constexpr int sizes_in<C<v>> = 0;
template <class... T>
inline constexpr int sizes_in<tuple<T...>> = (0 | ... | (holds_nothing<T> ? 0 : sizes_in<T>));
template <class T>
inline constexpr bool may_be_padded = (sizes_in<T> & (sizes_in<T> - 1)) != 0;

/// An element whose padding stays its own. Where another member begins in the padding of a [[no_unique_address]] one,
/// or might, nvcc 13.0 ends with an internal error for some structures that hold both.
template <class T>
struct solid {
  T value;
  solid() = default;
  COSMATI_HD constexpr solid(T const& v) : value(v) {}  // NOLINT(google-explicit-constructor): as `nothing`
};

template <int kind>
struct pick_stored {
  template <class Owner, int index, class T>
  using type = T;
};
template <>
struct pick_stored<1> {
  template <class Owner, int index, class T>
  using type = nothing<Owner, index>;
};
template <>
struct pick_stored<2> {
  template <class Owner, int index, class T>
  using type = solid<T>;
};
template <class T>
inline constexpr int kind_of_storage = holds_nothing<T>   ? 1
                                       : may_be_padded<T> ? 2
                                                          : 0;
template <auto v>
inline constexpr int kind_of_storage<C<v>> = 1;
/// What the class Owner stores for its member of type T, numbered `index` among its members.
template <class Owner, int index, class T>
using stored = typename pick_stored<kind_of_storage<T>>::template type<Owner, index, T>;

/// The elements of a tuple of which some is not empty. A structure whose last member is empty and [[no_unique_address]]
/// is larger to nvcc 13.0's device code than to its host compilers: kernels would read parameters in the wrong places.
/// `char : 0`, a bit-field without bits, behind the last member makes them agree and costs nothing. Nine and more:
/// eight, then a tuple of the rest (brace elision keeps `{a, b, ...}` flat).
template <class... T>
struct stored_elements;
template <class A>
struct stored_elements<A> {
  [[no_unique_address]] stored<stored_elements, 0, A> m0;
  char : 0;
};
template <class A, class B>
struct stored_elements<A, B> {
  [[no_unique_address]] stored<stored_elements, 0, A> m0;
  [[no_unique_address]] stored<stored_elements, 1, B> m1;
  char : 0;
};
template <class A, class B, class D>
struct stored_elements<A, B, D> {
  [[no_unique_address]] stored<stored_elements, 0, A> m0;
  [[no_unique_address]] stored<stored_elements, 1, B> m1;
  [[no_unique_address]] stored<stored_elements, 2, D> m2;
  char : 0;
};
template <class A, class B, class D, class E>
struct stored_elements<A, B, D, E> {
  [[no_unique_address]] stored<stored_elements, 0, A> m0;
  [[no_unique_address]] stored<stored_elements, 1, B> m1;
  [[no_unique_address]] stored<stored_elements, 2, D> m2;
  [[no_unique_address]] stored<stored_elements, 3, E> m3;
  char : 0;
};
template <class A, class B, class D, class E, class F>
struct stored_elements<A, B, D, E, F> {
  [[no_unique_address]] stored<stored_elements, 0, A> m0;
  [[no_unique_address]] stored<stored_elements, 1, B> m1;
  [[no_unique_address]] stored<stored_elements, 2, D> m2;
  [[no_unique_address]] stored<stored_elements, 3, E> m3;
  [[no_unique_address]] stored<stored_elements, 4, F> m4;
  char : 0;
};
template <class A, class B, class D, class E, class F, class G>
struct stored_elements<A, B, D, E, F, G> {
  [[no_unique_address]] stored<stored_elements, 0, A> m0;
  [[no_unique_address]] stored<stored_elements, 1, B> m1;
  [[no_unique_address]] stored<stored_elements, 2, D> m2;
  [[no_unique_address]] stored<stored_elements, 3, E> m3;
  [[no_unique_address]] stored<stored_elements, 4, F> m4;
  [[no_unique_address]] stored<stored_elements, 5, G> m5;
  char : 0;
};
template <class A, class B, class D, class E, class F, class G, class H>
struct stored_elements<A, B, D, E, F, G, H> {
  [[no_unique_address]] stored<stored_elements, 0, A> m0;
  [[no_unique_address]] stored<stored_elements, 1, B> m1;
  [[no_unique_address]] stored<stored_elements, 2, D> m2;
  [[no_unique_address]] stored<stored_elements, 3, E> m3;
  [[no_unique_address]] stored<stored_elements, 4, F> m4;
  [[no_unique_address]] stored<stored_elements, 5, G> m5;
  [[no_unique_address]] stored<stored_elements, 6, H> m6;
  char : 0;
};
template <class A, class B, class D, class E, class F, class G, class H, class J>
struct stored_elements<A, B, D, E, F, G, H, J> {
  [[no_unique_address]] stored<stored_elements, 0, A> m0;
  [[no_unique_address]] stored<stored_elements, 1, B> m1;
  [[no_unique_address]] stored<stored_elements, 2, D> m2;
  [[no_unique_address]] stored<stored_elements, 3, E> m3;
  [[no_unique_address]] stored<stored_elements, 4, F> m4;
  [[no_unique_address]] stored<stored_elements, 5, G> m5;
  [[no_unique_address]] stored<stored_elements, 6, H> m6;
  [[no_unique_address]] stored<stored_elements, 7, J> m7;
  char : 0;
};
template <class A, class B, class D, class E, class F, class G, class H, class J, class K, class... Rest>
struct stored_elements<A, B, D, E, F, G, H, J, K, Rest...> {
  [[no_unique_address]] stored<stored_elements, 0, A> m0;
  [[no_unique_address]] stored<stored_elements, 1, B> m1;
  [[no_unique_address]] stored<stored_elements, 2, D> m2;
  [[no_unique_address]] stored<stored_elements, 3, E> m3;
  [[no_unique_address]] stored<stored_elements, 4, F> m4;
  [[no_unique_address]] stored<stored_elements, 5, G> m5;
  [[no_unique_address]] stored<stored_elements, 6, H> m6;
  [[no_unique_address]] stored<stored_elements, 7, J> m7;
  [[no_unique_address]] stored<stored_elements, 8, tuple<K, Rest...>> rest;
  char : 0;
};
}  // namespace detail

namespace detail {
template <class... T>
COSMATI_HD constexpr stored_elements<T...> store_elements(T const&... t);
}
/// `tuple<int, _2>{7, _2{}}`, or with parentheses.
template <class... T>
struct tuple : detail::stored_elements<T...> {
  tuple() = default;
  COSMATI_HD constexpr explicit(sizeof...(T) == 1) tuple(T const&... t)
      : detail::stored_elements<T...>(detail::store_elements<T...>(t...)) {}
};
/// Elements that are all empty need no members: the tuple is an ordinary empty class, which nvcc takes as a kernel's
/// parameter (a class of nothing but [[no_unique_address]] members it does not).
template <class... T>
requires((detail::holds_nothing<T> && ...)) struct tuple<T...> {
  tuple() = default;
  COSMATI_HD constexpr explicit(sizeof...(T) == 1) tuple(T const&...) {}
};
/// Of static integers: the commonest, found without a question.
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

/// A tuple, with const or reference or without.
template <class T>
concept tuple_type = detail::is_tuple_of<T>;
/// Whether T is one.
template <class T>
struct is_tuple : std::bool_constant<tuple_type<T>> {};

/// Found by argument-dependent lookup alone: of types of this namespace.
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
/// What the functions of tuples with common names take: a tuple, an integer, or a type of this namespace. A program's
/// own types go to its own functions of these names, whatever it uses: `requires` would make these the better match.
template <class T>
using if_of_tuples = std::enable_if_t<tuple_type<T> || integer<std::remove_cvref_t<T>> ||
                                      cosmati_lookup::of_the_library<std::remove_cvref_t<T>>>;
}  // namespace detail
template <class T>
inline constexpr bool is_tuple_v = tuple_type<T>;
/// The number of elements; 1 of what is no tuple.
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

/// Element i: a reference, or a value when the element is empty.
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
/// An integer is a tuple of itself.
template <std::size_t i, integer T>
requires(i == 0) COSMATI_HD constexpr T get(T const& t) { return t; }

/// A tuple of copies.
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
