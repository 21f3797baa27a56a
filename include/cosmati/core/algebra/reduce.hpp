// SPDX-License-Identifier: Apache-2.0
/// @file
/// Reductions of a tuple: `size`, `product`, `sum`, `max`, `min`, `gcd`, `inner_product`; of the whole or of each mode.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/modes.hpp>

namespace COSMATI_NAMESPACE::algebra {

[[noreturn]] inline void profiles_differ(char const* operation, int rank, int other) {
  throw error("%s of tuples of rank %d and %d: the operands must have the same nesting", operation, rank, other);
}
[[noreturn]] inline void empty_tuple_has_none(char const* operation) {
  throw error("the empty tuple has no %s", operation);
}

namespace detail {
template <class Num>
constexpr Num product_of_leaves(flat_tree<Num> const& t, int first, int last) {
  Num p(1);
  for (int i = first; i < last; ++i) p = p * t.shape[i];
  return p;
}
}  // namespace detail

/// The product of all integers; 1 for the empty tuple. For a shape or layout it is the number of elements.
template <class Num>
constexpr Num size(flat_tree<Num> const& t) {
  return detail::product_of_leaves(t, 0, t.leaves);
}
/// The size of mode i.
template <class Num>
constexpr Num size(flat_tree<Num> const& t, int i) {
  span_of_mode const s = mode_span(t, i);
  return detail::product_of_leaves(t, s.leaf, s.leaf_end);
}
template <class Num>
constexpr Num product(flat_tree<Num> const& t) {
  return size(t);
}

/// A flat tuple of the products of the modes.
template <class Num>
constexpr flat_tree<Num> product_each(flat_tree<Num> const& t) {
  flat_tree<Num> r;
  int const rank = t.rank();
  r.add_open(rank);
  cursor at = detail::first_child(t, cursor{});
  for (int i = 0; i < rank; ++i) {
    span_of_mode const s = subtree(t, at.node, at.leaf);
    r.add_leaf(detail::product_of_leaves(t, s.leaf, s.leaf_end));
    at = {s.node_end, s.leaf_end};
  }
  return r;
}

namespace detail {
template <class Num>
constexpr void product_like(flat_tree<Num>& r, flat_tree<Num> const& t, cursor& at, flat_tree<Num> const& guide,
                            cursor& gt) {
  if (!tuple_at(guide, gt)) {
    span_of_mode const s = subtree(t, at.node, at.leaf);
    r.add_leaf(product_of_leaves(t, s.leaf, s.leaf_end));
    at = {s.node_end, s.leaf_end};
    skip_subtree(guide, gt);
    return;
  }
  int const rank = rank_at(guide, gt);
  if (!tuple_at(t, at) || rank_at(t, at) != rank) profiles_differ("product_like", rank_at(t, at), rank);
  r.add_open(rank);
  ++at.node;
  ++gt.node;
  for (int i = 0; i < rank; ++i) product_like(r, t, at, guide, gt);
}
}  // namespace detail

/// A tuple nested as `guide`. Each leaf is the product of the corresponding part of `t`.
template <class Num>
constexpr flat_tree<Num> product_like(flat_tree<Num> const& t, flat_tree<Num> const& guide) {
  flat_tree<Num> r;
  cursor at, gt;
  detail::product_like(r, t, at, guide, gt);
  return r;
}

/// The sum of all leaves.
template <class Num>
constexpr Num sum(flat_tree<Num> const& t) {
  Num s(0);
  for (int i = 0; i < t.leaves; ++i) s = s + t.shape[i];
  return s;
}

/// The largest leaf.
template <class Num>
constexpr Num max(flat_tree<Num> const& t) {
  if (t.leaves == 0) empty_tuple_has_none("maximum");
  Num m = t.shape[0];
  for (int i = 1; i < t.leaves; ++i) m = larger(m, t.shape[i]);
  return m;
}

/// The smallest leaf.
template <class Num>
constexpr Num min(flat_tree<Num> const& t) {
  if (t.leaves == 0) empty_tuple_has_none("minimum");
  Num m = t.shape[0];
  for (int i = 1; i < t.leaves; ++i) m = smaller(m, t.shape[i]);
  return m;
}

/// Greatest common divisor; gcd(x, 0) is x.
constexpr std::int64_t gcd(std::int64_t a, std::int64_t b) {
  while (a != 0) {
    std::int64_t const rest = b % a;
    b = a;
    a = rest;
  }
  return b;
}
constexpr symbolic_integer gcd(symbolic_integer const& a, symbolic_integer const& b) {
  return gcd(known(a, "a greatest common divisor"), known(b, "a greatest common divisor"));
}
template <class Num>
constexpr Num gcd(flat_tree<Num> const& t) {
  if (t.leaves == 0) empty_tuple_has_none("greatest common divisor");
  Num g = t.shape[t.leaves - 1];
  for (int i = t.leaves - 2; i >= 0; --i) g = gcd(t.shape[i], g);
  return g;
}

/// The sum of the products of corresponding leaves. @pre both have the same nesting
template <class Num>
constexpr Num inner_product(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  bool alike = a.nodes == b.nodes;
  for (int i = 0; alike && i < a.nodes; ++i) alike = a.node[i] == b.node[i];
  if (!alike) profiles_differ("inner_product", a.rank(), b.rank());
  Num s(0);
  for (int i = 0; i < a.leaves; ++i) s = s + a.shape[i] * b.shape[i];
  return s;
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
