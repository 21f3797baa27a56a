// SPDX-License-Identifier: Apache-2.0
// What a tiled copy covers of a tile, and which part of it exists.
#include <gtest/gtest.h>
#include <cosmati/algorithm/copy.hpp>
#include <cosmati/algorithm/copy/place_bounds.hpp>

#include <array>

using namespace cosmati;

namespace {

/// A tile of every other element: the tiled copy covers its 12 elements as 16.
template <class TiledCopy>
std::array<int, 20> copied(TiledCopy tiled_copy, int extent, int bound) {
  std::array<int, 20> from{}, to{};
  for (int i = 0; i < 20; ++i) from[static_cast<std::size_t>(i)] = i + 1;
  for (int t = 0; t < static_cast<int>(size(tiled_copy)); ++t) {
    auto const thread = tiled_copy.get_slice(t);
    auto const source = make_tensor(from.data(), make_shape(extent));
    auto const destination = make_tensor(to.data(), make_shape(extent));
    copy(tiled_copy, thread.partition_S(source), thread.partition_D(destination), make_shape(bound));
  }
  return to;
}
TEST(PlaceBounds, StridedTilers) {
  auto const strided =
      make_tiled_copy_impl(Copy_Atom<UniversalCopy<int>, int>{}, Layout<Shape<_4, _1>>{}, make_tile(Layout<_4, _2>{}));
  for (int extent : {8, 12, 13, 16}) {
    for (int bound : {5, 12, 16, 20}) {
      auto const to = copied(strided, extent, bound);
      for (int i = 0; i < 20; ++i)
        EXPECT_EQ(to[static_cast<std::size_t>(i)], i < extent && i < bound ? i + 1 : 0) << extent << " " << bound;
    }
  }
}

}  // namespace
