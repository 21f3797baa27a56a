// SPDX-License-Identifier: Apache-2.0
// Modes of a copy as numbers: more than there is room for are merged where they go on, and the bytes stay the same.
#include <gtest/gtest.h>
#include <cosmati/kernel/copy_problem/modes.hpp>

#include "sim/message.hpp"
#include "unit/kernel/copy_problem/pairs.hpp"

using namespace cosmati;

namespace {

TEST(CopyModes, SizesAreProducts) {
  EXPECT_EQ(copy_problem{}.size(), 1) << "of no modes, one element";
  EXPECT_EQ(problem_of(4, {{3, 1, 1}, {5, 3, 3}}).size(), 15);
  EXPECT_EQ(problem_of(4, {{3, 1, 1}, {0, 3, 3}}).size(), 0);
}

TEST(CopyModes, GoOnWhereTheInnerOneEnds) {
  EXPECT_TRUE(detail::goes_on({4, 2, 3}, {5, 8, 12}));
  EXPECT_FALSE(detail::goes_on({4, 2, 3}, {5, 8, 13}));
  EXPECT_TRUE(detail::goes_on({4, 0, 1}, {5, 0, 4})) << "repeated, and again";
  EXPECT_FALSE(detail::goes_on({4, 0, 1}, {5, 1, 4}));
  EXPECT_TRUE(detail::goes_on({4, -1, 1}, {5, -4, 4}));
  EXPECT_FALSE(detail::goes_on({INT64_MAX, 2, 2}, {2, -2, -2})) << "no product is formed that overflows";
}

// 40 modes of extent 2 are three that go on.
TEST(CopyModes, MoreThanThereIsRoomForAreMerged) {
  for (bool const outer_first : {false, true}) {
    copy_problem p;
    int const modes = 40;
    for (int k = 0; k < modes; ++k) {
      int const bit = outer_first ? modes - 1 - k : k;
      std::int64_t const at = std::int64_t{1} << bit;
      p.push(bit % 4 == 3 ? 1 : 2, bit % 4 == 3 ? 12345 : at, bit % 4 == 3 ? -7 : at);  // some of extent 1
    }
    EXPECT_LE(p.rank, copy_max_modes);
    EXPECT_EQ(p.size(), std::int64_t{1} << 30);
  }
}

TEST(CopyModes, ThatDoNotGoOnAreTooMany) {
  copy_problem p;
  for (int k = 0; k < copy_max_modes; ++k) p.push(2, 3 * (k + 1), 5 * (k + 1) + 1);
  EXPECT_NO_THROW(p.push(1, 7, 7));
  EXPECT_MESSAGE(p.push(9, 1000, 1), "there are 32 modes that cannot be merged, and one more of extent 9");
}

}  // namespace
