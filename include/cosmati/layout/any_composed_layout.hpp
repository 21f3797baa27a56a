// SPDX-License-Identifier: Apache-2.0
/// @file
/// A swizzle after a layout, both known only at run time: `Sw<3,4,3> o 0 o (8,64):(64,1)`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/any_layout.hpp>
#include <cosmati/layout/any_swizzle.hpp>

namespace COSMATI_NAMESPACE {

/// coordinate -> swizzle(offset + layout(coordinate))
struct AnyComposedLayout {
  AnySwizzle swizzle;
  std::int64_t offset = 0;
  AnyLayout layout;

  constexpr std::int64_t operator()(AnyTuple const& coordinate) const { return swizzle(offset + layout(coordinate)); }
  constexpr std::int64_t operator()(std::int64_t index) const { return swizzle(offset + layout(index)); }
  constexpr std::int64_t operator()(int index) const { return (*this)(std::int64_t{index}); }
  /// The shape and other properties of the inner layout.
  constexpr AnyTuple shape() const { return layout.shape(); }
  constexpr std::int64_t size() const { return layout.size(); }
  constexpr int rank() const { return layout.rank(); }
  constexpr int depth() const { return layout.depth(); }
  friend constexpr bool operator==(AnyComposedLayout const&, AnyComposedLayout const&) = default;
};

/// The swizzle after the layout.
constexpr AnyComposedLayout composition(AnySwizzle const& swizzle, AnyLayout const& layout) {
  return {swizzle, 0, layout};
}
/// The composed layout after a layout or tiler. The inner layout is composed.
constexpr AnyComposedLayout composition(AnyComposedLayout const& composed, AnyTiler const& tiler) {
  return {composed.swizzle, composed.offset, composition(composed.layout, tiler)};
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
