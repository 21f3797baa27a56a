// SPDX-License-Identifier: Apache-2.0
/// @file
/// `ArithmeticTuple<T...>`: a coordinate with elementwise arithmetic, as identity tensors and TMA use it; and sums of
/// bases.
///
/// `E<0>{} * 3 + E<1>{} * 4` is `ArithmeticTuple<int, int>(3, 4)`. A shorter tuple is extended with `_0`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/basis.hpp>
#include <cosmati/core/math.hpp>
#include <cosmati/core/tuple/elements.hpp>

namespace COSMATI_NAMESPACE {

/// A tuple with elementwise arithmetic. The functions of tuples accept it.
template <class... T>
struct ArithmeticTuple : tuple<T...> {
  ArithmeticTuple() = default;
  COSMATI_HD constexpr ArithmeticTuple(tuple<T...> const& t) : tuple<T...>(t) {}  // NOLINT: it is the same tuple
  COSMATI_HD constexpr ArithmeticTuple(T const&... t)                             // NOLINT: implicit, as a tuple's
      requires(sizeof...(T) != 0)
      : tuple<T...>(make_tuple(t...)) {}
};

namespace detail {
template <class... T>
inline constexpr bool is_tuple_of<ArithmeticTuple<T...>> = true;

template <class T>
inline constexpr bool is_arithmetic_tuple_of = false;
template <class... T>
inline constexpr bool is_arithmetic_tuple_of<ArithmeticTuple<T...>> = true;
COSMATI_ALSO_OF_REFERENCES(bool, is_arithmetic_tuple_of)
}  // namespace detail
template <class... T>
inline constexpr int tuple_size_v<ArithmeticTuple<T...>> = sizeof...(T);
template <std::size_t i, class... T>
struct tuple_element<i, ArithmeticTuple<T...>> : tuple_element<i, tuple<T...>> {};

/// Whether T is an ArithmeticTuple, possibly const or a reference.
template <class T>
struct is_arithmetic_tuple : bool_constant<detail::is_arithmetic_tuple_of<T>> {};

/// The ArithmeticTuple of the given elements.
template <class... T>
COSMATI_HD constexpr ArithmeticTuple<T...> make_arithmetic_tuple(T const&... t) {
  return make_tuple(t...);
}

/// @name A tuple, an integer or a basis as ArithmeticTuples at every level
/// `E<1>{} * 3` becomes (_0, 3); an integer stays an integer.
/// @{
template <class T>
COSMATI_HD constexpr auto as_arithmetic_tuple(T const& t);
namespace detail {
template <class T, int... i>
COSMATI_HD constexpr auto as_arithmetic_elements([[maybe_unused]] T const& t, seq<i...>) {
  return make_arithmetic_tuple(as_arithmetic_tuple(get<i>(t))...);
}
template <class X, int... i>
COSMATI_HD constexpr auto behind_zeros(X const& x, seq<i...>) {
  return make_arithmetic_tuple(C<i - i>{}..., x);
}
template <int... N, class X>
COSMATI_HD constexpr auto at_mode(X const& x, seq<>) {
  return x;
}
template <class X, int N, int... M>
COSMATI_HD constexpr auto at_mode(X const& x, seq<N, M...>) {
  return behind_zeros(at_mode(x, seq<M...>{}), make_seq<N>{});
}
template <class T, int... N>
COSMATI_HD constexpr auto as_arithmetic_basis(ScaledBasis<T, N...> const& e) {
  return at_mode(T(e.value()), seq<N...>{});
}
}  // namespace detail
template <class T>
COSMATI_HD constexpr auto as_arithmetic_tuple(T const& t) {
  if constexpr (tuple_type<T>)
    return detail::as_arithmetic_elements(t, tuple_seq<T>{});
  else if constexpr (scaled_basis<T>)
    return detail::as_arithmetic_basis(t);
  else
    return t;
}
/// @}

/// @name Elementwise arithmetic
/// One operand is an ArithmeticTuple; the other is one too, or a tuple.
/// @{
namespace detail {
template <int i, class T>
COSMATI_HD constexpr decltype(auto) element_or_zero([[maybe_unused]] T const& t) {
  if constexpr (i < tuple_size_v<T>)
    return get<i>(t);
  else
    return C<0>{};
}
template <class T, class U>
using longer_seq = make_seq<(tuple_size_v<T> < tuple_size_v<U> ? tuple_size_v<U> : tuple_size_v<T>)>;
template <class A, class B>
COSMATI_HD constexpr auto sum_of_elements(A const& a, B const& b) {
  using R = decltype(a + b);
  return operand<R>(a) + operand<R>(b);
}
template <class T, class U, int... i>
COSMATI_HD constexpr auto add_elements([[maybe_unused]] T const& t, [[maybe_unused]] U const& u, seq<i...>) {
  return make_arithmetic_tuple(sum_of_elements(element_or_zero<i>(t), element_or_zero<i>(u))...);
}
template <class T, class U, int... i>
COSMATI_HD constexpr auto subtract_elements([[maybe_unused]] T const& t, [[maybe_unused]] U const& u, seq<i...>) {
  return make_arithmetic_tuple((element_or_zero<i>(t) - element_or_zero<i>(u))...);
}
template <class T, class U, int... i>
COSMATI_HD constexpr auto equal_elements([[maybe_unused]] T const& t, [[maybe_unused]] U const& u, seq<i...>) {
  return (C<true>{} && ... && (element_or_zero<i>(t) == element_or_zero<i>(u)));
}
template <class T, class N, int... i>
COSMATI_HD constexpr auto multiply_elements([[maybe_unused]] T const& t, [[maybe_unused]] N const& n, seq<i...>) {
  return make_arithmetic_tuple((get<i>(t) * n)...);
}
template <class T, int... i>
COSMATI_HD constexpr auto negate_elements([[maybe_unused]] T const& t, seq<i...>) {
  return make_arithmetic_tuple((-get<i>(t))...);
}
}  // namespace detail

#define COSMATI_SUM(op, elements)                                                                                 \
  template <class... T, class... U>                                                                               \
  COSMATI_HD constexpr auto operator op(ArithmeticTuple<T...> const& t, ArithmeticTuple<U...> const& u) {         \
    return detail::elements(t, u, detail::longer_seq<tuple<T...>, tuple<U...>>{});                                \
  }                                                                                                               \
  template <class... T, class... U>                                                                               \
  COSMATI_HD constexpr auto operator op(ArithmeticTuple<T...> const& t, tuple<U...> const& u) {                   \
    return t op as_arithmetic_tuple(u);                                                                           \
  }                                                                                                               \
  template <class... T, class... U>                                                                               \
  COSMATI_HD constexpr auto operator op(tuple<T...> const& t, ArithmeticTuple<U...> const& u) {                   \
    return as_arithmetic_tuple(t) op u;                                                                           \
  }                                                                                                               \
  template <class... T, class U, int... M>                                                                        \
  COSMATI_HD constexpr auto operator op(ArithmeticTuple<T...> const& t, ScaledBasis<U, M...> const& u) {          \
    return t op as_arithmetic_tuple(u);                                                                           \
  }                                                                                                               \
  template <class T, int... N, class... U>                                                                        \
  COSMATI_HD constexpr auto operator op(ScaledBasis<T, N...> const& t, ArithmeticTuple<U...> const& u) {          \
    return as_arithmetic_tuple(t) op u;                                                                           \
  }                                                                                                               \
  template <class T, int... N, class U, int... M>                                                                 \
  COSMATI_HD constexpr auto operator op(ScaledBasis<T, N...> const& t, ScaledBasis<U, M...> const& u) {           \
    return as_arithmetic_tuple(t) op as_arithmetic_tuple(u);                                                      \
  }                                                                                                               \
  template <class... T, auto u>                                                                                   \
  COSMATI_HD constexpr ArithmeticTuple<T...> operator op(ArithmeticTuple<T...> const& t, C<u>) {                  \
    static_assert(u == 0, "to an ArithmeticTuple only a tuple, a basis or _0 can be added: write E<mode>{} * n"); \
    return t;                                                                                                     \
  }                                                                                                               \
  template <class T, int... N, auto u>                                                                            \
  COSMATI_HD constexpr ScaledBasis<T, N...> operator op(ScaledBasis<T, N...> const& t, C<u>) {                    \
    static_assert(u == 0, "to a basis only a tuple, a basis or _0 can be added: write E<mode>{} * n");            \
    return t;                                                                                                     \
  }
COSMATI_SUM(+, add_elements)
COSMATI_SUM(-, subtract_elements)
#undef COSMATI_SUM

template <auto t, class... U>
COSMATI_HD constexpr ArithmeticTuple<U...> operator+(C<t>, ArithmeticTuple<U...> const& u) {
  return u + C<t>{};
}
template <auto t, class U, int... M>
COSMATI_HD constexpr ScaledBasis<U, M...> operator+(C<t>, ScaledBasis<U, M...> const& u) {
  return u + C<t>{};
}
template <class... T>
COSMATI_HD constexpr auto operator-(ArithmeticTuple<T...> const& t) {
  return detail::negate_elements(t, tuple_seq<tuple<T...>>{});
}
template <auto t, class... U>
COSMATI_HD constexpr auto operator-(C<t>, ArithmeticTuple<U...> const& u) {
  return -(u + C<t>{});
}
template <class T, int... N>
COSMATI_HD constexpr auto operator-(ScaledBasis<T, N...> const& e) {
  return e * C<-1>{};
}

/// Multiplies every element by n.
template <class... T, integer N>
COSMATI_HD constexpr auto operator*(ArithmeticTuple<T...> const& t, N const& n) {
  return detail::multiply_elements(t, n, tuple_seq<tuple<T...>>{});
}
template <integer N, class... T>
COSMATI_HD constexpr auto operator*(N const& n, ArithmeticTuple<T...> const& t) {
  return t * n;
}

/// @name Comparisons of an ArithmeticTuple with an integer
/// An ArithmeticTuple of one mode compares as that mode does. More modes are an error.
/// @{
#define COSMATI_BESIDE(op)                                                                                          \
  template <class... T, integer N>                                                                                  \
  COSMATI_HD constexpr auto operator op(ArithmeticTuple<T...> const& t, N const& n) {                               \
    static_assert(sizeof...(T) == 1,                                                                                \
                  "an ArithmeticTuple is a coordinate, as identity tensors hold them, and no integer: compare one " \
                  "mode, get<0>(coord) < n, or all, elem_less(coord, shape)");                                      \
    if constexpr (sizeof...(T) == 1)                                                                                \
      return get<0>(t) op n;                                                                                        \
    else                                                                                                            \
      return C<false>{};                                                                                            \
  }                                                                                                                 \
  template <integer N, class... T>                                                                                  \
  COSMATI_HD constexpr auto operator op(N const& n, ArithmeticTuple<T...> const& t) {                               \
    static_assert(sizeof...(T) == 1,                                                                                \
                  "an ArithmeticTuple is a coordinate, as identity tensors hold them, and no integer: compare one " \
                  "mode, get<0>(coord) < n, or all, elem_less(coord, shape)");                                      \
    if constexpr (sizeof...(T) == 1)                                                                                \
      return n op get<0>(t);                                                                                        \
    else                                                                                                            \
      return C<false>{};                                                                                            \
  }
COSMATI_BESIDE(<)
COSMATI_BESIDE(<=)
COSMATI_BESIDE(>)
COSMATI_BESIDE(>=)
COSMATI_BESIDE(==)
COSMATI_BESIDE(!=)
#undef COSMATI_BESIDE
/// @}

/// Equality. A shorter tuple is extended with zeros: (1, 2) == (1, 2, 0). The result is static if the comparisons of
/// the elements are.
template <class... T, class... U>
COSMATI_HD constexpr auto operator==(ArithmeticTuple<T...> const& t, ArithmeticTuple<U...> const& u) {
  return detail::equal_elements(t, u, detail::longer_seq<tuple<T...>, tuple<U...>>{});
}
template <class... T, class... U>
COSMATI_HD constexpr auto operator==(ArithmeticTuple<T...> const& t, tuple<U...> const& u) {
  return t == as_arithmetic_tuple(u);
}
template <class... T, class... U>
COSMATI_HD constexpr auto operator==(tuple<T...> const& t, ArithmeticTuple<U...> const& u) {
  return as_arithmetic_tuple(t) == u;
}
template <class... T, class... U>
COSMATI_HD constexpr auto operator!=(ArithmeticTuple<T...> const& t, ArithmeticTuple<U...> const& u) {
  return !(t == u);
}
template <class... T, class... U>
COSMATI_HD constexpr auto operator!=(ArithmeticTuple<T...> const& t, tuple<U...> const& u) {
  return !(t == u);
}
template <class... T, class... U>
COSMATI_HD constexpr auto operator!=(tuple<T...> const& t, ArithmeticTuple<U...> const& u) {
  return !(t == u);
}
/// @}

/// @name Bases
/// @{
namespace detail {
/// A reference for an lvalue, otherwise a value.
template <class T>
COSMATI_HD constexpr T get_at(T&& t, seq<>) {
  return static_cast<T&&>(t);
}
template <class T, int i, int... J>
COSMATI_HD constexpr decltype(auto) get_at(T&& t, seq<i, J...>) {
  return get_at(get<i>(static_cast<T&&>(t)), seq<J...>{});
}
template <class Shape, int... N, int... i>
COSMATI_HD constexpr auto basis_elements(seq<N...>, seq<i...>);
template <class Shape, int... N>
COSMATI_HD constexpr auto basis_like(seq<N...>) {
  if constexpr (tuple_type<Shape>)
    return basis_elements<Shape>(seq<N...>{}, tuple_seq<Shape>{});
  else
    return E<N...>{};
}
template <class Shape, int... N, int... i>
COSMATI_HD constexpr auto basis_elements(seq<N...>, seq<i...>) {
  return make_tuple(basis_like<tuple_element_t<std::size_t{i}, Shape>>(seq<N..., i>{})...);
}
}  // namespace detail
/// The element of `t` at the basis' mode; for an integer `t`, `t` itself.
template <class T, int... N, class Tuple>
COSMATI_HD constexpr decltype(auto) basis_get(ScaledBasis<T, N...> const&, Tuple&& t) {
  return detail::get_at(static_cast<Tuple&&>(t), seq<N...>{});
}
template <integer T, class Tuple>
COSMATI_HD constexpr decltype(auto) basis_get(T const&, Tuple&& t) {
  return detail::get_at(static_cast<Tuple&&>(t), seq<>{});
}
/// The unit coordinate of every leaf, nested as `shape`. For ((a, b), c) it is ((E<0, 0>, E<0, 1>), E<1>).
template <int... N, class Shape>
COSMATI_HD constexpr auto make_basis_like(Shape const&) {
  return detail::basis_like<Shape>(seq<N...>{});
}
template <class T, int... N, integer U>
COSMATI_HD constexpr auto safe_div(ScaledBasis<T, N...> const& e, U const& u) {
  auto const v = safe_div(T(e.value()), u);
  return ScaledBasis<std::remove_const_t<decltype(v)>, N...>{v};
}
template <class T, int... N, integer U>
COSMATI_HD constexpr auto ceil_div(ScaledBasis<T, N...> const& e, U const& u) {
  auto const v = ceil_div(T(e.value()), u);
  return ScaledBasis<std::remove_const_t<decltype(v)>, N...>{v};
}
template <class T, int... N>
COSMATI_HD constexpr auto abs(ScaledBasis<T, N...> const& e) {
  auto const v = abs(T(e.value()));
  return ScaledBasis<std::remove_const_t<decltype(v)>, N...>{v};
}
/// @}

/// An iterator whose value is its position. It is the data of identity tensors.
template <class Coordinate>
struct ArithmeticTupleIterator {
  using value_type = Coordinate;
  using element_type = Coordinate;
  using reference = Coordinate;

  [[no_unique_address]] Coordinate coord_;
  char : 0;  // see detail::stored_elements

  COSMATI_HD constexpr ArithmeticTupleIterator(Coordinate const& coord = {}) : coord_(coord) {}  // NOLINT: as CuTe's
  COSMATI_HD constexpr Coordinate operator*() const { return coord_; }
  template <class Offset>
  requires requires(Coordinate const& x, Offset const& c) { x + c; }
  COSMATI_HD constexpr auto operator[](Offset const& c) const { return coord_ + c; }
  template <class Offset>
  requires requires(Coordinate const& x, Offset const& c) { x + c; }
  COSMATI_HD constexpr auto operator+(Offset const& c) const {
    return ArithmeticTupleIterator<decltype(coord_ + c)>(coord_ + c);
  }
};
template <class Coordinate>
ArithmeticTupleIterator(Coordinate const&) -> ArithmeticTupleIterator<Coordinate>;

/// The iterator at a coordinate, which is given as one tuple or as its elements.
template <class T>
COSMATI_HD constexpr auto make_inttuple_iter(T const& t) {
  return ArithmeticTupleIterator<decltype(as_arithmetic_tuple(t))>(as_arithmetic_tuple(t));
}
template <class T, class U, class... V>
COSMATI_HD constexpr auto make_inttuple_iter(T const& t, U const& u, V const&... v) {
  return make_inttuple_iter(make_tuple(t, u, v...));
}

}  // namespace COSMATI_NAMESPACE

// Structured bindings.
template <class... T>
struct std::tuple_size<COSMATI_NAMESPACE::ArithmeticTuple<T...>> : std::integral_constant<std::size_t, sizeof...(T)> {};
template <std::size_t i, class... T>
struct std::tuple_element<i, COSMATI_NAMESPACE::ArithmeticTuple<T...>>
    : COSMATI_NAMESPACE::tuple_element<i, COSMATI_NAMESPACE::tuple<T...>> {};

#include <cosmati/core/macros_end.hpp>
