// SPDX-License-Identifier: Apache-2.0
// The matrix instructions of Volta have the extents, types and orders that their names say; a quad pair holds a
// product.
#include <gtest/gtest.h>
#include <cosmati/atom/mma_sm70.hpp>
#include <cosmati/layout/operations.hpp>

#include "unit/atom/mma_name.hpp"

using namespace cosmati;

namespace {

TEST(MmaSm70, EveryOrderOfEveryPairOfSums) {
#define EXPECT_ORDER(order, is)                                            \
  EXPECT_WHAT_THE_NAME_SAYS(SM70_8x8x4_F16F16F16F16_##order);              \
  EXPECT_WHAT_THE_NAME_SAYS(SM70_8x8x4_F32F16F16F32_##order);              \
  EXPECT_WHAT_THE_NAME_SAYS(SM70_8x8x4_F32F16F16F16_##order);              \
  static_assert(SM70_8x8x4_F16F16F16F16_##order::major == mma_major::is && \
                SM70_8x8x4_F16F16F16F16_##order::threads == 8)
  EXPECT_ORDER(TN, tn);
  EXPECT_ORDER(NT, nt);
  EXPECT_ORDER(NN, nn);
  EXPECT_ORDER(TT, tt);
#undef EXPECT_ORDER
}

// Four products a warp: those of lanes 0 to 3 and 16 to 19, and those 4, 8 and 12 further, are every lane once.
TEST(MmaSm70, QuadPairsAreEveryLaneOnce) {
  unsigned seen = 0;
  for (int product = 0; product < 4; ++product) {
    for (int t = 0; t < 8; ++t) {
      int const lane = MMA_Traits<SM70_8x8x4_F16F16F16F16_TN>::ThrID{}(t) + 4 * product;
      EXPECT_EQ(lane % 16 / 4, product);
      EXPECT_EQ(seen >> lane & 1u, 0u) << lane;
      seen |= 1u << lane;
    }
  }
  EXPECT_EQ(seen, 0xffffffffu);
}

}  // namespace
