// SPDX-License-Identifier: Apache-2.0
/// @file
/// `local_tile`: a block's tile of a tensor; `local_partition`: a thread's share of it; and what both are made of.
#pragma once

#include <cosmati/core/slice.hpp>
#include <cosmati/tensor/place.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// A tuple is padded with `_` to N modes; an integer counts through all of `shape`; `_` keeps all of it, as one mode.
template <int N, class C0, class Shape>
COSMATI_HD constexpr auto full_coord(C0 const& c, [[maybe_unused]] Shape const& shape) {
  if constexpr (tuple_type<C0>) {
    static_assert(tuple_size_v<C0> <= N, "local_tile, local_partition: the coordinate has more modes than the tensor");
    return append<N>(c, _);
  } else if constexpr (is_underscore_v<C0> || N == 1) {
    return c;
  } else {
    return idx2crd(c, product_each(wrap(shape)));
  }
}
/// `_` for each of N modes; for one mode, as in CuTe, `_` itself: the mode stays a tuple if it is one.
template <int N>
COSMATI_HD constexpr auto all_modes() {
  if constexpr (N == 1)
    return _;
  else
    return repeat<N>(_);
}
template <int tensor_rank, int tiler_rank>
struct tiler_has_more_modes_than_the_tensor {
  static_assert(tiler_rank <= tensor_rank,
                "local_tile, local_partition: the tiler has more modes than the tensor "
                "(tiler_has_more_modes_than_the_tensor<tensor's rank, tiler's rank>); drop modes of the tiler, with a projection "
                "Step<_1, X, _1> for instance, or give the tensor as many");
};
template <class Tiler>
inline constexpr int rank_of_tiler = tuple_size_v<Tiler>;
template <class S, class D>
inline constexpr int rank_of_tiler<Layout<S, D>> = 1;
}  // namespace detail

/// The tile at `coord` among the tiles of the tensor: modes of the tile, then the rest modes that coord leaves as `_`.
template <class T, class Tiler, class C0>
  requires(tensor_type<T>)
COSMATI_HD constexpr auto inner_partition(T&& t, Tiler const& tiler, C0 const& coord) {
  (void)detail::tiler_has_more_modes_than_the_tensor<std::remove_cvref_t<T>::rank, detail::rank_of_tiler<Tiler>>{};
  auto const tiled = zipped_divide(t, tiler);
  constexpr int r0 = decltype(rank<0>(tiled))::value;
  constexpr int r1 = decltype(rank<1>(tiled))::value;
  auto const at = detail::full_coord<r1>(coord, shape<1>(tiled.layout()));
  constexpr int n = std::remove_cvref_t<T>::rank;
  using At = std::remove_const_t<decltype(at)>;
  if constexpr (detail::flat_integers<Tiler> && detail::integers_or_underscores<At> && r0 == n && r1 == n &&
                tuple_size_v<decltype(wrap(at))> == n) {
    auto const cut = tiled(detail::all_modes<r0>(), at);
    auto const full = product_each(wrap(t.shape()));
    return make_placed_tensor(cut.data(), detail::place_of_tile(full, tiler, wrap(at), std::make_index_sequence<n>{}),
                              cut.layout());
  } else {
    return tiled(detail::all_modes<r0>(), at);
  }
}
/// The elements at `coord` of every tile: their modes within the tile that coord leaves as `_`, then the rest modes.
template <class T, class Tiler, class C0>
  requires(tensor_type<T>)
COSMATI_HD constexpr auto outer_partition(T&& t, Tiler const& tiler, C0 const& coord) {
  (void)detail::tiler_has_more_modes_than_the_tensor<std::remove_cvref_t<T>::rank, detail::rank_of_tiler<Tiler>>{};
  auto const tiled = zipped_divide(t, tiler);
  constexpr int r0 = decltype(rank<0>(tiled))::value;
  constexpr int r1 = decltype(rank<1>(tiled))::value;
  return tiled(detail::full_coord<r0>(coord, shape<0>(tiled.layout())), detail::all_modes<r1>());
}

/// A block's tile: local_tile(A, (bM, bK), (m, _)) is (bM, bK, k).
template <class T, class Tiler, class C0>
  requires(tensor_type<T>)
COSMATI_HD constexpr auto local_tile(T&& t, Tiler const& tiler, C0 const& coord) { return inner_partition(t, tiler, coord); }
/// The same of a tensor with fewer modes than tiler and coordinate have: the projection's `X` leaves modes out.
template <class T, class Tiler, class C0, class Proj>
  requires(tensor_type<T>)
COSMATI_HD constexpr auto local_tile(T&& t, Tiler const& tiler, C0 const& coord, Proj const& proj) {
  return inner_partition(t, dice(proj, tiler), dice(proj, coord));
}

/// Thread `index`'s elements, when threads are laid over the tensor by the layout `tile`, repeated.
template <class T, class S, class D, class Index>
  requires(tensor_type<T>)
COSMATI_HD constexpr auto local_partition(T&& t, Layout<S, D> const& tile, Index const& index) {
  static_assert(std::is_integral_v<Index> || static_integer<Index>, "local_partition(tensor, thread layout, index): the index is an integer");
  return outer_partition(t, product_each(tile.shape()), tile.get_flat_coord(index));
}
template <class T, class S, class D, class Index, class Proj>
  requires(tensor_type<T>)
COSMATI_HD constexpr auto local_partition(T&& t, Layout<S, D> const& tile, Index const& index, Proj const& proj) {
  return outer_partition(t, dice(proj, product_each(tile.shape())), dice(proj, tile.get_flat_coord(index)));
}

}  // namespace COSMATI_NAMESPACE
