// SPDX-License-Identifier: Apache-2.0
/// @file
/// `flat_tree<Num>`: a nested tuple of integers, a layout or a tiler as *one value*. Arrays hold the leaves; a profile
/// holds the nesting.
///
/// The whole algebra computes on this form with loops. core/evaluate.hpp converts a `Layout<Shape, Stride>` to this
/// form and converts the result back to a type. `AnyLayout` holds the form directly.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/symbolic_integer.hpp>

namespace COSMATI_NAMESPACE {
namespace algebra {

/// The most integers that one tuple, layout or tiler may hold.
inline constexpr int max_leaves = 64;
/// The capacity in evaluations of static integers alone. It is smaller, because compilers keep every array that they
/// evaluate.
template <class Num>
inline constexpr int capacity_of = max_leaves;
template <>
inline constexpr int capacity_of<std::int64_t> = 32;

[[noreturn]] inline void too_many_leaves(int leaves, int capacity) {
  throw error("a layout or tuple of %d integers is larger than the %d that are supported", leaves, capacity);
}
[[noreturn]] inline void mode_out_of_range(int mode, int rank) {
  throw error("mode %d was asked of something of rank %d", mode, rank);
}

/// The reasons why an operation refuses static layouts. Each comes with two numbers, which its comment names.
/// layout/refusals.hpp writes the error.
enum class refusal_reason : std::uint8_t {
  none,
  stride_and_extent,       ///< composition: the rest of a stride, and an extent; neither divides the other
  elements_and_extent,     ///< composition: the remaining elements, and the elements that a mode offers
  modes_overlap,           ///< complement: a stride, and the reach of the modes before it
  strides_do_not_divide,   ///< left_inverse: a stride, and the size that the strides before it cover
  neither_divides,         ///< shape_div: the dividend and the divisor
  block_and_target,        ///< tile_to_shape: the extents of the block's mode and of the target's mode
  stride_exceeds_64_bits,  ///< make_layout: a mode's stride and extent, whose product is the next stride
  // The next four need an integer that is known at run time only. Their numbers are the mode and the number of modes.
  complement_of_a_run_time_stride,
  left_inverse_of_a_run_time_stride,
  block_extent_at_run_time,  ///< tile_to_shape
  distribution_at_run_time,  ///< domain_distribute
  upcast_stride,             ///< upcast: a stride and the group; neither divides the other
  no_contiguous_mode,        ///< downcast: the factor, and the number of modes
  modes_carry,               ///< composition: the largest sum in a mode, and the mode's extent
  strides_run_both_ways,     ///< composition: a positive and a negative stride
  tiles_round_up,            ///< divides: the elements of modes that continue each other, and the elements that the
                             ///< tiles cover
  // The next two need a run-time integer too. Their numbers are the mode and the number of modes.
  right_inverse_at_run_time,
  order_at_run_time  ///< make_ordered_layout, tile_to_shape
};
/// A refusal that an operation passes to its caller. If nobody reads it (`is_read` is false), the operation throws
/// instead.
struct refusal_note {
  bool is_read = false;
  bool is_trial = false;  ///< the operation is only tried: nothing is recorded for run time, and the result may be
                          ///< dropped
  bool is_open = false;   ///< run-time integers decide whether the result is right
  refusal_reason why = refusal_reason::none;
  std::int64_t first = 0, second = 0;
  /// Remembers the first reason for a refusal, and its numbers.
  constexpr void write(refusal_reason reason, std::int64_t a, std::int64_t b) {
    if (why != refusal_reason::none) return;
    why = reason;
    first = a;
    second = b;
  }
};

/// A nested tuple of integers, a layout, or a tiler.
///
/// `node` lists the nesting in preorder, one byte per node:
/// - `leaf`;
/// - `open(k)`, a tuple of k children;
/// - `tile(k)`, a tuple of k *tilers*, each of which is an integer, a layout, `_` or again such a tuple;
/// - `any`, the Underscore.
///
/// Leaf i has `shape[i]` and, in layouts, `stride[i]`. A tuple of integers uses `shape` alone. In a tiler an integer n
/// is the leaf `n:1`. Divides and products read it as `make_layout(n)`, so that the integer 1 is `1:0`.
template <class Num>
struct flat_tree {
  static constexpr std::uint8_t leaf = 0;
  static constexpr std::uint8_t any = 0xff;
  static constexpr std::uint8_t tile_flag = 0x80;
  /// The codes of a tuple, and of a tuple of tilers, with so many children.
  static constexpr std::uint8_t open(int children) { return static_cast<std::uint8_t>(1 + children); }
  static constexpr std::uint8_t tile(int children) { return static_cast<std::uint8_t>(tile_flag + 1 + children); }
  /// The number of children of a node; 0 for leaves. The empty tuple gives 0 too; `is_leaf` distinguishes it.
  static constexpr int children(std::uint8_t code) { return code == leaf || code == any ? 0 : (code & 0x7f) - 1; }

  static constexpr int capacity = capacity_of<Num>;

  std::int16_t nodes = 0;
  std::int16_t leaves = 0;
  std::uint8_t node[std::size_t{2 * capacity}]{};
  Num shape[std::size_t{capacity}]{};
  Num stride[std::size_t{capacity}]{};
  refusal_note note{};

  /// Appends a node of the profile.
  constexpr void add_node(std::uint8_t code) {
    if (nodes == 2 * capacity) too_many_leaves(nodes, capacity);
    node[nodes++] = code;
  }
  /// Appends a tuple, whose modes must follow; or a leaf with its shape and stride.
  constexpr void add_open(int children) { add_node(open(children)); }
  constexpr void add_leaf(Num const& s, Num const& d = Num(0)) {
    if (leaves == capacity) too_many_leaves(leaves + 1, capacity);
    add_node(leaf);
    shape[leaves] = s;
    stride[leaves] = d;
    ++leaves;
  }
  constexpr void append(flat_tree const& other) { append(other, 0, other.nodes, 0); }
  /// Appends the nodes [first, last) of `other`. Leaf `from` of `other` is the first among them.
  constexpr void append(flat_tree const& other, int first, int last, int from) {
    for (int i = first; i < last; ++i) {
      if (other.node[i] == leaf) {
        add_leaf(other.shape[from], other.stride[from]);
        ++from;
      } else {
        add_node(other.node[i]);
      }
    }
  }
  constexpr bool is_leaf() const { return node[0] == leaf; }
  constexpr bool is_tiler() const { return node[0] != any && (node[0] & tile_flag) != 0; }
  /// The number of modes; 1 for a leaf.
  constexpr int rank() const { return is_leaf() ? 1 : children(node[0]); }
};

/// The range of a mode: its nodes [node, node_end) and its leaves [leaf, leaf_end).
struct span_of_mode {
  int node, node_end, leaf, leaf_end;
};

/// The range of the subtree that starts at `node`, whose first leaf is `leaf`.
template <class Num>
constexpr span_of_mode subtree(flat_tree<Num> const& f, int node, int leaf) {
  span_of_mode s{node, node, leaf, leaf};
  int open = 1;
  while (open != 0) {
    std::uint8_t const code = f.node[s.node_end++];
    if (code == flat_tree<Num>::leaf) ++s.leaf_end;
    open += flat_tree<Num>::children(code) - 1;
  }
  return s;
}

/// The range of top-level mode i. A leaf is its own mode 0.
template <class Num>
constexpr span_of_mode mode_span(flat_tree<Num> const& f, int i) {
  if (i < 0 || i >= f.rank()) mode_out_of_range(i, f.rank());
  if (f.is_leaf()) return {0, 1, 0, 1};
  span_of_mode s = subtree(f, 1, 0);
  while (i-- > 0) s = subtree(f, s.node_end, s.leaf_end);
  return s;
}

/// The nodes and leaves of `s` as a new value.
template <class Num>
constexpr flat_tree<Num> part(flat_tree<Num> const& f, span_of_mode const& s) {
  flat_tree<Num> r;
  r.append(f, s.node, s.node_end, s.leaf);
  return r;
}

/// Mode i as a new value.
template <class Num>
constexpr flat_tree<Num> mode(flat_tree<Num> const& f, int i) {
  return part(f, mode_span(f, i));
}

}  // namespace algebra

using algebra::capacity_of;
using algebra::flat_tree;
using algebra::max_leaves;
using algebra::refusal_reason;
using algebra::span_of_mode;

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
