// SPDX-License-Identifier: Apache-2.0
/// @file
/// The mode, and its stride, where a vector stops being contiguous.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy/facts.hpp>
#include <cosmati/algorithm/copy/place_facts.hpp>

namespace COSMATI_NAMESPACE::detail {

/// The leaf of a layout at which the run from offset 0 ends.
template <class L>
struct leaf_that_ends_the_run {
  static constexpr int value = [] {
    auto const& f = layout_facts<L>::value;
    std::int64_t run = 1;
    for (int i = 0; i < f.leaves; ++i) {
      if (algebra::is(f.shape[i], 1)) continue;
      if (!algebra::is_known(f.shape[i]) || !algebra::is(f.stride[i], run)) return i;
      run *= algebra::known(f.shape[i], "");
    }
    return -1;
  }();
  static constexpr int stride = [] {
    if constexpr (value >= 0) {
      auto const& d = layout_facts<L>::value.stride[value];
      if (algebra::is_known(d)) return static_cast<int>(algebra::known(d, ""));
    }
    return 0;
  }();
  static constexpr int mode = [] {
    auto const& f = layout_facts<L>::value;
    int m = 0;
    while (value >= 0 && m + 1 < f.rank() && algebra::mode_span(f, m).leaf_end <= value) ++m;
    return m;
  }();
};
template <class A, class O, class B>
struct leaf_that_ends_the_run<ComposedLayout<A, O, B>> : leaf_that_ends_the_run<B> {};
/// The run of the layout without its swizzle.
template <class L>
inline constexpr int uncut_run_of = static_cast<int>(layout_facts<L>::run % (1 << 30));
template <class A, class O, class B>
inline constexpr int uncut_run_of<ComposedLayout<A, O, B>> = uncut_run_of<B>;
/// The mode of the tile along which value `index` of a thread differs from value 0.
template <class TV, class Tiler>
constexpr int mode_of_value(int index) {
  auto const& f = layout_facts<TV>::value;
  algebra::span_of_mode const values = algebra::mode_span(f, 1);
  std::int64_t at = 0;
  for (int i = values.leaf; i < values.leaf_end; ++i) {
    std::int64_t const extent = algebra::known(f.shape[i], "");
    at += index % extent * algebra::known(f.stride[i], "");
    index = static_cast<int>(index / extent);
  }
  int mode = 0;
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    constexpr std::int64_t extents[] = {extent_of_tile<tuple_element_t<k, Tiler>>...};
    for (int i = 0; i < static_cast<int>(sizeof...(k)); ++i) {
      if (extents[i] <= 0) return;
      if (at % extents[i] != 0) mode = i;
      at /= extents[i];
    }
  }
  (std::make_index_sequence<static_cast<std::size_t>(tuple_size_v<Tiler>)>{});
  return mode;
}

/// The end of a tensor's first run: the mode of the next value, and its stride.
struct run_end {
  int mode, stride;
};
/// @tparam TV the layout of a tiled copy's values in its tile of extents Tiler; void without a tiled copy
template <class T, class TV, class Tiler>
constexpr run_end end_of_run() {
  using Layout_ = typename T::layout_type;
  using Leaf = leaf_that_ends_the_run<Layout_>;
  constexpr bool cut = run_of<T> < uncut_run_of<Layout_>;
  if constexpr (std::is_void_v<Tiler>)
    return {Leaf::mode, cut ? 1 : Leaf::stride};
  else
    return {mode_of_value<TV, Tiler>(run_of<T>), cut ? 1 : Leaf::stride};
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
