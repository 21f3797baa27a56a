// SPDX-License-Identifier: Apache-2.0
/// @file
/// Layouts of a warp's 8x8 matrices of 16-bit elements against PTX's formulas: registers, and rows of shared memory.
#pragma once

#include <gtest/gtest.h>

#include "unit/atom/bits.hpp"

/// Where element (row, column) of matrix j begins: rows of 128 bits, one behind the other.
inline int element(int j, int row, int column) { return 1024 * j + 128 * row + 16 * column; }

template <class L>
void expect_registers(L const& layout, int matrices, bool transposed) {
  ASSERT_EQ(static_cast<int>(size<0>(layout)), 32);
  ASSERT_EQ(static_cast<int>(size<1>(layout)), 32 * matrices);
  for (int lane = 0; lane < 32; ++lane) {
    for (int j = 0; j < matrices; ++j) {
      for (int e = 0; e < 2; ++e) {
        int const row = transposed ? 2 * (lane % 4) + e : lane / 4;
        int const column = transposed ? lane / 4 : 2 * (lane % 4) + e;
        for (int b = 0; b < 16; ++b) {
          ASSERT_EQ(bit(layout, lane, 32 * j + 16 * e + b), element(j, row, column) + b)
              << "lane " << lane << ", register " << j << ", half " << e;
        }
      }
    }
  }
  EXPECT_EQ(times_named(layout, 32, 32 * matrices, 1024 * matrices),
            std::vector<int>(static_cast<std::size_t>(1024 * matrices), 1));
}

template <class L>
void expect_rows(L const& layout, int matrices) {
  ASSERT_EQ(static_cast<int>(size<0>(layout)), 32);
  ASSERT_EQ(static_cast<int>(size<1>(layout)), 128);
  for (int lane = 0; lane < 8 * matrices; ++lane) {
    for (int b = 0; b < 128; ++b) ASSERT_EQ(bit(layout, lane, b), element(lane / 8, lane % 8, 0) + b) << lane;
  }
  EXPECT_EQ(times_named(layout, 8 * matrices, 128, 1024 * matrices),
            std::vector<int>(static_cast<std::size_t>(1024 * matrices), 1));
  // PTX ignores the other lanes' addresses: they repeat those of the first
  for (int lane = 8 * matrices; lane < 32; ++lane)
    EXPECT_EQ(bit(layout, lane, 5), bit(layout, lane % (8 * matrices), 5));
}
