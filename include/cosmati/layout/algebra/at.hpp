// SPDX-License-Identifier: Apache-2.0
/// @file
/// The value of a layout at a coordinate, and the way back: `slice_and_offset`, `domain_offset`, `get_hier_coord`,
/// `get_flat_coord`, `get_1d_coord`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/coordinate.hpp>

namespace COSMATI_NAMESPACE::algebra {

/// A layout with the offset at which it begins.
template <class Num>
struct layout_and_offset {
  flat_tree<Num> layout;
  flat_tree<Num> offset;  ///< an integer, or a tuple if the strides carry bases
};

/// The modes where `coord` has `_`, and the offset that its integers give.
template <class Num>
constexpr layout_and_offset<Num> slice_and_offset(flat_tree<Num> const& coord, flat_tree<Num> const& layout) {
  return {slice(coord, layout), crd2idx(coord, layout)};
}
/// The layout itself, starting at `coord`.
template <class Num>
constexpr layout_and_offset<Num> domain_offset(flat_tree<Num> const& coord, flat_tree<Num> const& layout) {
  return {layout, crd2idx(coord, layout)};
}

/// The coordinate, nested as the shape is, that a compact layout maps to `index`.
template <class Num>
constexpr flat_tree<Num> get_hier_coord(flat_tree<Num> const& layout, std::type_identity_t<Num> const& index) {
  flat_tree<Num> r;
  cursor at;
  detail::split_index(r, index, layout, at);
  return r;
}
/// As `get_hier_coord`, but with one integer per mode.
template <class Num>
constexpr flat_tree<Num> get_flat_coord(flat_tree<Num> const& layout, std::type_identity_t<Num> const& index) {
  flat_tree<Num> const coord = get_hier_coord(layout, index);
  if (coord.is_leaf()) return coord;
  int const rank = coord.rank();
  flat_tree<Num> r;
  if (rank != 1) r.add_open(rank);
  for (int i = 0; i < rank; ++i) r.add_leaf(crd2idx_in_shape(mode(coord, i), mode(layout, i)));
  return r;
}
/// As `get_hier_coord`, but as one integer.
template <class Num>
constexpr Num get_1d_coord(flat_tree<Num> const& layout, std::type_identity_t<Num> const& index) {
  return crd2idx_in_shape(get_hier_coord(layout, index), layout);
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
