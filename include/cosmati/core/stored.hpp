// SPDX-License-Identifier: Apache-2.0
/// @file
/// The storage of members: an empty member takes no room, wherever it is nested.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/integral_constant.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// Stands for the empty member number `index` of the class Owner. Any two such members of one object have different
/// types, so that none needs an address of its own.
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
/// Whether T has no run-time state. For a tuple the types of its elements decide, so that no class is completed for the
/// answer.
template <class T>
inline constexpr bool holds_nothing = __is_empty(T);
template <auto v>
inline constexpr bool holds_nothing<C<v>> = true;
template <class... T>
inline constexpr bool holds_nothing<tuple<T...>> = (holds_nothing<T> && ...);
template <auto... v>
inline constexpr bool holds_nothing<tuple<C<v>...>> = true;

/// The sizes of the numbers in T, as a set of bits. If T has more than one size, it may end in padding.
template <class T>
inline constexpr int sizes_in = std::is_class_v<T> ? 3 : static_cast<int>(sizeof(T));
template <auto v>
inline constexpr int sizes_in<C<v>> = 0;
template <class... T>
inline constexpr int sizes_in<tuple<T...>> = (0 | ... | (holds_nothing<T> ? 0 : sizes_in<T>));
template <class T>
inline constexpr bool may_be_padded = (sizes_in<T> & (sizes_in<T> - 1)) != 0;

/// Wraps an element so that no other member is placed in its padding. nvcc 13.0 ends with an internal error for some
/// structures in which a member starts, or might start, in the padding of a [[no_unique_address]] member.
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
/// The type that the class Owner stores for its member number `index`, which has type T.
template <class Owner, int index, class T>
using stored = typename pick_stored<kind_of_storage<T>>::template type<Owner, index, T>;

/// The elements of a tuple that are not all empty.
///
/// The last member is `char : 0`, a bit-field without bits, which costs nothing. Without it, a structure whose last
/// member is empty and [[no_unique_address]] is larger in nvcc 13.0's device code than in its host compilers, so that
/// kernels would read parameters at the wrong places. Nine and more elements are stored as eight, and a tuple of the
/// rest; brace elision keeps `{a, b, ...}` flat.
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

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
