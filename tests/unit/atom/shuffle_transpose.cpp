// SPDX-License-Identifier: Apache-2.0
// The shuffle transposes: every (lane, register) is compared with the matrix that two lanes hold. Every bit occurs
// exactly once.
#include <gtest/gtest.h>

#include <cosmati/atom/shuffle_transpose.hpp>

#include "unit/atom/bits.hpp"

using namespace cosmati;

namespace {

template <class Op>
void expect_transposes(int apart) {
  using Traits = Copy_Traits<Op>;
  typename Traits::SrcLayout const source{};
  typename Traits::DstLayout const destination{};
  for (int lane = 0; lane < 32; ++lane) {
    int const row = (lane & apart) != 0 ? 1 : 0;
    for (int r = 0; r < 2; ++r) {
      int const other = (lane & ~apart) | (r != 0 ? apart : 0);  // lane that holds row r; its column `row` arrives here
      for (int b = 0; b < 32; ++b) {
        ASSERT_EQ(bit(destination, lane, 32 * r + b), bit(source, other, 32 * row + b)) << lane << " " << r;
      }
    }
  }
  EXPECT_EQ(times_named(source, 32, 64, 2048), std::vector<int>(2048, 1));
  EXPECT_EQ(times_named(destination, 32, 64, 2048), std::vector<int>(2048, 1));
}

TEST(ShuffleTranspose, EveryLaneAndValue) {
  expect_transposes<SM50_Shuffle_U32_2x2Trans_XOR1>(1);
  expect_transposes<SM50_Shuffle_U32_2x2Trans_XOR4>(4);
}

}  // namespace
