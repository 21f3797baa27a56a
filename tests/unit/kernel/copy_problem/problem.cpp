// SPDX-License-Identifier: Apache-2.0
// The simplest form of a copy moves the same bytes: of many problems, whatever the order and signs of their strides.
#include <gtest/gtest.h>
#include <cosmati/kernel/copy_problem/problem.hpp>

#include "sim/message.hpp"
#include "unit/kernel/copy_problem/pairs.hpp"

#include <random>

using namespace cosmati;

namespace {

TEST(SimplifiedProblem, MovesTheSameBytes) {
  std::mt19937 random(4);
  for (int round = 0; round < 500; ++round) {
    copy_problem p;
    p.element_bytes = 1 << random() % 4;
    p.source_alignment = 1 << random() % 5;
    p.target_alignment = 1 << random() % 5;
    std::int64_t target = 1;
    for (int m = 0; m < 4; ++m) {
      std::int64_t const extent = 1 + random() % 4, sign = random() % 3 == 0 ? -1 : 1;
      p.push(extent, static_cast<std::int64_t>(random() % 9) - 3, sign * target);
      target *= extent;
      if (random() % 3 == 0) target += 1 + random() % 2;
    }
    p.source_offset = static_cast<std::int64_t>(random() % 4);
    copy_problem const s = simplified(p);
    EXPECT_EQ(moved_bytes(s), moved_bytes(p)) << round;
    for (int m = 0; m < s.rank; ++m) {
      EXPECT_GT(s.mode[m].extent, 1);
      EXPECT_GT(s.mode[m].target, m == 0 ? 0 : s.mode[m - 1].target) << "ascending";
    }
    EXPECT_EQ(moved_bytes(simplified(s)), moved_bytes(p));
  }
}

TEST(SimplifiedProblem, IsAsSmallAsItGets) {
  copy_problem const array = simplified(problem_of(4, {{1, 99, 99}, {8, 64, 64}, {64, 1, 1}}));
  EXPECT_EQ(array.rank, 1);
  EXPECT_EQ(array.element_bytes, 16) << "four floats are an element";
  EXPECT_EQ(array.mode[0].extent, 128);
  EXPECT_TRUE(is_contiguous(array));
  EXPECT_EQ(simplified(problem_of(4, {{8, 64, 64}, {64, 1, 1}}), false).element_bytes, 4);
  copy_problem const turned = simplified(problem_of(4, {{8, 1, 16}, {16, 8, 1}}));
  EXPECT_EQ(turned.rank, 2);
  EXPECT_EQ(turned.mode[0].target, 1);
  EXPECT_FALSE(is_contiguous(turned));
  EXPECT_EQ(simplified(problem_of(4, {{8, 1, 1}, {0, 7, 7}})).size(), 0);
  EXPECT_EQ(simplified(problem_of(4, {})).rank, 0);
}

TEST(SimplifiedProblem, Refusals) {
  EXPECT_MESSAGE(simplified(problem_of(4, {{5, 1, 0}})), "a mode of extent 5 has stride 0 in the destination");
  EXPECT_MESSAGE(simplified(problem_of(4, {{4, 1, 2}, {4, 1, 4}})), "two elements of the destination are one place");
  copy_problem nine;
  std::int64_t stride = 1;
  for (int m = 0; m < 9; ++m, stride *= 4) nine.push(2, 100 - m, stride);
  EXPECT_MESSAGE(simplified(nine), "copy: 9 modes remain after merging what can be merged, the most is 8");
}

TEST(SimplifiedProblem, HalvesAreThePartsOfAMode) {
  copy_problem const p = problem_of(2, {{6, 3, 1}, {5, 1, 7}});
  auto const halves = detail::copy_halves::of(p, 1, 2);
  auto both = moved_bytes(halves.low);
  EXPECT_EQ(both.size(), 2u * 6 * 2);
  both.merge(moved_bytes(halves.high));
  EXPECT_EQ(both, moved_bytes(p));
  auto const longest = detail::copy_halves::of_longest_mode(p, 4);  // of two vectors of 4 there are none in 6
  EXPECT_EQ(longest.low.mode[1].extent + longest.high.mode[1].extent, 5);
}

TEST(SimplifiedProblem, GapsOfTheSource) {
  EXPECT_FALSE(detail::source_has_gaps(problem_of(1, {{4, 1, 1}, {3, 4, 4}})));
  EXPECT_FALSE(detail::source_has_gaps(problem_of(1, {{4, 3, 1}, {3, 1, 4}})));
  EXPECT_TRUE(detail::source_has_gaps(problem_of(1, {{4, 1, 1}, {3, 5, 4}})));
  EXPECT_FALSE(detail::source_has_gaps(problem_of(1, {{4, 1, 1}, {3, 0, 4}}))) << "there three times";
  auto const part = detail::target_part::of(problem_of(1, {{4, 9, 1}, {3, 1, 4}, {2, 1, 13}}));
  EXPECT_EQ(part.elements, 12);
  EXPECT_EQ(part.modes, 2);
}

}  // namespace
