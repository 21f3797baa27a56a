// SPDX-License-Identifier: Apache-2.0
// Products of short vectors by one thread: layouts, and dp4a and dp2a against sums in 64 bits, at the ends of their
// types.
#include <gtest/gtest.h>
#include <cosmati/arch/mma.hpp>
#include <cosmati/atom/mma_sm61.hpp>
#include <cosmati/layout/operations.hpp>

#include "unit/atom/mma_name.hpp"

using namespace cosmati;

namespace {

TEST(MmaSm61, TypesAndExtents) {
  using four = MMA_Traits<SM61_DP4A>;
  static_assert(std::is_same_v<four::ValTypeA, std::int8_t> && std::is_same_v<four::ValTypeD, std::int32_t>);
  static_assert(int(get<2>(four::Shape_MNK{})) == 4 && size(four::ThrID{}) == 1);
  using two = MMA_Traits<SM61_DP2A>;
  static_assert(std::is_same_v<two::ValTypeA, std::int16_t> && std::is_same_v<two::ValTypeB, std::int8_t>);
  for (int v = 0; v < 4; ++v) EXPECT_EQ(four::ALayout{}(0, v), v);
}

TEST(MmaSm61, Dp4aIsTheSumOfFourProducts) {
  for (int seed = 0; seed < 64; ++seed) {
    std::uint32_t a = 0, b = 0;
    std::int64_t sum = 1000 * seed - 20000;
    std::int32_t const c = static_cast<std::int32_t>(sum);
    for (int i = 0; i < 4; ++i) {
      int const x = (seed * 37 + i * 91) % 256 - 128, y = (seed * 53 + i * 29) % 256 - 128;
      a |= static_cast<std::uint32_t>(x & 255) << (8 * i);
      b |= static_cast<std::uint32_t>(y & 255) << (8 * i);
      sum += x * y;
    }
    std::int32_t d = 0;
    SM61_DP4A::fma(d, a, b, c);
    EXPECT_EQ(d, sum) << seed;
  }
}

TEST(MmaSm61, WrapsBeyond32Bits) {
  std::int32_t d = 0;
  SM61_DP4A::fma(d, 0x80808080u, 0x80808080u, 0x7fffffff);  // 4 * 128 * 128 = 65536
  EXPECT_EQ(d, INT32_MIN + 65535);
}

// Of B only the lower two of four bytes count.
TEST(MmaSm61, Dp2aTakesTheLowerTwoBytes) {
  std::int32_t d = 0;
  SM61_DP2A::fma(d, 0x7fff8000u, 0x5a5a7f80u, 5);  // -32768 * -128 + 32767 * 127 + 5
  EXPECT_EQ(d, 32768 * 128 + 32767 * 127 + 5);
}

}  // namespace
