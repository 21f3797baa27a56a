// SPDX-License-Identifier: Apache-2.0
// What a partition *means*. A tiled copy has a layout `tv` from (thread, value) to an index in its tile. A partition
// gives a thread its values of every tile: value v of the first tile is `tile(tv(thread, v))`. Read this test first;
// tiled_copy.cpp shows what the partitions of many copies look like.
#include <cosmati/tiled/tiled_copy.hpp>

#include <gtest/gtest.h>

#include <vector>

using namespace cosmati;

namespace {

/// Each element of the tensor is its own index, so a value names its element.
template <class TiledCopy, class L>
void expect_meaning(TiledCopy const& copy, L const& layout) {
  std::vector<int> data(static_cast<std::size_t>(cosize(layout)));
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<int>(i);
  auto const tensor = make_tensor(data.data(), layout);
  auto const tv = copy.get_layoutS_TV();  // (thread, value) -> index in the tile
  auto const tiles = zipped_divide(tensor, product_each(shape(typename TiledCopy::Tiler_MN{})));  // (tile, which tile)
  int const threads = static_cast<int>(size<0>(tv)), values = static_cast<int>(size<1>(tv));
  std::vector<int> taken(data.size());
  for (int thread = 0; thread < threads; ++thread) {
    auto const mine = copy.get_slice(thread).partition_S(tensor);  // (values, tiles along M, tiles along N)
    for (int which = 0; which < static_cast<int>(size<1>(tiles)); ++which) {
      auto const tile = tiles(_, which);
      for (int v = 0; v < values; ++v) {
        EXPECT_EQ(mine(v + values * which), tile(tv(thread, v))) << "thread " << thread << ", value " << v;
        ++taken[static_cast<std::size_t>(mine(v + values * which))];
      }
    }
  }
  for (int i = 0; i < static_cast<int>(size(layout)); ++i)  // every element belongs to one thread, once
    EXPECT_EQ(taken[static_cast<std::size_t>(layout(i))], 1);
}

TEST(Partition, GivesEachThreadItsValuesOfEachTile) {
  auto const rows = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, int>{}, Layout<Shape<_2, _4>, Stride<_4, _1>>{},
                                    Layout<Shape<_1, _4>>{});
  expect_meaning(rows, Layout<Shape<_2, _16>, Stride<_16, _1>>{});  // one tile
  expect_meaning(rows, Layout<Shape<_4, _32>, Stride<_32, _1>>{});  // two tiles along each mode
  expect_meaning(rows, make_layout(make_shape(6, 48), make_stride(50, _1{})));
  auto const columns =
      make_tiled_copy(Copy_Atom<UniversalCopy<int>, int>{}, Layout<Shape<_4, _3>>{}, Layout<Shape<_2, _1>>{});
  expect_meaning(columns, Layout<Shape<_16, _6>, Stride<_1, Int<20>>>{});
}

}  // namespace
