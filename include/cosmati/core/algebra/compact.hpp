// SPDX-License-Identifier: Apache-2.0
/// @file
/// Compact strides of a shape: `compact_col_major`, `compact_row_major`, `compact_order`.
///
/// An extent that is known to be 1 gets the stride 0, as in CuTe.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/elementwise.hpp>
#include <cosmati/core/algebra/modes.hpp>
#include <cosmati/core/algebra/reduce.hpp>
#include <cosmati/core/overflow.hpp>

namespace COSMATI_NAMESPACE::algebra {

/// The end of a shape that has the smallest strides.
enum class major { left, right };

namespace detail {
/// Writes compact strides of the extents [first, last), starting with `current`, to `stride[first .. last)`.
template <class Num>
constexpr void compact_leaves(Num const* shape, Num* stride, int first, int last, major fastest, Num current) {
  for (int k = first; k < last; ++k) {
    int const i = fastest == major::left ? k : first + last - 1 - k;
    Num const extent = shape[i];  // a copy, because `stride` may alias `shape`
    if (is(extent, 1)) {
      stride[i] = Num(0);
    } else {
      stride[i] = current;
      if (k + 1 < last) current = current * extent;
    }
  }
}
/// Whether every stride that `compact_leaves` computes from known extents fits in 64 bits. The first stride that does
/// not is noted.
template <class Num>
constexpr bool compact_strides_fit(flat_tree<Num> const& shape, major fastest, refusal_note& note) {
  std::int64_t current = 1;
  for (int k = 0; k + 1 < shape.leaves; ++k) {
    Num const& extent = shape.shape[fastest == major::left ? k : shape.leaves - 1 - k];
    if (!is_known(extent)) return true;
    std::int64_t const elements = known(extent, "make_layout");
    if (!COSMATI_NAMESPACE::detail::product_fits(current, elements)) {
      note.write(refusal_reason::stride_exceeds_64_bits, current, elements);
      return false;
    }
    current *= elements;
  }
  return true;
}
}  // namespace detail

/// The compact strides as a tuple with the nesting of `shape`. The first stride is `current`.
template <class Num>
constexpr flat_tree<Num> compact_major(flat_tree<Num> const& shape, major fastest, Num const& current = Num(1)) {
  flat_tree<Num> r = shape;
  detail::compact_leaves(r.shape, r.shape, 0, r.leaves, fastest, current);
  return r;
}
/// The compact strides with several starts. Each leaf of `current` is the first stride of the part of the shape at the
/// same position.
template <class Num>
constexpr flat_tree<Num> compact_major(flat_tree<Num> const& shape, major fastest, flat_tree<Num> const& current) {
  flat_tree<Num> r = shape;
  cursor ct, at;
  detail::along(current, ct, shape, at, "compact_major", [&](int leaf, span_of_mode const& s) {
    detail::compact_leaves(shape.shape, r.shape, s.leaf, s.leaf_end, fastest, current.shape[leaf]);
  });
  return r;
}
template <class Num>
constexpr flat_tree<Num> compact_col_major(flat_tree<Num> const& shape) {
  return compact_major(shape, major::left);
}
template <class Num>
constexpr flat_tree<Num> compact_col_major(flat_tree<Num> const& shape, flat_tree<Num> const& current) {
  return compact_major(shape, major::left, current);
}
template <class Num>
constexpr flat_tree<Num> compact_row_major(flat_tree<Num> const& shape) {
  return compact_major(shape, major::right);
}
template <class Num>
constexpr flat_tree<Num> compact_row_major(flat_tree<Num> const& shape, flat_tree<Num> const& current) {
  return compact_major(shape, major::right, current);
}

namespace detail {
/// Does the work of `compact_order`. `rank_of[i]` is the rank of leaf i of the order; the strides are written to
/// `stride`.
template <class Num>
constexpr void compact_order_into(Num* stride, flat_tree<Num> const& shape, flat_tree<Num> const& order,
                                  Num const* ranking) {
  std::int64_t value[max_leaves]{};
  std::int64_t largest = 0;
  int const count = order.leaves;
  for (int i = 0; i < count; ++i) {
    if (!is_known(ranking[i])) continue;
    if (basis_of(ranking[i]) != 0) bases_cannot_be_combined("compact_order");
    value[i] = known(ranking[i], "an order");
    if (value[i] > largest) largest = value[i];
  }
  // An order known only at run time counts as larger than all static ones. Several such orders rank from left to right.
  for (int i = 0; i < count; ++i) {
    if (!is_known(ranking[i])) value[i] = largest + 1 + i;
  }
  span_of_mode part[max_leaves]{};
  Num extent[capacity_of<Num>];
  cursor ot, at;
  along(order, ot, shape, at, "compact_order", [&](int leaf, span_of_mode const& s) {
    part[leaf] = s;
    extent[leaf] = product_of_leaves(shape, s.leaf, s.leaf_end);
  });
  for (int i = 0; i < count; ++i) {
    Num start(1);
    for (int j = 0; j < count; ++j) {
      if (value[j] < value[i]) start = start * extent[j];
    }
    compact_leaves(shape.shape, stride, part[i].leaf, part[i].leaf_end, major::left, start);
  }
}
}  // namespace detail

/// Compact strides whose parts follow each other by increasing `order`. Parts of equal order start at the same stride.
/// @pre weakly_congruent(order, shape)
template <class Num>
constexpr flat_tree<Num> compact_order(flat_tree<Num> const& shape, flat_tree<Num> const& order) {
  flat_tree<Num> r = shape;
  detail::compact_order_into(r.shape, shape, order, order.shape);
  return r;
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
