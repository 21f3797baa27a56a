// SPDX-License-Identifier: Apache-2.0
// Products of 8-bit floating-point numbers: each pair of formats, summed in float and in half.
#include <gtest/gtest.h>
#include <cosmati/atom/mma_sm89.hpp>

#include "unit/atom/mma_name.hpp"

using namespace cosmati;

namespace {

TEST(MmaSm89, EachPairOfFormats) {
#define EXPECT_PAIR(a, b)                                    \
  EXPECT_WHAT_THE_NAME_SAYS(SM89_16x8x32_F32##a##b##F32_TN); \
  EXPECT_WHAT_THE_NAME_SAYS(SM89_16x8x32_F16##a##b##F16_TN)
  EXPECT_PAIR(E4M3, E4M3);
  EXPECT_PAIR(E4M3, E5M2);
  EXPECT_PAIR(E5M2, E4M3);
  EXPECT_PAIR(E5M2, E5M2);
#undef EXPECT_PAIR
}

}  // namespace
