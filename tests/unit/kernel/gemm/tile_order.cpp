// SPDX-License-Identifier: Apache-2.0
// The order of the tiles of a product: each tile once, in bands along M, column by column, batch by batch.
#include <gtest/gtest.h>
#include <cosmati/kernel/gemm/tile_order.hpp>

#include "sim/message.hpp"

using namespace cosmati;

namespace {

TEST(GemmTileOrder, BandsAreWalkedColumnByColumn) {
  for (int const m : {1, 5, 8}) {
    for (int const n : {1, 3}) {
      for (int const band : {1, 2, 4, 16}) {
        auto const order = gemm_tile_order::of(16 * m - 3, 32 * n, 2, 16, 32, band);  // the last row of tiles is ragged
        ASSERT_EQ(order.blocks(), static_cast<unsigned>(2 * m * n));
        unsigned block = 0;
        for (int batch = 0; batch < 2; ++batch) {
          for (int first = 0; first < m; first += band) {
            for (int column = 0; column < n; ++column) {
              for (int row = first; row < m && row < first + band; ++row, ++block) {
                gemm_tile const t = order(block);
                ASSERT_EQ(t.m, row) << block << " of " << m << 'x' << n << ", bands of " << band;
                ASSERT_EQ(t.n, column);
                ASSERT_EQ(t.batch, batch);
              }
            }
          }
        }
        EXPECT_EQ(block, order.blocks());
      }
    }
  }
}

TEST(GemmTileOrder, NothingHasNoBlocks) {
  EXPECT_EQ(gemm_tile_order::of(0, 100, 1, 16, 16, 4).blocks(), 0u);
  EXPECT_EQ(gemm_tile_order::of(100, 100, 0, 16, 16, 4).blocks(), 0u);
}

TEST(GemmTileOrder, MoreThanAGridHoldsIsAnError) {
  EXPECT_EQ(gemm_tile_order::of(0x7fffffff, 1, 1, 1, 1, 8).blocks(), 0x7fffffffu);
  EXPECT_MESSAGE(gemm_tile_order::of(0x7fffffff, 2, 1, 1, 1, 8),
                 "2147483647 x 2 tiles of C in 1 batches are more than");
  EXPECT_MESSAGE(gemm_tile_order::of(1 << 16, 1 << 15, 2, 1, 1, 8), "65536 x 32768 tiles of C in 2 batches");
}

}  // namespace
