// SPDX-License-Identifier: Apache-2.0
/// @file
/// Facts about the places of partitions that types give: the tile and the tensor that they are cut from, and whether a
/// tiled copy divides them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/layout_facts.hpp>
#include <cosmati/tiled/tiled_copy.hpp>

namespace COSMATI_NAMESPACE::detail {

template <class T>
inline constexpr bool has_thread_place = false;
template <class T>
inline constexpr bool has_thread_place<T const> = has_thread_place<T>;
template <class Iterator, class Base, class Behind, class Idx, bool source, int step, bool known, class L>
inline constexpr bool
    has_thread_place<Tensor<PlacedEngine<Iterator, thread_place<Base, Behind, Idx, source, step, known>>, L>> = true;

/// A divisor of the offsets of the threads' first values, as far as it is known; 0 if nothing is known.
template <class T>
inline constexpr int step_of_threads = [] {
  if constexpr (has_thread_place<T>)
    return T::engine_type::place_type::step;
  else
    return 0;
}();

/// Whether the place is that of a whole tensor, whose tile has the tensor's extents.
template <class Base>
inline constexpr bool is_whole_place = false;
template <class Tile, class... zero>
inline constexpr bool is_whole_place<tile_place<Tile, Tile, tuple<zero...>>> = (std::is_same_v<zero, C<0>> && ...);

/// A rank of how much a place tells about the bounds. A tile's place tells more than a whole tensor's, and global
/// memory more than shared memory.
template <class T>
struct place_weight {
  static constexpr int value = -1;
};
template <class T>
struct place_weight<T const> : place_weight<T> {};
template <class Iterator, class Base, class Behind, class Idx, bool source, int step, class L>
struct place_weight<Tensor<PlacedEngine<Iterator, thread_place<Base, Behind, Idx, source, step, true>>, L>> {
  static constexpr int value =
      (memory_space_v<Iterator> == memory_space::gmem ? 2 : 0) + (is_whole_place<Base> ? 0 : 1);
};
template <class Src, class Dst>
inline constexpr int rank_of_place = [] {
  if constexpr (place_weight<Src>::value < 0 && place_weight<Dst>::value < 0)
    return 0;
  else if constexpr (place_weight<Src>::value >= place_weight<Dst>::value)
    return Src::engine_type::place_type::base_type::rank;
  else
    return Dst::engine_type::place_type::base_type::rank;
}();

/// The extent of a mode of a tiler; 0 if it is known at run time.
template <class T>
inline constexpr std::int64_t extent_of_tile = 0;
template <auto v>
inline constexpr std::int64_t extent_of_tile<C<v>> = static_cast<std::int64_t>(v);
template <class S, class D>
inline constexpr std::int64_t extent_of_tile<Layout<S, D>> = [] {
  if constexpr (is_static_v<S>)
    return static_cast<std::int64_t>(decltype(size(S{}))::value);
  else
    return 0;
}();
/// The distance between copies of a mode of a tiler; 0 if it is known at run time. A strided mode has gaps, which other
/// copies fill, so the distance may exceed the extent.
template <class T>
inline constexpr std::int64_t period_of_tile = extent_of_tile<T>;
template <class S, class D>
requires(is_static_v<Layout<S, D>>) inline constexpr std::int64_t period_of_tile<Layout<S, D>> = [] {
  auto const& f = layout_facts<Layout<S, D>>::value;
  std::int64_t period = 1;
  for (int i = 0; i < f.leaves; ++i) {
    std::int64_t const end = algebra::known(f.shape[i], "") * algebra::known(f.stride[i], "");
    period = end > period ? end : period;
  }
  return period;
}();
/// The number of elements that a tiled copy's tile covers along mode k; 0 if it takes the whole mode.
template <class Tiler, std::size_t k>
inline constexpr std::int64_t step_along = [] {
  if constexpr (static_cast<int>(k) < tuple_size_v<Tiler>)
    return period_of_tile<tuple_element_t<k, Tiler>>;
  else
    return std::int64_t{0};
}();
/// Whether a tiled copy is known to cover no element beyond the tile's end along mode k. @tparam Base tile_place
template <class Tiler, class Base, std::size_t k>
inline constexpr bool divides_tile = [] {
  constexpr std::int64_t step = step_along<Tiler, k>;
  constexpr std::int64_t tile = extent_of_tile<tuple_element_t<k, typename Base::tile_type>>;
  if constexpr (step <= 1)
    return true;
  else
    return tile > 0 && tile % step == 0;
}();
template <class Tiler, class Base>
inline constexpr bool divides_all_modes = []<std::size_t... k>(std::index_sequence<k...>) {
  return (divides_tile<Tiler, Base, k> && ...);
}
(std::make_index_sequence<static_cast<std::size_t>(Base::rank)>{});

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
