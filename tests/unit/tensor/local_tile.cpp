// SPDX-License-Identifier: Apache-2.0
// local_tile, local_partition and the functions below them: layouts are CuTe's, elements are MoYe's less one.
#include <gtest/gtest.h>
#include <cosmati/tensor/local_tile.hpp>

#include <numeric>
#include <vector>

#include "unit/tiled/text_of.hpp"

using namespace cosmati;

namespace {

/// An address that is never accessed. It is volatile, so that the compiler looks for no object there.
float* volatile place = reinterpret_cast<float*>(0x10000);

template <class S>
auto of_shape(S const& shape) {
  return make_tensor(make_gmem_ptr(static_cast<float*>(place)), shape);
}
template <class T>
std::string layout_of(T const& t) {
  return text_of(t.layout());
}
template <class T>
std::int64_t offset_of(T const& t) {
  return raw_pointer_cast(t.data()) - place;
}

TEST(LocalTile, ProjectionsOfABlocksCoordinate) {
  auto const tiler = make_shape(_32{}, _64{}, _4{});
  auto const at = make_coord(1, 2, _);
  auto const a = local_tile(of_shape(make_shape(256, 30)), tiler, at, Step<_1, X, _1>{});
  auto const b = local_tile(of_shape(make_shape(512, 30)), tiler, at, Step<X, _1, _1>{});
  auto const c = local_tile(of_shape(make_shape(256, 512)), tiler, at, Step<_1, _1, X>{});
  EXPECT_EQ(layout_of(a), "(_32,_4,8):(_1,256,1024)");
  EXPECT_EQ(layout_of(b), "(_64,_4,8):(_1,512,2048)");
  EXPECT_EQ(layout_of(c), "(_32,_64):(_1,256)");
  EXPECT_EQ(offset_of(a), 32);
  EXPECT_EQ(offset_of(b), 128);
  EXPECT_EQ(offset_of(c), 32800);
}

TEST(LocalTile, CoordinatesOfEveryKind) {
  auto const m = of_shape(make_shape(256, 30));
  EXPECT_EQ(layout_of(local_tile(m, make_shape(_32{}, _4{}), make_coord(3, 2))), "(_32,_4):(_1,256)");
  EXPECT_EQ(offset_of(local_tile(m, make_shape(_32{}, _4{}), make_coord(3, 2))), 96 + 2048);
  EXPECT_EQ(layout_of(local_tile(m, make_shape(_32{}, _4{}), make_coord(3))), "(_32,_4,8):(_1,256,1024)");
  EXPECT_EQ(layout_of(local_tile(m, make_shape(_32{}, _4{}), 3)), "(_32,_4):(_1,256)") << "an integer counts tiles";
  EXPECT_EQ(offset_of(local_tile(m, make_shape(_32{}, _4{}), 11)), 96 + 1024);
  EXPECT_EQ(layout_of(local_tile(m, make_shape(_32{}, _4{}), _)), "(_32,_4,(8,8)):(_1,256,(_32,1024))");
  EXPECT_EQ(layout_of(local_tile(m, make_shape(32, 4), make_coord(_, 1))), "(32,4,8):(_1,256,32)");
  auto const three = make_tensor(make_gmem_ptr(static_cast<float*>(place)), make_shape(512, 256, 16),
                                 make_stride(_1{}, 512, 512 * 256));
  EXPECT_EQ(layout_of(local_tile(three, make_tile(_128{}, _64{}), make_coord(1, _))),
            "(_128,_64,4,16):(_1,512,32768,131072)");
}

TEST(LocalTile, OfOneMode) {
  auto const v = of_shape(make_shape(100));
  auto const w = make_tensor(make_gmem_ptr(static_cast<float*>(place)), make_layout(100));
  EXPECT_EQ(layout_of(local_tile(v, Shape<_16>{}, _)), "((_16),(7)):((_1),(_16))");
  EXPECT_EQ(layout_of(local_tile(v, Shape<_16>{}, make_coord(_))), "((_16),7):((_1),_16)");
  EXPECT_EQ(layout_of(local_tile(v, Shape<_16>{}, 2)), "((_16)):((_1))");
  EXPECT_EQ(offset_of(local_tile(v, Shape<_16>{}, 2)), 32);
  EXPECT_EQ(layout_of(local_tile(w, Shape<_16>{}, make_coord(1))), "((_16)):((_1))");
  EXPECT_EQ(layout_of(local_tile(w, _16{}, _)), "(_16,7):(_1,_16)");
  EXPECT_EQ(layout_of(local_tile(w, _16{}, 1)), "(_16):(_1)");
  EXPECT_EQ(layout_of(local_partition(v, Layout<_16>{}, 5)), "((7)):((_16))");
  EXPECT_EQ(offset_of(local_partition(w, Layout<_16>{}, 5)), 5);
}

TEST(LocalPartition, ThreadsOverATensor) {
  auto const m = of_shape(make_shape(256, 30));
  EXPECT_EQ(layout_of(local_partition(m, Layout<Shape<_8, _4>>{}, 13)), "(32,8):(_8,1024)");
  EXPECT_EQ(offset_of(local_partition(m, Layout<Shape<_8, _4>>{}, 13)), 5 + 256);
  auto const projected = local_partition(m, Layout<Shape<_8, _4, _2>>{}, 45, Step<_1, X, _1>{});
  EXPECT_EQ(layout_of(projected), "(32,15):(_8,512)");
  EXPECT_EQ(offset_of(projected), 5 + 256);
  auto const shared =
      make_tensor(make_smem_ptr(static_cast<float*>(place)), Layout<Shape<_32, _64>, Stride<_64, _1>>{});
  EXPECT_EQ(layout_of(local_partition(shared, Layout<Shape<_8, _4>, Stride<_4, _1>>{}, 13)), "(_4,_16):(_512,_4)");
}

TEST(Partition, InnerAndOuter) {
  auto const m = of_shape(make_shape(100, 32));
  EXPECT_EQ(layout_of(inner_partition(m, make_shape(_10{}, _8{}), make_coord(2, 1))), "(_10,_8):(_1,100)");
  EXPECT_EQ(layout_of(outer_partition(m, make_shape(_10{}, _8{}), make_coord(2, 1))), "(10,4):(_10,800)");
  EXPECT_EQ(layout_of(outer_partition(m, make_shape(_16{}, _8{}), 5)), "(7,4):(_16,800)");
  EXPECT_EQ(layout_of(outer_partition(m, make_shape(_16{}, _8{}), _)), "((_16,_8),7,4):((_1,100),_16,800)");
  EXPECT_EQ(layout_of(outer_partition(m, make_shape(_16{}, _8{}), make_coord(5))), "(_8,7,4):(100,_16,800)");
  EXPECT_EQ(layout_of(inner_partition(m, make_tile(Layout<_4, _2>{}, _8{}), make_coord(2, 1))), "(_4,_8):(_2,100)");
  EXPECT_EQ(layout_of(local_tile(of_shape(make_shape(0, 8)), make_shape(_4{}, _4{}), make_coord(_, 0))),
            "(_4,_4,0):(_1,0,_4)");
}

template <class T>
std::vector<int> elements(T const& t) {
  std::vector<int> v;
  for (int i = 0; i < static_cast<int>(size(t)); ++i) v.push_back(t(i));
  return v;
}

// MoYe's @tile and @parallelize of a 6 x 8 array of the numbers 1 to 48, column by column.
TEST(MoYeTiling, OfAnArray) {
  std::vector<int> data(48);
  std::iota(data.begin(), data.end(), 1);
  auto const a = make_tensor(data.data(), Layout<Shape<_6, _8>>{});
  auto const tile = local_tile(a, Shape<_3, _4>{}, make_coord(0, 1));
  EXPECT_EQ(layout_of(tile), "(_3,_4):(_1,_6)");
  EXPECT_EQ(elements(tile), (std::vector<int>{25, 26, 27, 31, 32, 33, 37, 38, 39, 43, 44, 45}));
  auto const share = local_partition(tile, Layout<Shape<_3, _2>>{}, 0);
  EXPECT_EQ(layout_of(share), "(_1,_2):(_0,_12)");
  EXPECT_EQ(elements(share), (std::vector<int>{25, 37}));
  auto const column = local_tile(tile, Shape<_3, _1>{}, make_coord(0, 1));
  EXPECT_EQ(layout_of(column), "(_3,_1):(_1,_0)");
  EXPECT_EQ(elements(column), (std::vector<int>{31, 32, 33}));
  EXPECT_EQ(elements(local_tile(a, Shape<_2, _2>{}, make_coord(0, 0))), (std::vector<int>{1, 2, 7, 8}));
  EXPECT_EQ(elements(local_partition(a, Layout<Shape<_2, _2>>{}, 0)),
            (std::vector<int>{1, 3, 5, 13, 15, 17, 25, 27, 29, 37, 39, 41}));
  EXPECT_EQ(elements(local_partition(a, Layout<Shape<_2, _2>>{}, 1)),
            (std::vector<int>{2, 4, 6, 14, 16, 18, 26, 28, 30, 38, 40, 42}));
  EXPECT_EQ(elements(local_partition(a, Layout<Shape<_2, _2>, Stride<_2, _1>>{}, 1)),
            (std::vector<int>{7, 9, 11, 19, 21, 23, 31, 33, 35, 43, 45, 47}));
}

TEST(MoYeTiling, TileIterator) {
  std::vector<int> data(36);
  std::iota(data.begin(), data.end(), 1);
  auto const tiles = zipped_divide(make_tensor(data.data(), Layout<Shape<_4, _9>>{}), Shape<_2, _3>{});
  EXPECT_EQ(layout_of(tiles), "((_2,_3),(_2,_3)):((_1,_4),(_2,_12))");
  EXPECT_EQ(elements(tiles(_, 1)), (std::vector<int>{3, 4, 7, 8, 11, 12}));
  EXPECT_EQ(elements(tiles(_, 5)), (std::vector<int>{27, 28, 31, 32, 35, 36}));
}

}  // namespace
