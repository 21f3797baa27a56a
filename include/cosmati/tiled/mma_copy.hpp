// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tiled copies for the operands of a tiled MMA: each thread gets, or gives, the values that it holds in the MMA.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/tiled/tiled_copy.hpp>
#include <cosmati/tiled/tiled_mma.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

/// @name Mistakes with a warp-wide copy atom (ldmatrix, stmatrix) for an operand
/// @{
template <int bits, int needed>
struct transposing_copy_needs_16_bit_values : refused {
  static constexpr bool ok = bits == needed;
  static_assert(ok,
                "make_tiled_copy_A, _B, _C: transposing_copy_needs_16_bit_values<BITS, NEEDED>: ldmatrix.trans and "
                "stmatrix.trans exchange elements of NEEDED bits, these have BITS; keep the operand contiguous along "
                "K in shared memory and take the plain atom (SM75_U32x4_LDSM_N), or UniversalCopy");
};
template <int copied, int held>
struct copy_is_wider_than_the_operand : refused {
  static constexpr bool ok = held % copied == 0;
  static_assert(ok,
                "make_tiled_copy_A, _B, _C: copy_is_wider_than_the_operand<COPIED, HELD>: the copy atom gives a thread "
                "COPIED values, of which it holds HELD in one tile of the MMA; take a narrower atom (x1, x2), or let "
                "the tile be larger, make_tiled_mma(op, atoms, Tile<_32, _32, _16>{})");
};
template <int adjacent, int needed>
struct copy_does_not_feed_the_operand : refused {
  static constexpr bool ok = adjacent == needed;
  static_assert(ok,
                "make_tiled_copy_A, _B, _C: copy_does_not_feed_the_operand<ADJACENT, NEEDED>: the instruction leaves "
                "values in other lanes than the MMA wants them, so that its rows of NEEDED values would be spread over "
                "the tile (ADJACENT lie side by side); take UniversalCopy, or an MMA of sm_75 or newer on 8- to 32-bit "
                "values");
};
/// @}

/// The number of values of a lane's row that are adjacent along one mode of the tile. @tparam TV the side in memory
template <class TV, int extent, int values>
struct adjacent_in_tile {
  static constexpr int find() {
    int const first = static_cast<int>(TV{}(0, 0));
    int along_x = 1, along_y = 1;
    while (along_x < values && static_cast<int>(TV{}(0, along_x)) == first + along_x) ++along_x;
    while (along_y < values && static_cast<int>(TV{}(0, along_y)) == first + along_y * extent) ++along_y;
    return along_x > along_y ? along_x : along_y;
  }
  static constexpr int value = find();
};

/// @tparam TV (thread, value) -> index in the operand's tile (X, Y)
template <class Atom, class TV, class X, class Y>
struct mma_copy_check {
  static constexpr auto find() {
    using Op = typename Atom::CopyOp;
    if constexpr (requires { Op::count, Op::transposes; }) {
      constexpr int values = Op::count * 32 / Atom::value_bits;
      constexpr int held = decltype(size<1>(TV{}))::value;
      if constexpr (Op::transposes && Atom::value_bits != 16) {
        return std::type_identity<transposing_copy_needs_16_bit_values<Atom::value_bits, 16>>{};
      } else if constexpr (Atom::value_bits > 32 || held % values != 0) {
        return std::type_identity<copy_is_wider_than_the_operand<values, held>>{};
      } else {
        using Copied = TiledCopy<Atom, TV, Shape<X, Y>>;
        constexpr bool loads = Op::instruction.source == memory_space::smem;
        using Side = std::conditional_t<loads, decltype(Copied::get_layoutS_TV()), decltype(Copied::get_layoutD_TV())>;
        constexpr int row = 128 / Atom::value_bits;
        using Found = adjacent_in_tile<Side, X::value, row>;
        if constexpr (Found::value != row)
          return std::type_identity<copy_does_not_feed_the_operand<Found::value, row>>{};
        else
          return std::type_identity<nothing_wrong>{};
      }
    } else {
      return std::type_identity<nothing_wrong>{};
    }
  }
  using says = typename decltype(find())::type;
  static constexpr bool ok = std::is_same_v<says, nothing_wrong>;
};
template <class Atom, class Mma, class Operand>
using check_of_operand =
    mma_copy_check<Atom, decltype(Operand::layout_tv()), decltype(Mma::template tile_size_mnk<Operand::x>()),
                   decltype(Mma::template tile_size_mnk<Operand::y>())>;
template <class Mma, class Operand, class Atom>
COSMATI_HD constexpr auto tiled_copy_of_operand(Atom const& atom) {
  return make_tiled_copy_impl(
      atom, decltype(Operand::layout_tv()){},
      make_shape(Mma::template tile_size_mnk<Operand::x>(), Mma::template tile_size_mnk<Operand::y>()));
}

}  // namespace detail

/// @name Copies of A (M, K), B (N, K) and C (M, N) to and from a tiled MMA's fragments
/// An instruction that cannot feed the operand is an error with the reason.
/// @{
#define COSMATI_MMA_COPY_(name, operand)                                                                               \
  template <class... A, class Mma, class L, class P>                                                                   \
  requires(detail::check_of_operand<Copy_Atom<A...>, TiledMMA<Mma, L, P>, typename TiledMMA<Mma, L, P>::operand>::ok)  \
      COSMATI_HD constexpr auto                                                                                        \
      name(Copy_Atom<A...> const& atom, TiledMMA<Mma, L, P> const&) {                                                  \
    return detail::tiled_copy_of_operand<TiledMMA<Mma, L, P>, typename TiledMMA<Mma, L, P>::operand>(atom);            \
  }                                                                                                                    \
  template <class... A, class Mma, class L, class P>                                                                   \
  requires(!detail::check_of_operand<Copy_Atom<A...>, TiledMMA<Mma, L, P>, typename TiledMMA<Mma, L, P>::operand>::ok) \
      COSMATI_HD typename detail::check_of_operand<Copy_Atom<A...>, TiledMMA<Mma, L, P>,                               \
                                                   typename TiledMMA<Mma, L, P>::operand>::says                        \
      name(Copy_Atom<A...> const& atom, TiledMMA<Mma, L, P> const&);
COSMATI_MMA_COPY_(make_tiled_copy_A, operand_A)
COSMATI_MMA_COPY_(make_tiled_copy_B, operand_B)
COSMATI_MMA_COPY_(make_tiled_copy_C, operand_C)
#undef COSMATI_MMA_COPY_
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

/// The smallest tiled copy of C with the atom: one atom's share of each thread's values, in their order. An epilogue
/// uses it to proceed in steps.
template <class... A, class Mma, class L, class P>
COSMATI_HD constexpr auto make_tiled_copy_C_atom(Copy_Atom<A...> const& atom, TiledMMA<Mma, L, P> const&) {
  using T = TiledMMA<Mma, L, P>;
  using LayoutC = decltype(T::get_layoutC_TV());
  constexpr int values = Copy_Atom<A...>::NumValSrc::value;
  static_assert(sizeof(detail::mma_has_fewer_values_than_the_copy<decltype(size<1>(LayoutC{}))::value, values>) != 0);
  auto const extents = make_shape(T::template tile_size_mnk<0>(), T::template tile_size_mnk<1>());
  auto const layout_tv = composition(LayoutC{}, make_layout(make_shape(size<0>(LayoutC{}), C<values>{})));
  // the rows and columns of the tile that hold these values
  auto const tiler = make_tile(filter(composition(make_layout(extents, Stride<C<1>, C<0>>{}), layout_tv)),
                               filter(composition(make_layout(extents, Stride<C<0>, C<1>>{}), layout_tv)));
  auto const part_to_tile = composition(make_layout(extents), tiler);
  return make_tiled_copy_impl(atom, composition(left_inverse(part_to_tile), layout_tv), tiler);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
