// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tiled MMAs as values, over `flat_tree<Num>`: the distribution of an operand over the threads of many atoms.
///
/// An operand has modes X and Y: A is (M, K), B (N, K), C (M, N); further modes may follow. Notation: T are the threads
/// and V the values of one atom. Atoms lie side by side along X and Y, and different threads execute them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/algebra/algebra.hpp>
#include <cosmati/tiled/algebra.hpp>

namespace COSMATI_NAMESPACE::algebra {

/// ((T, (atoms along X, along Y)), (V, (rest of X, rest of Y, further modes...))) -> offset.
/// @param permutation a tiler of X and Y: the order of the elements among those of the tile
/// @param atom the atom's extents along X and Y
/// @param atom_tv (T, V) -> index in the atom
/// @param atoms the numbers of atoms along X and Y
template <class Num>
constexpr flat_tree<Num> mma_fragments(flat_tree<Num> const& layout, flat_tree<Num> const& permutation,
                                       flat_tree<Num> const& atom, flat_tree<Num> const& atom_tv,
                                       flat_tree<Num> const& atoms) {
  flat_tree<Num> const cut = zipped_divide(ragged_divide(layout, permutation), atom);
  flat_tree<Num> const by_thread = composition(cut, first_mode_only(atom_tv));  // ((T, V), (X, Y, ...))
  flat_tree<Num> const of_atom = mode(by_thread, 0);
  flat_tree<Num> const by_atom = zipped_divide(mode(by_thread, 1), atoms);
  return concatenate(concatenate(mode(of_atom, 0), mode(by_atom, 0)), concatenate(mode(of_atom, 1), mode(by_atom, 1)));
}

/// (T, (atoms along X, along Y)) -> offset of a thread's first value.
template <class Num>
constexpr flat_tree<Num> mma_thread_offsets(flat_tree<Num> const& layout, flat_tree<Num> const& permutation,
                                            flat_tree<Num> const& atom, flat_tree<Num> const& atom_tv,
                                            flat_tree<Num> const& atoms) {
  return mode(mma_fragments(layout, permutation, atom, atom_tv, atoms), 0);
}
/// One thread's partition: (V, rest of X, rest of Y, further modes...) -> offset from its first value.
template <class Num>
constexpr flat_tree<Num> mma_partition(flat_tree<Num> const& layout, flat_tree<Num> const& permutation,
                                       flat_tree<Num> const& atom, flat_tree<Num> const& atom_tv,
                                       flat_tree<Num> const& atoms) {
  flat_tree<Num> const values = mode(mma_fragments(layout, permutation, atom, atom_tv, atoms), 1);
  return prepend(mode(values, 1), mode(values, 0));
}

/// ((T, M, N, K), values) -> index in the operand's tile.
/// @param spread (M, N, K) -> index among the operand's (X, Y) atoms
template <class Num>
constexpr flat_tree<Num> mma_by_atom(flat_tree<Num> const& fragments, flat_tree<Num> const& spread) {
  flat_tree<Num> tiler;
  tiler.add_node(flat_tree<Num>::tile(2));
  tiler.add_node(flat_tree<Num>::tile(2));
  tiler.add_node(flat_tree<Num>::any);
  tiler.append(spread);
  tiler.add_node(flat_tree<Num>::any);
  return composition(fragments, tiler);
}
/// thread -> index in (T, M, N, K). Some threads of a warp may not take part, if not all of its quad pairs are used.
/// They map as a thread that takes part.
template <class Num>
constexpr flat_tree<Num> mma_thread_index(flat_tree<Num> const& threads) {
  flat_tree<Num> const between = complement(threads);
  if (is(size(between), 1)) return right_inverse(threads);
  flat_tree<Num> takes_part;
  takes_part.add_open(2);
  takes_part.add_leaf(size(threads), Num(1));
  takes_part.add_leaf(Num(1), Num(0));
  return composition(takes_part, right_inverse(concatenate(threads, between)));
}
/// (thread, values) -> index in the operand's tile. @param threads (T, M, N, K) -> thread
template <class Num>
constexpr flat_tree<Num> mma_layout_tv(flat_tree<Num> const& fragments, flat_tree<Num> const& threads,
                                       flat_tree<Num> const& spread) {
  return composition(mma_by_atom(fragments, spread), first_mode_only(mma_thread_index(threads)));
}

}  // namespace COSMATI_NAMESPACE::algebra

#include <cosmati/core/macros_end.hpp>
