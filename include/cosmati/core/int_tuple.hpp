// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions of nested tuples of integers. Static and run-time integers may be mixed; static results stay static.
///
/// `evaluate` carries each function over to types from the function of the same name in core/algebra/.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/compare.hpp>
#include <cosmati/core/algebra/division.hpp>
#include <cosmati/core/algebra/modes.hpp>
#include <cosmati/core/algebra/profile.hpp>
#include <cosmati/core/algebra/reduce.hpp>
#include <cosmati/core/math.hpp>
#include <cosmati/core/product.hpp>

namespace COSMATI_NAMESPACE {

COSMATI_ALGEBRA_OBJECT(product_each)
COSMATI_ALGEBRA_OBJECT(product_like)
COSMATI_ALGEBRA_OBJECT(sum)
COSMATI_ALGEBRA_OBJECT(inner_product)
COSMATI_ALGEBRA_OBJECT(ceil_div)
COSMATI_ALGEBRA_OBJECT(shape_div, .notes_refusals = true)
COSMATI_ALGEBRA_OBJECT(round_up)
COSMATI_ALGEBRA_OBJECT(congruent)
COSMATI_ALGEBRA_OBJECT(weakly_congruent)
COSMATI_ALGEBRA_OBJECT(compatible)
COSMATI_ALGEBRA_OBJECT(evenly_divides)

/// The number of modes; 1 for an integer. `rank<i, j>(t)` is the rank of a nested mode.
template <int... Is, int_tuple T>
COSMATI_HD constexpr auto rank(T const& t) {
  if constexpr (sizeof...(Is) == 0)
    return C<tuple_size_v<T>>{};
  else
    return rank(get<Is...>(t));
}
template <class T>
inline constexpr int rank_v = [] {
  if constexpr (requires { T::rank; })
    return static_cast<int>(T::rank);
  else
    return tuple_size_v<T>;
}();

namespace detail {
template <class T>
inline constexpr int depth_of = 0;
template <class... T>
inline constexpr int depth_of<tuple<T...>> = [] {
  int deepest = 0;
  ((deepest = depth_of<T> > deepest ? depth_of<T> : deepest), ...);
  return deepest + 1;
}();
}  // namespace detail
/// The levels of nesting: 0 for an integer, 1 for a flat tuple.
template <int... Is, int_tuple T>
COSMATI_HD constexpr auto depth(T const& t) {
  if constexpr (sizeof...(Is) == 0)
    return C<detail::depth_of<T>>{};
  else
    return depth(get<Is...>(t));
}

/// get<i, j, ...>: element j of element i.
template <int I0, int I1, int... Is, class T>
COSMATI_HD constexpr decltype(auto) get(T const& t) {
  if constexpr (sizeof...(Is) == 0)
    return get<I1>(get<I0>(t));
  else
    return get<I1, Is...>(get<I0>(t));
}

/// The number of coordinates of a shape, or of one of its modes.
template <int... Is, int_tuple T>
COSMATI_HD constexpr auto size(T const& t) {
  if constexpr (sizeof...(Is) == 0)
    return product(t);
  else
    return product(get<Is...>(t));
}
template <class T>
inline constexpr auto size_v = [] {
  static_assert(is_static_v<T>, "size_v<T> needs a static T; for run-time extents call size(t)");
  return decltype(size(T{}))::value;
}();

/// The product of each mode: `((2,3),4)` gives `(6,4)`.
template <int_tuple T>
COSMATI_HD constexpr auto product_each(T const& t) {
  return detail::evaluate_tuple<detail::product_each_object>(t);
}
/// Products in the nesting of `guide`: product_like(((2,3),4), (1,1)) is (6,4).
template <int_tuple T, int_tuple G>
COSMATI_HD constexpr auto product_like(T const& t, G const& guide) {
  return detail::evaluate_tuple<detail::product_like_object>(t, guide);
}
template <int_tuple T>
COSMATI_HD constexpr auto sum(T const& t) {
  return detail::evaluate_tuple<detail::sum_object>(t);
}
/// The sum of the products of corresponding integers. @pre congruent
template <int_tuple A, int_tuple B>
COSMATI_HD constexpr auto inner_product(A const& a, B const& b) {
  return detail::evaluate_tuple<detail::inner_product_object>(a, b);
}

/// The quotient rounded up, mode by mode. An integer divides a tuple from its first mode on: each mode takes its part
/// of the divisor. Two integers are in `math.hpp`: g++ gives both functions one symbol.
template <int_tuple A, int_tuple B>
requires(!(integer<A> && integer<B>)) COSMATI_HD constexpr auto ceil_div(A const& a, B const& b) {
  return detail::evaluate_tuple<detail::ceil_div_object>(a, b);
}
namespace detail {
template <auto dividend, auto divisor, class... Operands>
struct neither_divides_the_other : refused {
  static_assert(sizeof...(Operands) == 0,
                "shape_div: neither_divides_the_other<DIVIDEND, DIVISOR, A, B>: in A divided by B a mode of DIVIDEND "
                "meets DIVISOR, and neither is a multiple of the other; choose extents of which one divides the other, "
                "or round up with ceil_div");
};
}  // namespace detail
/// a / b for shapes, mode by mode. One of two integers must divide the other: shape_div(6, 4) is an error.
template <int_tuple A, int_tuple B>
COSMATI_HD constexpr auto shape_div(A const& a, B const& b) {
  using Op = detail::operation<detail::shape_div_object, A, B>;
  if constexpr (Op::tree.note.why != refusal_reason::none)
    return detail::neither_divides_the_other<Op::tree.note.first, Op::tree.note.second, A, B>{};
  else
    return detail::evaluate_tuple<detail::shape_div_object>(a, b);
}
/// The smallest multiple of b that is at least a, mode by mode.
template <int_tuple A, int_tuple B>
COSMATI_HD constexpr auto round_up(A const& a, B const& b) {
  return detail::evaluate_tuple<detail::round_up_object>(a, b);
}
/// @name Questions about nesting and extents
/// The answer is static (C<bool>) if the types decide. `compatible` and `evenly_divides` of run-time extents return a
/// bool.
/// @{
/// Whether A and B have the same nesting.
template <class A, class B>
COSMATI_HD constexpr auto congruent(A const&, B const&) {
  return C<detail::evaluate_bool<detail::congruent_object, A, B>>{};
}
/// Whether the nesting of B refines that of A: where A has an integer, B may have a tuple.
template <class A, class B>
COSMATI_HD constexpr auto weakly_congruent(A const&, B const&) {
  return C<detail::evaluate_bool<detail::weakly_congruent_object, A, B>>{};
}
namespace detail {
/// A layout's shape; a shape itself.
template <class T>
COSMATI_HD constexpr decltype(auto) shape_of_operand(T const& t) {
  if constexpr (requires { t.shape(); })
    return t.shape();
  else
    return (t);
}
}  // namespace detail
/// Whether A and B are weakly congruent, and every integer of A is the size of the corresponding part of B.
template <class A, class B>
COSMATI_HD constexpr auto compatible([[maybe_unused]] A const& a, [[maybe_unused]] B const& b) {
  if constexpr (
      requires { a.shape(); } || requires { b.shape(); }) {
    return compatible(detail::shape_of_operand(a), detail::shape_of_operand(b));
  } else if constexpr (is_static_v<A> && is_static_v<B>) {
    return C<detail::evaluate_bool<detail::compatible_object, A, B>>{};
  } else if constexpr (!tuple_type<A>) {
    return size(b) == a;
  } else if constexpr (!tuple_type<B>) {
    return C<false>{};
  } else if constexpr (tuple_size_v<A> != tuple_size_v<B>) {
    return C<false>{};
  } else {
    return [&]<std::size_t... Is>(std::index_sequence<Is...>) {
      return (compatible(get<Is>(a), get<Is>(b)) && ... && true);
    }
    (std::make_index_sequence<tuple_size_v<A>>{});
  }
}
template <class A, class B>
using is_congruent = C<detail::evaluate_bool<detail::congruent_object, A, B>>;
template <class A, class B>
using is_weakly_congruent = C<detail::evaluate_bool<detail::weakly_congruent_object, A, B>>;
template <class A, class B>
using is_compatible = C<detail::evaluate_bool<detail::compatible_object, A, B>>;

/// Whether b divides a, mode by mode. An integer b must divide the product of a. Run-time extents return a bool.
template <int_tuple A, int_tuple B>
COSMATI_HD constexpr auto evenly_divides(A const& a, B const& b) {
  if constexpr (is_static_v<A> && is_static_v<B>) {
    return C<detail::evaluate_bool<detail::evenly_divides_object, A, B>>{};
  } else if constexpr (tuple_type<B>) {
    if constexpr (tuple_size_v<A> < tuple_size_v<B>) {
      return C<false>{};
    } else {
      return [&]<std::size_t... Is>(std::index_sequence<Is...>) {
        return (evenly_divides(get<Is>(a), get<Is>(b)) && ... && true);
      }
      (std::make_index_sequence<tuple_size_v<B>>{});
    }
  } else {
    return size(a) == b * size(ceil_div(a, b));
  }
}
/// @}

namespace detail {
template <class A, class B, class Compare, std::size_t... Is>
COSMATI_HD constexpr auto elementwise(A const& a, B const& b, Compare compare, std::index_sequence<Is...>);
/// Compares a tuple of one mode with an integer, by that mode.
template <class A, class B, class Compare>
COSMATI_HD constexpr auto beside_an_integer(A const& a, B const& b, Compare compare) {
  constexpr int n = tuple_size_v<std::conditional_t<tuple_type<A>, A, B>>;
  static_assert(n == 1,
                "elem_less and its like: one side is an integer and the other a tuple of several modes; compare "
                "with a tuple of as many, as make_coord(n, n), or compare one mode, get<0>(coord)");
  if constexpr (n != 1)
    return C<false>{};
  else if constexpr (tuple_type<A>)
    return compare(get<0>(a), b);
  else
    return compare(a, get<0>(b));
}
struct less_than {
  template <class A, class B>
  COSMATI_HD constexpr auto operator()(A const& a, B const& b) const {
    if constexpr (tuple_type<A> && tuple_type<B>) {
      constexpr int n = tuple_size_v<A> < tuple_size_v<B> ? tuple_size_v<A> : tuple_size_v<B>;
      return elementwise(a, b, *this, std::make_index_sequence<std::size_t{n}>{});
    } else if constexpr (tuple_type<A> || tuple_type<B>) {
      return beside_an_integer(a, b, *this);
    } else if constexpr (static_integer<A> && static_integer<B>) {
      return a < b;
    } else {
      using T =
          std::common_type_t<decltype(+static_cast<std::conditional_t<static_integer<A>, int, A>>(0)), std::int64_t>;
      return static_cast<T>(a) < static_cast<T>(b);
    }
  }
};
struct less_or_equal {
  template <class A, class B>
  COSMATI_HD constexpr auto operator()(A const& a, B const& b) const {
    if constexpr (tuple_type<A> && tuple_type<B>) {
      constexpr int n = tuple_size_v<A> < tuple_size_v<B> ? tuple_size_v<A> : tuple_size_v<B>;
      return elementwise(a, b, *this, std::make_index_sequence<std::size_t{n}>{});
    } else if constexpr (tuple_type<A> || tuple_type<B>) {
      return beside_an_integer(a, b, *this);
    } else if constexpr (static_integer<A> && static_integer<B>) {
      return a <= b;
    } else {
      return static_cast<std::int64_t>(a) <= static_cast<std::int64_t>(b);
    }
  }
};
template <class A, class B, class Compare, std::size_t... Is>
COSMATI_HD constexpr auto elementwise(A const& a, B const& b, Compare compare, std::index_sequence<Is...>) {
  return (C<true>{} && ... && compare(get<Is>(a), get<Is>(b)));
}
}  // namespace detail

/// @name Comparisons: every element (elem_), lexicographic (lex_), colexicographic (colex_)
/// @{
template <class A, class B>
COSMATI_HD constexpr auto elem_less(A const& a, B const& b) {
  return detail::less_than{}(a, b);
}
template <class A, class B>
COSMATI_HD constexpr auto elem_leq(A const& a, B const& b) {
  return detail::less_or_equal{}(a, b);
}
template <class A, class B>
COSMATI_HD constexpr auto elem_gtr(A const& a, B const& b) {
  return elem_less(b, a);
}
template <class A, class B>
COSMATI_HD constexpr auto elem_geq(A const& a, B const& b) {
  return elem_leq(b, a);
}

namespace detail {
/// -1, 0 or 1 if a is less than, equal to or greater than b. If `last` is true, the last mode weighs most.
template <bool last, class A, class B>
COSMATI_HD constexpr int order(A const& a, B const& b);
template <bool last, class A, class B, int... Is>
COSMATI_HD constexpr int order_modes(A const& a, B const& b, std::integer_sequence<int, Is...>) {
  constexpr int na = tuple_size_v<A>, nb = tuple_size_v<B>, n = sizeof...(Is);
  int r = 0;
  if constexpr (last)
    ((r = r != 0 ? r : order<last>(get<na - 1 - Is>(a), get<nb - 1 - Is>(b))), ...);
  else
    ((r = r != 0 ? r : order<last>(get<Is>(a), get<Is>(b))), ...);
  return r != 0 ? r : (na > n) - (nb > n);
}
template <bool last, class A, class B>
COSMATI_HD constexpr int order(A const& a, B const& b) {
  if constexpr (tuple_type<A> && tuple_type<B>) {
    return order_modes<last>(
        a, b,
        std::make_integer_sequence<int, (tuple_size_v<A> < tuple_size_v<B> ? tuple_size_v<A> : tuple_size_v<B>)>{});
  } else {
    std::int64_t const x = static_cast<std::int64_t>(a), y = static_cast<std::int64_t>(b);
    return (x > y) - (x < y);
  }
}
template <bool last, class A, class B, int which>
inline constexpr bool static_order = which == 0 ? order<last>(A{}, B{}) < 0 : order<last>(A{}, B{}) <= 0;
template <bool last, int which, class A, class B>
COSMATI_HD constexpr auto compare_in_order(A const& a, B const& b) {
  if constexpr (is_static_v<A> && is_static_v<B>)
    return C<static_order<last, A, B, which>>{};
  else
    return which == 0 ? order<last>(a, b) < 0 : order<last>(a, b) <= 0;
}
}  // namespace detail
template <class A, class B>
COSMATI_HD constexpr auto lex_less(A const& a, B const& b) {
  return detail::compare_in_order<false, 0>(a, b);
}
template <class A, class B>
COSMATI_HD constexpr auto lex_leq(A const& a, B const& b) {
  return detail::compare_in_order<false, 1>(a, b);
}
template <class A, class B>
COSMATI_HD constexpr auto lex_gtr(A const& a, B const& b) {
  return lex_less(b, a);
}
template <class A, class B>
COSMATI_HD constexpr auto lex_geq(A const& a, B const& b) {
  return lex_leq(b, a);
}
template <class A, class B>
COSMATI_HD constexpr auto colex_less(A const& a, B const& b) {
  return detail::compare_in_order<true, 0>(a, b);
}
template <class A, class B>
COSMATI_HD constexpr auto colex_leq(A const& a, B const& b) {
  return detail::compare_in_order<true, 1>(a, b);
}
template <class A, class B>
COSMATI_HD constexpr auto colex_gtr(A const& a, B const& b) {
  return colex_less(b, a);
}
template <class A, class B>
COSMATI_HD constexpr auto colex_geq(A const& a, B const& b) {
  return colex_leq(b, a);
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
