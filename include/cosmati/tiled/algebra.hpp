// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tiled copies as values, over `flat_tree<Num>`: from thread and value layouts to the partition of a tensor.
///
/// `TiledCopy` carries these functions over to types. The command line and the verifier use them directly. Notation: T
/// are threads, V are values. An atom's layouts map (thread of the atom, value) to the index of a value among those
/// that the atom moves.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/algebra/algebra.hpp>

namespace COSMATI_NAMESPACE::algebra {

[[noreturn]] inline void thread_layout_is_not_a_bijection(std::int64_t size, std::int64_t cosize) {
  throw error(
      "the thread layout is not a bijection: it names %lld threads but reaches index %lld, or names one twice; its "
      "strides must number the threads 0 to %lld, each once, such as a compact layout does",
      static_cast<long long>(size), static_cast<long long>(cosize) - 1, static_cast<long long>(size) - 1);
}
[[noreturn]] inline void value_layout_is_not_a_bijection(std::int64_t size, std::int64_t cosize) {
  throw error(
      "the value layout is not a bijection: it has %lld values but reaches index %lld, or names one twice; its "
      "strides must number the values 0 to %lld, each once, such as a compact layout does",
      static_cast<long long>(size), static_cast<long long>(cosize) - 1, static_cast<long long>(size) - 1);
}
/// The tile in which the threads `thr` (m,n) -> thread hold the values `val` (m,n) -> value side by side.
template <class Num>
constexpr flat_tree<Num> tile_of(flat_tree<Num> const& thr, flat_tree<Num> const& val) {
  return raked_product(thr, val);
}

/// The shape of the tile, (m, n).
template <class Num>
constexpr flat_tree<Num> tiler_of(flat_tree<Num> const& thr, flat_tree<Num> const& val) {
  return product_each(shape(tile_of(thr, val)));
}

/// (T, V) -> index in the tile, the inverse of `tile_of`. Both layouts are proved bijective first.
template <class Num>
constexpr flat_tree<Num> layout_tv_of(flat_tree<Num> const& thr, flat_tree<Num> const& val) {
  if (!is_bijective(thr)) {
    thread_layout_is_not_a_bijection(known(size(thr), "the thread layout"), known(cosize(thr), "the thread layout"));
  }
  if (!is_bijective(val)) {
    value_layout_is_not_a_bijection(known(size(val), "the value layout"), known(cosize(val), "the value layout"));
  }
  flat_tree<Num> shape_tv;
  shape_tv.add_open(2);
  shape_tv.add_leaf(size(thr));
  shape_tv.add_leaf(size(val));
  return with_shape(right_inverse(tile_of(thr, val)), shape_tv);
}

/// A tiler that has `x` as its first mode and `_` as its second.
template <class Num>
constexpr flat_tree<Num> first_mode_only(flat_tree<Num> const& x) {
  flat_tree<Num> t;
  t.add_node(flat_tree<Num>::tile(2));
  t.append(x);
  t.add_node(flat_tree<Num>::any);
  return t;
}

/// Turns a tuple of integers into a tiler of its modes.
template <class Num>
constexpr flat_tree<Num> as_tiler(flat_tree<Num> const& shape) {
  flat_tree<Num> t;
  for (int i = 0, leaf = 0; i < shape.nodes; ++i) {
    if (shape.node[i] == flat_tree<Num>::leaf)
      t.add_leaf(shape.shape[leaf++], Num(1));
    else
      t.add_node(flat_tree<Num>::tile(flat_tree<Num>::children(shape.node[i])));
  }
  return t;
}

/// The shape of a tiler. Tuples of tilers become tuples.
template <class Num>
constexpr flat_tree<Num> tile_shape(flat_tree<Num> const& tiler) {
  flat_tree<Num> s;
  for (int i = 0, leaf = 0; i < tiler.nodes; ++i) {
    if (tiler.node[i] == flat_tree<Num>::leaf)
      s.add_leaf(tiler.shape[leaf++]);
    else
      s.add_open(flat_tree<Num>::children(tiler.node[i]));
  }
  return s;
}

/// The source or destination side of an atom in terms of its reference: (thread, value) -> (thread, value).
template <class Num>
constexpr flat_tree<Num> reference_to_side(flat_tree<Num> const& atom_ref, flat_tree<Num> const& atom_side) {
  return composition(right_inverse(atom_ref), atom_side);
}

/// ((atom thread, atom value), (other threads, other values)) -> index in the tile. It is larger than the tile if an
/// atom crosses a mode of the thread or value layout without dividing it.
template <class Num>
constexpr flat_tree<Num> divided_by_atoms(flat_tree<Num> const& layout_tv, flat_tree<Num> const& atom_ref) {
  flat_tree<Num> atom_shape;
  atom_shape.add_node(flat_tree<Num>::tile(2));
  atom_shape.add_leaf(size(atom_ref, 0), Num(1));
  atom_shape.add_leaf(size(atom_ref, 1), Num(1));
  return zipped_divide(layout_tv, atom_shape);
}

/// ((atom thread, other threads), (atom values, other values)) -> index in the tile, for one side of the atom.
template <class Num>
constexpr flat_tree<Num> thread_values(flat_tree<Num> const& layout_tv, flat_tree<Num> const& atom_ref,
                                       flat_tree<Num> const& atom_side) {
  flat_tree<Num> const by_atom = divided_by_atoms(layout_tv, atom_ref);
  flat_tree<Num> const by_side = composition(by_atom, first_mode_only(reference_to_side(atom_ref, atom_side)));
  flat_tree<Num> profile;  // keeps threads whole; separates atom values from the others
  profile.add_open(2);
  profile.add_leaf(Num(1));
  profile.add_open(2);
  profile.add_leaf(Num(1));
  profile.add_leaf(Num(1));
  return coalesce(zip(by_side), profile);
}

/// A tensor's layout, cut into tiles and distributed: (thread, (atom values, other values), (rest of mode 0, rest of
/// mode 1, ...)) -> offset.
/// @param tiler a tiler (`as_tiler` makes one of a shape)
/// @param thr_val the result of `thread_values`
template <class Num>
constexpr flat_tree<Num> thread_fragments(flat_tree<Num> const& layout, flat_tree<Num> const& tiler,
                                          flat_tree<Num> const& thr_val) {
  flat_tree<Num> const tiled = zipped_divide(layout, tiler);
  flat_tree<Num> const r = composition(tiled, first_mode_only(thr_val));
  flat_tree<Num> out;  // regroups ((thread, values), rest) as (thread, values, rest)
  out.add_open(3);
  span_of_mode const tile = mode_span(r, 0);
  span_of_mode const thread = subtree(r, tile.node + 1, tile.leaf);
  span_of_mode const values = subtree(r, thread.node_end, thread.leaf_end);
  out.append(r, thread.node, thread.node_end, thread.leaf);
  out.append(r, values.node, values.node_end, values.leaf);
  span_of_mode const rest = mode_span(r, 1);
  out.append(r, rest.node, rest.node_end, rest.leaf);
  return out;
}

/// The thread mode of `thread_fragments`: thread -> offset of its first value.
template <class Num>
constexpr flat_tree<Num> thread_offsets(flat_tree<Num> const& layout, flat_tree<Num> const& tiler,
                                        flat_tree<Num> const& thr_val) {
  return mode(thread_fragments(layout, tiler, thr_val), 0);
}

/// One thread's partition: ((atom values, other values), rest of mode 0, rest of mode 1, ...) -> offset from its first
/// value.
template <class Num>
constexpr flat_tree<Num> thread_partition(flat_tree<Num> const& layout, flat_tree<Num> const& tiler,
                                          flat_tree<Num> const& thr_val) {
  flat_tree<Num> const f = thread_fragments(layout, tiler, thr_val);
  span_of_mode const values = mode_span(f, 1);
  span_of_mode const rest = mode_span(f, 2);
  flat_tree<Num> out;
  int const modes = f.node[rest.node] == flat_tree<Num>::leaf ? 1 : flat_tree<Num>::children(f.node[rest.node]);
  out.add_open(1 + modes);
  out.append(f, values.node, values.node_end, values.leaf);
  out.append(f, modes == 1 ? rest.node : rest.node + 1, rest.node_end, rest.leaf);  // a single mode stays a tuple, as
                                                                                    // in CuTe
  return out;
}

/// (thread, value) -> index in the tile for one side of a tile, which is the result of `get_layoutS_TV`.
template <class Num>
constexpr flat_tree<Num> side_layout_tv(flat_tree<Num> const& tiler, flat_tree<Num> const& thr_val) {
  flat_tree<Num> extents;  // (tile, 1), so that the rest mode has extent 1
  extents.add_open(2);
  extents.append(tile_shape(tiler));
  extents.add_leaf(Num(1));
  flat_tree<Num> const divided = make_layout(extents);
  flat_tree<Num> const r = composition(divided, first_mode_only(thr_val));
  return mode(r, 0);
}

/// Regroups a fragment ((values), m, n, ...) into the atom's vectors: ((atom values, other values), rest of mode 0,
/// ...) -> offset in the fragment. The fragment comes from another partition of the same tile.
/// @param threads the number of threads of the tiled copy
/// @param atom_values the number of values that the reference moves per thread
template <class Num>
constexpr flat_tree<Num> retiled(flat_tree<Num> const& fragment, flat_tree<Num> const& layout_tv,
                                 flat_tree<Num> const& tiler, Num const& threads, Num const& atom_values) {
  Num const v = size(fragment, 0);
  flat_tree<Num> const frg_mn = upcast(with_shape(right_inverse(layout_tv), tile_shape(tiler)), threads * v);
  flat_tree<Num> vector;
  vector.add_leaf(v, Num(1));
  flat_tree<Num> per_atom;
  per_atom.add_leaf(atom_values, Num(is(atom_values, 1) ? 0 : 1));
  flat_tree<Num> const frg_v = zipped_divide(logical_product(vector, right_inverse(frg_mn)), per_atom);
  flat_tree<Num> const frg_shape = product_each(shape(frg_mn));
  flat_tree<Num> cut;
  int const modes = frg_shape.is_leaf() ? 1 : frg_shape.rank();
  cut.add_node(flat_tree<Num>::tile(1 + modes));
  cut.add_leaf(v, Num(1));
  for (int i = 0; i < frg_shape.leaves; ++i) cut.add_leaf(frg_shape.shape[i], Num(1));
  flat_tree<Num> const tiled = zipped_divide(fragment, cut);
  flat_tree<Num> const r = composition(tiled, first_mode_only(frg_v));
  span_of_mode const values = mode_span(r, 0);
  span_of_mode const rest = mode_span(r, 1);
  flat_tree<Num> out;  // drops the first rest mode, whose extent is 1
  int const rests = flat_tree<Num>::children(r.node[rest.node]);
  out.add_open(rests);
  out.append(r, values.node, values.node_end, values.leaf);
  span_of_mode const first = subtree(r, rest.node + 1, rest.leaf);
  out.append(r, first.node_end, rest.node_end, first.leaf_end);
  return out;
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
