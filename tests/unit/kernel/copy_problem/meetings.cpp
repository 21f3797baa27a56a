// SPDX-License-Identifier: Apache-2.0
// Whether two elements meet: in the target, or a source's with a target's, against every pair of elements of many small
// problems.
#include <gtest/gtest.h>
#include <cosmati/kernel/copy_problem/meetings.hpp>

#include "sim/message.hpp"
#include "unit/kernel/copy_problem/pairs.hpp"

#include <random>
#include <vector>

using namespace cosmati;

namespace {

std::mt19937 engine(8);
std::int64_t below(int n) { return static_cast<std::int64_t>(engine() % static_cast<unsigned>(n)); }

/// Offsets of a side's elements, in elements.
std::vector<std::int64_t> places(copy_problem const& p, bool source) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < p.size(); ++i) {
    std::int64_t rest = i, at = source ? p.source_offset : p.target_offset;
    for (int m = 0; m < p.rank; ++m) {
      at += rest % p.mode[m].extent * (source ? p.mode[m].source : p.mode[m].target);
      rest /= p.mode[m].extent;
    }
    all.push_back(at);
  }
  return all;
}

TEST(CopyMeetings, OfTheTarget) {
  int meet = 0;
  for (int round = 0; round < 2000; ++round) {
    copy_problem p;
    std::int64_t stride = 0;
    for (int m = 0; m < 3; ++m) {
      stride += 1 + below(4);  // ascending and positive, as the check wants them
      p.push(2 + below(4), below(9), stride);
    }
    auto const all = places(p, false);
    bool twice = false;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) twice = twice || all[i] == all[j];
    meet += twice;
    if (twice) {
      EXPECT_MESSAGE(detail::check_target_is_distinct(p), "two elements of the destination are one place, steps of");
    } else {
      EXPECT_NO_THROW(detail::check_target_is_distinct(p)) << round;
    }
  }
  EXPECT_GT(meet, 100);
  EXPECT_LT(meet, 1900);
}

TEST(CopyMeetings, OfTheSides) {
  int meet = 0;
  for (int round = 0; round < 3000; ++round) {
    copy_problem p;
    p.element_bytes = 1 << below(3);
    int const source_bytes = round % 4 == 0 ? 2 : p.element_bytes;
    std::int64_t target = 1;
    for (int m = 0; m < 2; ++m) {
      std::int64_t const extent = 2 + below(4);
      p.push(extent, below(7) - 3, target + below(2));
      target = extent * p.mode[m].target;
    }
    std::int64_t const apart = below(41) - 20;  // from the target's base to the source's
    auto const from = places(p, true), to = places(p, false);
    bool hits = false;
    for (std::size_t i = 0; i < from.size(); ++i) {
      for (std::size_t j = 0; j < to.size(); ++j) {
        std::int64_t const a = apart + from[i] * source_bytes, b = to[j] * p.element_bytes;
        hits = hits || (i != j && a < b + p.element_bytes && b < a + source_bytes);
      }
    }
    meet += hits;
    EXPECT_EQ(detail::sides_meet(p, apart, source_bytes), hits) << "round " << round;
  }
  EXPECT_GT(meet, 300);
  EXPECT_LT(meet, 2900);
}

TEST(CopyMeetings, BytesFromTheFirstToTheLast) {
  copy_problem const p = problem_of(4, {{3, -2, 5}, {2, 10, 1}});
  detail::byte_range const source(p, true, 4), target(p, false, 4);
  EXPECT_EQ(source.begin, -16);
  EXPECT_EQ(source.end, 4 * (10 + 1));
  EXPECT_EQ(target.begin, 0);
  EXPECT_EQ(target.end, 4 * (10 + 1 + 1));
  EXPECT_TRUE(detail::sides_interleave(p, 0, 4));
  EXPECT_FALSE(detail::sides_interleave(p, 64, 4)) << "the source begins 16 bytes before its base";
  EXPECT_TRUE(detail::sides_interleave(p, 63, 4));
}

TEST(CopyMeetings, TheErrorNamesTheFunction) {
  unsigned char memory[64];
  copy_problem const p = problem_of(1, {{16, 1, 1}});
  EXPECT_NO_THROW(detail::check_apart("copy_tensor", p, memory, memory, 1)) << "in place each element is itself";
  EXPECT_MESSAGE(detail::check_apart("copy_tensor", p, memory, memory + 1, 1),
                 "copy_tensor(src, dst): elements of dst lie");
  EXPECT_NO_THROW(detail::check_apart("copy_tensor", p, memory, memory + 16, 1));
}

}  // namespace
