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
  return coalesce(t.compose(make_tuple(order, (static_cast<void>(j), _)...)), Shape<Shape<C<1>, C<1>>>{});
}
template <class Order, class Engine, class L>
COSMATI_HD constexpr auto with_boxes(Tensor<Engine, L> const& t, Order const& order) {
  return with_boxes(t, order, make_seq<L::rank - 1>{});
}
/// A tensor ((element of a box, box), ...) that begins at element `first` of its first box.
template <class T, class First, int... j>
COSMATI_HD constexpr auto from_element(T const& t, First const& first, seq<j...>) {
  return domain_offset(make_tuple(make_tuple(first, C<0>{}), C<j - j>{}...), t);
}
template <class First, class Engine, class L>
COSMATI_HD constexpr auto from_element(Tensor<Engine, L> const& t, First const& first) {
  return from_element(t, first, make_seq<L::rank - 1>{});
}
template <class Op, class...>
inline constexpr bool moves_to_several_blocks = is_multicast<Op>;
/// The number of blocks of a layout, 0 if it is not known before run time.
template <class L>
inline constexpr int static_blocks = 0;
template <class L>
requires is_static_v<L>
inline constexpr int static_blocks<L> = static_cast<int>(cosize_v<L>);
}  // namespace detail

/// Both sides of a tensor copy with mode 0 as ((element of a box, box)), the others as they were: what
/// `copy(atom.with(barrier), coordinates(_, k), shared(_, stage))` takes.
/// @param shared (tile, stages...) in shared memory, @param coordinates (tile, ...) of `get_tma_tensor`
/// @return (coordinates..., shared)
/// @pre mode 0 of all is the atom's tile: `group_modes<0, 2>(tile)`
template <class... Traits, class T, class SharedEngine, class SharedLayout, class... Engine, class... L>
COSMATI_HD auto tma_partition(Copy_Atom<Copy_Traits<Traits...>, T> const&,
                              Tensor<SharedEngine, SharedLayout> const& shared,
                              Tensor<Engine, L> const&... coordinates) {
  using Atom = Copy_Atom<Copy_Traits<Traits...>, T>;
  auto const order = detail::boxes_of_tile<static_cast<int>(Atom::NumValSrc::value)>(layout<0>(shared.layout()));
  return make_tuple(detail::with_boxes(coordinates, order)..., detail::with_boxes(shared, order));
}
/// The same for the block of a cluster whose tile other blocks share. Both sides have the whole boxes, as for one
/// block, and begin at the block's part of the first box: `copy` moves this part of every box.
/// `size<0>(shared) * sizeof(T)` is what the mbarrier of each block waits for.
/// @param cta_coord the block's place among those that share the tile, @param cta_layout of these blocks: as many as
/// the
///   atom was made for, `Layout<_1>` for one
template <class... Traits, class T, class Coordinate, class S, class D, class SharedEngine, class SharedLayout,
          class... Engine, class... L>
COSMATI_HD auto tma_partition(Copy_Atom<Copy_Traits<Traits...>, T> const& atom,
                              [[maybe_unused]] Coordinate const& cta_coord,
                              [[maybe_unused]] Layout<S, D> const& cta_layout,
                              Tensor<SharedEngine, SharedLayout> const& shared,
                              Tensor<Engine, L> const&... coordinates) {
  using Atom = Copy_Atom<Copy_Traits<Traits...>, T>;
  constexpr int blocks = detail::static_blocks<Layout<S, D>>;
  if constexpr (blocks == 1) {
    return tma_partition(atom, shared, coordinates...);
  } else {
    static_assert(blocks == 0 || detail::moves_to_several_blocks<Traits...>,
                  "tma_partition: only an atom of SM90_TMA_LOAD_MULTICAST copies to several blocks; take Layout<_1>");
    constexpr int elements = static_cast<int>(Atom::NumValSrc::value);
    static_assert(blocks == 0 || elements % blocks == 0,
                  "tma_partition: the box has no equal parts for the blocks of this layout; give the atom the size of "
                  "the cluster's layout");
    auto const order = detail::boxes_of_tile<elements>(layout<0>(shared.layout()));
    auto const first = cta_layout(cta_coord) * (C<elements>{} / cosize(cta_layout));
    return make_tuple(detail::from_element(detail::with_boxes(coordinates, order), first)...,
                      detail::from_element(detail::with_boxes(shared, order), first));
  }
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
