// SPDX-License-Identifier: Apache-2.0
/// @file
/// `composition`: one layout after another, or a tiler's layouts after the modes of a layout.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/division.hpp>
#include <cosmati/layout/algebra/coalesce.hpp>
#include <cosmati/layout/algebra/codomain.hpp>
#include <cosmati/layout/algebra/composition_check.hpp>

namespace COSMATI_NAMESPACE::algebra {

[[noreturn]] inline void basis_names_a_mode_that_is_not_there(int mode, int rank) {
  throw error("composition: a stride of the right layout selects mode %d, the left layout has %d", mode, rank);
}
[[noreturn]] inline void tiler_stands_where_a_layout_is_needed() {
  throw error("a tuple of tiles or `_` was given where a layout is needed");
}

namespace detail {
/// The number of steps of size `step` in a left mode of this extent. A step that is 0 at run time stays in the mode, so
/// that the number is `wanted`.
constexpr std::int64_t offered_steps(std::int64_t extent, std::int64_t step, std::int64_t) {
  return ceil_div(extent, step);
}
constexpr symbolic_integer offered_steps(symbolic_integer const& extent, symbolic_integer const& step,
                                         symbolic_integer const& wanted) {
  if (is_known(step)) return ceil_div(extent, step);
  return ceil_div(extent, larger(step, symbolic_integer(1))) +
         (symbolic_integer(1) - smaller(step, symbolic_integer(1))) * wanted;
}
/// Appends (left o extent:stride) to r. @pre the modes [first, last) of left are coalesced; last > first
template <class Num>
constexpr void compose_leaf(flat_tree<Num>& r, Num const* shape, Num const* strides, int first, int last, Num extent,
                            Num stride) {
  if (is(stride, 0)) return r.add_leaf(extent, stride);
  if (last - first == 1) return r.add_leaf(extent, stride * strides[first]);
  int const root = r.nodes, leaves = r.leaves;
  r.add_open(0);
  for (int i = first; i + 1 < last; ++i) {
    Num const& current = shape[i];
    Num const step = magnitude(stride);
    if (is_known(current) && is_known(stride)) {
      std::int64_t const d = known(step, ""), s = known(current, "");
      if (s == 0) division_by_zero("%", d);
      if (d % s != 0 && d >= s && !is(extent, 1))
        refuse_composition(r.note, {law_break::stride_and_extent, known(stride, ""), s});
    }
    Num const offered = offered_steps(current, step, extent);
    if (!is(offered, 1) && !is(extent, 1)) {
      Num const taken = smaller(offered, extent);
      if (is_known(taken) && is_known(extent)) {
        std::int64_t const t = known(taken, ""), e = known(extent, "");
        if (t == 0) division_by_zero("%", e);
        if (e % t != 0) refuse_composition(r.note, {law_break::elements_and_extent, e, t});
      }
      r.add_leaf(taken, stride * strides[i]);
      extent = extent / taken;
    }
    // Nothing is left to append or to check, so no further step is recorded.
    if (is(extent, 1) && r.leaves != leaves && !(is_known(current) && is_known(stride))) break;
    stride = ceil_div(step, current) * sign_of(stride);
  }
  if (r.leaves == leaves || !is(extent, 1)) r.add_leaf(extent, stride * strides[last - 1]);
  int const count = r.leaves - leaves;
  if (count == 1) {
    r.node[root] = flat_tree<Num>::leaf;
    r.nodes = static_cast<std::int16_t>(root + 1);
  } else {
    r.node[root] = flat_tree<Num>::open(count);
  }
}

/// Appends (left o the part of rhs at `s`), where no stride of rhs carries a basis.
template <class Num>
constexpr void compose_modes(flat_tree<Num>& r, mode_list<Num> const& left, flat_tree<Num> const& rhs,
                             span_of_mode const& s) {
  int leaf = s.leaf;
  for (int i = s.node; i < s.node_end; ++i) {
    std::uint8_t const code = rhs.node[i];
    if (code == flat_tree<Num>::leaf) {
      compose_leaf(r, left.shape, left.stride, left.first, left.end, rhs.shape[leaf], rhs.stride[leaf]);
      ++leaf;
    } else {
      if (code & flat_tree<Num>::tile_flag) tiler_stands_where_a_layout_is_needed();
      r.add_node(code);
    }
  }
}

/// The mode of `left` that a basis names.
template <class Num>
constexpr cursor named_mode(flat_tree<Num> const& left, std::uint32_t basis) {
  cursor at;
  for (; basis != 0; basis >>= 4) {
    int const i = static_cast<int>(basis & 15u) - 1;
    int const rank = rank_at(left, at);
    if (i >= rank) basis_names_a_mode_that_is_not_there(i, rank);
    at = first_child(left, at);
    for (int k = 0; k < i; ++k) skip_subtree(left, at);
  }
  return at;
}

template <class Num>
constexpr mode_range<Num> range_of(mode_list<Num> const& m) {
  return {m.shape + m.first, m.stride + m.first, m.count()};
}
template <class Num>
constexpr mode_range<Num> leaves_at(flat_tree<Num> const& f, span_of_mode const& s) {
  return {f.shape + s.leaf, f.stride + s.leaf, s.leaf_end - s.leaf};
}
/// Checks the law for each mode of `left` that strides of rhs name. Modes of rhs interact only if they name the same
/// mode.
template <class Num>
constexpr void check_named_modes(refusal_note& note, flat_tree<Num> const& left, flat_tree<Num> const& rhs,
                                 span_of_mode const& rs) {
  for (int i = rs.leaf; i < rs.leaf_end; ++i) {
    std::uint32_t const basis = basis_of(rhs.stride[i]);
    Num shape[capacity_of<Num>];
    Num stride[capacity_of<Num>];
    int count = 0;
    bool is_first = true;
    for (int k = rs.leaf; k < rs.leaf_end; ++k) {
      if (basis_of(rhs.stride[k]) != basis) continue;
      is_first = is_first && k >= i;
      shape[count] = rhs.shape[k];
      stride[count++] = without_basis(rhs.stride[k]);
    }
    if (!is_first) continue;
    cursor const named = named_mode(left, basis);
    check_composition(note, leaves_at(left, subtree(left, named.node, named.leaf)),
                      mode_range<Num>{shape, stride, count});
  }
}
/// Appends (the part of lhs at `ls`) o (the part of rhs at `rs`).
template <class Num>
constexpr void compose(flat_tree<Num>& r, flat_tree<Num> const& lhs, span_of_mode const& ls, flat_tree<Num> const& rhs,
                       span_of_mode const& rs) {
  if (!has_basis(rhs, rs.leaf, rs.leaf_end)) {
    mode_list<Num> left;
    merge(left, lhs.shape, lhs.stride, ls.leaf, ls.leaf_end, merging::extending);
    compose_modes(r, left, rhs, rs);
    check_composition(r.note, range_of(left), leaves_at(rhs, rs));
    return;
  }
  // A stride such as 2@1 runs through mode 1 of lhs alone, so the modes of lhs are coalesced one by one.
  flat_tree<Num> left;
  cursor at{ls.node, ls.leaf}, pt;
  merge_at(left, lhs, at, coprofile(part(rhs, rs)), pt, merging::extending);
  int leaf = rs.leaf;
  for (int i = rs.node; i < rs.node_end; ++i) {
    if (rhs.node[i] != flat_tree<Num>::leaf) {
      if (rhs.node[i] & flat_tree<Num>::tile_flag) tiler_stands_where_a_layout_is_needed();
      r.add_node(rhs.node[i]);
      continue;
    }
    cursor const named = named_mode(left, basis_of(rhs.stride[leaf]));
    span_of_mode const s = subtree(left, named.node, named.leaf);
    compose_leaf(r, left.shape, left.stride, s.leaf, s.leaf_end, rhs.shape[leaf], without_basis(rhs.stride[leaf]));
    ++leaf;
  }
  check_named_modes(r.note, left, rhs, rs);
}

/// Appends lhs at `ls` after the tiler at `tt`, mode by mode. Modes that no tile names are dropped.
template <class Num>
constexpr void compose_tiler(flat_tree<Num>& r, flat_tree<Num> const& lhs, span_of_mode const& ls,
                             flat_tree<Num> const& tiler, cursor& tt) {
  std::uint8_t const code = tiler.node[tt.node];
  if (code == flat_tree<Num>::any) {
    r.append(lhs, ls.node, ls.node_end, ls.leaf);
    ++tt.node;
  } else if (code & flat_tree<Num>::tile_flag) {
    cursor const here{ls.node, ls.leaf};
    int const rank = rank_at(lhs, here), tiles = flat_tree<Num>::children(code);
    if (tiles > rank) profile_has_more_modes_than_the_layout(tiles, rank);
    r.add_open(tiles);
    cursor at = first_child(lhs, here);
    ++tt.node;
    for (int i = 0; i < tiles; ++i) {
      span_of_mode const s = subtree(lhs, at.node, at.leaf);
      compose_tiler(r, lhs, s, tiler, tt);
      at = {s.node_end, s.leaf_end};
    }
  } else {
    span_of_mode const s = subtree(tiler, tt.node, tt.leaf);
    compose(r, lhs, ls, tiler, s);
    tt = {s.node_end, s.leaf_end};
  }
}
template <class Num>
constexpr span_of_mode whole(flat_tree<Num> const& f) {
  return {0, f.nodes, 0, f.leaves};
}
}  // namespace detail

/// The composition lhs o rhs: result(c) == lhs(rhs(c)) for each coordinate c of rhs. The result's shape refines that of
/// rhs. Beyond its size, lhs continues in its last mode.
///
/// `rhs` may be a tiler. Then mode i of lhs is composed with tile i, where `_` stands for the whole mode and an integer
/// n for n:1.
/// @throws if strides cannot express the composition (see composition_law.hpp). If run-time integers decide, the
///   condition is recorded.
template <class Num>
constexpr flat_tree<Num> composition(flat_tree<Num> const& lhs, flat_tree<Num> const& rhs) {
  flat_tree<Num> r;
  r.note = lhs.note;
  cursor tt;
  detail::compose_tiler(r, lhs, detail::whole(lhs), rhs, tt);
  return r;
}

/// The layout with another shape of the same size. It is the composition with the compact layout of that shape.
template <class Num>
constexpr flat_tree<Num> with_shape(flat_tree<Num> const& layout, flat_tree<Num> const& shape) {
  flat_tree<Num> compact = shape;
  detail::compact_leaves(compact.shape, compact.stride, 0, compact.leaves, major::left, Num(1));
  return composition(layout, compact);
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
