// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tiled copies that move what a tiled MMA multiplies: each thread gets (or gives) the values that it holds there.
#pragma once

#include <cosmati/tiled/tiled_copy.hpp>
#include <cosmati/tiled/tiled_mma.hpp>

namespace COSMATI_NAMESPACE {

/// @name Copies of A (M, K), B (N, K) and C (M, N) to and from a tiled MMA's fragments
/// @{
template <class... A, class Mma, class L, class P>
COSMATI_HD constexpr auto make_tiled_copy_A(Copy_Atom<A...> const& atom, TiledMMA<Mma, L, P> const&) {
  using T = TiledMMA<Mma, L, P>;
  return make_tiled_copy_impl(atom, T::get_layoutA_TV(),
                              make_shape(T::template tile_size_mnk<0>(), T::template tile_size_mnk<2>()));
}
template <class... A, class Mma, class L, class P>
COSMATI_HD constexpr auto make_tiled_copy_B(Copy_Atom<A...> const& atom, TiledMMA<Mma, L, P> const&) {
  using T = TiledMMA<Mma, L, P>;
  return make_tiled_copy_impl(atom, T::get_layoutB_TV(),
                              make_shape(T::template tile_size_mnk<1>(), T::template tile_size_mnk<2>()));
}
template <class... A, class Mma, class L, class P>
COSMATI_HD constexpr auto make_tiled_copy_C(Copy_Atom<A...> const& atom, TiledMMA<Mma, L, P> const&) {
  using T = TiledMMA<Mma, L, P>;
  return make_tiled_copy_impl(atom, T::get_layoutC_TV(),
                              make_shape(T::template tile_size_mnk<0>(), T::template tile_size_mnk<1>()));
}
/// @}

namespace detail {
template <int values, int needed>
struct mma_has_fewer_values_than_the_copy {
  static_assert(values >= needed,
                "make_tiled_copy_C_atom: mma_has_fewer_values_than_the_copy<VALUES, NEEDED>: a thread of the tiled MMA "
                "holds VALUES sums, the copy atom moves NEEDED; take a narrower atom, or a larger tile (the third "
                "argument of make_tiled_mma)");
};
}  // namespace detail

/// The smallest tiled copy of C by that atom: of the values that a thread holds, in their order, one atom's. For
/// epilogues in steps.
template <class... A, class Mma, class L, class P>
COSMATI_HD constexpr auto make_tiled_copy_C_atom(Copy_Atom<A...> const& atom, TiledMMA<Mma, L, P> const&) {
  using T = TiledMMA<Mma, L, P>;
  using LayoutC = decltype(T::get_layoutC_TV());
  constexpr int values = Copy_Atom<A...>::NumValSrc::value;
  static_assert(sizeof(detail::mma_has_fewer_values_than_the_copy<decltype(size<1>(LayoutC{}))::value, values>) != 0);
  auto const extents = make_shape(T::template tile_size_mnk<0>(), T::template tile_size_mnk<1>());
  auto const layout_tv = composition(LayoutC{}, make_layout(make_shape(size<0>(LayoutC{}), C<values>{})));
  // which rows and columns of the tile these values are in
  auto const tiler = make_tile(filter(composition(make_layout(extents, Stride<C<1>, C<0>>{}), layout_tv)),
                               filter(composition(make_layout(extents, Stride<C<0>, C<1>>{}), layout_tv)));
  auto const part_to_tile = composition(make_layout(extents), tiler);
  return make_tiled_copy_impl(atom, composition(left_inverse(part_to_tile), layout_tv), tiler);
}

}  // namespace COSMATI_NAMESPACE
