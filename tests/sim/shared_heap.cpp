// SPDX-License-Identifier: Apache-2.0
// All threads of the program allocate from one heap, so the simulated device's allocations during a lane are next to
// the host's memory. They are no accesses of the lane.
#include <gtest/gtest.h>
#include <malloc.h>

#include <cosmati/runtime/launch.hpp>
#include <utility>
#include <vector>

#include "message.hpp"

using namespace cosmati;

namespace {

template <int n>
[[gnu::noinline]] __device__ void step(int volatile& x) {
  x = x * 3 + n;
}
template <int... n>
__device__ int steps(std::integer_sequence<int, n...>) {
  int volatile x = 0;
  (step<n>(x), ...);  // each is a separate function, which the simulated device has to remember
  return x;
}
__global__ void calls_and_writes(int* out) { *out = steps(std::make_integer_sequence<int, 100>{}); }

TEST(SharedHeap, WhatCallsTakeIsNoAccessOfALane) {
  NEEDS_INSTRUMENTATION();
  ASSERT_EQ(mallopt(M_ARENA_MAX, 1), 1);  // must come before a second thread exists
  std::vector<std::vector<char>> gaps;    // filled gaps, so that later allocations come after `host`
  for (std::size_t bytes = 16; bytes <= 4096; bytes += 16)
    for (int n = 0; n < 20; ++n) gaps.emplace_back(bytes);
  std::vector<int> host(100);
  for (int run = 0; run < 3; ++run)
    EXPECT_MESSAGE(launch(calls_and_writes, {.grid = 1, .block = 1}, host.data()), "store of 4 bytes at 0x");
}

}  // namespace
