// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cosmati/number/half.hpp>
#include <cosmati/number/saturate_cast.hpp>

using namespace cosmati;

TEST(saturate_cast, rounds_halves_to_the_even_neighbour) {
  EXPECT_EQ(saturate_cast<std::int8_t>(2.5f), 2);
  EXPECT_EQ(saturate_cast<std::int8_t>(3.5f), 4);
  EXPECT_EQ(saturate_cast<std::int8_t>(-2.5), -2);
  EXPECT_EQ(saturate_cast<std::uint8_t>(0.5f), 0);
  EXPECT_EQ(saturate_cast<std::uint8_t>(-0.5f), 0);
  EXPECT_EQ(saturate_cast<std::int16_t>(half_t(-7.5f)), -8);
}
TEST(saturate_cast, clamps_to_the_type) {
  EXPECT_EQ(saturate_cast<std::int8_t>(127.5f), 127);
  EXPECT_EQ(saturate_cast<std::int8_t>(-1e30f), -128);
  EXPECT_EQ(saturate_cast<std::uint8_t>(255.4f), 255);
  EXPECT_EQ(saturate_cast<std::uint8_t>(-3.f), 0);
  EXPECT_EQ(saturate_cast<int>(3e9f), 2147483647);
  EXPECT_EQ(saturate_cast<int>(-3e9f), -2147483647 - 1);
  EXPECT_EQ(saturate_cast<std::int8_t>(std::numeric_limits<float>::infinity()), 127);
  EXPECT_EQ(saturate_cast<std::int8_t>(std::numeric_limits<float>::quiet_NaN()), 0);
}
TEST(saturate_cast, clamps_integers) {
  EXPECT_EQ(saturate_cast<std::int8_t>(300), 127);
  EXPECT_EQ(saturate_cast<std::int8_t>(-300), -128);
  EXPECT_EQ(saturate_cast<std::int8_t>(-5), -5);
  EXPECT_EQ(saturate_cast<std::uint8_t>(-1), 0);
  EXPECT_EQ(saturate_cast<std::uint8_t>(256), 255);
  EXPECT_EQ(saturate_cast<std::int8_t>(200u), 127);
  EXPECT_EQ(saturate_cast<std::uint8_t>(std::int8_t{-7}), 0);
  EXPECT_EQ(saturate_cast<int>(std::int64_t{1} << 40), 2147483647);
  EXPECT_EQ(saturate_cast<std::int64_t>(~0ull), std::numeric_limits<std::int64_t>::max());
}
