// SPDX-License-Identifier: Apache-2.0
// Warpgroup matrix instructions on the simulated device: what a missing fence, commit or wait makes wrong is said, and
// the right program is clean.
#include <gtest/gtest.h>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/register_budget.hpp>
#include <cosmati/arch/wgmma.hpp>
#include <cosmati/cosmati.hpp>
#include <vector>

#include "message.hpp"

using namespace cosmati;

namespace {

using Op = detail::wgmma_async<8, float, half_t, half_t, detail::wgmma_source::shared>;

enum class fault {
  none,
  no_barrier,
  no_proxy_fence,
  no_fence,
  overwritten_early,
  no_commit,
  one_group_pending,
  read_early,
  written_early,
  added_early,
  added_between,
  copied_early,
  outside
};

/// Two products of ones, one group each: the sum of every element is 32. Then the operands are overwritten.
__global__ void two_products(float* out, fault what) {
  auto* const a = dynamic_shared<half_t>();  // (64, 16) as blocks of 8 rows and 16 bytes
  half_t* const b = a + 64 * 16;             // (8, 16)
  int const thread = static_cast<int>(threadIdx.x);
  for (int i = 0; i < 256; i += 32) a[thread / 32 * 256 + thread % 32 + i] = half_t(1.f);  // each warp its own rows
  b[thread] = half_t(1.f);
  if (what != fault::no_proxy_fence) fence_proxy_async_shared();
  if (what != fault::no_barrier) __syncthreads();
  auto const descriptor = [](void const* p, std::uint32_t shift) {
    return detail::encoded({(cast_smem_ptr_to_uint(p) & 0x3ffffu) + shift, 128, 256, 0, GMMA::LayoutType::INTERLEAVE});
  };
  std::uint64_t const in_a[1] = {descriptor(a, what == fault::outside ? 0x20000u : 0u)}, in_b[1] = {descriptor(b, 0)};
  Op::DRegisters sums = {};
  if (what != fault::no_fence) warpgroup_arrive();
  wgmma<Op>(sums, in_a, in_b, GMMA::ScaleOut::Zero);
  if (what != fault::no_commit) warpgroup_commit_batch();
  if (what == fault::added_between) sums[1] += 1;
  wgmma<Op>(sums, in_a, in_b);
  if (what != fault::no_commit) warpgroup_commit_batch();
  if (what == fault::read_early) out[512 + thread] = sums[0];
  if (what == fault::written_early) sums[1] = 0;
  if (what == fault::added_early) sums[1] += 1;
  Op::DRegisters copy = {};
  if (what == fault::copied_early) {
    for (int v = 0; v < 4; ++v) copy[v] = sums[v];
    for (int v = 0; v < 4; ++v) sums[v] = copy[v];
  }
  if (what == fault::one_group_pending)
    warpgroup_wait<1>();
  else if (what != fault::overwritten_early)
    warpgroup_wait<0>();
  __syncthreads();
  for (int i = thread; i < 72 * 16; i += 128) a[i] = half_t(2.f);
  if (what == fault::overwritten_early) warpgroup_wait<0>();
  for (int v = 0; v < 4; ++v) out[4 * thread + v] = sums[v];
}

void run(device_buffer<float>& out, fault what) {
  launch(two_products, {.grid = 1, .block = 128, .shared_bytes = 72 * 16 * 2}, out.data(), what);
}

TEST(HazardsOfWgmma, TheRightProgramIsClean) {
  device_buffer<float> out(512);
  testing::internal::CaptureStderr();
  EXPECT_NO_THROW(run(out, fault::none));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(out.download(), std::vector<float>(512, 32.f));
}
TEST(HazardsOfWgmma, OperandsWrittenWithoutAProxyFence) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> out(512);
  EXPECT_MESSAGE(run(out, fault::no_proxy_fence), "missing_proxy_fence");
}
TEST(HazardsOfWgmma, OperandsWrittenWithoutABarrier) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> out(512);
  EXPECT_MESSAGE(run(out, fault::no_barrier), "missing_barrier");
  // A warp reads rows of A that it wrote itself. The instruction is still that of four warps.
  EXPECT_MESSAGE(run(out, fault::no_barrier), "put __syncthreads() between the two");
}
TEST(HazardsOfWgmma, OperandsOverwrittenBeforeTheWait) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> out(512);
  EXPECT_MESSAGE(run(out, fault::overwritten_early), "missing_wait");
  EXPECT_MESSAGE(run(out, fault::overwritten_early), "overwrites the source of a matrix instruction in flight");
  EXPECT_MESSAGE(run(out, fault::overwritten_early), "wgmma.wait_group by thread");
  EXPECT_MESSAGE(run(out, fault::one_group_pending), "missing_wait");
  EXPECT_MESSAGE(run(out, fault::no_commit), "commit the group");
}
TEST(HazardsOfWgmma, SumsAreNotThereBeforeTheWait) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> out(640);
  EXPECT_MESSAGE(run(out, fault::read_early), "uninitialized");
  EXPECT_MESSAGE(run(out, fault::read_early), "the sums of a wgmma are there after warpgroup_wait");
}
TEST(HazardsOfWgmma, TheFirstInstructionComesBehindAFence) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> out(512);
  EXPECT_MESSAGE(run(out, fault::no_fence), "of this thread, which has not executed wgmma.fence yet");
  EXPECT_MESSAGE(run(out, fault::no_fence), "call warpgroup_arrive()");
}

/// Threads [first, last) of each `of` execute the three instructions around a batch.
__global__ void some_come(unsigned first, unsigned last, unsigned of) {
  if (threadIdx.x % of < first || threadIdx.x % of >= last) return;
  warpgroup_arrive();
  warpgroup_commit_batch();
  warpgroup_wait<0>();
}
__global__ void in_another_order() {
  if (threadIdx.x < 64) warpgroup_arrive();
  warpgroup_commit_batch();
  if (threadIdx.x >= 64) warpgroup_arrive();
}
__global__ void half_waits() {
  warpgroup_arrive();
  if (threadIdx.x % 32 < 16) warpgroup_commit_batch();
  warpgroup_wait<0>();
}
TEST(HazardsOfWgmma, TheWholeWarpgroupComes) {
  NEEDS_INSTRUMENTATION();
  auto const run_some = [](unsigned first, unsigned last, unsigned of) {
    launch(some_come, {.grid = 1, .block = 256}, first, last, of);
  };
  EXPECT_NO_THROW(run_some(0, 128, 128));
  EXPECT_NO_THROW(run_some(0, 128, 256));
  EXPECT_MESSAGE(run_some(0, 16, 32), "lanes 16-31 of this one exited before");
  EXPECT_MESSAGE(run_some(0, 32, 128), "is executed only by warp 0 of its warpgroup");
  EXPECT_MESSAGE(run_some(32, 128, 128), "is executed only by warps 1, 2, 3 of its warpgroup");
  EXPECT_MESSAGE(launch(in_another_order, {.grid = 1, .block = 128}), "where another executes wgmma");
  EXPECT_MESSAGE(launch(half_waits, {.grid = 1, .block = 128}),
                 "threads 0-15, 32-47, 64-79, 96-111: at wgmma.commit_group");
}

enum class fences { each_time, once, once_for_the_same_registers };

/// Two products of A in registers, of ones and then of twos or ones.
template <fences where>
__global__ void products_of_registers(float* out) {
  using OfRegisters = detail::wgmma_async<8, float, half_t, half_t, detail::wgmma_source::registers>;
  auto* const b = dynamic_shared<half_t>();  // (8, 16) as blocks of 8 rows and 16 bytes
  int const thread = static_cast<int>(threadIdx.x);
  b[thread] = half_t(1.f);
  fence_proxy_async_shared();
  __syncthreads();
  std::uint64_t const in_b[1] = {
      detail::encoded({cast_smem_ptr_to_uint(b) & 0x3ffffu, 128, 256, 0, GMMA::LayoutType::INTERLEAVE})};
  OfRegisters::DRegisters sums = {};
  for (int i = 0; i < 2; ++i) {
    std::uint32_t const halves = i == 0 || where == fences::once_for_the_same_registers ? 0x3c003c00u : 0x40004000u;
    std::uint32_t const a[4] = {halves, halves, halves, halves};
    if (i == 0 || where == fences::each_time) warpgroup_arrive();
    wgmma<OfRegisters>(sums, a, in_b, i == 0 ? GMMA::ScaleOut::Zero : GMMA::ScaleOut::One);
    warpgroup_commit_batch();
    warpgroup_wait<0>();
  }
  out[thread] = sums[0];
}
template <fences where>
void run_products_of_registers(float expected) {
  device_buffer<float> out(128);
  launch(products_of_registers<where>, {.grid = 1, .block = 128, .shared_bytes = 256}, out.data());
  EXPECT_EQ(out.download(), std::vector<float>(128, expected));
}
TEST(HazardsOfWgmma, RegistersOfAAreFencedWhenTheyChange) {
  NEEDS_INSTRUMENTATION();
  run_products_of_registers<fences::each_time>(48.f);
  run_products_of_registers<fences::once_for_the_same_registers>(32.f);
  EXPECT_MESSAGE(run_products_of_registers<fences::once>(0), "of A that were written after the last wgmma.fence");
}

/// The last warpgroup gives registers back, the others take some. @tparam alone only one warp of a warpgroup does
template <int given, int taken, bool alone = false>
__global__ void move_registers() {
  if (threadIdx.x >= 256)
    warpgroup_reg_dealloc<given>();
  else if (!alone || threadIdx.x < 32)
    warpgroup_reg_alloc<taken>();
}
TEST(HazardsOfWgmma, RegistersThatABlockDoesNotHave) {
  NEEDS_INSTRUMENTATION();
  launch(move_registers<24, 240>, {.grid = 1, .block = 384});  // 24 + 2 x 240 = 3 x 168
  launch(move_registers<40, 232>, {.grid = 2, .block = 384});
  EXPECT_MESSAGE(launch(move_registers<32, 240>, {.grid = 1, .block = 384}),
                 "come to 65536 registers together, and a block of 384 threads has 64512 at most, 168 a thread");
  EXPECT_MESSAGE(launch(move_registers<24, 240, true>, {.grid = 1, .block = 384}),
                 "is not executed by all four warps of the warpgroup of threads 0-127");
}

template <int first, int second>
__global__ void move_registers_twice() {
  warpgroup_reg_dealloc<first>();
  warpgroup_reg_alloc<second>();
}
TEST(HazardsOfWgmma, RegistersGoTheOtherWay) {
  NEEDS_INSTRUMENTATION();
  launch(move_registers_twice<40, 168>, {.grid = 1, .block = 384});
  EXPECT_MESSAGE(launch(move_registers_twice<176, 200>, {.grid = 1, .block = 384}),
                 "a thread of the warp has at most 168 registers; warpgroup_reg_alloc takes more");
  EXPECT_MESSAGE(launch(move_registers_twice<64, 40>, {.grid = 1, .block = 384}),
                 "a thread of the warp has 64 registers; warpgroup_reg_dealloc gives registers back");
}
__global__ void odd_lanes_give_back() {
  if (threadIdx.x % 2 != 0) warpgroup_reg_dealloc<40>();
  __syncthreads();
}
TEST(HazardsOfWgmma, RegistersOfSomeLanes) {
  NEEDS_INSTRUMENTATION();
  EXPECT_MESSAGE(launch(odd_lanes_give_back, {.grid = 1, .block = 128}), "at setmaxnreg.dec");
}

TEST(HazardsOfWgmma, SumsWrittenBeforeTheWait) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> out(512);
  EXPECT_MESSAGE(run(out, fault::written_early), "whose sums this thread has written since it began");
}

TEST(HazardsOfWgmma, SumsChangedBeforeTheWait) {
  NEEDS_INSTRUMENTATION();
  device_buffer<float> out(512);
  EXPECT_MESSAGE(run(out, fault::added_early), "whose sums this thread has written since it began");
  EXPECT_MESSAGE(run(out, fault::added_between), "whose sums this thread has written since it began");
}
TEST(HazardsOfWgmma, ACopyOfRegistersChangesNothing) {
  device_buffer<float> out(512);
  EXPECT_NO_THROW(run(out, fault::copied_early));
  EXPECT_EQ(out.download(), std::vector<float>(512, 32.f));
}

/// A product of ones whose sums have the type D. Early or behind the wait, each sum is multiplied by `factor`.
template <class D>
__global__ void scaled_product(D* out, D factor, bool early) {
  using Product = detail::wgmma_async<8, D, half_t, half_t, detail::wgmma_source::shared>;
  auto* const a = dynamic_shared<half_t>();
  int const thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < 72 * 16; i += 128) a[i] = half_t(1.f);
  fence_proxy_async_shared();
  __syncthreads();
  auto const descriptor = [](void const* p) {
    return detail::encoded({cast_smem_ptr_to_uint(p) & 0x3ffffu, 128, 256, 0, GMMA::LayoutType::INTERLEAVE});
  };
  std::uint64_t const in_a[1] = {descriptor(a)}, in_b[1] = {descriptor(a + 64 * 16)};
  typename Product::DRegisters sums = {};
  auto const scale = [&] {
    for (D& sum : reinterpret_cast<D(&)[4]>(sums)) sum = static_cast<D>(sum * factor);
  };
  warpgroup_arrive();
  wgmma<Product>(sums, in_a, in_b, GMMA::ScaleOut::Zero);
  warpgroup_commit_batch();
  if (early) scale();
  warpgroup_wait<0>();
  if (!early) scale();
  for (int v = 0; v < 4; ++v) out[4 * thread + v] = reinterpret_cast<D(&)[4]>(sums)[v];
}
template <class D>
void check_scaled_product() {
  device_buffer<D> out(512);
  auto const run_it = [&](bool early) {
    launch(scaled_product<D>, {.grid = 1, .block = 128, .shared_bytes = 72 * 16 * 2}, out.data(), D(2.f), early);
  };
  EXPECT_NO_THROW(run_it(false));
  for (D const& sum : out.download()) EXPECT_EQ(static_cast<float>(sum), 32.f);
  EXPECT_MESSAGE(run_it(true), "whose sums this thread has written since it began");
}
TEST(HazardsOfWgmma, SumsAreScaledBehindTheWait) {
  NEEDS_INSTRUMENTATION();
  check_scaled_product<float>();
  check_scaled_product<half_t>();
}

TEST(HazardsOfWgmma, ADescriptorOutsideOfSharedMemory) {
  device_buffer<float> out(512);
  EXPECT_MESSAGE(run(out, fault::outside), "a descriptor's address is not in the block's shared memory");
}

}  // namespace
