// SPDX-License-Identifier: Apache-2.0
// Barriers on the simulated device: the order that they make, and the report when they cannot complete.
#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>

#include "message.hpp"

using namespace cosmati;

namespace {

__global__ void rotate(int* out, int rounds) {
  __shared__ int ring[1024];
  unsigned const n = blockDim.x;
  ring[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    int const next = ring[(threadIdx.x + 1) % n];
    __syncthreads();
    ring[threadIdx.x] = next;
    __syncthreads();
  }
  out[blockIdx.x * n + threadIdx.x] = ring[threadIdx.x];
}

TEST(Barrier, OrdersSharedMemoryForAnyBlockSize) {
  for (int n : {1, 2, 31, 32, 33, 63, 64, 65, 100, 256, 1000, 1024}) {
    device_buffer<int> out(static_cast<std::size_t>(3 * n));
    launch(rotate, {.grid = 3, .block = n}, out.data(), 7);
    std::vector<int> const got = out.download();
    for (int i = 0; i < 3 * n; ++i) ASSERT_EQ(got[static_cast<std::size_t>(i)], (i % n + 7) % n) << n;
  }
}

__global__ void counts(int* out) {
  int const odd = threadIdx.x % 2;
  out[0] = __syncthreads_count(odd);
  out[1] = __syncthreads_and(1);
  out[2] = __syncthreads_and(threadIdx.x != 5);
  out[3] = __syncthreads_or(threadIdx.x == 5);
  out[4] = __syncthreads_or(0);
}

TEST(Barrier, Reduces) {
  device_buffer<int> out(5);
  launch(counts, {.grid = 1, .block = 101}, out.data());
  EXPECT_EQ(out.download(), (std::vector<int>{50, 1, 0, 1, 0}));
}

__global__ void some_exit() {
  if (threadIdx.x < 31) __syncthreads();
}
__global__ void part_of_a_warp() {
  if (threadIdx.x < 16) __syncthreads();
}
__global__ void exit_first() {
  if (threadIdx.x >= 40) return;
  __syncthreads();
}
__global__ void two_calls_in_a_warp() {
  if (threadIdx.x % 2 == 0) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}
__global__ void two_calls_by_warps(int* out) {
  __shared__ int value;
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) value = 3;
    __syncthreads();
  } else {
    __syncthreads();
  }
  out[threadIdx.x] = value;
}
__global__ void one_more() {
  for (unsigned i = 0; i < 1 + threadIdx.x / 16 % 2; ++i) __syncthreads();
}

TEST(Barrier, ReportsThreadsThatExitedInstead) {
  EXPECT_MESSAGE(launch(some_exit, {.grid = 1, .block = 64}), "barrier divergence");
  EXPECT_MESSAGE(launch(some_exit, {.grid = 1, .block = 64}), "kernel some_exit, block (0,0,0)");
  EXPECT_MESSAGE(launch(some_exit, {.grid = 1, .block = 64}), "threads 0-30: at __syncthreads (barrier.cpp:");
  EXPECT_MESSAGE(launch(some_exit, {.grid = 1, .block = 64}), "; threads 31-63: exited");
  EXPECT_MESSAGE(launch(part_of_a_warp, {.grid = 1, .block = 32}), "threads 16-31: exited");
  EXPECT_MESSAGE(launch(exit_first, {.grid = 2, .block = 64}), "threads 40-63: exited");
  EXPECT_MESSAGE(launch(one_more, {.grid = 1, .block = 64}), "threads 0-15, 32-47: exited");
  EXPECT_NO_THROW(launch(some_exit, {.grid = 4, .block = 31}));
}

TEST(Barrier, ReportsLanesOfAWarpAtDifferentCalls) {
  EXPECT_MESSAGE(launch(two_calls_in_a_warp, {.grid = 1, .block = 64}), "threads of one warp wait at different calls");
  device_buffer<int> out(64);
  launch(two_calls_by_warps, {.grid = 1, .block = 64}, out.data());
  EXPECT_EQ(out.download(), std::vector<int>(64, 3));
}

__global__ void barrier_and_warp() {
  if (threadIdx.x < 16) {
    __syncwarp();
  } else {
    __syncthreads();
  }
}
__global__ void lanes_missing(int* out) {
  if (threadIdx.x == 3) {
    __syncthreads();
  } else {
    out[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);
  }
}
__global__ void different_masks() {
  if (threadIdx.x < 16) {
    __syncwarp(0xffffu);
    __syncwarp(0xffffffffu);
  } else {
    __syncwarp(0xffff0000u);
    __syncwarp(0xffff0001u);
  }
}

TEST(Barrier, ReportsDeadlocksWithEveryThreadsPosition) {
  EXPECT_MESSAGE(launch(barrier_and_warp, {.grid = 1, .block = 32}), "deadlock");
  EXPECT_MESSAGE(launch(barrier_and_warp, {.grid = 1, .block = 32}),
                 "threads 0-15: at __syncwarp with mask 0xffffffff (barrier.cpp:");
  EXPECT_MESSAGE(launch(barrier_and_warp, {.grid = 1, .block = 32}), "threads 16-31: at __syncthreads (barrier.cpp:");
  device_buffer<int> out(32);
  EXPECT_MESSAGE(launch(lanes_missing, {.grid = 1, .block = 32}, out.data()), "thread 3: at __syncthreads");
  EXPECT_MESSAGE(launch(lanes_missing, {.grid = 1, .block = 32}, out.data()), "threads 0-2, 4-31: at __shfl_sync");
  EXPECT_MESSAGE(launch(different_masks, {.grid = 1, .block = 32}), "deadlock");
  EXPECT_NO_THROW(launch(two_calls_by_warps, {.grid = 1, .block = 32}, out.data()));
}

__global__ void polls(int* flag, int* out) {
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {
    }
    out[0] = 1;
  } else if (threadIdx.x == 1) {
    atomicExch(flag, 1);
  }
}

TEST(Barrier, LanesThatPollLetTheOthersRun) {
  device_buffer<int> flag(1), out(1);
  flag.clear();
  launch(polls, {.grid = 1, .block = 2}, flag.data(), out.data());
  EXPECT_EQ(out.download()[0], 1);
}

}  // namespace
