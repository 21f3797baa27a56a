// SPDX-License-Identifier: Apache-2.0
// Plans of another problem are refused with an error, or copy correctly.
#include <cosmati/kernel/copy/checks.hpp>

#include "../random_copies.hpp"
#include "../require_device.hpp"

using namespace cosmati;
using namespace random_copies;

namespace {

TEST(CopyPlans, PlansThatThereAreNoKernelsFor) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> buffer(64);
  auto const message = [&](int vector, std::int64_t pitch) -> std::string {
    copy_problem p;
    p.element_bytes = 4;
    p.push(4, 1, 1);
    p.push(4, pitch, 4);
    copy_plan plan;
    plan.vector = vector;
    plan.together = true;
    try {
      launch_plan(simplified(p, false), plan, buffer.data(), buffer.data() + 32);
    } catch (error const& e) {
      return e.what();
    }
    return "no error";
  };
  for (int const vector : {0, 2, 3, 8})
    EXPECT_NE(message(vector, 8).find("vectors have " + std::to_string(vector) +
                                      " elements of 4 bytes; there are kernels for 1 and 4"),
              std::string::npos)
        << message(vector, 8);
  copy_problem repeated;
  repeated.element_bytes = 4;
  repeated.push(4, 1, 1);
  repeated.push(std::int64_t{1} << 31, 0, 4);
  copy_plan plan;
  plan.vector = 4;
  plan.launch.once = true;
  try {
    launch_plan(repeated, plan, buffer.data(), buffer.data());
    ADD_FAILURE() << "no error";
  } catch (error const& e) {
    EXPECT_NE(std::string(e.what()).find("windows and 2147483648 places"), std::string::npos) << e.what();
  }
}

TEST(CopyPlans, PlansThatAreNotTheProblems) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<float> in(64), out(std::vector<float>(64, 2.f));
  copy_problem p;
  p.element_bytes = 4;
  p.push(4, 8, 1), p.push(3, 1, 8);
  auto const with = [&](auto const& change) {
    return [&, change] {
      copy_problem q = p;
      copy_plan plan;
      void const* source = in.data();
      change(q, plan, source);
      launch_plan(q, plan, source, out.data());
    };
  };
  using P = copy_problem&;
  using L = copy_plan&;
  using S = void const*&;
  for (int const threads : {0, -32, 31, 33, 2048})
    EXPECT_SAYS(
        "the plan's launch.threads is " + std::to_string(threads) +
            ", and blocks have a multiple of 32 threads, at most 1024; take a plan of plan_copy for this problem",
        with([&](P, L plan, S) { plan.launch.threads = threads; })());
  EXPECT_SAYS("no mode of the problem but the first repeats", with([](P, L plan, S) { plan.launch.once = true; })());
  EXPECT_SAYS("launch.once goes with windows of 16 bytes, and vectors have 1 elements of 1",
              with([](P q, L plan, S) { q.element_bytes = 1, q.mode[1].source = 0, plan.launch.once = true; })());
  EXPECT_SAYS("vectors of 4 elements go together, and those of the source are not all at multiples of 16 bytes",
              with([](P, L plan, S) { plan.vector = 4, plan.together = true; })());
  EXPECT_SAYS("vectors have 4 elements, and the problem's first mode does not lie together in the target",
              with([](P q, L plan, S) {
                plan.vector = 4, q.mode[0] = {4, 1, 2};
              })());
  auto const transposes = [](L plan, int column, int row, int vector) {
    plan.route = copy_route::transpose, plan.column_mode = column, plan.row_mode = row, plan.vector = vector;
  };
  EXPECT_SAYS("column_mode is 2 and row_mode 0, and they are two of the problem's 2 modes",
              with([&](P, L plan, S) { transposes(plan, 2, 0, 4); })());
  EXPECT_SAYS("column_mode is 0, of stride 8 in the source, and row_mode 1, of stride 8 in the target: both are 1",
              with([&](P, L plan, S) { transposes(plan, 0, 1, 4); })());
  EXPECT_SAYS("vectors have 4 elements, of which extents of modes 1 and 0",
              with([&](P, L plan, S) { transposes(plan, 1, 0, 4); })());
  EXPECT_SAYS("vectors have 8 elements of 4 bytes, and those of a transpose have 16 bytes",
              with([&](P, L plan, S) { transposes(plan, 1, 0, 8); })());
  EXPECT_SAYS("and a grid has fewer than 2^31 blocks", with([&](P q, L plan, S) {
                transposes(plan, 1, 0, 4);
                q.mode[0] = {4, 8, 1}, q.mode[1] = {8, 1, 8};
                q.push(std::int64_t{1} << 31, 64, 64);
              })());
  auto const tiles = [](L plan, copy_route route, std::int64_t first, std::int64_t second) {
    plan.route = route, plan.tile.extent[0] = first, plan.tile.extent[1] = second;
  };
  for (copy_route const route : {copy_route::windows}) {
    EXPECT_SAYS("tile.extent[0] is 0, and the mode has 4 elements",
                with([&](P, L plan, S) { tiles(plan, route, 0, 3); })());
    EXPECT_SAYS("tile.extent[1] is 4, and the mode has 3 elements",
                with([&](P, L plan, S) { tiles(plan, route, 4, 4); })());
    EXPECT_SAYS("tile.source_modes is 0, of a problem of 2 modes",
                with([&](P, L plan, S) { tiles(plan, route, 4, 3), plan.tile.source_modes = 0; })());
    EXPECT_SAYS("tile.target_modes is 2, and mode 1 does not begin where those before end: its stride is 30",
                with([&](P q, L plan, S) {
                  tiles(plan, route, 4, 3), plan.tile.target_modes = 2;
                  q.mode[1].target = 30;
                })());
    EXPECT_SAYS("tile.source_modes is 2, and mode 0 does not begin where those before end: its stride is 90",
                with([&](P q, L plan, S) {
                  tiles(plan, route, 4, 3), plan.tile.source_modes = 2;
                  q.mode[0] = {4, 90, 1}, q.mode[1] = {3, 1, 4};
                })());
    EXPECT_SAYS("which takes no negative strides", with([&](P q, L plan, S) {
                  tiles(plan, route, 4, 3);
                  q.mode[1].source = -1;
                })());
    EXPECT_SAYS("more than shared memory has room for", with([&](P q, L plan, S) {
                  q.mode[0] = {1000, 1000, 1}, q.mode[1] = {1000, 1, 1000};
                  tiles(plan, route, 1000, 200);
                })());
  }
  // Gaps count where a tile is loaded, and where it is stored.
  EXPECT_SAYS("tile has 12000 elements of 4 bytes, in runs from first to last of 59984 and rows of 12000",
              with([&](P q, L plan, S) {
                q.mode[0] = {4, 1, 1}, q.mode[1] = {3000, 20, 4};
                tiles(plan, copy_route::windows, 4, 3000), plan.tile.source_modes = plan.tile.target_modes = 2;
              })());
  // A mode that neither side's runs take from: windows take a divisor of one that repeats the source.
  auto const beyond = [&](P q, L plan, copy_route route, std::int64_t source, std::int64_t part) {
    tiles(plan, route, 4, 3);
    q.push(6, source, 100);
    plan.tile.extent[2] = part;
  };
  EXPECT_SAYS("tile.extent[2] is 3, and the mode is in neither side's runs: 1",
              with([&](P q, L plan, S) { beyond(q, plan, copy_route::windows, 40, 3); })());
  EXPECT_SAYS("tile.extent[2] is 4, and the mode, which repeats the source, has 6 elements: a divisor",
              with([&](P q, L plan, S) { beyond(q, plan, copy_route::windows, 0, 4); })());
  EXPECT_SAYS(
      "tile.extent[2] is 2, and the mode, which repeats the source, has 2147483648 elements: a divisor, and 1 "
      "of more than 1073741824",
      with([&](P q, L plan, S) {
        beyond(q, plan, copy_route::windows, 0, 2);
        q.mode[2].extent = std::int64_t{1} << 31;
      })());
  EXPECT_SAYS("tile stores 25165824 elements; the most is 16777216", with([&](P q, L plan, S) {
                beyond(q, plan, copy_route::windows, 0, 1 << 21);
                q.mode[2].extent = 1 << 21;
              })());
  auto const sectors = [](L plan, sector_tile const& tile) { plan.route = copy_route::sectors, plan.sectors = tile; };
  EXPECT_SAYS("sectors.row_length is 33 elements of 4 bytes", with([&](P, L plan, S) {
                sectors(plan, {1, 1, 3, 33});
              })());
  EXPECT_SAYS("sectors.run_length is 4, and there are 3 rows", with([&](P, L plan, S) {
                sectors(plan, {1, 1, 4, 32});
              })());
  EXPECT_SAYS("sectors have mode 0 in a run of the source and in a row of the target", with([&](P q, L plan, S) {
                q.mode[0].source = 1, q.mode[1].source = 4, sectors(plan, {1, 1, 3, 32});
              })());
  EXPECT_SAYS("the plan's route is 5, which is none", with([](P, L plan, S) { plan.route = copy_route{5}; })());
  // What is wrong with the problem itself, or with addresses.
  EXPECT_SAYS("elements of 3 bytes", with([](P q, L, S) { q.element_bytes = 3; })());
  EXPECT_SAYS("mode 1 has extent -3", with([](P q, L, S) { q.mode[1].extent = -3; })());
  EXPECT_SAYS("a problem of rank 40, where 0 to 32 are possible; append modes by push",
              with([](P q, L, S) { q.rank = 40; })());
  EXPECT_SAYS("source_alignment 12, target_alignment 16, apart_alignment 1: each is a power of two",
              with([](P q, L, S) { q.source_alignment = 12; })());
  EXPECT_SAYS(
      "is not at a multiple of the problem's source_alignment, 16 bytes; plan a problem whose source_alignment is 4",
      with([&](P, L, S source) { source = in.data() + 1; })());
  EXPECT_SAYS("launch_plan: the source is null, and there are elements to move",
              with([](P, L, S source) { source = nullptr; })());
  EXPECT_EQ(out.download(), std::vector<float>(64, 2.f));
}

/// A plan of one problem, or one with a field changed, either copies another problem or is refused.
TEST(CopyPlans, PlansOfOtherProblemsAreRefusedOrRight) {
  COSMATI_REQUIRE_DEVICE();
  char const* const wanted = std::getenv("COSMATI_RANDOM_COPIES");
  int const count = wanted != nullptr ? std::atoi(wanted) : 300;
  std::mt19937 random(41);
  strides draw(41);
  int refused = 0, right = 0;
  for (int n = 0; n < count && !HasFailure(); ++n) {
    int const element_bytes = 1 << draw.below(5);
    every_plan const others(draw.problem(element_bytes, 3000));
    copy_problem const p = draw.problem(element_bytes, 3000);
    auto const choose = [&](copy_plans const& plans) {
      bool const own = draw.one_in(2);
      copy_plan plan = any_of(own ? every_plan(plans.problem).list : others.list, random);
      auto const mode = static_cast<std::size_t>(draw.below(copy_max_rank));
      if (own) {
        switch (draw.below(9)) {
          case 0:
            plan.vector *= 2;
            break;
          case 1:
            plan.together = !plan.together;
            break;
          case 2:
            plan.launch.once = !plan.launch.once;
            break;
          case 3:
            std::swap(plan.column_mode, plan.row_mode);
            break;
          case 4:
            plan.tile.extent[mode] += draw.below(5) - 2;
            break;
          case 5:
            plan.tile.source_modes += draw.one_in(2) ? 1 : -1;
            break;
          case 6:
            plan.tile.target_modes += draw.one_in(2) ? 1 : -1;
            break;
          case 7:
            plan.sectors.run_length += draw.below(9) - 4;
            break;
          default:
            plan.route = copy_route{draw.below(5)};
            break;
        }
      }
      return plan;
    };
    auto const go = [&](copy_problem const& problem, copy_plan const& plan, unsigned char* source,
                        unsigned char* target) {
      try {
        launch_plan(problem, plan, source, target);
        ++right;
      } catch (error const& e) {
        ASSERT_EQ(std::string(e.what()).find("launch_plan: the plan's "), 0u) << e.what();
        ++refused;
        launch_plan(problem, plan_copy(problem).plan[0], source, target);
      }
    };
    auto const shift = [&] { return static_cast<std::size_t>(draw.one_in(2) ? 0 : draw.below(16)); };
    expect_copied_by(p, shift(), shift(), random, choose, go);
  }
  EXPECT_GT(refused, count / 8);
  EXPECT_GT(right, count / 8);
}

}  // namespace
