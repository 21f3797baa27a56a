// SPDX-License-Identifier: Apache-2.0
#include "barrier_advice.hpp"

#include <gtest/gtest.h>

#include <string>

using cosmati_sim::barrier_advice;
using cosmati_sim::program_line;

namespace {

program_line in_a(int line) { return {"a.cpp", line}; }
program_line in_b(int line) { return {"b.cpp", line}; }

TEST(BarrierAdvice, OfTheSameTwoLines) {
  barrier_advice advice;
  EXPECT_FALSE(advice.is_of_block(in_a(10), in_a(20)));
  advice.met_across_warps(in_a(20), in_a(10));
  EXPECT_TRUE(advice.is_of_block(in_a(10), in_a(20)));
  EXPECT_TRUE(advice.is_of_block(in_a(20), in_a(10)));
  EXPECT_FALSE(advice.is_of_block(in_b(10), in_b(20)));  // the same numbers in another file
  EXPECT_FALSE(advice.is_of_block(in_a(10), in_b(20)));
}

// A barrier between 10 and 15, or between 15 and 20, orders 10 and 20 as well. One between 10 and 25 may stand
// behind 20.
TEST(BarrierAdvice, OfLinesWithin) {
  barrier_advice advice;
  advice.met_across_warps(in_a(10), in_a(20));
  EXPECT_TRUE(advice.is_of_block(in_a(10), in_a(15)));
  EXPECT_TRUE(advice.is_of_block(in_a(20), in_a(15)));
  EXPECT_FALSE(advice.is_of_block(in_a(10), in_a(25)));
  EXPECT_FALSE(advice.is_of_block(in_a(5), in_a(10)));
  EXPECT_FALSE(advice.is_of_block(in_a(20), in_a(25)));
  EXPECT_FALSE(advice.is_of_block(in_a(12), in_a(15)));  // neither line is one of the two: perhaps another branch
  EXPECT_FALSE(advice.is_of_block(in_a(10), in_b(15)));
}

TEST(BarrierAdvice, OfALineAndItself) {
  barrier_advice advice;
  advice.met_across_warps(in_a(10), in_a(10));
  EXPECT_TRUE(advice.is_of_block(in_a(10), in_a(10)));
  EXPECT_FALSE(advice.is_of_block(in_a(10), in_a(11)));
}

TEST(BarrierAdvice, Words) {
  EXPECT_EQ(std::string(barrier_advice::words(true)), "put __syncthreads() between the two");
  EXPECT_EQ(std::string(barrier_advice::words(false)), "put __syncwarp() between the two");
}

}  // namespace
