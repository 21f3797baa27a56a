// SPDX-License-Identifier: Apache-2.0
/// @file
/// `tma_partition`: tiles of coordinates and of shared memory, cut into the boxes of a tensor copy.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/tma/multicast.hpp>

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
/// A tensor that begins at element `first` of its mode 0.
template <class T, class First, int... j>
COSMATI_HD constexpr auto shifted(T const& t, First const& first, seq<j...>) {
  return domain_offset(make_tuple(first, C<j - j>{}...), t);
}
template <class Op, class...>
inline constexpr bool moves_to_several_blocks = is_multicast<Op>;
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
/// The same for the block of a cluster whose tile other blocks share: each gets its part of every box.
/// @param cta_coord the block's place among those that share the tile, @param cta_layout of these blocks: as many as
/// the
///   atom was made for, `Layout<_1>` for one
template <class... Traits, class T, class Coordinate, class S, class D, class SharedEngine, class SharedLayout,
          class Engine, class L>
COSMATI_HD auto tma_partition(Copy_Atom<Copy_Traits<Traits...>, T> const& atom,
                              [[maybe_unused]] Coordinate const& cta_coord,
                              [[maybe_unused]] Layout<S, D> const& cta_layout,
                              Tensor<SharedEngine, SharedLayout> const& shared, Tensor<Engine, L> const& coordinates) {
  using Atom = Copy_Atom<Copy_Traits<Traits...>, T>;
  constexpr int blocks = static_cast<int>(size_v<S>);
  if constexpr (blocks == 1) {
    return tma_partition(atom, shared, coordinates);
  } else {
    static_assert(detail::moves_to_several_blocks<Traits...>,
                  "tma_partition: only an atom of SM90_TMA_LOAD_MULTICAST copies to several blocks; take Layout<_1>");
    constexpr int elements = static_cast<int>(Atom::NumValSrc::value);
    auto const order = coalesce(right_inverse(get_nonswizzle_portion(layout<0>(shared.layout()))));
    static_assert(size_v<decltype(shape(order))> % (elements * blocks) == 0,
                  "tma_partition: the tile is no whole number of boxes of one part a block; give the atom the size of "
                  "the cluster's layout");
    constexpr int boxes = static_cast<int>(size_v<decltype(shape(order))>) / (elements * blocks);
    auto const parts = composition(order, Layout<Shape<C<elements>, C<boxes>>, Stride<C<1>, C<elements * blocks>>>{});
    auto const first = order(cta_layout(cta_coord) * C<elements>{});
    return make_tuple(detail::with_boxes(detail::shifted(coordinates, first, make_seq<L::rank - 1>{}), parts,
                                         make_seq<L::rank - 1>{}),
                      detail::with_boxes(detail::shifted(shared, first, make_seq<SharedLayout::rank - 1>{}), parts,
                                         make_seq<SharedLayout::rank - 1>{}));
  }
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
