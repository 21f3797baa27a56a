// SPDX-License-Identifier: Apache-2.0
/// @file
/// Sizes that do not fit, as far as types tell: a tile that does not divide its tensor, or tensors of different
/// extents.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/facts.hpp>
#include <cosmati/algorithm/copy/place_facts.hpp>

namespace COSMATI_NAMESPACE::detail {

/// The first mode along which a partition certainly covers elements that do not exist. Either the tiled copy does not
/// divide the tile, or the tile does not divide the tensor and the partition certainly includes the last tile.
struct misfit {
  int mode = -1;  ///< -1: none is known
  std::int64_t extent = 0, tile = 0;
};
/// Whether both extents are known, and the part does not divide the whole.
constexpr bool leaves_a_rest(std::int64_t whole, std::int64_t part) {
  return whole > 0 && part > 0 && whole % part != 0;
}
template <class Place, class Tiler>
struct misfit_of;
template <class Tile, class Full, class Origin, int... open, class Tiler>
struct misfit_of<tile_place<Tile, Full, Origin, open...>, Tiler> {
  template <std::size_t k>
  static constexpr misfit along() {
    constexpr std::int64_t tile = extent_of_tile<tuple_element_t<k, Tile>>;
    constexpr std::int64_t full = extent_of_tile<tuple_element_t<k, Full>>;
    constexpr int mode = static_cast<int>(k);
    constexpr std::int64_t step = step_along<Tiler, k>;
    if (leaves_a_rest(tile, step)) return {mode, tile, step};
    if (leaves_a_rest(full, tile)) {
      constexpr bool all = ((open == mode) || ...);
      using At = tuple_element_t<k, Origin>;
      bool last = all;
      if constexpr (static_integer<At>) last = all || At::value + tile > full;
      if (last) return {mode, full, tile};
    }
    return {};
  }
  static constexpr misfit value = [] {
    misfit r;
    [&]<std::size_t... k>(std::index_sequence<k...>) { ((r.mode < 0 ? void(r = along<k>()) : void()), ...); }
    (std::make_index_sequence<static_cast<std::size_t>(tuple_size_v<Tile>)>{});
    return r;
  }();
};
template <class T, class Tiler>
inline constexpr misfit misfit_of_tensor = [] {
  if constexpr (has_thread_place<T>)
    return misfit_of<typename T::engine_type::place_type::base_type, Tiler>::value;
  else
    return misfit{};
}();

/// The first mode in which two tensors differ. Their tiles are compared if both are known, otherwise the tensors.
struct extents_that_differ {
  int mode = -1;  ///< -1: none is known
  std::int64_t source = 0, destination = 0;
  constexpr void look(int at, std::int64_t n, std::int64_t m) {
    if (mode < 0 && n > 0 && m > 0 && n != m) *this = {at, n, m};
  }
};
/// The extent of mode k; 0 if it is known at run time, 1 if there is no such mode.
template <class T, int k>
constexpr int extent_of_side() {
  if constexpr (k < T::rank)
    return static_size<decltype(size<k>(std::declval<T const&>()))>::value;
  else
    return 1;
}
template <class Src, class Dst>
constexpr extents_that_differ find_extents_that_differ() {
  extents_that_differ r;
  if constexpr (has_thread_place<Src> && has_thread_place<Dst>) {
    using S = typename Src::engine_type::place_type::base_type::tile_type;
    using D = typename Dst::engine_type::place_type::base_type::tile_type;
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      (r.look(static_cast<int>(k), extent_of_tile<tuple_element_t<k, S>>, extent_of_tile<tuple_element_t<k, D>>), ...);
    }
    (std::make_index_sequence<static_cast<std::size_t>(smaller_int(tuple_size_v<S>, tuple_size_v<D>))>{});
  }
  [&]<int... k>(std::integer_sequence<int, k...>) {
    (r.look(k, extent_of_side<Src, k>(), extent_of_side<Dst, k>()), ...);
  }
  (std::make_integer_sequence<int, (Src::rank > Dst::rank ? Src::rank : Dst::rank)>{});
  return r;
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
