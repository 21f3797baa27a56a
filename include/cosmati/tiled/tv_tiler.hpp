// SPDX-License-Identifier: Apache-2.0
/// @file
/// `TV_Tiler`: the distribution of a tensor as by a tiled copy, but without an instruction: which thread gets which
/// values of each tile.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/tensor/tensor.hpp>

namespace COSMATI_NAMESPACE {

/// @tparam Layout_TV (thread, value) -> index in the tile
/// @tparam Tiler the shape of a tile
template <class Layout_TV, class Tiler>
struct TV_Tiler {
  using Tiler_MN = Tiler;
  using TiledLayout_TV = Layout_TV;

  /// Distributes a layout or tensor (M, N, ...) as ((thread, value), (rest of M, rest of N, ...)).
  template <class T>
  COSMATI_HD static constexpr auto apply(T&& tensor) {
    return zipped_divide(tensor, Tiler{}).compose(Layout_TV{}, Underscore{});
  }

  /// The slice at a coordinate of (thread, value). `(thread, _)` is a thread's.
  template <class Coord>
  struct TV_Partitioner {
    Coord coord_;

    /// @return (values, rest of M, rest of N, ...)
    template <class T>
    COSMATI_HD constexpr auto partition(T&& tensor) const {
      constexpr int modes = decltype(rank(tensor))::value;
      auto const whole = make_tensor(tensor.data(), apply(tensor.layout()));
      return whole(coord_, repeat<modes>(Underscore{}));
    }
  };
  /// The share of a thread, or of the modes that the coordinate keeps.
  template <class Coord>
  COSMATI_HD static constexpr TV_Partitioner<Coord> get_slice(Coord const& coord) {
    return {coord};
  }
};

/// The TV_Tiler of a (thread, value) layout and a tile.
template <class Layout_TV, class Tiler>
COSMATI_HD constexpr TV_Tiler<Layout_TV, Tiler> make_tiler_impl(Layout_TV const&, Tiler const&) {
  return {};
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
