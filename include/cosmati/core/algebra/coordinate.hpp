// SPDX-License-Identifier: Apache-2.0
/// @file
/// Coordinates and indices: `crd2idx`, `idx2crd`, `crd2crd`, and sums of strides that carry a basis.
///
/// The nesting of a shape refines that of its coordinate. An integer of the coordinate counts through the whole part of
/// the shape at its position, the first leaf fastest. `_` counts as 0.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/compact.hpp>
#include <cosmati/core/algebra/division.hpp>
#include <cosmati/core/algebra/modes.hpp>
#include <type_traits>

namespace COSMATI_NAMESPACE::algebra {

[[noreturn]] inline void coordinate_does_not_fit_the_shape(int coordinate_rank, int shape_rank) {
  throw error("a coordinate of rank %d does not fit a shape of rank %d: give one integer or tuple a mode",
              coordinate_rank, shape_rank);
}
[[noreturn]] inline void integer_and_basis_cannot_be_added() {
  throw error("an integer and a multiple of a basis (such as 1@0) cannot be added; give every stride a basis or none");
}

/// @name A number without its basis
/// @{
constexpr std::int64_t without_basis(std::int64_t x) { return x; }
constexpr symbolic_integer without_basis(symbolic_integer x) {
  x.basis = 0;
  return x;
}
/// @}

namespace detail {
/// A sum of integers or of multiples of bases. A sum with bases is a tuple: 3@0 + 4@1 is (3, 4).
template <class Num>
class index_sum {
 public:
  constexpr void add(Num const& x) {
    std::uint32_t const basis = basis_of(x);
    if (basis == 0) {
      plain_ = plain_ + x;
      return;
    }
    for (int i = 0; i < terms_; ++i) {
      if (basis_[i] == basis) {
        term_[i] = term_[i] + without_basis(x);
        return;
      }
    }
    if (terms_ == capacity) too_many_leaves(terms_ + 1, capacity);
    basis_[terms_] = basis;
    term_[terms_++] = without_basis(x);
  }
  constexpr bool has_basis() const { return terms_ != 0; }
  /// The sum as an integer. @pre no term had a basis
  constexpr Num const& integer() const {
    if (terms_ != 0) integer_and_basis_cannot_be_added();
    return plain_;
  }
  /// The sum as an integer or a tuple.
  constexpr flat_tree<Num> value() const {
    flat_tree<Num> r;
    if (terms_ == 0) {
      r.add_leaf(plain_);
    } else {
      if (!is(plain_, 0)) integer_and_basis_cannot_be_added();
      emit(r, 0, 0);
    }
    return r;
  }

 private:
  static constexpr int capacity = 16;
  constexpr void emit(flat_tree<Num>& r, std::uint32_t prefix, int shift) const {
    std::uint32_t const mask = shift == 0 ? 0u : ~0u >> (32 - shift);
    int rank = 0, leaf = -1;
    for (int i = 0; i < terms_; ++i) {
      if ((basis_[i] & mask) != prefix) continue;
      int const next = shift == 32 ? 0 : static_cast<int>(basis_[i] >> shift & 15u);
      if (next == 0) leaf = i;
      if (next > rank) rank = next;
    }
    if (leaf >= 0 && rank > 0) integer_and_basis_cannot_be_added();
    if (rank == 0) {
      r.add_leaf(leaf >= 0 ? term_[leaf] : Num(0));
      return;
    }
    r.add_open(rank);
    for (int i = 1; i <= rank; ++i) emit(r, prefix | static_cast<std::uint32_t>(i) << shift, shift + 4);
  }
  Num plain_ = Num(0);
  int terms_ = 0;
  std::uint32_t basis_[capacity]{};
  Num term_[capacity]{};
};

/// Adds the offset of the integer coordinate `c` into leaves [first, last) of a layout.
template <class Num>
constexpr void add_offset(index_sum<Num>& sum, Num c, flat_tree<Num> const& layout, int first, int last) {
  if (is(c, 0) || first == last) {
    for (int i = first; i < last; ++i) {
      if (basis_of(layout.stride[i]) != 0) sum.add(Num(0) * layout.stride[i]);  // keeps the rank of the tuple
    }
    return;
  }
  for (int i = first; i + 1 < last; ++i) {
    sum.add(remainder(c, layout.shape[i]) * layout.stride[i]);
    c = quotient(c, layout.shape[i]);
  }
  sum.add(c * layout.stride[last - 1]);
}
template <class Num>
constexpr void add_offset(index_sum<Num>& sum, flat_tree<Num> const& coord, cursor& ct, flat_tree<Num> const& layout,
                          cursor& at) {
  if (!tuple_at(coord, ct)) {
    span_of_mode const s = subtree(layout, at.node, at.leaf);
    bool const all = coord.node[ct.node] == flat_tree<Num>::any;
    add_offset(sum, all ? Num(0) : coord.shape[ct.leaf], layout, s.leaf, s.leaf_end);
    at = {s.node_end, s.leaf_end};
    skip_subtree(coord, ct);
    return;
  }
  int const rank = rank_at(coord, ct);
  if (!tuple_at(layout, at) || rank_at(layout, at) != rank) {
    coordinate_does_not_fit_the_shape(rank, tuple_at(layout, at) ? rank_at(layout, at) : 0);
  }
  ++ct.node;
  ++at.node;
  for (int i = 0; i < rank; ++i) add_offset(sum, coord, ct, layout, at);
}
/// The strides of the tuple `stride`, arranged in the shape of `shape`. @pre congruent
template <class Num>
constexpr flat_tree<Num> pair_of(flat_tree<Num> const& shape, flat_tree<Num> const& stride) {
  bool alike = shape.nodes == stride.nodes;
  for (int i = 0; alike && i < shape.nodes; ++i) alike = shape.node[i] == stride.node[i];
  if (!alike) profiles_differ("a layout", shape.rank(), stride.rank());
  flat_tree<Num> r = shape;
  for (int i = 0; i < r.leaves; ++i) r.stride[i] = stride.shape[i];
  return r;
}
}  // namespace detail

/// The layout's value at an integer. The last leaf accepts any multiple, so that the function continues beyond the
/// size.
template <class Num>
constexpr Num crd2idx(std::type_identity_t<Num> const& coord, flat_tree<Num> const& layout) {
  detail::index_sum<Num> sum;
  detail::add_offset(sum, coord, layout, 0, layout.leaves);
  return sum.integer();
}
/// The layout's value at a coordinate: an integer, or a tuple if the strides carry bases.
template <class Num>
constexpr flat_tree<Num> crd2idx(flat_tree<Num> const& coord, flat_tree<Num> const& layout) {
  detail::index_sum<Num> sum;
  cursor ct, at;
  detail::add_offset(sum, coord, ct, layout, at);
  return sum.value();
}
template <class Num>
constexpr flat_tree<Num> crd2idx(flat_tree<Num> const& coord, flat_tree<Num> const& shape,
                                 flat_tree<Num> const& stride) {
  return crd2idx(coord, detail::pair_of(shape, stride));
}
namespace detail {
/// The index of the coordinate at `ct` in the shape at `at`. The modes are the digits of a mixed radix.
template <class Num>
constexpr Num index_in_shape(flat_tree<Num> const& coord, cursor& ct, flat_tree<Num> const& shape, cursor& at) {
  if (!tuple_at(coord, ct)) {
    skip_subtree(shape, at);
    bool const all = coord.node[ct.node] == flat_tree<Num>::any;
    ++ct.node;
    return all ? Num(0) : coord.shape[ct.leaf++];
  }
  int const rank = rank_at(coord, ct);
  if (!tuple_at(shape, at) || rank_at(shape, at) != rank) {
    coordinate_does_not_fit_the_shape(rank, tuple_at(shape, at) ? rank_at(shape, at) : 0);
  }
  ++ct.node;
  ++at.node;
  Num index(0), before(1);
  for (int i = 0; i < rank; ++i) {
    int const leaf = at.leaf;
    index = index + index_in_shape(coord, ct, shape, at) * before;
    if (i + 1 < rank) before = before * product_of_leaves(shape, leaf, at.leaf);
  }
  return index;
}
}  // namespace detail

/// The index of a coordinate in a shape, with the first mode fastest (CuTe's `crd2idx(coord, shape)`). For a layout,
/// its shape is used.
template <class Num>
constexpr Num crd2idx_in_shape(flat_tree<Num> const& coord, flat_tree<Num> const& shape) {
  cursor ct, at;
  return detail::index_in_shape(coord, ct, shape, at);
}

namespace detail {
/// (index / stride) % extent for each leaf of a layout. An extent of 1 gives 0 for any stride.
template <class Num>
constexpr void split_index(flat_tree<Num>& r, Num const& index, flat_tree<Num> const& layout, cursor& at) {
  span_of_mode const s = subtree(layout, at.node, at.leaf);
  int leaf = s.leaf;
  for (int i = s.node; i < s.node_end; ++i) {
    if (layout.node[i] != flat_tree<Num>::leaf) {
      r.add_node(layout.node[i]);
    } else {
      Num const& extent = layout.shape[leaf];
      r.add_leaf(is(extent, 1) ? Num(0) : remainder(quotient(index, layout.stride[leaf]), extent));
      ++leaf;
    }
  }
  at = {s.node_end, s.leaf_end};
}
template <class Num>
constexpr void split_tuple(flat_tree<Num>& r, flat_tree<Num> const& index, cursor& it, flat_tree<Num> const& layout,
                           cursor& at) {
  if (!tuple_at(index, it)) {
    split_index(r, index.shape[it.leaf], layout, at);
    skip_subtree(index, it);
    return;
  }
  int const rank = rank_at(index, it);
  if (!tuple_at(layout, at) || rank_at(layout, at) != rank) {
    coordinate_does_not_fit_the_shape(rank, tuple_at(layout, at) ? rank_at(layout, at) : 0);
  }
  r.add_open(rank);
  ++it.node;
  ++at.node;
  for (int i = 0; i < rank; ++i) split_tuple(r, index, it, layout, at);
}
/// The coordinate of `index` in the shape at `at`, with the first leaf fastest. The last leaf takes the whole rest, so
/// that an index beyond the shape gives a coordinate beyond it.
template <class Num>
constexpr void split_in_shape(flat_tree<Num>& r, Num const& index, flat_tree<Num> const& shape, cursor& at) {
  span_of_mode const s = subtree(shape, at.node, at.leaf);
  if (shape.node[s.node] == flat_tree<Num>::leaf) {
    r.add_leaf(index);
  } else {
    Num before(1);
    int leaf = s.leaf;
    for (int i = s.node; i < s.node_end; ++i) {
      if (shape.node[i] != flat_tree<Num>::leaf) {
        r.add_node(shape.node[i]);
      } else {
        Num const& extent = shape.shape[leaf++];
        if (leaf == s.leaf_end) {
          r.add_leaf(quotient(index, before));
        } else {
          r.add_leaf(is(extent, 1) ? Num(0) : remainder(quotient(index, before), extent));
          before = before * extent;
        }
      }
    }
  }
  at = {s.node_end, s.leaf_end};
}
template <class Num>
constexpr void split_tuple_in_shape(flat_tree<Num>& r, flat_tree<Num> const& index, cursor& it,
                                    flat_tree<Num> const& shape, cursor& at) {
  if (!tuple_at(index, it)) {
    split_in_shape(r, index.shape[it.leaf], shape, at);
    skip_subtree(index, it);
    return;
  }
  int const rank = rank_at(index, it);
  if (!tuple_at(shape, at) || rank_at(shape, at) != rank) {
    coordinate_does_not_fit_the_shape(rank, tuple_at(shape, at) ? rank_at(shape, at) : 0);
  }
  r.add_open(rank);
  ++it.node;
  ++at.node;
  for (int i = 0; i < rank; ++i) split_tuple_in_shape(r, index, it, shape, at);
}
/// A coordinate `c` of one shape as a coordinate of another.
template <class Num>
constexpr void convert(flat_tree<Num>& r, flat_tree<Num> const& c, cursor& ct, flat_tree<Num> const& from, cursor& ft,
                       flat_tree<Num> const& to, cursor& tt) {
  if (tuple_at(c, ct) && tuple_at(from, ft) && tuple_at(to, tt)) {
    int const rank = rank_at(c, ct);
    if (rank_at(from, ft) != rank) coordinate_does_not_fit_the_shape(rank, rank_at(from, ft));
    if (rank_at(to, tt) != rank) coordinate_does_not_fit_the_shape(rank, rank_at(to, tt));
    r.add_open(rank);
    ++ct.node;
    ++ft.node;
    ++tt.node;
    for (int i = 0; i < rank; ++i) convert(r, c, ct, from, ft, to, tt);
    return;
  }
  span_of_mode const cs = subtree(c, ct.node, ct.leaf), fs = subtree(from, ft.node, ft.leaf);
  flat_tree<Num> const coord = part(c, cs), shape = part(from, fs);
  ct = {cs.node_end, cs.leaf_end};
  ft = {fs.node_end, fs.leaf_end};
  split_in_shape(r, crd2idx_in_shape(coord, shape), to, tt);
}
}  // namespace detail

/// The coordinate of an index, computed from the strides of a layout. It is right for compact layouts.
template <class Num>
constexpr flat_tree<Num> idx2crd(flat_tree<Num> const& index, flat_tree<Num> const& shape,
                                 flat_tree<Num> const& stride) {
  flat_tree<Num> r;
  cursor it, at;
  flat_tree<Num> const layout = stride.is_leaf() && !shape.is_leaf()
                                    ? detail::pair_of(shape, compact_major(shape, major::left, stride.shape[0]))
                                    : detail::pair_of(shape, stride);
  detail::split_tuple(r, index, it, layout, at);
  return r;
}
/// The coordinate of an index in a shape, with the first mode fastest.
template <class Num>
constexpr flat_tree<Num> idx2crd(flat_tree<Num> const& index, flat_tree<Num> const& shape) {
  flat_tree<Num> r;
  cursor it, at;
  detail::split_tuple_in_shape(r, index, it, shape, at);
  return r;
}
/// Converts a coordinate of one shape to the coordinate of another shape with the same index.
template <class Num>
constexpr flat_tree<Num> crd2crd(flat_tree<Num> const& coord, flat_tree<Num> const& from, flat_tree<Num> const& to) {
  flat_tree<Num> r;
  cursor ct, ft, tt;
  detail::convert(r, coord, ct, from, ft, to, tt);
  return r;
}

namespace detail {
/// Appends the kept modes to `r` and returns their number.
template <class Num>
constexpr int keep(flat_tree<Num>& r, flat_tree<Num> const& coord, cursor& ct, flat_tree<Num> const& f, cursor& at,
                   bool underscores) {
  if (!tuple_at(coord, ct)) {
    bool const is_kept = (coord.node[ct.node] == flat_tree<Num>::any) == underscores;
    skip_subtree(coord, ct);
    if (is_kept) {
      copy_subtree(r, f, at);
    } else {
      skip_subtree(f, at);
    }
    return is_kept;
  }
  int const rank = rank_at(coord, ct);
  if (!tuple_at(f, at) || rank_at(f, at) != rank) {
    coordinate_does_not_fit_the_shape(rank, tuple_at(f, at) ? rank_at(f, at) : 0);
  }
  ++ct.node;
  ++at.node;
  int count = 0;
  for (int i = 0; i < rank; ++i) count += keep(r, coord, ct, f, at, underscores);
  return count;
}
template <class Num>
constexpr flat_tree<Num> kept(flat_tree<Num> const& coord, flat_tree<Num> const& f, bool underscores) {
  flat_tree<Num> r;
  cursor ct, at;
  if (!tuple_at(coord, ct)) {
    if ((coord.node[0] == flat_tree<Num>::any) == underscores) return f;
    r.add_open(0);
    return r;
  }
  r.add_open(0);
  int const count = keep(r, coord, ct, f, at, underscores);
  r.node[0] = flat_tree<Num>::open(count);
  return r;
}
}  // namespace detail

/// The modes where `coord` has `_`, in one tuple. The nesting above them is dropped.
template <class Num>
constexpr flat_tree<Num> slice(flat_tree<Num> const& coord, flat_tree<Num> const& f) {
  return detail::kept(coord, f, true);
}
/// The modes where `coord` has an integer.
template <class Num>
constexpr flat_tree<Num> dice(flat_tree<Num> const& coord, flat_tree<Num> const& f) {
  return detail::kept(coord, f, false);
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
