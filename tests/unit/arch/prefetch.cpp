// SPDX-License-Identifier: Apache-2.0
// prefetch_l2 changes nothing; of what is not global memory it is an error of the simulated device.
#include <gtest/gtest.h>
#include <cosmati/arch/prefetch.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>

#include "sim/message.hpp"

using namespace cosmati;

namespace {

__global__ void prefetch_at(char const* p, long offset) { prefetch_l2(p + offset); }

TEST(PrefetchL2, ChangesNothing) {
  device_buffer<char> const data(std::vector<char>(256, 'a'));
  launch(prefetch_at, {.grid = 1, .block = 1}, data.data(), 0L);
  launch(prefetch_at, {.grid = 1, .block = 1}, data.data(), 255L);
  EXPECT_EQ(data.download(), std::vector<char>(256, 'a'));
  prefetch_l2(nullptr);  // outside of a launch nothing looks
}

__global__ void prefetch_shared() {
  __shared__ int held[32];
  held[threadIdx.x] = 1;
  prefetch_l2(&held[threadIdx.x]);
}
TEST(PrefetchL2, OfSharedMemoryIsAnError) {
  EXPECT_MESSAGE(launch(prefetch_shared, {.grid = 1, .block = 32}), "prefetch.global.L2");
}

}  // namespace
