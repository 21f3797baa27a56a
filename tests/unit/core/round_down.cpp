// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/round_down.hpp>

#include <gtest/gtest.h>

namespace cosmati {
namespace {

static_assert(decltype(round_down(Int<10>{}, Int<4>{}))::value == 8);
static_assert(round_down(make_tuple(100, make_tuple(60, 7)), make_tuple(32, make_tuple(8, 7))) ==
              make_tuple(96, make_tuple(56, 7)));
static_assert(round_down(make_tuple(100, 60), 32) == make_tuple(96, 32));

TEST(RoundDown, IsTheLargestMultipleThatIsNoLarger) {
  for (int a = 0; a < 60; ++a) {
    for (int b = 1; b < 20; ++b) {
      int expected = 0;
      while (expected + b <= a) expected += b;
      EXPECT_EQ(round_down(a, b), expected);
    }
  }
}

}  // namespace
}  // namespace cosmati
