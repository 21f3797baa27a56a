// SPDX-License-Identifier: Apache-2.0
/// @file
/// `local_tile`: a block's tile of a tensor. `local_partition`: a thread's share of a tensor. Also the functions that
/// they use.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/refused.hpp>
#include <cosmati/core/tuple/slice.hpp>
#include <cosmati/tensor/place.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// The coordinate with N modes. A tuple is padded with `_`. An integer counts through all of `shape`. `_` keeps the
/// whole shape as one mode.
template <int N, class C0, class Shape>
COSMATI_HD constexpr auto full_coord(C0 const& c, [[maybe_unused]] Shape const& shape) {
  if constexpr (tuple_type<C0>) {
    return append<N>(c, _);
  } else if constexpr (is_underscore_v<C0> || N == 1) {
    return c;
  } else {
    return idx2crd(c, product_each(wrap(shape)));
  }
}
/// `_` for each of N modes. For one mode it is `_` itself, as in CuTe, so that a tuple mode stays a tuple.
template <int N>
COSMATI_HD constexpr auto all_modes() {
  if constexpr (N == 1)
    return _;
  else
    return repeat<N>(_);
}
template <int tensor_rank, int tiler_rank>
struct tiler_has_more_modes_than_the_tensor : refused {
  static_assert(tiler_rank <= tensor_rank,
                "local_tile, local_partition: tiler_has_more_modes_than_the_tensor<TENSOR, TILER>: the tensor has "
                "TENSOR modes, the "
                "tiler TILER; drop modes of the tiler, with a projection Step<_1, X, _1> for instance, or give the "
                "tensor as many");
};
template <int tensor_rank, int coordinate_rank>
struct coordinate_has_more_modes_than_the_tensor : refused {
  static_assert(coordinate_rank <= tensor_rank,
                "local_tile, local_partition: coordinate_has_more_modes_than_the_tensor<TENSOR, COORDINATE>: the "
                "tensor has TENSOR "
                "modes, the coordinate COORDINATE; give one integer or _ a mode");
};
template <int projection_rank, int tiler_rank, int coordinate_rank>
struct projection_has_another_rank : refused {
  static_assert(
      projection_rank == tiler_rank && projection_rank == coordinate_rank,
      "local_tile, local_partition: projection_has_another_rank<PROJECTION, TILER, COORDINATE>: the projection needs "
      "as many "
      "modes as tiler and coordinate; write _1 for each mode that stays and X for the others, as Step<_1, X, _1>");
};
template <class Tiler>
inline constexpr int rank_of_tiler = tuple_size_v<Tiler>;
template <class S, class D>
inline constexpr int rank_of_tiler<Layout<S, D>> = 1;
/// The number of modes that a projection keeps.
template <class Proj>
inline constexpr int modes_kept = 1;
template <class... P>
inline constexpr int modes_kept<tuple<P...>> = (0 + ... + (is_underscore_v<P> ? 0 : 1));

/// 0 for a type that is not a tensor, because clang 14 forms the type of a result before it checks the constraints.
template <class T>
inline constexpr int rank_of_tensor = 0;
template <tensor_type T>
inline constexpr int rank_of_tensor<T> = std::remove_cvref_t<T>::rank;

/// Finds the mistake in the arguments of local_tile and related functions.
template <class T, class Tiler, class C0, class Proj>
struct tile_check {
  static constexpr int rank = rank_of_tensor<T>;
  static constexpr bool projected = !std::is_void_v<Proj>;
  static constexpr auto find() {
    if constexpr (projected && tuple_type<Proj>) {
      constexpr int p = tuple_size_v<Proj>, t = rank_of_tiler<Tiler>, c = tuple_type<C0> ? tuple_size_v<C0> : p;
      if constexpr (p != t || p != c)
        return std::type_identity<projection_has_another_rank<p, t, c>>{};
      else if constexpr (modes_kept<Proj> > rank)
        return std::type_identity<tiler_has_more_modes_than_the_tensor<rank, modes_kept<Proj>>>{};
      else
        return std::type_identity<void>{};
    } else if constexpr (rank_of_tiler<Tiler> > rank) {
      return std::type_identity<tiler_has_more_modes_than_the_tensor<rank, rank_of_tiler<Tiler>>>{};
    } else if constexpr (tuple_type<C0> && tuple_type<Tiler>) {
      if constexpr (tuple_size_v < C0 >> rank)
        return std::type_identity<coordinate_has_more_modes_than_the_tensor<rank, tuple_size_v<C0>>>{};
      else
        return std::type_identity<void>{};
    } else {
      return std::type_identity<void>{};
    }
  }
  using says = typename decltype(find())::type;
};
template <class T, class Tiler, class C0, class Proj = void>
concept can_be_tiled = tensor_type<T> && std::is_void_v<typename tile_check<T, Tiler, C0, Proj>::says>;
template <class T, class Tiler, class C0, class Proj = void>
concept cannot_be_tiled = tensor_type<T> && !std::is_void_v<typename tile_check<T, Tiler, C0, Proj>::says>;
template <class T, class Tiler, class C0, class Proj = void>
using mistake_in_tiling = typename tile_check<T, Tiler, C0, Proj>::says;
}  // namespace detail

/// The tile at `coord`: the modes of the tile, then the rest modes where coord has `_`.
template <class T, class Tiler, class C0>
requires(detail::can_be_tiled<T, Tiler, C0>) COSMATI_HD
    constexpr auto inner_partition(T&& t, Tiler const& tiler, C0 const& coord) {
  auto const tiled = zipped_divide(t.layout(), tiler);
  using Tiled = std::remove_const_t<decltype(tiled)>;
  constexpr int r0 = decltype(rank<0>(tiled))::value;
  constexpr int r1 = decltype(rank<1>(tiled))::value;
  auto const at = detail::full_coord<r1>(coord, shape<1>(tiled));
  constexpr int n = std::remove_cvref_t<T>::rank;
  using At = std::remove_const_t<decltype(at)>;
  if constexpr (detail::flat_integers<Tiler> && detail::integers_or_underscores<At> && r0 == n && r1 == n &&
                tuple_size_v<decltype(wrap(at))> == n) {
    auto const whole = make_tuple(detail::all_modes<r0>(), at);
    auto const full = product_each(wrap(t.shape()));
    auto const place = detail::place_of_tile(full, tiler, wrap(at), std::make_index_sequence<std::size_t{n}>{});
    if constexpr (composed_layout<Tiled>)
      return make_placed_tensor(t.data(), place, slice(whole, tiled));
    else
      return make_placed_tensor(detail::iterator_at<Tiled>(t.data(), crd2idx(whole, tiled)), place,
                                slice(whole, tiled));
  } else {
    auto const tile = make_tensor(t.data(), tiled)(detail::all_modes<r0>(), at);
    return make_placed_tensor(tile.data(), lost_place{}, tile.layout());
  }
}
/// The elements at `coord` of every tile: the modes of the tile where coord has `_`, then the rest modes.
template <class T, class Tiler, class C0>
requires(detail::can_be_tiled<T, Tiler, C0>) COSMATI_HD
    constexpr auto outer_partition(T&& t, Tiler const& tiler, C0 const& coord) {
  auto const tiled = zipped_divide(t, tiler);
  constexpr int r0 = decltype(rank<0>(tiled))::value;
  constexpr int r1 = decltype(rank<1>(tiled))::value;
  auto const part = tiled(detail::full_coord<r0>(coord, shape<0>(tiled.layout())), detail::all_modes<r1>());
  return make_placed_tensor(part.data(), lost_place{}, part.layout());
}

/// A block's tile: local_tile(A, (bM, bK), (m, _)) is (bM, bK, k).
template <class T, class Tiler, class C0>
requires(detail::can_be_tiled<T, Tiler, C0>) COSMATI_HD
    constexpr auto local_tile(T&& t, Tiler const& tiler, C0 const& coord) {
  return inner_partition(t, tiler, coord);
}
/// A block's tile of a tensor with fewer modes than the tiler and coordinate have. The `X` of the projection leaves
/// modes out.
template <class T, class Tiler, class C0, class Proj>
requires(detail::can_be_tiled<T, Tiler, C0, Proj>) COSMATI_HD
    constexpr auto local_tile(T&& t, Tiler const& tiler, C0 const& coord, Proj const& proj) {
  return inner_partition(t, dice(proj, tiler), dice(proj, coord));
}

/// The elements of thread `index`, if the layout `tile` of threads is repeated over the tensor.
template <class T, class S, class D, integer Index>
requires(detail::can_be_tiled<T, S, Index>) COSMATI_HD
    constexpr auto local_partition(T&& t, Layout<S, D> const& tile, Index const& index) {
  return outer_partition(t, product_each(tile.shape()), tile.get_flat_coord(index));
}
template <class T, class S, class D, integer Index, class Proj>
requires(detail::can_be_tiled<T, S, Index, Proj>) COSMATI_HD
    constexpr auto local_partition(T&& t, Layout<S, D> const& tile, Index const& index, Proj const& proj) {
  return outer_partition(t, dice(proj, product_each(tile.shape())), dice(proj, tile.get_flat_coord(index)));
}

/// @name Tiles that are known to be wrong
/// They are only declared. The type of the result says what is wrong (core/refused.hpp).
/// @{
#define COSMATI_REFUSED(name)                                                                             \
  template <class T, class Tiler, class C0>                                                               \
  requires detail::cannot_be_tiled<T, Tiler, C0> COSMATI_HD detail::mistake_in_tiling<T, Tiler, C0> name( \
      T&& t, Tiler const& tiler, C0 const& coord);
COSMATI_REFUSED(inner_partition)
COSMATI_REFUSED(outer_partition)
COSMATI_REFUSED(local_tile)
#undef COSMATI_REFUSED
template <class T, class Tiler, class C0, class Proj>
requires detail::cannot_be_tiled<T, Tiler, C0, Proj> COSMATI_HD detail::mistake_in_tiling<T, Tiler, C0, Proj>
local_tile(T&& t, Tiler const& tiler, C0 const& coord, Proj const& proj);
template <class T, class S, class D, integer Index>
requires detail::cannot_be_tiled<T, S, Index> COSMATI_HD detail::mistake_in_tiling<T, S, Index> local_partition(
    T&& t, Layout<S, D> const& tile, Index const& index);
template <class T, class S, class D, integer Index, class Proj>
requires detail::cannot_be_tiled<T, S, Index, Proj> COSMATI_HD detail::mistake_in_tiling<T, S, Index, Proj>
local_partition(T&& t, Layout<S, D> const& tile, Index const& index, Proj const& proj);
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
