// SPDX-License-Identifier: Apache-2.0
// What a copy's integers hold: every limit at its last good value and the first bad one, with the sentence.
#include <gtest/gtest.h>
#include <cosmati/kernel/copy_problem/checks.hpp>

#include "sim/message.hpp"
#include "unit/kernel/copy_problem/pairs.hpp"

using namespace cosmati;

namespace {

constexpr std::int64_t most = std::int64_t{1} << 56;

TEST(CopyNumbers, ElementsAndAlignments) {
  for (int const bytes : {1, 2, 4, 8, 16}) EXPECT_NO_THROW(detail::check_numbers(problem_of(bytes, {{4, 1, 1}})));
  for (int const bytes : {0, 3, 12, 32, -4})
    EXPECT_MESSAGE(detail::check_numbers(problem_of(bytes, {})),
                   "copy: elements of " + std::to_string(bytes) + " bytes");
  copy_problem p = problem_of(4, {{4, 1, 1}});
  p.source_alignment = 12;
  EXPECT_MESSAGE(detail::check_numbers(p), "source_alignment 12, target_alignment 16, apart_alignment 1");
  p.source_alignment = 1;
  p.apart_alignment = 0;
  EXPECT_MESSAGE(detail::check_numbers(p), "apart_alignment 0: each is a power of two");
}

TEST(CopyNumbers, Ranks) {
  copy_problem p;
  p.rank = copy_max_modes + 1;
  EXPECT_MESSAGE(detail::check_numbers(p), "a problem of rank 33, where 0 to 32 are possible");
  p.rank = -1;
  EXPECT_MESSAGE(detail::check_numbers(p), "a problem of rank -1");
}

TEST(CopyNumbers, ExtentsAndTheirProduct) {
  EXPECT_MESSAGE(detail::check_numbers(problem_of(1, {{2, 1, 1}, {-3, 1, 1}})), "mode 1 has extent -3");
  EXPECT_NO_THROW(detail::check_numbers(problem_of(1, {{most, 1, 1}})));
  EXPECT_MESSAGE(detail::check_numbers(problem_of(1, {{most, 0, 0}, {2, 0, 0}})),
                 "mode 1 of extent 2, times 72057594037927936 elements of the modes before, is more than 2^56");
  EXPECT_NO_THROW(detail::check_numbers(problem_of(1, {{most, most, most}, {0, 1, 1}}))) << "nothing is copied";
}

TEST(CopyNumbers, StridesAndOffsets) {
  EXPECT_NO_THROW(detail::check_numbers(problem_of(1, {{2, most, -most}})));
  EXPECT_MESSAGE(detail::check_numbers(problem_of(1, {{2, 1, 1}, {3, most, 1}})), "mode 1 of extent 3, stride");
  EXPECT_MESSAGE(detail::check_numbers(problem_of(1, {{2, 1, INT64_MIN}})), "more than 2^56 elements apart");
  EXPECT_NO_THROW(detail::check_numbers(problem_of(1, {{1, INT64_MIN, INT64_MAX}}))) << "an extent of 1 goes nowhere";
  copy_problem p = problem_of(1, {{2, 1, 1}});
  p.source_offset = most + 1;
  EXPECT_MESSAGE(detail::check_numbers(p), "it begins at element 72057594037927937 of the source");
}

}  // namespace
