// SPDX-License-Identifier: Apache-2.0
// Copies without bounds of tiles with run-time extents. If the tiled copy goes beyond the tile, or the tile beyond its
// tensor, the error says so and names the remedy. A copy that fits is made.
#include <cosmati/cosmati.hpp>

#include <gtest/gtest.h>

#include "message.hpp"

using namespace cosmati;

namespace {

using tall = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_8, _4>>{},
                                      Layout<Shape<_2, _1>>{}));  // 16 x 4

__global__ void first_tile(float const* in, float* out, int m, int n, int tile_m, int tile_n) {
  auto const tile = make_shape(tile_m, tile_n);
  auto const thread = tall{}.get_slice(threadIdx.x);
  copy(tall{}, thread.partition_S(local_tile(make_tensor(make_gmem_ptr(in), make_shape(m, n)), tile, make_coord(0, 0))),
       thread.partition_D(local_tile(make_tensor(make_gmem_ptr(out), make_shape(m, n)), tile, make_coord(0, 0))));
}
void run(int m, int n, int tile_m, int tile_n) {
  device_buffer<float> in(std::vector<float>(2048, 1.f)), out(std::vector<float>(2048, 0.f));
  launch(first_tile, {.grid = 1, .block = 32}, in.data(), out.data(), m, n, tile_m, tile_n);
  auto const host = out.download();
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j)
      ASSERT_EQ(host[static_cast<std::size_t>(i + j * m)], i < tile_m && j < tile_n ? 1.f : 0.f) << i << "," << j;
  }
}

TEST(TilesWithoutBounds, WhatFitsIsCopied) {
  run(32, 16, 16, 8);
  run(32, 16, 32, 4);
}
TEST(TilesWithoutBounds, TheTiledCopyIsLargerThanTheTile) {
  EXPECT_MESSAGE(run(64, 16, 8, 8), "along mode 0 the tile has 8 elements, and the threads cover 16");
  EXPECT_MESSAGE(run(64, 16, 24, 8), "along mode 0 the tile has 24 elements, and the threads cover 32");
  EXPECT_MESSAGE(run(64, 16, 32, 6), "along mode 1 the tile has 6 elements, and the threads cover 8");
  EXPECT_MESSAGE(run(64, 16, 32, 6), "pass the tensor's shape as bounds, copy(tiled_copy, source, destination, shape(");
}
TEST(TilesWithoutBounds, TheTileIsLargerThanTheTensor) {
  EXPECT_MESSAGE(run(20, 16, 32, 8), "along mode 0 it covers elements 0 to 31 of 20");
  EXPECT_MESSAGE(run(20, 16, 10, 18), "along mode 1 it covers elements 0 to 19 of 16");
}

}  // namespace
