// SPDX-License-Identifier: Apache-2.0
/// @file
/// The run-time check of tiles: the error of a copy without bounds that reaches too far.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/place_bounds.hpp>
#include <cosmati/core/error.hpp>

namespace COSMATI_NAMESPACE::detail {

/// In debug builds and on the simulated device, a copy without bounds is an error for a tile at the edge, and for a
/// tile that the tiled copy does not divide.
template <class Tiler, class Place, std::size_t... k>
COSMATI_HD inline void check_place(Place const& p, std::index_sequence<k...> modes) {
  auto const end = ends_of<Tiler>(p, modes);
  if (!((end.along[k] <= static_cast<std::int64_t>(get<k>(p.base.full()))) && ...)) {
    long long const begin[] = {static_cast<long long>(get<k>(p.base.origin()))...};
    long long const extent[] = {static_cast<long long>(get<k>(p.base.full()))...};
    int mode = 0;
    while (end.along[mode] <= extent[mode]) ++mode;
    fail_as("out_of_bounds",
            "copy: the tile reaches beyond its tensor: along mode %d it covers elements %lld to %lld of %lld; pass the "
            "tensor's shape as bounds: "
            "copy(tiled_copy, source, destination, shape(tensor))",
            mode, begin[mode], static_cast<long long>(end.along[mode]) - 1, extent[mode]);
  }
  if (!fits_tile<Tiler>(p, modes)) {
    long long const extent[] = {static_cast<long long>(get<k>(p.base.tile()))...};
    long long const covered[] = {static_cast<long long>(covered_along<Tiler, k>(p))...};
    int mode = 0;
    while (covered[mode] <= extent[mode]) ++mode;
    fail_as(
        "out_of_bounds",
        "copy: the tiled copy reaches beyond the tile: along mode %d the tile has %lld elements, and the threads cover "
        "%lld; pass the tensor's shape as bounds, copy(tiled_copy, source, destination, shape(tensor)), or choose "
        "thread and value layouts whose tile divides %lld",
        mode, extent[mode], covered[mode], extent[mode]);
  }
}
template <class Tiler, class T>
COSMATI_HD constexpr void check_place([[maybe_unused]] T const& t) {
#if defined(COSMATI_SIMULATED) || !defined(NDEBUG)
  if constexpr (has_thread_place<T>) {
    using Place = typename T::engine_type::place_type;
    if (!__builtin_is_constant_evaluated())
      check_place<Tiler>(t.engine().place(), std::make_index_sequence<Place::base_type::rank>{});
  }
#endif
}
/// Checks both sides of a copy by a tiled copy without bounds.
template <class Tiler, class Src, class Dst>
COSMATI_HD constexpr void check_tiles(Src const& src, Dst const& dst) {
  check_place<Tiler>(src);
  check_place<Tiler>(dst);
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
