// SPDX-License-Identifier: Apache-2.0
// Tiled copies that plan_copy(src, dst, element_bytes, threads) chooses. As types they copy correctly, and their costs
// are the predicted ones.
#include "require_device.hpp"

#include <gtest/gtest.h>
#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/tiled_plan/planned_copy.hpp>
#include <cosmati/runtime/cost_trace.hpp>
#include <cstdint>
#include <type_traits>
#include <vector>

using namespace cosmati;

namespace {

/// @tparam clears whether to clear the stage first: at the edge, some elements receive no copy (cp.async zeroes them
///   itself)
template <int tile0, int tile1, bool clears, class T, class Src, class Dst, class CopyIn, class Stage, class CopyOut>
__global__ void through_stage(T const* source, T* target, Src src, Dst dst, CopyIn copy_in, Stage stage,
                              CopyOut copy_out) {
  auto mIn = make_tensor(make_gmem_ptr(source), src);
  auto mOut = make_tensor(make_gmem_ptr(target), dst);
  auto gIn = local_tile(mIn, Shape<Int<tile0>, Int<tile1>>{}, make_coord(blockIdx.x, blockIdx.y));
  auto gOut = local_tile(mOut, Shape<Int<tile0>, Int<tile1>>{}, make_coord(blockIdx.x, blockIdx.y));
  auto sTile = make_tensor(make_smem_ptr(dynamic_shared<T>()), stage);
  auto in = copy_in.get_slice(threadIdx.x);
  auto out = copy_out.get_slice(threadIdx.x);
  if constexpr (clears) clear(in.partition_D(sTile));
  copy(copy_in, in.partition_S(gIn), in.partition_D(sTile), shape(mIn));
  cp_async_fence();
  cp_async_wait<0>();
  __syncthreads();
  auto held = make_fragment_like(out.partition_D(gOut));
  copy(out.partition_S(sTile), held);
  copy(copy_out, held, out.partition_D(gOut), shape(mOut));
}
template <int tile0, int tile1, class T, class Src, class Dst, class TiledCopy>
__global__ void through_registers(T const* source, T* target, Src src, Dst dst, TiledCopy tiled_copy) {
  auto mIn = make_tensor(make_gmem_ptr(source), src);
  auto mOut = make_tensor(make_gmem_ptr(target), dst);
  auto gIn = local_tile(mIn, Shape<Int<tile0>, Int<tile1>>{}, make_coord(blockIdx.x, blockIdx.y));
  auto gOut = local_tile(mOut, Shape<Int<tile0>, Int<tile1>>{}, make_coord(blockIdx.x, blockIdx.y));
  auto thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(gIn), thread.partition_D(gOut), shape(mIn));
}

constexpr tiled_copy_plan first_by(tiled_copy_plans const& plans, bool staged) {
  for (int k = 0; k < plans.kept; ++k)
    if (plans.plan[k].has_stage() == staged) return plans.plan[k];
  return {};
}

/// Two modes; the first has the smaller stride in the target, as in the plan.
/// @tparam staged whether to take the best plan with a stage, or the best one without
template <bool staged, class T, int extent0, int extent1, int source0, int source1, int target0, int target1,
          int threads>
void copies() {
  using Src = Layout<Shape<Int<extent0>, Int<extent1>>, Stride<Int<source0>, Int<source1>>>;
  using Dst = Layout<Shape<Int<extent0>, Int<extent1>>, Stride<Int<target0>, Int<target1>>>;
  constexpr tiled_copy_plans plans = plan_copy<T>(Src{}, Dst{}, threads);
  constexpr tiled_copy_plan plan = first_by(plans, staged);
  static_assert(plan.mode[0] == 0 && plan.mode[1] == 1 && plan.threads == threads);
  std::vector<T> host(static_cast<std::size_t>(cosize_v<Src>)), wanted(static_cast<std::size_t>(cosize_v<Dst>), T(77));
  for (std::size_t k = 0; k < host.size(); ++k) host[k] = static_cast<T>(k * 31 + k / 200);
  device_buffer<T> in(host), out(wanted);
  for (int i = 0; i < extent0; ++i)
    for (int j = 0; j < extent1; ++j)
      wanted[static_cast<std::size_t>(Dst{}(i, j))] = host[static_cast<std::size_t>(Src{}(i, j))];
  dim3 const grid((extent0 + plan.tile[0] - 1) / plan.tile[0], (extent1 + plan.tile[1] - 1) / plan.tile[1]);
  [[maybe_unused]] auto const tiles = static_cast<std::uint64_t>(grid.x) * grid.y;
#if defined(COSMATI_SIMULATED)
  cost_trace const trace;
#endif
  auto const copy_in = make_planned_copy<plan.in, T>();
  using CopyIn = std::remove_const_t<decltype(copy_in)>;
  if constexpr (plan.has_stage()) {
    auto const copy_out = make_planned_copy<plan.out, T>();
    auto const stage = make_planned_stage<plan.stage>();
    launch(through_stage < plan.tile[0], plan.tile[1], plan.in.ragged && !plan.in.cp_async, T, Src, Dst, CopyIn,
           std::remove_const_t<decltype(stage)>, std::remove_const_t < decltype(copy_out) >>,
           {.grid = grid, .block = threads, .shared_bytes = plan.shared_bytes()}, in.data(), out.data(), Src{}, Dst{},
           copy_in, stage, copy_out);
  } else {
    launch(through_registers<plan.tile[0], plan.tile[1], T, Src, Dst, CopyIn>, {.grid = grid, .block = threads},
           in.data(), out.data(), Src{}, Dst{}, copy_in);
  }
#if defined(COSMATI_SIMULATED)
  if (!plan.in.ragged) {
    // For whole tiles at aligned rows, every access costs the same as the first.
    kernel_costs const counted = trace.kernels().at(0);
    auto const times = [&](planned_access const& a, int each) {
      return tiles * static_cast<std::uint64_t>(a.requests) * static_cast<std::uint64_t>(each);
    };
    auto const load = plan.in.cp_async ? instruction_kind::cp_async : instruction_kind::global_load;
    EXPECT_EQ(counted[load].sectors, times(plan.read, plan.read.sectors));
    EXPECT_EQ(counted[instruction_kind::global_store].instructions, times(plan.written, 1));
    EXPECT_EQ(counted[instruction_kind::global_store].sectors, times(plan.written, plan.written.sectors));
    if (plan.has_stage()) {
      EXPECT_EQ(counted[instruction_kind::shared_load].instructions, times(plan.stage_read, 1));
      EXPECT_EQ(counted[instruction_kind::shared_load].wavefronts, times(plan.stage_read, plan.stage_read.wavefronts));
      EXPECT_LE(plan.stage_read.wavefronts, plan.plain_wavefronts);
    }
  }
#endif
  EXPECT_TRUE(out.download() == wanted) << extent0 << " x " << extent1 << ", " << threads << " threads";
}

TEST(PlannedCopy, TransposesOfWholeTiles) {
  COSMATI_REQUIRE_DEVICE();
  copies<true, std::uint8_t, 256, 256, 256, 1, 1, 256, 128>();
  copies<true, std::uint16_t, 256, 256, 256, 1, 1, 256, 256>();
  copies<true, float, 256, 256, 256, 1, 1, 256, 128>();
  copies<true, double, 128, 128, 128, 1, 1, 128, 96>();
  copies<false, uint128_t, 64, 64, 64, 1, 1, 64, 64>();
}
TEST(PlannedCopy, RaggedTransposes) {
  COSMATI_REQUIRE_DEVICE();
  copies<true, std::uint16_t, 200, 136, 136, 1, 1, 208, 256>();
  copies<true, float, 131, 77, 77, 1, 1, 131, 128>();
  copies<true, std::uint8_t, 99, 301, 304, 1, 1, 112, 192>();
  copies<true, std::uint16_t, 130, 301, 301, 1, 1, 130, 256>();
}
TEST(PlannedCopy, RowsThroughRegisters) {
  COSMATI_REQUIRE_DEVICE();
  copies<false, float, 256, 64, 1, 512, 1, 256, 256>();
  copies<false, std::uint16_t, 100, 33, 1, 104, 1, 120, 128>();
  copies<false, float, 100, 33, 1, 101, 1, 103, 7>();   // no vectors; the number of threads is no power of 2
  copies<false, float, 100, 33, 3, 400, 1, 100, 64>();  // no contiguous elements in the source
  copies<true, float, 33, 40, 40, 1, 2, 70, 64>();      // no contiguous elements in the target
}

constexpr auto rows = make_layout(Shape<Int<4096>, Int<4096>>{}, LayoutRight{});
constexpr auto columns = make_layout(Shape<Int<4096>, Int<4096>>{});

TEST(PlannedCopy, TheChoice) {
  constexpr tiled_copy_plans plans = plan_copy(rows, columns, 2, 256);
  EXPECT_GE(plans.considered, 500);
  EXPECT_EQ(plans.kept, copy_plans_kept);
  for (int k = 1; k < plans.kept; ++k) EXPECT_LE(plans.plan[k - 1].us, plans.plan[k].us);
  tiled_copy_plan const& plan = plans.plan[0];
  // 16 bytes for each row of the target, whole sectors on both sides, no bank conflicts.
  EXPECT_EQ(plan.out.vector * 2, 16);
  for (planned_access const& a : {plan.read, plan.written}) EXPECT_EQ(a.sectors, a.fewest);
  for (planned_access const& a : {plan.stage_written, plan.stage_read}) EXPECT_EQ(a.wavefronts, a.fewest);
  EXPECT_GT(plan.plain_wavefronts, plan.stage_read.wavefronts);
  EXPECT_TRUE(plan.in.cp_async);
  for (int k = 0; k < plans.kept; ++k) {
    tiled_copy_plan const& one = plans.plan[k];
    EXPECT_LE(one.shared_bytes(), 48 * 1024);
    for (int mode = 0; mode < 2; ++mode) EXPECT_EQ(one.tile[mode] % one.in.thr[mode], 0);
    EXPECT_EQ(one.in.thr[0] * one.in.thr[1], 256);
  }
  // Rows of one order on both sides need no stage, and are copied in accesses of 16 bytes.
  constexpr tiled_copy_plans straight = plan_copy<float>(
      make_layout(Shape<Int<1000>, Int<50>>{}, Stride<_1, Int<1024>>{}), make_layout(Shape<Int<1000>, Int<50>>{}), 128);
  EXPECT_FALSE(straight.plan[0].has_stage());
  EXPECT_EQ(straight.plan[0].in.vector, 4);
  // The planner does not choose features that the architecture lacks.
  device_model turing;
  turing.compute_capability = 75;
  tiled_copy_plans const without = plan_copy(rows, columns, 2, 256, turing);
  for (int k = 0; k < without.kept; ++k) EXPECT_FALSE(without.plan[k].in.cp_async);
  device_model small;
  small.shared_bytes = 9 * 1024;
  tiled_copy_plans const of_small = plan_copy(rows, columns, 2, 256, small);
  for (int k = 0; k < of_small.kept; ++k) EXPECT_LE(of_small.plan[k].shared_bytes(), 8 * 1024);
  small.shared_bytes = 0;
  EXPECT_GT(plan_copy(rows, columns, 2, 256, small).kept, 0);
}
TEST(PlannedCopy, FewElementsAndNone) {
  EXPECT_EQ(plan_copy(make_layout(Shape<_4, _0>{}), make_layout(Shape<_4, _0>{}), 4, 128).kept, 0);
  for (int threads : {1, 7, 96, 1024}) {
    EXPECT_GT(plan_copy(make_layout(make_shape(3, 5)), make_layout(make_shape(3, 5), LayoutRight{}), 8, threads).kept,
              0);
    EXPECT_GT(plan_copy(make_layout(make_shape(1)), make_layout(make_shape(1)), 1, threads).kept, 0);
  }
}
TEST(PlannedCopy, RefusesBlocksThatThereAreNot) {
  auto const said = [](auto const& f) -> std::string {
    try {
      f();
    } catch (error const& e) {
      return e.what();
    }
    return "nothing";
  };
  for (int threads : {0, -32, 1025})
    EXPECT_EQ(said([&] { plan_copy(rows, columns, 2, threads); }),
              "plan_copy: blocks of " + std::to_string(threads) +
                  " threads; a block has 1 to 1024, and 128 or 256 suit most copies");
  EXPECT_NE(said([] { plan_copy(rows, columns, 3, 128); }).find("elements of 3 bytes"), std::string::npos);
  copy_problem many;
  many.push(std::int64_t{1} << 50, 1, 1);
  many.element_bytes = 1;
  EXPECT_EQ(said([&] { plan_copy(many, 32); }),
            "plan_copy: 1125899906842624 elements are more tiles than the 2147483647 blocks of a launch; copy it slice "
            "by slice");
}

}  // namespace
