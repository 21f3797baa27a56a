// SPDX-License-Identifier: Apache-2.0
// Swizzles of elements that exchange chunks of 16 bytes, and others.
#include <cosmati/atom/chunk_swizzle.hpp>

#include <gtest/gtest.h>

#include <cosmati/core/integral_constant.hpp>

using namespace cosmati;

namespace {

TEST(ChunkSwizzle, OfElements) {
  auto const of = [](auto const& swizzle, auto bytes) {
    return detail::chunk_swizzle_bits<decltype(bytes)::value>(&swizzle);
  };
  EXPECT_EQ(of(Swizzle<3, 4, 3>{}, _1{}), 3);
  EXPECT_EQ(of(Swizzle<2, 3, 3>{}, _2{}), 2);
  EXPECT_EQ(of(Swizzle<1, 2, 3>{}, _4{}), 1);
  EXPECT_EQ(of(Swizzle<0, 4, 3>{}, _2{}), 0);
  EXPECT_EQ(of(Swizzle<3, 4, 3>{}, _2{}), -1);  // chunks of 32 bytes
  EXPECT_EQ(of(Swizzle<3, 3, 4>{}, _2{}), -1);
  EXPECT_EQ(of(Swizzle<4, 3, 4>{}, _2{}), -1);
}

}  // namespace
