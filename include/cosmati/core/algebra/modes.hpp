// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions that rearrange the modes of a tuple or layout: taking, selecting, grouping, appending, flattening,
/// zipping.
///
/// Each function treats tuples of integers and layouts alike, because both are a `flat_tree`. A leaf counts as rank 1.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/flat_tree.hpp>

namespace COSMATI_NAMESPACE::algebra {

[[noreturn]] inline void empty_or_invalid_range_of_modes(int begin, int end, int rank) {
  throw error("modes [%d, %d) of rank %d: a range needs 0 <= begin < end <= rank", begin, end, rank);
}
[[noreturn]] inline void rank_already_exceeds_the_requested_one(int rank, int requested) {
  throw error("rank %d cannot be padded to %d: ask for at least %d", rank, requested, rank);
}
[[noreturn]] inline void leaves_do_not_fit_the_profile(int leaves, int wanted) {
  throw error("%d leaves cannot be folded into a profile of %d leaves; the counts must be equal", leaves, wanted);
}
[[noreturn]] inline void zip_needs_tuples_of_equal_rank(int rank, int other) {
  throw error("zip of modes of rank %d and %d: every mode must be a tuple of the same rank", rank, other);
}

/// A position in a `flat_tree`: a node, and the first leaf at or behind it.
struct cursor {
  int node = 0, leaf = 0;
};

namespace detail {
/// Appends the subtree of `f` at `at`, and moves `at` behind it.
template <class Num>
constexpr void copy_subtree(flat_tree<Num>& r, flat_tree<Num> const& f, cursor& at) {
  span_of_mode const s = subtree(f, at.node, at.leaf);
  r.append(f, s.node, s.node_end, s.leaf);
  at = {s.node_end, s.leaf_end};
}
/// Moves `at` behind the subtree that it points to.
template <class Num>
constexpr void skip_subtree(flat_tree<Num> const& f, cursor& at) {
  span_of_mode const s = subtree(f, at.node, at.leaf);
  at = {s.node_end, s.leaf_end};
}
/// The first child of the node at `at`. A leaf is its own child.
template <class Num>
constexpr cursor first_child(flat_tree<Num> const& f, cursor at) {
  return f.node[at.node] == flat_tree<Num>::leaf ? at : cursor{at.node + 1, at.leaf};
}
/// The number of children of the node at `at`; 1 for a leaf or `_`.
template <class Num>
constexpr int rank_at(flat_tree<Num> const& f, cursor at) {
  std::uint8_t const code = f.node[at.node];
  return code == flat_tree<Num>::leaf || code == flat_tree<Num>::any ? 1 : flat_tree<Num>::children(code);
}
template <class Num>
constexpr bool tuple_at(flat_tree<Num> const& f, cursor at) {
  return f.node[at.node] != flat_tree<Num>::leaf && f.node[at.node] != flat_tree<Num>::any;
}
}  // namespace detail

/// A tuple or layout of one leaf.
template <class Num>
constexpr flat_tree<Num> make_leaf(Num const& shape, Num const& stride = Num(0)) {
  flat_tree<Num> r;
  r.add_leaf(shape, stride);
  return r;
}

/// Mode i.
template <class Num>
constexpr flat_tree<Num> get(flat_tree<Num> const& f, int i) {
  return mode(f, i);
}

/// Modes [begin, end) as a tuple. @pre 0 <= begin < end <= rank
template <class Num>
constexpr flat_tree<Num> take(flat_tree<Num> const& f, int begin, int end) {
  if (begin < 0 || begin >= end || end > f.rank()) empty_or_invalid_range_of_modes(begin, end, f.rank());
  flat_tree<Num> r;
  r.add_open(end - begin);
  span_of_mode const first = mode_span(f, begin);
  cursor at{first.node, first.leaf};
  for (int i = begin; i < end; ++i) detail::copy_subtree(r, f, at);
  return r;
}

/// The given modes, in the given order, as a tuple.
template <class Num>
constexpr flat_tree<Num> select(flat_tree<Num> const& f, int const* modes, int count) {
  flat_tree<Num> r;
  r.add_open(count);
  for (int i = 0; i < count; ++i) {
    span_of_mode const s = mode_span(f, modes[i]);
    r.append(f, s.node, s.node_end, s.leaf);
  }
  return r;
}

/// A tuple whose only mode is `f`.
template <class Num>
constexpr flat_tree<Num> wrap(flat_tree<Num> const& f) {
  if (!f.is_leaf()) return f;
  flat_tree<Num> r;
  r.add_open(1);
  r.append(f);
  return r;
}

/// Unwraps a tuple of one mode, repeatedly.
template <class Num>
constexpr flat_tree<Num> unwrap(flat_tree<Num> const& f) {
  int first = 0;
  while (f.node[first] == flat_tree<Num>::open(1)) ++first;
  if (first == 0) return f;
  flat_tree<Num> r;
  r.append(f, first, f.nodes, 0);
  return r;
}

/// Groups the modes [begin, end) into one mode; end == -1 means the rank. An empty range changes nothing.
template <class Num>
constexpr flat_tree<Num> group(flat_tree<Num> const& f, int begin, int end) {
  int const rank = f.rank();
  if (end == -1) end = rank;
  if (begin < 0 || begin > end || end > rank) empty_or_invalid_range_of_modes(begin, end, rank);
  if (begin == end) return wrap(f);
  flat_tree<Num> r;
  r.add_open(rank - (end - begin) + 1);
  cursor at = detail::first_child(f, cursor{});
  for (int i = 0; i < rank; ++i) {
    if (i == begin) r.add_open(end - begin);
    detail::copy_subtree(r, f, at);
  }
  return r;
}

/// Appends copies of `x` until the rank is `rank`. A leaf stays as it is if `rank` is 1. A layout is padded with `1:0`
/// by default.
template <class Num>
constexpr flat_tree<Num> append(flat_tree<Num> const& f, int rank, flat_tree<Num> const& x) {
  int const old = f.rank();
  if (old > rank) rank_already_exceeds_the_requested_one(old, rank);
  if (old == rank) return f;
  flat_tree<Num> r;
  r.add_open(rank);
  r.append(f, f.is_leaf() ? 0 : 1, f.nodes, 0);
  for (int i = old; i < rank; ++i) r.append(x);
  return r;
}
template <class Num>
constexpr flat_tree<Num> append(flat_tree<Num> const& f, int rank) {
  return append(f, rank, make_leaf(Num(1)));
}
/// Appends `x` as one more mode.
template <class Num>
constexpr flat_tree<Num> append(flat_tree<Num> const& f, flat_tree<Num> const& x) {
  return append(f, f.rank() + 1, x);
}

/// As `append`, but adds modes before the first one.
template <class Num>
constexpr flat_tree<Num> prepend(flat_tree<Num> const& f, int rank, flat_tree<Num> const& x) {
  int const old = f.rank();
  if (old > rank) rank_already_exceeds_the_requested_one(old, rank);
  if (old == rank) return f;
  flat_tree<Num> r;
  r.add_open(rank);
  for (int i = old; i < rank; ++i) r.append(x);
  r.append(f, f.is_leaf() ? 0 : 1, f.nodes, 0);
  return r;
}
template <class Num>
constexpr flat_tree<Num> prepend(flat_tree<Num> const& f, int rank) {
  return prepend(f, rank, make_leaf(Num(1)));
}
template <class Num>
constexpr flat_tree<Num> prepend(flat_tree<Num> const& f, flat_tree<Num> const& x) {
  return prepend(f, f.rank() + 1, x);
}

/// Replaces mode i by `x`. A leaf has only mode 0.
template <class Num>
constexpr flat_tree<Num> replace(flat_tree<Num> const& f, int i, flat_tree<Num> const& x) {
  span_of_mode const s = mode_span(f, i);
  if (f.is_leaf()) return x;
  flat_tree<Num> r;
  r.append(f, 0, s.node, 0);
  r.append(x);
  r.append(f, s.node_end, f.nodes, s.leaf_end);
  return r;
}

/// All modes except mode i.
template <class Num>
constexpr flat_tree<Num> remove(flat_tree<Num> const& f, int i) {
  span_of_mode const s = mode_span(f, i);
  flat_tree<Num> r;
  r.add_open(f.rank() - 1);
  if (f.is_leaf()) return r;
  r.append(f, 1, s.node, 0);
  r.append(f, s.node_end, f.nodes, s.leaf_end);
  return r;
}

/// The leaves without their nesting. A leaf stays a leaf.
template <class Num>
constexpr flat_tree<Num> flatten(flat_tree<Num> const& f) {
  flat_tree<Num> r;
  if (!f.is_leaf()) r.add_open(f.leaves);
  for (int i = 0; i < f.leaves; ++i) r.add_leaf(f.shape[i], f.stride[i]);
  return r;
}

/// The leaves of `f` in the nesting of `profile`. @pre both have the same number of leaves
template <class Num>
constexpr flat_tree<Num> unflatten(flat_tree<Num> const& f, flat_tree<Num> const& profile) {
  if (f.leaves != profile.leaves) leaves_do_not_fit_the_profile(f.leaves, profile.leaves);
  flat_tree<Num> r;
  for (int i = 0; i < profile.nodes; ++i) {
    if (profile.node[i] == flat_tree<Num>::leaf) {
      r.add_leaf(f.shape[r.leaves], f.stride[r.leaves]);
    } else {
      r.add_node(profile.node[i]);
    }
  }
  return r;
}

/// The nesting of `f` with `value` at each leaf.
template <class Num>
constexpr flat_tree<Num> repeat_like(flat_tree<Num> const& f, Num const& value) {
  flat_tree<Num> r;
  for (int i = 0; i < f.nodes; ++i) {
    if (f.node[i] == flat_tree<Num>::leaf) {
      r.add_leaf(value);
    } else {
      r.add_node(f.node[i]);
    }
  }
  return r;
}

/// A tuple of `count` copies of `x`.
template <class Num>
constexpr flat_tree<Num> tuple_repeat(flat_tree<Num> const& x, int count) {
  flat_tree<Num> r;
  r.add_open(count);
  for (int i = 0; i < count; ++i) r.append(x);
  return r;
}

/// The modes in reverse order; a leaf stays as it is.
template <class Num>
constexpr flat_tree<Num> reverse(flat_tree<Num> const& f) {
  if (f.is_leaf()) return f;
  flat_tree<Num> r;
  r.add_open(f.rank());
  for (int i = f.rank() - 1; i >= 0; --i) {
    span_of_mode const s = mode_span(f, i);
    r.append(f, s.node, s.node_end, s.leaf);
  }
  return r;
}

/// Transposes: `((a, b), (c, d))` becomes `((a, c), (b, d))`. A leaf stays as it is. A tuple whose first mode is a leaf
/// becomes the only mode of a new tuple.
/// @pre otherwise every mode is a tuple, and all have the same rank
template <class Num>
constexpr flat_tree<Num> zip(flat_tree<Num> const& f) {
  int const rows = f.rank();
  if (f.is_leaf()) return f;
  if (rows == 0) zip_needs_tuples_of_equal_rank(0, 0);
  if (!detail::tuple_at(f, cursor{1, 0})) {
    flat_tree<Num> one;
    one.add_open(1);
    one.append(f);
    return one;
  }
  int const columns = detail::rank_at(f, cursor{1, 0});
  cursor row[max_leaves]{};
  cursor at{1, 0};
  for (int i = 0; i < rows; ++i) {
    if (!detail::tuple_at(f, at)) zip_needs_tuples_of_equal_rank(columns, 1);
    if (detail::rank_at(f, at) != columns) zip_needs_tuples_of_equal_rank(columns, detail::rank_at(f, at));
    row[i] = {at.node + 1, at.leaf};
    detail::skip_subtree(f, at);
  }
  flat_tree<Num> r;
  r.add_open(columns);
  for (int j = 0; j < columns; ++j) {
    r.add_open(rows);
    for (int i = 0; i < rows; ++i) detail::copy_subtree(r, f, row[i]);
  }
  return r;
}
/// `zip` of the pair (a, b).
template <class Num>
constexpr flat_tree<Num> zip(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  flat_tree<Num> pair;
  pair.add_open(2);
  pair.append(a);
  pair.append(b);
  return zip(pair);
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
