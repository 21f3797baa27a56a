// SPDX-License-Identifier: Apache-2.0
// A thread's lane, the warp's barrier, and the one thread that is elected, in blocks of any shape.
#include <gtest/gtest.h>
#include <cosmati/arch/warp.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>

#include <set>

using namespace cosmati;

namespace {

__global__ void lanes(unsigned* lane, int* elected) {
  unsigned const t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  lane[t] = detail::lane_of_warp();
  elected[t] = elect_one_sync();
}
TEST(Warp, LanesCountThroughAllDimensionsAndOneIsElected) {
  device_buffer<unsigned> lane(96);
  device_buffer<int> elected(96);
  launch(lanes, {.grid = 1, .block = dim3(6, 8, 2)}, lane.data(), elected.data());
  auto const got = lane.download();
  auto const chosen = elected.download();
  for (unsigned t = 0; t < 96; ++t) EXPECT_EQ(got[t], t % 32);
  for (std::size_t warp = 0; warp < 3; ++warp) {
    int count = 0;
    for (std::size_t i = 0; i < 32; ++i) count += chosen[32 * warp + i];
    EXPECT_EQ(count, 1) << "of warp " << warp;
  }
}

/// Neighbours' values, one round after the other, with nothing but the warp's barrier between.
__global__ void pass_on(int* out) {
  __shared__ int held[64];
  unsigned const lane = detail::lane_of_warp(), first = threadIdx.x - lane;
  held[threadIdx.x] = static_cast<int>(threadIdx.x);
  for (int round = 0; round < 5; ++round) {
    detail::sync_warp();
    int const next = held[first + (lane + 1) % 32];
    detail::sync_warp();
    held[threadIdx.x] = next;
  }
  out[threadIdx.x] = held[threadIdx.x];
}
TEST(Warp, ItsBarrierMakesKnownWhatLanesWrote) {
  device_buffer<int> out(64);
  launch(pass_on, {.grid = 1, .block = 64}, out.data());
  auto const got = out.download();
  for (int t = 0; t < 64; ++t) EXPECT_EQ(got[static_cast<std::size_t>(t)], t / 32 * 32 + (t + 5) % 32);
}

}  // namespace
