// SPDX-License-Identifier: Apache-2.0
/// @file
/// `thread_place`: the place of one thread's values of a tiled copy in the whole tensor.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/tensor/place.hpp>

namespace COSMATI_NAMESPACE {

/// A thread's place in a tile. Together with the tiled copy it gives the coordinates of the thread's values.
/// @tparam Base tile_place
/// @tparam Behind the extents of the modes after the tile's
/// @tparam is_source which side was partitioned
/// @tparam step_ a divisor of the threads' first offsets, as far as it is known; 0 if all begin at offset 0
/// @tparam known_ whether the partitioned tensor knew its place; if not, Base has the tensor's own extents
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

  /// The extents after the thread's first tile, and the thread's index.
  COSMATI_HD constexpr decltype(auto) behind() const { return detail::unstore<Behind>(behind_); }
  COSMATI_HD constexpr decltype(auto) thr_idx() const { return detail::unstore<ThrIdx>(thr_idx_); }
  /// The shape of the partitioned tensor.
  COSMATI_HD constexpr auto shape() const { return tuple_cat(base.tile(), behind()); }

  /// Whether a slice keeps the place. The partition's modes are one for the values and one for each mode of the tensor;
  /// those after the tile's modes count tiles.
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

namespace detail {
/// The layouts ((thread), ((values), others)) -> index in the tile from which a thread's first value and its values
/// follow: one layout, unless the copy is a tensor copy to several blocks. These have the same boxes and begin at
/// different parts of them, which only one half at a time says within the tile.
template <class Copy, class ThrVal>
struct sides_of {
  using threads = ThrVal;
  using values = ThrVal;
};
template <class Copy, class T, class V, class Rest, class ThreadStride, class ValueStride, class RestStride>
requires(
    Copy::moves_tensors&& Copy::TiledNumThr::value >
    1) struct sides_of<Copy, Layout<tuple<T, tuple<V, Rest>>, tuple<ThreadStride, tuple<ValueStride, RestStride>>>> {
  using threads = Layout<tuple<T, tuple<C<1>, C<1>>>, tuple<ThreadStride, tuple<C<0>, C<0>>>>;
  using values = Layout<tuple<C<1>, tuple<V, Rest>>, tuple<C<0>, tuple<ValueStride, RestStride>>>;
};
}  // namespace detail

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
