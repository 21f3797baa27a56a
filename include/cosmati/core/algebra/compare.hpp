// SPDX-License-Identifier: Apache-2.0
/// @file
/// Three orders of tuples: element by element, lexicographic (the first mode weighs most) and colexicographic (the last
/// mode weighs most).
///
/// A run-time integer cannot be compared here. As in CuTe, `x_leq(a, b)` is `!x_less(b, a)`, even where the order is
/// partial.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/modes.hpp>

namespace COSMATI_NAMESPACE::algebra {

[[noreturn]] inline void comparison_of_a_tuple_with_an_integer(int rank) {
  throw error("a tuple of rank %d cannot be compared with an integer", rank);
}

namespace detail {
enum class order { element, lexicographic, colexicographic };

template <class Num>
constexpr bool equal_subtrees(flat_tree<Num> const& a, cursor at, flat_tree<Num> const& b, cursor bt) {
  span_of_mode const s = subtree(a, at.node, at.leaf), t = subtree(b, bt.node, bt.leaf);
  if (s.node_end - s.node != t.node_end - t.node) return false;
  for (int i = 0; i < s.node_end - s.node; ++i) {
    if (a.node[s.node + i] != b.node[t.node + i]) return false;
  }
  for (int i = 0; i < s.leaf_end - s.leaf; ++i) {
    if (known(a.shape[s.leaf + i], "a comparison") != known(b.shape[t.leaf + i], "a comparison")) return false;
  }
  return true;
}

template <class Num>
constexpr cursor child(flat_tree<Num> const& f, cursor at, int i) {
  ++at.node;
  while (i-- > 0) skip_subtree(f, at);
  return at;
}

template <order Order, class Num>
constexpr bool less(flat_tree<Num> const& a, cursor at, flat_tree<Num> const& b, cursor bt) {
  bool const a_tuple = tuple_at(a, at), b_tuple = tuple_at(b, bt);
  if (a_tuple != b_tuple) comparison_of_a_tuple_with_an_integer(a_tuple ? rank_at(a, at) : rank_at(b, bt));
  if (!a_tuple) return known(a.shape[at.leaf], "a comparison") < known(b.shape[bt.leaf], "a comparison");
  int const ra = rank_at(a, at), rb = rank_at(b, bt), common = ra < rb ? ra : rb;
  // The loop compares every pair of modes, even after one has decided, because a pair that cannot be compared is an
  // error.
  bool decided = false, result = Order == order::element ? ra <= rb : ra < rb;
  for (int i = 0; i < common; ++i) {
    cursor const x = child(a, at, Order == order::colexicographic ? ra - 1 - i : i);
    cursor const y = child(b, bt, Order == order::colexicographic ? rb - 1 - i : i);
    bool const mode_less = less<Order>(a, x, b, y);
    if (decided) continue;
    decided = Order == order::element ? !mode_less : mode_less || !equal_subtrees(a, x, b, y);
    if (decided) result = mode_less;
  }
  return result;
}
}  // namespace detail

/// Whether two tuples have the same nesting and the same integers.
template <class Num>
constexpr bool equal(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  return detail::equal_subtrees(a, cursor{}, b, cursor{});
}

/// Whether each integer of `a` is less than the corresponding one of `b`.
template <class Num>
constexpr bool elem_less(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  return detail::less<detail::order::element>(a, cursor{}, b, cursor{});
}
template <class Num>
constexpr bool elem_leq(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  return !elem_less(b, a);
}
template <class Num>
constexpr bool elem_gtr(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  return elem_less(b, a);
}
template <class Num>
constexpr bool elem_geq(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  return !elem_less(a, b);
}

/// Lexicographic order: the first mode that differs decides.
template <class Num>
constexpr bool lex_less(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  return detail::less<detail::order::lexicographic>(a, cursor{}, b, cursor{});
}
template <class Num>
constexpr bool lex_leq(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  return !lex_less(b, a);
}
template <class Num>
constexpr bool lex_gtr(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  return lex_less(b, a);
}
template <class Num>
constexpr bool lex_geq(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  return !lex_less(a, b);
}

/// Colexicographic order: the last mode that differs decides.
template <class Num>
constexpr bool colex_less(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  return detail::less<detail::order::colexicographic>(a, cursor{}, b, cursor{});
}
template <class Num>
constexpr bool colex_leq(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  return !colex_less(b, a);
}
template <class Num>
constexpr bool colex_gtr(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  return colex_less(b, a);
}
template <class Num>
constexpr bool colex_geq(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  return !colex_less(a, b);
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
