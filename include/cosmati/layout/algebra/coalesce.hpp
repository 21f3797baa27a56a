// SPDX-License-Identifier: Apache-2.0
/// @file
/// Layouts with fewer modes and the same values: `coalesce`; and `filter`, which also drops modes of stride 0.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/elementwise.hpp>
#include <cosmati/core/algebra/modes.hpp>

namespace COSMATI_NAMESPACE::algebra {

[[noreturn]] inline void profile_has_more_modes_than_the_layout(int profile_rank, int layout_rank) {
  throw error(
      "a profile or tiler of rank %d was given for a layout of rank %d: drop modes, or append some to the layout",
      profile_rank, layout_rank);
}

namespace detail {
/// Modes without nesting. They fill the arrays from the end, because they are found from the last to the first.
template <class Num>
struct mode_list {
  static constexpr int end = capacity_of<Num>;
  int first = end;
  Num shape[capacity_of<Num>];
  Num stride[capacity_of<Num>];
  constexpr int count() const { return end - first; }
};

/// Whether shape * stride == next, as far as the numbers are known.
constexpr bool continues(std::int64_t shape, std::int64_t stride, std::int64_t next) { return shape * stride == next; }
constexpr bool continues(symbolic_integer const& shape, symbolic_integer const& stride, symbolic_integer const& next) {
  if (!is_known(next)) return false;
  if (!(is_known(shape) && is_known(stride)) && !is_zero(shape) && !is_zero(stride)) return false;
  return same(shape * stride, next);
}

/// The rule by which modes are merged.
enum class merging {
  inside,     ///< keeps the values inside the domain
  extending,  ///< also keeps the values beyond the domain: a last extent of 1 keeps its stride, and the extent loses
              ///< its meaning
  filtering   ///< treats modes of stride 0 as if their extent were 1
};

/// Merges the modes [first, last). Modes of extent 1 are dropped. Two modes become one if the second continues the
/// first.
template <class Num>
constexpr void merge(mode_list<Num>& m, Num const* shape, Num const* stride, int first, int last, merging how) {
  int top = mode_list<Num>::end;
  bool unit = true;  // whether all extents so far are 1
  for (int i = last - 1; i >= first; --i) {
    bool const one = is(shape[i], 1) || (how == merging::filtering && is(stride[i], 0));
    if (one && how == merging::extending && i == last - 1) {
      --top;
      m.shape[top] = Num(2);
      m.stride[top] = stride[i];
      unit = false;
    } else if (one) {
      continue;
    } else if (!unit && is_known(m.shape[top]) && continues(shape[i], stride[i], m.stride[top])) {
      m.shape[top] = shape[i] * m.shape[top];
      m.stride[top] = stride[i];
    } else {
      --top;
      m.shape[top] = shape[i];
      m.stride[top] = stride[i];
      unit = false;
    }
  }
  if (unit) {
    --top;
    m.shape[top] = Num(1);
    m.stride[top] = Num(0);
  }
  m.first = top;
}

/// Appends the modes: a single mode as a leaf, several as a tuple.
template <class Num>
constexpr void emit(flat_tree<Num>& r, mode_list<Num> const& m) {
  if (m.count() != 1) r.add_open(m.count());
  for (int i = m.first; i < m.end; ++i) r.add_leaf(m.shape[i], m.stride[i]);
}

template <class Num>
constexpr void merge_at(flat_tree<Num>& r, flat_tree<Num> const& f, cursor& at, flat_tree<Num> const& profile,
                        cursor& pt, merging how) {
  if (!tuple_at(profile, pt)) {
    span_of_mode const s = subtree(f, at.node, at.leaf);
    mode_list<Num> m;
    merge(m, f.shape, f.stride, s.leaf, s.leaf_end, how);
    emit(r, m);
    at = {s.node_end, s.leaf_end};
    skip_subtree(profile, pt);
    return;
  }
  int const rank = rank_at(f, at), modes = rank_at(profile, pt);
  if (modes > rank) profile_has_more_modes_than_the_layout(modes, rank);
  r.add_open(rank);
  cursor child = first_child(f, at);
  ++pt.node;
  for (int i = 0; i < rank; ++i) {
    if (i < modes) {
      merge_at(r, f, child, profile, pt, how);
    } else {
      copy_subtree(r, f, child);
    }
  }
  at = child;
}
}  // namespace detail

/// The same function on [0, size) with the fewest modes that can be proved. The result has depth 0 or 1. A layout of
/// size 1 becomes 1:0.
template <class Num>
constexpr flat_tree<Num> coalesce(flat_tree<Num> const& layout) {
  detail::mode_list<Num> m;
  detail::merge(m, layout.shape, layout.stride, 0, layout.leaves, detail::merging::inside);
  flat_tree<Num> r;
  detail::emit(r, m);
  return r;
}
/// Coalesces the part of the layout at each leaf of `profile`. Further modes stay. @pre the profile is weakly congruent
/// to the leading modes
template <class Num>
constexpr flat_tree<Num> coalesce(flat_tree<Num> const& layout, flat_tree<Num> const& profile) {
  flat_tree<Num> r;
  cursor at, pt;
  detail::merge_at(r, layout, at, profile, pt, detail::merging::inside);
  return r;
}

namespace detail {
/// Merges neighbours that are both known, or both run-time integers. Returns the number of extents in `out`.
template <class Num>
constexpr int merge_extents(Num* out, Num const* extent, int count) {
  int n = 0;
  for (int i = 0; i < count; ++i) {
    if (n > 0 && is_known(out[n - 1]) == is_known(extent[i])) {
      out[n - 1] = out[n - 1] * extent[i];
    } else {
      out[n++] = extent[i];
    }
  }
  return n;
}
}  // namespace detail

/// A shape (not a layout) of the same size. Its modes are as few as possible without mixing known and run-time
/// integers.
template <class Num>
constexpr flat_tree<Num> coalesce_shape(flat_tree<Num> const& shape) {
  Num extent[capacity_of<Num>];
  int const n = detail::merge_extents(extent, shape.shape, shape.leaves);
  flat_tree<Num> r;
  if (n != 1) r.add_open(n);
  for (int i = 0; i < n; ++i) r.add_leaf(extent[i]);
  return r;
}

/// Sets the extent to 1 in each mode whose stride is known to be 0.
template <class Num>
constexpr flat_tree<Num> filter_zeros(flat_tree<Num> const& layout) {
  flat_tree<Num> r = layout;
  for (int i = 0; i < r.leaves; ++i) {
    if (is(r.stride[i], 0)) r.shape[i] = Num(1);
  }
  return r;
}

/// The coalesced layout without modes whose stride is known to be 0. It has the same set of values, each once as far as
/// is known. It is 1:0 if nothing is left.
template <class Num>
constexpr flat_tree<Num> filter(flat_tree<Num> const& layout) {
  detail::mode_list<Num> m;
  detail::merge(m, layout.shape, layout.stride, 0, layout.leaves, detail::merging::filtering);
  flat_tree<Num> r;
  detail::emit(r, m);
  return r;
}
/// Filters the part of the layout at each leaf of `profile`. Further modes stay.
template <class Num>
constexpr flat_tree<Num> filter(flat_tree<Num> const& layout, flat_tree<Num> const& profile) {
  flat_tree<Num> r;
  cursor at, pt;
  detail::merge_at(r, layout, at, profile, pt, detail::merging::filtering);
  return r;
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
