// SPDX-License-Identifier: Apache-2.0
/// @file
/// `tma_partition`: tiles of coordinates and of shared memory, cut into the boxes of a tensor copy.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/tma/tma_atom.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// Element of the tile for (element of a box, box), in the order of shared memory.
template <int elements, class SharedTile>
COSMATI_HD constexpr auto boxes_of_tile(SharedTile const& tile) {
  auto const order = right_inverse(get_nonswizzle_portion(tile));
  return logical_divide(coalesce(order), C<elements>{});
}
/// A tensor with mode 0 rearranged and the others, j..., as they are.
template <class T, class Order, int... j>
COSMATI_HD constexpr auto with_boxes(T const& t, Order const& order, seq<j...>) {
  return t.compose(make_tuple(order, (static_cast<void>(j), _)...));
}
}  // namespace detail

/// Both sides of a tensor copy with mode 0 as ((element of a box, box)), the others as they were: what
/// `copy(atom.with(barrier), coordinates(_, k), shared(_, stage))` takes.
/// @param shared (tile, stages...) in shared memory, @param coordinates (tile, ...) of `get_tma_tensor`
/// @return (coordinates, shared)
/// @pre mode 0 of both is the atom's tile: `group_modes<0, 2>(tile)`
template <class... Traits, class T, class SharedEngine, class SharedLayout, class Engine, class L>
COSMATI_HD auto tma_partition(Copy_Atom<Copy_Traits<Traits...>, T> const&,
                              Tensor<SharedEngine, SharedLayout> const& shared, Tensor<Engine, L> const& coordinates) {
  using Atom = Copy_Atom<Copy_Traits<Traits...>, T>;
  auto const order = detail::boxes_of_tile<static_cast<int>(Atom::NumValSrc::value)>(layout<0>(shared.layout()));
  return make_tuple(detail::with_boxes(coordinates, order, make_seq<L::rank - 1>{}),
                    detail::with_boxes(shared, order, make_seq<SharedLayout::rank - 1>{}));
}
/// The same for the block of a cluster. @param cta_coord its place, @param cta_layout of the blocks that share a tile:
/// one block, `Layout<_1>`
template <class... Traits, class T, class Coordinate, class S, class D, class SharedEngine, class SharedLayout,
          class Engine, class L>
COSMATI_HD auto tma_partition(Copy_Atom<Copy_Traits<Traits...>, T> const& atom, Coordinate const&, Layout<S, D> const&,
                              Tensor<SharedEngine, SharedLayout> const& shared, Tensor<Engine, L> const& coordinates) {
  static_assert(size_v<S> == 1,
                "tma_partition: copies to several blocks of a cluster are not there yet; take Layout<_1>");
  return tma_partition(atom, shared, coordinates);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
