// SPDX-License-Identifier: Apache-2.0
/// @file
/// A tiled MMA as values. The command makes one from a name, pictures from a type.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/tiled/tiled_mma.hpp>

namespace COSMATI_NAMESPACE {

/// An operand of D = A B + C.
enum class mma_operand { A, B, C };

/// The members of `TiledMMA` as values instead of types.
struct mma_values {
  flat_tree<symbolic_integer> atom_threads;    ///< ThrID: thread of the atom -> its index in the warp or block
  flat_tree<symbolic_integer> a, b, c;         ///< (thread, value) -> index in the atom's A (M, K), B (N, K), C (M, N)
  std::int64_t atom_extent[3] = {1, 1, 1};     ///< M, N, K
  flat_tree<symbolic_integer> atoms;           ///< (M, N, K) -> number of the atom
  flat_tree<symbolic_integer> permutation[3];  ///< a tiler along M, N, K: n:1 for n elements in order
  static constexpr int modes[3][2] = {{0, 2}, {1, 2}, {0, 1}};  ///< the modes of A, B and C

  /// Sets `atoms`, and sets each `permutation` to `_`, the order of the atoms.
  void set_atoms(flat_tree<symbolic_integer> const& layout) {
    atoms = layout;
    for (int i = 0; i < 3; ++i) permutation[i] = count(atoms_extent(i));
  }
  /// (T, M, N, K) -> thread.
  flat_tree<symbolic_integer> threads() const { return algebra::tiled_product(atom_threads, atoms); }
  /// The number of elements along M, N or K that adjacent atoms take.
  std::int64_t atoms_extent(int mode) const { return atom_extent[mode] * atoms_along(mode); }
  /// The number of adjacent atoms along M, N or K.
  std::int64_t atoms_along(int mode) const { return algebra::size(atoms, mode).value; }
  /// The extent of the tile along M, N or K.
  std::int64_t tile_extent(int mode) const {
    std::int64_t const permuted = algebra::size(permutation[mode]).value;
    return permuted > atoms_extent(mode) ? permuted : atoms_extent(mode);
  }

  /// ((T, (atoms along X, along Y)), (V, (rest of X, rest of Y, ...))) -> offset in an operand with that layout.
  flat_tree<symbolic_integer> fragments(mma_operand which, flat_tree<symbolic_integer> const& layout) const {
    auto const& [x, y] = modes[static_cast<int>(which)];
    return algebra::mma_fragments(layout, pair(permutation[x], permutation[y]),
                                  pair(count(atom_extent[x]), count(atom_extent[y])), of_atom(which),
                                  pair(count(atoms_along(x)), count(atoms_along(y))));
  }
  /// A thread's partition of an operand: (V, rest of X, rest of Y, ...).
  flat_tree<symbolic_integer> partition(mma_operand which, flat_tree<symbolic_integer> const& layout) const {
    flat_tree<symbolic_integer> const values = algebra::mode(fragments(which, layout), 1);
    return algebra::prepend(algebra::mode(values, 1), algebra::mode(values, 0));
  }
  /// (thread, values) -> index in the operand's tile, as `get_layoutA_TV` and its siblings.
  flat_tree<symbolic_integer> layout_tv(mma_operand which) const {
    return algebra::mma_layout_tv(fragments(which, tile(which)), threads(), spread(which));
  }
  /// ((T, M, N, K), values) -> index in the operand's tile. It covers every thread. `layout_tv` ends at the first gap
  /// in the thread indices, such as those of the quad pairs of sm_70.
  flat_tree<symbolic_integer> layout_by_atom(mma_operand which) const {
    return algebra::mma_by_atom(fragments(which, tile(which)), spread(which));
  }

 private:
  flat_tree<symbolic_integer> const& of_atom(mma_operand which) const {
    return which == mma_operand::A ? a : which == mma_operand::B ? b : c;
  }
  /// The operand's tile as a column-major layout.
  flat_tree<symbolic_integer> tile(mma_operand which) const {
    auto const& [x, y] = modes[static_cast<int>(which)];
    flat_tree<symbolic_integer> f;
    f.add_open(2);
    f.add_leaf(symbolic_integer(tile_extent(x)), symbolic_integer(1));
    f.add_leaf(symbolic_integer(tile_extent(y)), symbolic_integer(tile_extent(x)));
    return f;
  }
  /// (M, N, K) -> index among the operand's (X, Y) atoms.
  flat_tree<symbolic_integer> spread(mma_operand which) const {
    auto const& [x, y] = modes[static_cast<int>(which)];
    flat_tree<symbolic_integer> f;
    f.add_open(3);
    for (int i = 0; i < 3; ++i)
      f.add_leaf(symbolic_integer(atoms_along(i)), symbolic_integer(i == x ? 1 : i == y ? atoms_along(x) : 0));
    return f;
  }
  static flat_tree<symbolic_integer> count(std::int64_t n) {
    flat_tree<symbolic_integer> f;
    f.add_leaf(symbolic_integer(n), symbolic_integer(1));
    return f;
  }
  static flat_tree<symbolic_integer> pair(flat_tree<symbolic_integer> const& x, flat_tree<symbolic_integer> const& y) {
    flat_tree<symbolic_integer> f;
    f.add_node(flat_tree<symbolic_integer>::tile(2));
    f.append(x);
    f.append(y);
    return f;
  }
};

/// @name Conversions from types
/// @{
/// A single instruction, as one atom.
template <class... A>
mma_values mma_values_of(MMA_Atom<A...> const&) {
  using Atom = MMA_Atom<A...>;
  using Shape = typename Atom::Shape_MNK;
  mma_values v;
  v.atom_threads = detail::lifted<symbolic_integer, typename Atom::ThrID>();
  v.a = detail::lifted<symbolic_integer, typename Atom::LayoutA_TV>();
  v.b = detail::lifted<symbolic_integer, typename Atom::LayoutB_TV>();
  v.c = detail::lifted<symbolic_integer, typename Atom::LayoutC_TV>();
  v.atom_extent[0] = size<0>(Shape{});
  v.atom_extent[1] = size<1>(Shape{});
  v.atom_extent[2] = size<2>(Shape{});
  v.set_atoms(detail::lifted<symbolic_integer, Layout<COSMATI_NAMESPACE::Shape<C<1>, C<1>, C<1>>>>());
  return v;
}
template <class A, class L, class P>
mma_values mma_values_of(TiledMMA<A, L, P> const& mma) {
  mma_values v = mma_values_of(static_cast<A const&>(mma));
  v.set_atoms(detail::lifted<symbolic_integer, L>());
  flat_tree<symbolic_integer> const given = detail::lifted<symbolic_integer, P>(detail::read_as::tiler);
  for (int i = 0; i < 3; ++i) {
    flat_tree<symbolic_integer> const p = algebra::mode(given, i);
    if (p.node[0] != flat_tree<symbolic_integer>::any) v.permutation[i] = p;
  }
  return v;
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
