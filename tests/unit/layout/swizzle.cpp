// SPDX-License-Identifier: Apache-2.0
#include <cosmati/layout/swizzle.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {

/// The definition, bit by bit: bit MBase + i is exclusive-ored with bit MBase + i + SShift.
template <int B, int M, int S>
int by_bits(int offset) {
  int result = offset;
  for (int i = 0; i < B; ++i) {
    int const from = M + i + (S > 0 ? S : 0), to = M + i + (S > 0 ? 0 : -S);
    result ^= (offset >> from & 1) << to;
  }
  return result;
}
template <int B, int M, int S>
void expect_definition() {
  for (int i = 0; i < 2048; ++i) {
    EXPECT_EQ((Swizzle<B, M, S>{}(i)), (by_bits<B, M, S>(i))) << i;
    EXPECT_EQ((Swizzle<B, M, S>{}(Swizzle<B, M, S>{}(i))), i);  // its own inverse
  }
}
TEST(Swizzle, MixesBits) {
  expect_definition<3, 3, 3>();
  expect_definition<2, 4, 3>();
  expect_definition<0, 4, 3>();
  expect_definition<2, 1, -3>();
  static_assert(decltype(Swizzle<3, 0, 3>{}(Int<0b101'010>{}))::value == 0b101'111);
}
TEST(Swizzle, IsMadeOfMasks) {
  static_assert(decltype(make_swizzle<0x1c0, 0x38>() == Swizzle<3, 3, 3>{})::value);
  static_assert(decltype(composition(Swizzle<1, 0, 3>{}, Swizzle<1, 1, 3>{}) == Swizzle<2, 0, 3>{})::value);
}

}  // namespace
