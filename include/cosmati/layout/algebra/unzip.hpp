// SPDX-License-Identifier: Apache-2.0
/// @file
/// `tile_unzip`: gathers the pairs (tile, rest) at the leaves of a tiler into ((tiles...), (rests...)).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/algebra/modes.hpp>

namespace COSMATI_NAMESPACE::algebra {

[[noreturn]] inline void mode_is_no_pair_of_tile_and_rest(int rank) {
  throw error("a mode of rank %d stands where a pair (tile, rest) is needed; give every mode up to it a tile, not `_`",
              rank);
}
[[noreturn]] inline void tiler_has_more_modes_than_the_layout(int tiles, int rank) {
  throw error("a tiler of rank %d was given for a layout of rank %d: drop tiles, or append modes to the layout", tiles,
              rank);
}

/// Turns a tiler into a divisor: each leaf 1:1 that is an integer becomes 1:0. `integers` has a bit for each integer
/// leaf.
template <class Num>
constexpr void units_as_layouts(flat_tree<Num>& tiler, std::uint64_t integers) {
  for (int i = 0; i < tiler.leaves; ++i) {
    if (((integers >> i) & 1) != 0 && is(tiler.shape[i], 1)) tiler.stride[i] = Num(0);
  }
}

namespace detail {
/// Whether the node has tiles below it, instead of being a tile.
template <class Num>
constexpr bool tiles_at(flat_tree<Num> const& tiler, cursor at) {
  return tiler.node[at.node] != flat_tree<Num>::any && (tiler.node[at.node] & flat_tree<Num>::tile_flag) != 0;
}
/// Appends the tiles (`which` is 0) or the rests (`which` is 1) below `at`.
template <class Num>
constexpr void gather(flat_tree<Num>& r, flat_tree<Num> const& f, cursor& at, flat_tree<Num> const& tiler, cursor& tt,
                      int which) {
  int const rank = tuple_at(f, at) ? rank_at(f, at) : 1;
  if (!tiles_at(tiler, tt)) {
    if (!tuple_at(f, at) || rank != 2) mode_is_no_pair_of_tile_and_rest(rank);
    ++at.node;
    for (int i = 0; i < 2; ++i) {
      if (i == which) {
        copy_subtree(r, f, at);
      } else {
        skip_subtree(f, at);
      }
    }
    skip_subtree(tiler, tt);
    return;
  }
  int const tiles = rank_at(tiler, tt);
  if (!tuple_at(f, at) || tiles > rank) tiler_has_more_modes_than_the_layout(tiles, rank);
  ++at.node;
  ++tt.node;
  r.add_open(which == 0 ? tiles : rank);
  for (int i = 0; i < rank; ++i) {
    if (i < tiles) {
      gather(r, f, at, tiler, tt, which);
    } else if (which == 1) {
      copy_subtree(r, f, at);
    } else {
      skip_subtree(f, at);
    }
  }
}
}  // namespace detail

/// ((a, x), (b, y), z) by a tiler of two tiles becomes ((a, b), (x, y, z)). A pair by a single tile stays as it is.
template <class Num>
constexpr flat_tree<Num> tile_unzip(flat_tree<Num> const& f, flat_tree<Num> const& tiler) {
  if (f.note.why != refusal_reason::none) return f;
  if (!detail::tiles_at(tiler, cursor{})) {
    if (f.is_leaf() || f.rank() != 2) mode_is_no_pair_of_tile_and_rest(f.rank());
    return f;
  }
  flat_tree<Num> r;
  r.add_open(2);
  for (int which = 0; which < 2; ++which) {
    cursor at, tt;
    detail::gather(r, f, at, tiler, tt, which);
  }
  return r;
}

namespace detail {
/// Unwraps the second mode of a pair, or both modes. A mode of rank 1 stays, as in CuTe.
template <class Num>
constexpr flat_tree<Num> opened(flat_tree<Num> const& pair, bool both) {
  if (pair.note.why != refusal_reason::none) return pair;
  flat_tree<Num> r;
  r.add_open(0);
  int count = 0;
  cursor at{1, 0};
  for (int i = 0; i < 2; ++i) {
    span_of_mode const s = subtree(pair, at.node, at.leaf);
    int const rank = tuple_at(pair, at) ? rank_at(pair, at) : 1;
    bool const open = rank != 1 && (both || i == 1);
    r.append(pair, s.node + (open ? 1 : 0), s.node_end, s.leaf);
    count += open ? rank : 1;
    at = {s.node_end, s.leaf_end};
  }
  r.node[0] = flat_tree<Num>::open(count);
  return r;
}
}  // namespace detail

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
