// SPDX-License-Identifier: Apache-2.0
/// @file
/// Repetitions of a layout: `logical_product`, `zipped_product`, `tiled_product`, `flat_product`, `blocked_product`,
/// `raked_product`, `tile_to_shape`, `make_fragment_like`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/division.hpp>
#include <cosmati/layout/algebra/complement.hpp>
#include <cosmati/layout/algebra/composition.hpp>
#include <cosmati/layout/algebra/make.hpp>
#include <cosmati/layout/algebra/unzip.hpp>

namespace COSMATI_NAMESPACE::algebra {

[[noreturn]] inline void block_does_not_divide_the_target(int mode, std::int64_t block, std::int64_t target) {
  throw error("tile_to_shape: mode %d of the block has %lld elements, which does not divide the target's %lld", mode,
              static_cast<long long>(block), static_cast<long long>(target));
}
[[noreturn]] inline void block_has_more_modes_than_the_target(int block_rank, int target_rank) {
  throw error("tile_to_shape: a block of rank %d does not fit a target of rank %d", block_rank, target_rank);
}

namespace detail {
/// Appends (block, repetitions) for the block at `bs` and the tile at `ts`, which is a layout or an integer.
template <class Num>
constexpr void multiply_by_tile(flat_tree<Num>& r, flat_tree<Num> const& block, span_of_mode const& bs,
                                flat_tree<Num> const& tiler, span_of_mode const& ts) {
  mode_list<Num> m, free;
  merge(m, block.shape, block.stride, bs.leaf, bs.leaf_end, merging::filtering);
  index_sum<Num> reach;
  add_reach(reach, tiler, ts.leaf, ts.leaf_end);
  bool const basis = reach.has_basis();
  Num const cosize_of_tile = basis ? cosize(part(tiler, ts)) : reach.integer() + Num(1);
  Num const target = product_of_leaves(block, bs.leaf, bs.leaf_end) * cosize_of_tile;
  complement_into(free, m, &target, 1, r.note);
  if (r.note.why != refusal_reason::none) {
    r.add_open(2);
    r.add_leaf(Num(1));
    return r.add_leaf(Num(1));
  }
  r.add_open(2);
  r.append(block, bs.node, bs.node_end, bs.leaf);
  if (basis) {
    flat_tree<Num> modes;
    emit(modes, free);
    compose(r, modes, whole(modes), tiler, ts);
  } else {
    compose_modes(r, free, tiler, ts);
    check_composition(r.note, range_of(free), leaves_at(tiler, ts));
  }
}

template <class Num>
constexpr void multiply_by_tiler(flat_tree<Num>& r, flat_tree<Num> const& block, span_of_mode const& bs,
                                 flat_tree<Num> const& tiler, cursor& tt) {
  if (tiler.node[tt.node] == flat_tree<Num>::any) {
    r.append(block, bs.node, bs.node_end, bs.leaf);
    ++tt.node;
  } else if (tiles_at(tiler, tt)) {
    cursor const here{bs.node, bs.leaf};
    int const rank = rank_at(block, here), tiles = rank_at(tiler, tt);
    if (tiles > rank) tiler_has_more_modes_than_the_layout(tiles, rank);
    r.add_open(rank);
    cursor at = first_child(block, here);
    ++tt.node;
    for (int i = 0; i < rank; ++i) {
      span_of_mode const s = subtree(block, at.node, at.leaf);
      if (i < tiles) {
        multiply_by_tiler(r, block, s, tiler, tt);
      } else {
        r.append(block, s.node, s.node_end, s.leaf);
      }
      at = {s.node_end, s.leaf_end};
    }
  } else {
    span_of_mode const s = subtree(tiler, tt.node, tt.leaf);
    multiply_by_tile(r, block, bs, tiler, s);
    tt = {s.node_end, s.leaf_end};
  }
}
}  // namespace detail

/// (block, repetitions): the repetitions follow `tiler` through the offsets that the block leaves free. A tuple of
/// tilers applies mode by mode.
template <class Num>
constexpr flat_tree<Num> logical_product(flat_tree<Num> const& block, flat_tree<Num> const& tiler) {
  flat_tree<Num> r;
  r.note = block.note;
  cursor tt;
  detail::multiply_by_tiler(r, block, detail::whole(block), tiler, tt);
  return r;
}
/// ((block, block, ...), (repetitions, ...)).
template <class Num>
constexpr flat_tree<Num> zipped_product(flat_tree<Num> const& block, flat_tree<Num> const& tiler) {
  return tile_unzip(logical_product(block, tiler), tiler);
}
/// ((block, block, ...), repetitions, ...).
template <class Num>
constexpr flat_tree<Num> tiled_product(flat_tree<Num> const& block, flat_tree<Num> const& tiler) {
  return detail::opened(zipped_product(block, tiler), false);
}
/// (block, block, ..., repetitions, ...).
template <class Num>
constexpr flat_tree<Num> flat_product(flat_tree<Num> const& block, flat_tree<Num> const& tiler) {
  return detail::opened(zipped_product(block, tiler), true);
}

namespace detail {
template <class Num>
constexpr flat_tree<Num> product_by_mode(flat_tree<Num> const& block, flat_tree<Num> const& tiler, bool block_first) {
  int const a = block.rank(), b = tiler.rank();
  int const rank = a < b ? b : a;
  flat_tree<Num> padded = append(block, rank);
  padded.note = block.note;
  flat_tree<Num> const product = logical_product(padded, append(tiler, rank));
  if (product.note.why != refusal_reason::none) return product;
  cursor first{1, 0}, second{1, 0};
  skip_subtree(product, second);
  if (!block_first) {
    cursor const swapped = first;
    first = second;
    second = swapped;
  }
  flat_tree<Num> r;
  r.note = product.note;
  if (!tuple_at(product, first)) {
    r.add_open(1);
    r.add_open(2);
    copy_subtree(r, product, first);
    copy_subtree(r, product, second);
    return r;
  }
  // The composition may give a rank-1 tiler more modes than it had.
  int const modes = rank_at(product, first);
  if (!tuple_at(product, second) || rank_at(product, second) != modes) {
    zip_needs_tuples_of_equal_rank(modes, tuple_at(product, second) ? rank_at(product, second) : 0);
  }
  ++first.node;
  ++second.node;
  r.add_open(modes);
  for (int i = 0; i < modes; ++i) {
    r.add_open(2);
    copy_subtree(r, product, first);
    copy_subtree(r, product, second);
  }
  return r;
}
}  // namespace detail

/// Mode i is (mode i of the block, mode i of the tiler): whole blocks side by side. The lower rank is padded with 1:0.
template <class Num>
constexpr flat_tree<Num> blocked_product(flat_tree<Num> const& block, flat_tree<Num> const& tiler) {
  return detail::product_by_mode(block, tiler, true);
}
/// Mode i is (mode i of the tiler, mode i of the block): the elements of the blocks are interleaved.
template <class Num>
constexpr flat_tree<Num> raked_product(flat_tree<Num> const& block, flat_tree<Num> const& tiler) {
  return detail::product_by_mode(block, tiler, false);
}

namespace detail {
template <class Num>
constexpr flat_tree<Num> tile_to_shape(flat_tree<Num> const& block, flat_tree<Num> const& target,
                                       flat_tree<Num> const* order, major fastest) {
  int const rank = target.rank();
  if (block.rank() > rank) block_has_more_modes_than_the_target(block.rank(), rank);
  flat_tree<Num> padded = append(block, rank);
  padded.note = block.note;
  flat_tree<Num> tiles = product_each(target);
  flat_tree<Num> const block_shape = product_each(padded);
  bool all_known = true;
  for (int i = 0; i < rank; ++i) all_known = all_known && is_known(tiles.shape[i]);
  for (int i = 0; i < rank; ++i) {
    Num const whole = tiles.shape[i];
    tiles.shape[i] = ceil_div(whole, block_shape.shape[i]);
    if (!is_known(whole) || (!all_known && !is_known(block_shape.shape[i]))) {
      detail::check_at_run_time(run_time_check::tiles, whole, block_shape.shape[i], Num(2));
      continue;
    }
    if (!is_known(block_shape.shape[i])) {
      if (!padded.note.is_read) undecidable_for_a_run_time_integer("tile_to_shape");
      padded.note.write(refusal_reason::block_extent_at_run_time, i, rank);
      return padded;
    }
    std::int64_t const t = known(whole, ""), b = known(block_shape.shape[i], "");
    if (t % b == 0) continue;
    if (!padded.note.is_read) block_does_not_divide_the_target(i, b, t);
    padded.note.write(refusal_reason::block_and_target, b, t);
    return padded;
  }
  if (!order) return blocked_product(padded, make_layout(tiles, fastest));
  tiles.note = padded.note;
  flat_tree<Num> const ordered = make_ordered_layout(tiles, *order);
  return ordered.note.why == refusal_reason::none ? blocked_product(padded, ordered) : ordered;
}
}  // namespace detail

/// Repeats the block until the shape is `target`. The repetitions run through the modes from the first (`major::left`)
/// or the last, or by increasing `order`.
/// @throws if the block's shape does not divide the target's
template <class Num>
constexpr flat_tree<Num> tile_to_shape(flat_tree<Num> const& block, flat_tree<Num> const& target,
                                       major fastest = major::left) {
  return detail::tile_to_shape<Num>(block, target, nullptr, fastest);
}
template <class Num>
constexpr flat_tree<Num> tile_to_shape(flat_tree<Num> const& block, flat_tree<Num> const& target,
                                       flat_tree<Num> const& order) {
  return detail::tile_to_shape(block, target, &order, major::left);
}

/// The compact layout of the values that a thread holds of `layout`. Mode 0, an instruction's values, is fastest;
/// strides 0 stay 0. The other modes follow in the order of their strides. Strides known only at run time count as the
/// larger ones. If an extent is known only at run time, the modes run from the first to the last.
template <class Num>
constexpr flat_tree<Num> make_fragment_like(flat_tree<Num> const& layout) {
  int const rank = layout.rank();
  bool static_shape = rank > 1;
  for (int i = 0; i < layout.leaves; ++i) static_shape = static_shape && is_known(layout.shape[i]);
  if (!static_shape) return make_layout(layout);
  span_of_mode const s = mode_span(layout, 0);
  flat_tree<Num> block = part(layout, s);
  Num extent[capacity_of<Num>];
  for (int i = 0; i < block.leaves; ++i) extent[i] = is(block.stride[i], 0) ? Num(1) : block.shape[i];
  detail::compact_leaves(extent, block.stride, 0, block.leaves, major::left, Num(1));
  flat_tree<Num> const others = take(layout, 1, rank);
  flat_tree<Num> ordered = others;
  detail::compact_order_into(ordered.stride, others, others, others.stride);
  return tiled_product(block, ordered);
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
