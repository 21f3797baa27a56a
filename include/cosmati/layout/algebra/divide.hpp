// SPDX-License-Identifier: Apache-2.0
/// @file
/// Division of a layout into tiles: `logical_divide`, `zipped_divide`, `tiled_divide`, `flat_divide`, `ceil_div`,
/// `evenly_divides`.
///
/// A tiler is a layout, an integer (n stands for n:1, 1 for 1:0), `_` (the whole mode), or a tuple of tilers, one for
/// each mode. Modes after the last tile stay. If a tile does not divide its mode, the number of tiles is rounded up.
/// The result is then larger than the layout, as in CuTe.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/division.hpp>
#include <cosmati/layout/algebra/complement.hpp>
#include <cosmati/layout/algebra/composition.hpp>
#include <cosmati/layout/algebra/make.hpp>
#include <cosmati/layout/algebra/unzip.hpp>

namespace COSMATI_NAMESPACE::algebra {

namespace detail {
/// The treatment of modes that turn out at run time to continue in the next mode, if tiles do not divide them.
enum class uneven_modes : bool { are_refused, are_rounded_up };

/// Appends (tile, rest) of the layout at `ls`. The tile at `ts` is a layout or an integer.
template <class Num>
constexpr void divide_by_tile(flat_tree<Num>& r, flat_tree<Num> const& layout, span_of_mode const& ls,
                              flat_tree<Num> const& tiler, span_of_mode const& ts, uneven_modes uneven) {
  mode_list<Num> left, tile, rest;
  merge(left, layout.shape, layout.stride, ls.leaf, ls.leaf_end, merging::extending);
  merge(tile, tiler.shape, tiler.stride, ts.leaf, ts.leaf_end, merging::filtering);
  if (ls.leaf_end > ls.leaf && is(layout.shape[ls.leaf_end - 1], 1)) {
    // The last extent has lost its meaning. The target is therefore the layout coalesced inside its domain.
    mode_list<Num> inside;
    merge(inside, layout.shape, layout.stride, ls.leaf, ls.leaf_end, merging::inside);
    complement_into(rest, tile, inside.shape + inside.first, inside.count(), r.note);
  } else {
    complement_into(rest, tile, left.shape + left.first, left.count(), r.note);
  }
  r.add_open(2);
  compose_modes(r, left, tiler, ts);
  if (rest.count() != 1) r.add_open(rest.count());
  for (int i = rest.first; i < rest.end; ++i) {
    compose_leaf(r, left.shape, left.stride, left.first, left.end, rest.shape[i], rest.stride[i]);
  }
  check_composition(r.note, range_of(left), leaves_at(tiler, ts), range_of(rest),
                    uneven == uneven_modes::are_rounded_up);
}

template <class Num>
constexpr void divide_by_tiler(flat_tree<Num>& r, flat_tree<Num> const& layout, span_of_mode const& ls,
                               flat_tree<Num> const& tiler, cursor& tt, uneven_modes uneven) {
  if (tiler.node[tt.node] == flat_tree<Num>::any) {
    r.append(layout, ls.node, ls.node_end, ls.leaf);
    ++tt.node;
  } else if (tiles_at(tiler, tt)) {
    cursor const here{ls.node, ls.leaf};
    int const rank = rank_at(layout, here), tiles = rank_at(tiler, tt);
    if (tiles > rank) tiler_has_more_modes_than_the_layout(tiles, rank);
    r.add_open(rank);
    cursor at = first_child(layout, here);
    ++tt.node;
    for (int i = 0; i < rank; ++i) {
      span_of_mode const s = subtree(layout, at.node, at.leaf);
      if (i < tiles) {
        divide_by_tiler(r, layout, s, tiler, tt, uneven);
      } else {
        r.append(layout, s.node, s.node_end, s.leaf);
      }
      at = {s.node_end, s.leaf_end};
    }
  } else {
    span_of_mode const s = subtree(tiler, tt.node, tt.leaf);
    divide_by_tile(r, layout, ls, tiler, s, uneven);
    tt = {s.node_end, s.leaf_end};
  }
}
template <class Num>
constexpr flat_tree<Num> divided(flat_tree<Num> const& layout, flat_tree<Num> const& tiler, uneven_modes uneven) {
  flat_tree<Num> r;
  r.note = layout.note;
  cursor tt;
  divide_by_tiler(r, layout, whole(layout), tiler, tt, uneven);
  return r;
}
}  // namespace detail

/// Divides each mode that has a tile into (tile, rest) = (layout o tile, layout o complement(tile, size)). If modes
/// turn out at run time to continue in the next, tiles that do not cover them exactly are an error, because the law of
/// compositions applies.
template <class Num>
constexpr flat_tree<Num> logical_divide(flat_tree<Num> const& layout, flat_tree<Num> const& tiler) {
  return detail::divided(layout, tiler, detail::uneven_modes::are_refused);
}
/// As `logical_divide`, for tiles and partitions, which round ragged modes up. Each mode is padded to whole tiles of
/// its own.
template <class Num>
constexpr flat_tree<Num> ragged_divide(flat_tree<Num> const& layout, flat_tree<Num> const& tiler) {
  return detail::divided(layout, tiler, detail::uneven_modes::are_rounded_up);
}
/// ((tile, tile, ...), (rest, rest, ..., further modes)).
template <class Num>
constexpr flat_tree<Num> zipped_divide(flat_tree<Num> const& layout, flat_tree<Num> const& tiler) {
  return tile_unzip(ragged_divide(layout, tiler), tiler);
}
/// ((tile, tile, ...), rest, rest, ..., further modes).
template <class Num>
constexpr flat_tree<Num> tiled_divide(flat_tree<Num> const& layout, flat_tree<Num> const& tiler) {
  return detail::opened(zipped_divide(layout, tiler), false);
}
/// (tile, tile, ..., rest, rest, ..., further modes).
template <class Num>
constexpr flat_tree<Num> flat_divide(flat_tree<Num> const& layout, flat_tree<Num> const& tiler) {
  return detail::opened(zipped_divide(layout, tiler), true);
}

/// The number of tiles that cover `target`, as a shape: that of the complement. It is CuTe's `ceil_div` of a target and
/// a layout. An integer tiler divides as `ceil_div` of tuples does.
template <class Num>
constexpr flat_tree<Num> ceil_div_by_layout(flat_tree<Num> const& target, flat_tree<Num> const& tiler) {
  return shape(complement(tiler, target));
}

namespace detail {
template <class Num>
constexpr bool tiles_divide(flat_tree<Num> const& f, span_of_mode const& fs, flat_tree<Num> const& tiler, cursor& tt) {
  if (tiler.node[tt.node] == flat_tree<Num>::any) {
    ++tt.node;
    return true;
  }
  if (tiles_at(tiler, tt)) {
    cursor const here{fs.node, fs.leaf};
    int const rank = rank_at(f, here), tiles = rank_at(tiler, tt);
    if (tiles > rank) return false;
    cursor at = first_child(f, here);
    ++tt.node;
    for (int i = 0; i < tiles; ++i) {
      span_of_mode const s = subtree(f, at.node, at.leaf);
      if (!tiles_divide(f, s, tiler, tt)) return false;
      at = {s.node_end, s.leaf_end};
    }
    return true;
  }
  span_of_mode const s = subtree(tiler, tt.node, tt.leaf);
  mode_list<Num> tile, rest;
  merge(tile, tiler.shape, tiler.stride, s.leaf, s.leaf_end, merging::filtering);
  refusal_note unread;
  complement_into(rest, tile, f.shape + fs.leaf, fs.leaf_end - fs.leaf, unread);
  Num covered = product_of_leaves(tiler, s.leaf, s.leaf_end);
  for (int i = rest.first; i < rest.end; ++i) covered = covered * rest.shape[i];
  tt = {s.node_end, s.leaf_end};
  Num const whole = product_of_leaves(f, fs.leaf, fs.leaf_end);
  return known(whole, "whether tiles divide") == known(covered, "whether tiles divide");
}
}  // namespace detail

/// Whether the tiles cover the shape exactly: size(mode) == size(tile) * size(complement(tile, mode)) for each tile.
template <class Num>
constexpr bool tiler_evenly_divides(flat_tree<Num> const& shape, flat_tree<Num> const& tiler) {
  cursor tt;
  return detail::tiles_divide(shape, detail::whole(shape), tiler, tt);
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
