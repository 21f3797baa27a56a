// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tuples combined leaf by leaf: `filter_zeros`, `elem_scale`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/modes.hpp>
#include <cosmati/core/algebra/reduce.hpp>

namespace COSMATI_NAMESPACE::algebra {

namespace detail {
/// Calls `on_leaf(i, s)` for each leaf i of `guide`. `s` is the part of `t` at the same position.
template <class Num, class OnLeaf>
constexpr void along(flat_tree<Num> const& guide, cursor& gt, flat_tree<Num> const& t, cursor& at,
                     char const* operation, OnLeaf&& on_leaf) {
  if (!tuple_at(guide, gt)) {
    span_of_mode const s = subtree(t, at.node, at.leaf);
    on_leaf(gt.leaf, s);
    at = {s.node_end, s.leaf_end};
    skip_subtree(guide, gt);
    return;
  }
  int const rank = rank_at(guide, gt);
  if (!tuple_at(t, at) || rank_at(t, at) != rank) profiles_differ(operation, rank, rank_at(t, at));
  ++at.node;
  ++gt.node;
  for (int i = 0; i < rank; ++i) along(guide, gt, t, at, operation, on_leaf);
}
}  // namespace detail

/// `t` with 1 wherever `guide` is known to be 0. The strides stay.
template <class Num>
constexpr flat_tree<Num> filter_zeros(flat_tree<Num> const& guide, flat_tree<Num> const& t) {
  flat_tree<Num> r = t;
  cursor gt, at;
  detail::along(guide, gt, t, at, "filter_zeros", [&](int leaf, span_of_mode const& s) {
    if (!is(guide.shape[leaf], 0)) return;
    for (int i = s.leaf; i < s.leaf_end; ++i) r.shape[i] = Num(1);
  });
  return r;
}

/// A tuple nested as `a`. Each integer is multiplied by the product of the corresponding part of `b`.
template <class Num>
constexpr flat_tree<Num> elem_scale(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  flat_tree<Num> r = a;
  cursor at, bt;
  detail::along(a, at, b, bt, "elem_scale", [&](int leaf, span_of_mode const& s) {
    r.shape[leaf] = a.shape[leaf] * detail::product_of_leaves(b, s.leaf, s.leaf_end);
  });
  return r;
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
