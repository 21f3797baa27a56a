// SPDX-License-Identifier: Apache-2.0
/// @file
/// The nesting of tuples and its comparisons: `rank`, `depth`, `congruent`, `weakly_congruent`, `compatible`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/modes.hpp>
#include <cosmati/core/algebra/reduce.hpp>

namespace COSMATI_NAMESPACE::algebra {

/// The number of modes; 1 for an integer.
template <class Num>
constexpr int rank(flat_tree<Num> const& t) {
  return t.rank();
}
/// The rank of mode i.
template <class Num>
constexpr int rank(flat_tree<Num> const& t, int i) {
  span_of_mode const s = mode_span(t, i);
  return detail::rank_at(t, cursor{s.node, s.leaf});
}

namespace detail {
template <class Num>
constexpr int depth(flat_tree<Num> const& t, int& node) {
  std::uint8_t const code = t.node[node++];
  if (code == flat_tree<Num>::leaf || code == flat_tree<Num>::any) return 0;
  int deepest = 0;
  for (int i = 0; i < flat_tree<Num>::children(code); ++i) {
    int const d = depth(t, node);
    if (d > deepest) deepest = d;
  }
  return deepest + 1;
}
}  // namespace detail

/// The levels of nesting: 0 for an integer, otherwise one more than the deepest mode has.
template <class Num>
constexpr int depth(flat_tree<Num> const& t) {
  int node = 0;
  return detail::depth(t, node);
}

/// Whether `a` and `b` have the same nesting.
template <class Num>
constexpr bool congruent(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  if (a.nodes != b.nodes) return false;
  for (int i = 0; i < a.nodes; ++i) {
    if (a.node[i] != b.node[i]) return false;
  }
  return true;
}

namespace detail {
template <class Num>
constexpr bool fits(flat_tree<Num> const& a, cursor& at, flat_tree<Num> const& b, cursor& bt, bool sizes) {
  if (!tuple_at(a, at)) {
    span_of_mode const s = subtree(b, bt.node, bt.leaf);
    bool fit = true;
    if (sizes) {
      Num const whole = product_of_leaves(b, s.leaf, s.leaf_end);
      fit = known(a.shape[at.leaf], "compatible") == known(whole, "compatible");
    }
    at = {at.node + 1, at.leaf + 1};
    bt = {s.node_end, s.leaf_end};
    return fit;
  }
  int const rank = rank_at(a, at);
  if (!tuple_at(b, bt) || rank_at(b, bt) != rank) return false;
  ++at.node;
  ++bt.node;
  for (int i = 0; i < rank; ++i) {
    if (!fits(a, at, b, bt, sizes)) return false;
  }
  return true;
}
}  // namespace detail

/// Whether the nesting of `b` refines that of `a`: where `a` has an integer, `b` may have anything. This is a partial
/// order.
template <class Num>
constexpr bool weakly_congruent(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  cursor at, bt;
  return detail::fits(a, at, b, bt, false);
}

/// Whether `b` refines `a` and has the same sizes, so that every coordinate of `a` is one of `b`. This is a partial
/// order.
template <class Num>
constexpr bool compatible(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  cursor at, bt;
  return detail::fits(a, at, b, bt, true);
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
