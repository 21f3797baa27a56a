// SPDX-License-Identifier: Apache-2.0
// The mbarrier on the simulated device: phases complete with their arrivals and bytes, parities alternate, arrivals
// release what was written before them.
#include <gtest/gtest.h>
#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>

#include <numeric>

using namespace cosmati;

namespace {

/// What is asked of a barrier of two arrivals, by one thread.
__global__ void phases(int* out) {
  __shared__ std::uint64_t barrier;
  initialize_barrier(barrier, 2);
  fence_barrier_init();
  out[0] = try_wait_barrier(barrier, 1);  // the phase before the first counts as over
  out[1] = try_wait_barrier(barrier, 0);
  std::uint64_t const first = arrive_barrier(barrier);
  out[2] = test_barrier(barrier, first);
  arrive_barrier(barrier);
  out[3] = test_barrier(barrier, first);
  out[4] = try_wait_barrier(barrier, 0);
  out[5] = try_wait_barrier(barrier, 1);  // the second phase runs
  arrive_barrier(barrier);
  arrive_barrier(barrier);
  wait_barrier(barrier, 1);
  out[6] = try_wait_barrier(barrier, 0);  // the third phase runs, of parity 0 again
  invalidate_barrier(barrier);
}
TEST(Mbarrier, PhasesHaveTwoParities) {
  device_buffer<int> out(7);
  launch(phases, {.grid = 1, .block = 1}, out.data());
  EXPECT_EQ(out.download(), (std::vector<int>{1, 0, 0, 1, 1, 0, 0}));
}

/// Each warp adds to what the one before it wrote, in the order of phases.
__global__ void in_turns(int* out) {
  __shared__ std::uint64_t barrier[4];
  __shared__ int sum;
  if (threadIdx.x == 0) {
    for (auto& b : barrier) initialize_barrier(b);
    fence_barrier_init();
    sum = 1;
  }
  __syncthreads();
  unsigned const warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {
    if (warp != 0) wait_barrier(barrier[warp - 1], 0);
    sum = 10 * sum + static_cast<int>(warp);
    arrive_barrier(barrier[warp]);
  }
  wait_barrier(barrier[3], 0);
  if (threadIdx.x == 127) *out = sum;
}
TEST(Mbarrier, ArrivalsReleaseAndWaitsAcquire) {
  device_buffer<int> out(1);
  launch(in_turns, {.grid = 1, .block = 128}, out.data());
  EXPECT_EQ(out.download()[0], 10123);
}

/// A phase that expects bytes is over when they have arrived, not when the threads have.
__global__ void of_bytes(float const* in, float* out, int* early) {
  __shared__ __align__(16) float stage[64];
  __shared__ std::uint64_t barrier;
  initialize_barrier(barrier, 1);
  fence_barrier_init();
  expect_bytes(barrier, 128);
  arrive_and_expect_bytes(barrier, 128);
  *early = try_wait_barrier(barrier, 0);
  bulk_copy_g2s(&stage[0], in, 128, barrier);
  bulk_copy_g2s(&stage[32], in + 32, 128, barrier);
  wait_barrier(barrier, 0);
  for (int i = 0; i < 64; ++i) out[i] = stage[i];
}
TEST(Mbarrier, CountsBytes) {
  std::vector<float> host(64);
  std::iota(host.begin(), host.end(), 1.f);
  device_buffer<float> in(host), out(64);
  device_buffer<int> early(1);
  launch(of_bytes, {.grid = 1, .block = 1}, in.data(), out.data(), early.data());
  EXPECT_EQ(early.download()[0], 0);
  EXPECT_EQ(out.download(), host);
}

}  // namespace
