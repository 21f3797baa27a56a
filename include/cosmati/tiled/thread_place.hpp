// SPDX-License-Identifier: Apache-2.0
/// @file
/// `thread_place`: where the values of one thread of a tiled copy stand in the whole tensor.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/tensor/place.hpp>

namespace COSMATI_NAMESPACE {

/// A thread's place in a tile: with the tiled copy it gives its values their coordinates.
/// @tparam Base tile_place, @tparam Behind extents of the modes behind the tile's, @tparam is_source which side was
/// partitioned, @tparam step_ what divides the threads' first offsets as far as it is known; 0: all begin at 0
/// @tparam known_ the partitioned tensor knew where it stands; if not, Base is its own extents
template <class Base, class Behind, class ThrIdx, bool is_source, int step_ = 0, bool known_ = true>
struct thread_place {
  using base_type = Base;
  static constexpr int step = step_;
  static constexpr bool source = is_source;
  static constexpr bool known = known_;
  [[no_unique_address]] Base base;
  [[no_unique_address]] detail::stored<thread_place, 0, Behind> behind_;
  [[no_unique_address]] detail::stored<thread_place, 1, ThrIdx> thr_idx_;
  char : 0;  // see detail::stored_elements

  /// What lies behind the first tile of the thread, and the thread's number.
  COSMATI_HD constexpr decltype(auto) behind() const { return detail::unstore<Behind>(behind_); }
  COSMATI_HD constexpr decltype(auto) thr_idx() const { return detail::unstore<ThrIdx>(thr_idx_); }
  /// Shape of the tensor that was partitioned.
  COSMATI_HD constexpr auto shape() const { return tuple_cat(base.tile(), behind()); }

  /// The partition's modes are the values' and one a mode of the tensor; those behind the tile's count tiles.
  template <class Coord>
  COSMATI_HD static constexpr bool survives() {
    return detail::fixes_only_behind<Coord, 1 + Base::rank>;
  }
  template <class Coord>
  COSMATI_HD constexpr auto after(Coord const& coord) const {
    auto const in_tensor = take<1, tuple_size_v<Coord>>(coord);
    auto const moved = base.after(in_tensor);
    auto const left = slice(take<1 + Base::rank, tuple_size_v<Coord>>(coord), behind());
    return thread_place<std::remove_const_t<decltype(moved)>, std::remove_const_t<decltype(left)>, ThrIdx, is_source,
                        step_, known_>{moved, left, thr_idx()};
  }
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
