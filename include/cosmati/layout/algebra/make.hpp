// SPDX-License-Identifier: Apache-2.0
/// @file
/// Makers of layouts: from shape and stride, compact, ordered, like another layout, identity; and their parts.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/compact.hpp>
#include <cosmati/core/algebra/coordinate.hpp>
#include <cosmati/core/algebra/elementwise.hpp>
#include <cosmati/core/algebra/modes.hpp>

namespace COSMATI_NAMESPACE::algebra {

[[noreturn]] inline void basis_is_too_deep_or_too_wide(int depth, int mode) {
  throw error("a basis of depth %d with mode %d: bases reach 8 levels of 15 modes", depth, mode);
}

/// @pre congruent(shape, stride)
template <class Num>
constexpr flat_tree<Num> make_layout(flat_tree<Num> const& shape, flat_tree<Num> const& stride) {
  return detail::pair_of(shape, stride);
}
/// The compact layout in which the first mode (`major::left`) or the last mode is fastest.
template <class Num>
constexpr flat_tree<Num> make_layout(flat_tree<Num> const& shape, major fastest = major::left) {
  flat_tree<Num> r = shape;
  if (r.note.is_read && !detail::compact_strides_fit(shape, fastest, r.note)) return r;
  detail::compact_leaves(r.shape, r.stride, 0, r.leaves, fastest, Num(1));
  return r;
}
/// A layout whose modes are the given layouts.
template <class Num>
constexpr flat_tree<Num> concatenate(flat_tree<Num> const* layouts, int count) {
  flat_tree<Num> r;
  r.add_open(count);
  for (int i = 0; i < count; ++i) r.append(layouts[i]);
  return r;
}
/// A layout whose modes are two layouts (CuTe's `make_layout(a, b)`).
template <class Num>
constexpr flat_tree<Num> concatenate(flat_tree<Num> const& a, flat_tree<Num> const& b) {
  flat_tree<Num> r;
  r.add_open(2);
  r.append(a);
  r.append(b);
  return r;
}

/// The shape of a layout, as a tuple.
template <class Num>
constexpr flat_tree<Num> shape(flat_tree<Num> const& layout) {
  flat_tree<Num> r = layout;
  for (int i = 0; i < r.leaves; ++i) r.stride[i] = Num(0);
  return r;
}
/// The strides of a layout, as a tuple.
template <class Num>
constexpr flat_tree<Num> stride(flat_tree<Num> const& layout) {
  flat_tree<Num> r = layout;
  for (int i = 0; i < r.leaves; ++i) {
    r.shape[i] = r.stride[i];
    r.stride[i] = Num(0);
  }
  return r;
}

/// The compact layout whose strides grow by `order` (see `compact_order`).
/// @throws if an order is known only at run time
template <class Num>
constexpr flat_tree<Num> make_ordered_layout(flat_tree<Num> const& shape, flat_tree<Num> const& order) {
  flat_tree<Num> r = shape;
  for (int i = 0; i < order.leaves && order.leaves > 1; ++i) {
    if (is_known(order.shape[i])) continue;
    if (!shape.note.is_read) undecidable_for_a_run_time_integer("the order of a layout's modes");
    r.note.write(refusal_reason::order_at_run_time, i, order.leaves);
    return r;
  }
  detail::compact_order_into(r.stride, shape, order, order.shape);
  return r;
}

/// The compact layout of the same shape, whose strides have the order of the layout's. Strides 0 stay 0. Strides known
/// only at run time count as larger than the others, and grow from the first mode to the last.
template <class Num>
constexpr flat_tree<Num> make_layout_like(flat_tree<Num> const& layout) {
  flat_tree<Num> r = layout;
  for (int i = 0; i < r.leaves; ++i) {
    if (is(layout.stride[i], 0)) r.shape[i] = Num(1);
  }
  flat_tree<Num> const extents = r;
  detail::compact_order_into(r.stride, extents, layout, layout.stride);
  for (int i = 0; i < r.leaves; ++i) r.shape[i] = layout.shape[i];
  return r;
}

namespace detail {
[[noreturn]] inline void set_basis(std::int64_t&, std::uint32_t) {
  throw error("an identity layout of rank 2 or more has strides with a basis: compute it with `number`");
}
constexpr void set_basis(symbolic_integer& x, std::uint32_t basis) { x = symbolic_integer(1, basis); }

template <class Num>
constexpr void identity_strides(flat_tree<Num>& r, cursor& at, std::uint32_t prefix, int level) {
  if (!tuple_at(r, at)) {
    if (level == 0) {
      r.stride[at.leaf] = Num(1);
    } else {
      set_basis(r.stride[at.leaf], prefix);
    }
    ++at.node;
    ++at.leaf;
    return;
  }
  int const rank = rank_at(r, at);
  if (level == 8 || rank > 15) basis_is_too_deep_or_too_wide(level + 1, rank - 1);
  ++at.node;
  for (int i = 0; i < rank; ++i) {
    identity_strides(r, at, prefix | static_cast<std::uint32_t>(i + 1) << 4 * level, level + 1);
  }
}
}  // namespace detail

/// The layout that maps each coordinate of the shape to itself. Its strides are 1@0, 1@1, ... An integer n gives n:1.
template <class Num>
constexpr flat_tree<Num> make_identity_layout(flat_tree<Num> const& shape) {
  flat_tree<Num> r = shape;
  cursor at;
  detail::identity_strides(r, at, 0, 0);
  return r;
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
