// SPDX-License-Identifier: Apache-2.0
#include <cosmati/tiled/tiled_copy.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {

/// Result of an ill-formed call: a type derived from `refused`.
struct wrong : refused {};
constexpr wrong x{};

TEST(RefusedCallsOfTiledCopies, GiveAStandInForAStandIn) {
  static_assert(refusal<decltype(tile_size<0>(x))>);
  static_assert(refusal<decltype(make_tiled_copy(x, Layout<_4>{}))>);
  static_assert(refusal<decltype(make_tiled_copy(Layout<_4>{}, x, 1))>);
  static_assert(refusal<decltype(make_tiled_mma(x))>);
}

}  // namespace
