// SPDX-License-Identifier: Apache-2.0
// Plans of a copy: names of routes, which plans do the same, the best kept in order, and one of each kind in turn.
#include <gtest/gtest.h>
#include <cosmati/kernel/copy/plan.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace cosmati;

namespace {

TEST(CopyPlan, RoutesHaveNames) {
  EXPECT_STREQ(name_of(copy_route::direct), "direct");
  EXPECT_STREQ(name_of(copy_route::transpose), "transpose");
  EXPECT_STREQ(name_of(copy_route::windows), "windows");
  EXPECT_STREQ(name_of(copy_route::sectors), "sectors");
  EXPECT_STREQ(name_of(static_cast<copy_route>(copy_routes)), "none");
  EXPECT_STREQ(name_of(static_cast<copy_route>(-1)), "none");
}

TEST(CopyPlan, DoTheSameWhateverTheyPredict) {
  copy_plan a, b;
  b.us = 5;
  EXPECT_TRUE(a.does_as(b));
  b.vector = 2;
  EXPECT_FALSE(a.does_as(b));
  b = a;
  b.row_mode = 1;
  EXPECT_TRUE(a.does_as(b)) << "a direct copy has no rows";
  a.route = b.route = copy_route::transpose;
  EXPECT_FALSE(a.does_as(b));
  b = a;
  b.bulk = true;
  EXPECT_TRUE(a.does_as(b)) << "a transpose has no bulk copies";
  a.route = b.route = copy_route::windows;
  EXPECT_FALSE(a.does_as(b));
}

TEST(CopyPlan, TheBestAreKeptInOrder) {
  std::mt19937 random(2);
  for (int const offered : {0, 1, copy_plans_kept, 3 * copy_plans_kept}) {
    copy_plans plans;
    std::vector<double> times;
    for (int k = 0; k < offered; ++k) {
      copy_plan one;
      one.us = static_cast<double>(random() % 1000);
      times.push_back(one.us);
      plans.offer(one);
    }
    std::sort(times.begin(), times.end());
    ASSERT_EQ(plans.kept, std::min(offered, copy_plans_kept));
    for (int k = 0; k < plans.kept; ++k) EXPECT_EQ(plans.plan[k].us, times[static_cast<std::size_t>(k)]);
  }
}

// The best of each kernel first, then the second of each, ...
TEST(CopyPlan, PlansToBeMeasuredComeInTurn) {
  copy_plans plans;
  auto const offer = [&](copy_route route, bool bulk, double us) {
    copy_plan one;
    one.route = route;
    one.bulk = bulk;
    one.us = us;
    plans.offer(one);
  };
  offer(copy_route::direct, false, 1);     // 0
  offer(copy_route::direct, false, 2);     // 1
  offer(copy_route::windows, false, 3);    // 2
  offer(copy_route::windows, true, 4);     // 3: another kernel
  offer(copy_route::direct, false, 5);     // 4
  offer(copy_route::transpose, false, 6);  // 5
  int number[8] = {};
  ASSERT_EQ(plans.in_turn(8, number), 6);
  EXPECT_EQ(std::vector<int>(number, number + 6), (std::vector<int>{0, 2, 3, 5, 1, 4}));
  EXPECT_EQ(plans.in_turn(2, number), 2);
  EXPECT_EQ(plans.in_turn(0, number), 0);
}

}  // namespace
