// SPDX-License-Identifier: Apache-2.0
// Plans that the planner considers and chooses, on devices of every kind.
#include <cosmati/kernel/copy_text.hpp>
#include <cstdlib>

#include "../random_copies.hpp"
#include "../require_device.hpp"

using namespace cosmati;
using namespace random_copies;

namespace {

copy_problem problem_of(int element_bytes, std::initializer_list<copy_mode> modes) {
  copy_problem p;
  p.element_bytes = element_bytes;
  for (copy_mode const& m : modes) p.push(m.extent, m.source, m.target);
  return p;
}

TEST(Candidates, AreFewInOrderAndDifferent) {
  strides draw(9);
  for (int n = 0; n < 300; ++n) {
    copy_plans const plans = plan_copy(draw.problem(1 << draw.below(5), 1000000));
    ASSERT_GE(plans.kept, 1);
    ASSERT_LE(plans.kept, 64);
    for (int k = 0; k < plans.kept; ++k) {
      ASSERT_LE(plans.plan[k == 0 ? 0 : k - 1].us, plans.plan[k].us);
      for (int j = 0; j < k; ++j)
        ASSERT_FALSE(plans.plan[j].does_as(plans.plan[k])) << text(plans.problem, plans.plan[k]);
    }
  }
}
/// Contiguous vectors are copied directly, aligned transposes by squares in registers, ragged orders by sectors.
TEST(Candidates, FollowTheLayouts) {
  static_assert(plan_copy(Layout<Shape<_64, _32>, Stride<_32, _1>>{}, Layout<Shape<_64, _32>>{}, 4).kept > 3);
  static_assert(plan_copy(Layout<Shape<_64, _32>>{}, Layout<Shape<_64, _32>>{}, 4).plan[0].route == copy_route::direct);
  for (int e = 1; e <= 16; e *= 2) {
    EXPECT_EQ(plan_copy(problem_of(e, {{4096, 4096, 1}, {4096, 1, 4096}})).plan[0].route, copy_route::transpose) << e;
    EXPECT_EQ(plan_copy(problem_of(e, {{1 << 24, 1, 1}})).plan[0].route, copy_route::direct) << e;
  }
  copy_problem const ragged = problem_of(2, {{4095, 8193, 1}, {8193, 1, 4095}, {4, 33550335, 33550335}});
  EXPECT_EQ(plan_copy(ragged).plan[0].route, copy_route::sectors);
}
/// A repeated source is loaded once, by threads or by tiles.
TEST(Candidates, LoadOnceWhatIsRepeated) {
  auto const choice = [](std::initializer_list<copy_mode> modes, int element_bytes) {
    return plan_copy(problem_of(element_bytes, modes)).plan[0];
  };
  auto const is_once = [](copy_plan const& plan) {
    return plan.launch.once || (plan.route == copy_route::windows && plan.tile.extent[2] > 1);
  };
  EXPECT_TRUE(is_once(choice({{15, 16, 1}, {16, 1, 15}, {1670563, 0, 240}}, 1)));
  EXPECT_TRUE(is_once(choice({{13, 16, 1}, {16, 1, 13}, {919155, 0, 208}}, 1)));
  EXPECT_TRUE(choice({{1017953, 49, 1}, {49, 0, 1017953}}, 8).launch.once);
}
/// Bulk copies need capability 9.0, and no tile takes more shared memory than a block has.
TEST(Candidates, AreWhatTheDeviceHas) {
  strides draw(13);
  for (named_device_model const& device : device_models) {
    int by_lines = 0;
    for (int n = 0; n < 60; ++n) {
      copy_plans const plans = plan_copy(draw.problem(1 << draw.below(5), 1000000), device.model);
      ASSERT_GE(plans.kept, 1) << device.name;
      for (int k = 0; k < plans.kept; ++k) {
        copy_plan const& plan = plans.plan[k];
        std::size_t bytes = 0;
        if (plan.route == copy_route::windows) bytes = window_tiles::of(plans.problem, plan.tile).shared_bytes();
        if (plan.route == copy_route::sectors) bytes = sector_sizes::of(plans.problem, plan.sectors).shared_bytes();
        ASSERT_LE(static_cast<double>(bytes), device.model.block_bytes) << device.name;
        bool const bulk =
            plan.route == copy_route::windows ? plan.bulk : plan.route == copy_route::sectors && !plan.sectors.by_lines;
        ASSERT_FALSE(bulk && device.model.compute_capability < 90) << device.name;
        by_lines += plan.route == copy_route::sectors && plan.sectors.by_lines;
      }
    }
    EXPECT_TRUE(device.model.compute_capability >= 90 || by_lines > 0) << device.name;
  }
}
TEST(DeviceModel, RowsAreFoundByTheirNames) {
  ASSERT_NE(find_device_model("h100"), nullptr);
  EXPECT_EQ(find_device_model("h100")->model.compute_capability, 90);
  EXPECT_EQ(find_device_model("a100")->model.compute_capability, 80);
  EXPECT_EQ(find_device_model("rtx4090")->model.compute_capability, 89);
  EXPECT_EQ(find_device_model("b200")->model.compute_capability, 100);
  EXPECT_EQ(find_device_model("h10"), nullptr);
  EXPECT_EQ(find_device_model("h1000"), nullptr);
  EXPECT_EQ(find_device_model(""), nullptr);
  EXPECT_TRUE(find_device_model("h200")->model == device_model{});
}
TEST(DeviceModel, IsTheCurrentDevices) {
  COSMATI_REQUIRE_DEVICE();
  device_model const& mine = device_model::of_current();
  EXPECT_EQ(&mine, &device_model::of_current()) << "asked once";
#if defined(COSMATI_SIMULATED)
  char const* const named = std::getenv("COSMATI_DEVICE_MODEL");
  EXPECT_TRUE(mine == (named == nullptr ? device_model{} : find_device_model(named)->model));
#else
  device_info const info = current_device();
  EXPECT_EQ(mine.compute_capability, info.compute_capability);
  EXPECT_EQ(mine.multiprocessors, info.multiprocessors);
  EXPECT_EQ(mine.block_bytes, static_cast<double>(info.shared_bytes_per_block));
  EXPECT_GT(mine.bytes_per_us, 1e5);
  EXPECT_GT(mine.cycles_per_us, 500);
  EXPECT_GT(mine.l2_bytes, 1e6);
#endif
}
/// A plan for features that the device lacks is refused with an error, not with a fault.
TEST(DeviceModel, PlansOfAnotherDeviceAreRefused) {
  copy_problem const p = simplified(problem_of(4, {{4095, 8193, 1}, {8193, 1, 4095}}));
  copy_plan bulk;
  bulk.route = copy_route::sectors;
  bulk.sectors = {1, 1, 64, 64, false};
  detail::check_plan(p, bulk, find_device_model("h100")->model);
  EXPECT_SAYS("route is sectors by bulk copies, which begin with capability 9.0, and the device has 8.0",
              detail::check_plan(p, bulk, find_device_model("a100")->model));
  bulk.sectors.by_lines = true;
  detail::check_plan(p, bulk, find_device_model("a100")->model);
}

}  // namespace
