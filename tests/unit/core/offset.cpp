// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/offset.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {

TEST(Offset, IsTheSumOfStepsOfEachMode) {
  auto const shape = make_tuple(4, make_tuple(_3{}, 5));
  auto const steps = make_tuple(100, make_tuple(_10{}, 1));
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 5; ++k) {
        int const wanted = 100 * i + 10 * j + k;
        EXPECT_EQ(detail::offset_of<int>(make_tuple(i, make_tuple(j, k)), shape, steps), wanted);
        EXPECT_EQ(detail::offset_of<int>(make_tuple(i, j + 3 * k), shape, steps), wanted);
        EXPECT_EQ(detail::offset_of<std::int64_t>(i + 4 * (j + 3 * k), shape, steps), wanted);
      }
    }
  }
}
TEST(Offset, OfAnEmptyModeIsZeroOnTheHost) {
  EXPECT_EQ(detail::offset_of<int>(3, make_tuple(0, 4), make_tuple(1, 7)), 0);
}

}  // namespace
