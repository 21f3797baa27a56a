// SPDX-License-Identifier: Apache-2.0
// Tiled plans as numbers: a stage's places against the swizzle's definition, its size, and the best plans in order.
#include <gtest/gtest.h>
#include <cosmati/kernel/tiled_plan/plan.hpp>
#include <cosmati/layout/any_swizzle.hpp>

#include <set>

using namespace cosmati;

namespace {

TEST(TiledPlan, AStageIsASwizzleBehindALayout) {
  planned_stage const stage{{8, 32}, {32, 1}, 2, 3, 3};
  AnySwizzle const swizzle(2, 3, 3);
  std::set<int> places;
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 32; ++j) {
      EXPECT_EQ(stage(i, j), swizzle(32 * i + j));
      places.insert(stage(i, j));
    }
  }
  EXPECT_EQ(places.size(), 256u);
  EXPECT_EQ(stage.elements(), 256);
  EXPECT_EQ(*places.rbegin(), 255) << "all of them inside";
}

TEST(TiledPlan, APaddedStageTakesItsGaps) {
  planned_stage const padded{{8, 32}, {33, 1}};
  EXPECT_EQ(padded.elements(), 7 * 33 + 32);
  EXPECT_EQ(padded(7, 31), padded.elements() - 1);
  EXPECT_EQ(planned_stage{}.elements(), 0);
  tiled_copy_plan plan;
  EXPECT_FALSE(plan.has_stage());
  EXPECT_EQ(plan.shared_bytes(), 0);
  plan.stage = padded;
  plan.in.element_bytes = 8;
  EXPECT_TRUE(plan.has_stage());
  EXPECT_EQ(plan.shared_bytes(), 8 * padded.elements());
}

TEST(TiledPlan, TheBestAreKeptInOrder) {
  tiled_copy_plans plans;
  EXPECT_EQ(plans.limit(), 1e300) << "anything is kept";
  int const offered = 3 * copy_plans_kept;
  for (int k = 0; k < offered; ++k) {
    tiled_copy_plan one;
    one.us = k * 7 % offered;  // each once, as 7 and the count have no divisor in common
    plans.offer(one);
  }
  ASSERT_EQ(plans.kept, copy_plans_kept);
  for (int k = 0; k < plans.kept; ++k) EXPECT_EQ(plans.plan[k].us, k);
  EXPECT_EQ(plans.limit(), copy_plans_kept - 1);
  static_assert(3 * copy_plans_kept % 7 != 0);
}

}  // namespace
