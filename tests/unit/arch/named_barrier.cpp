// SPDX-License-Identifier: Apache-2.0
// Named barriers: warps of a block wait for each other while others go on, or come without waiting.
#include <gtest/gtest.h>
#include <cosmati/arch/named_barrier.hpp>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>

#include "sim/message.hpp"

using namespace cosmati;

namespace {

/// Two pairs of warps, each with a barrier: thread t reads what its partner in the pair's other warp wrote.
__global__ void pairs_of_warps(int* out) {
  __shared__ int held[128];
  int const t = static_cast<int>(threadIdx.x), pair = t / 64;
  held[t] = 3 * t;
  NamedBarrier(64, 1 + pair).arrive_and_wait();
  out[t] = held[t ^ 32];
}
TEST(NamedBarrier, OrdersTheWarpsThatNameIt) {
  device_buffer<int> out(128);
  launch(pairs_of_warps, {.grid = 1, .block = 128}, out.data());
  auto const got = out.download();
  for (int t = 0; t < 128; ++t) EXPECT_EQ(got[static_cast<std::size_t>(t)], 3 * (t ^ 32));
}

/// The producer arrives and goes on; the consumer waits. Barriers 2 and 3 take turns.
__global__ void producer(int* out) {
  __shared__ int stage[2];
  for (int round = 0; round < 6; ++round) {
    NamedBarrier const full(64, 1 + round % 2), taken(64, 3 + round % 2);
    if (threadIdx.x < 32) {
      if (round >= 2) taken.sync();
      if (threadIdx.x == 0) stage[round % 2] = round * round;
      full.arrive();
    } else {
      full.sync();
      if (threadIdx.x == 32) out[round] = stage[round % 2];
      if (round < 4) taken.arrive();
    }
  }
}
TEST(NamedBarrier, WhoArrivesDoesNotWait) {
  device_buffer<int> out(6);
  launch(producer, {.grid = 1, .block = 64}, out.data());
  EXPECT_EQ(out.download(), (std::vector<int>{0, 1, 4, 9, 16, 25}));
}

/// The functions in a template, where they depend on no parameter.
template <int dependent>
__global__ void in_a_template(int* out) {
  __shared__ int held[64];
  NamedBarrier const both(64, 1);
  held[threadIdx.x] = dependent;
  both.arrive_and_wait();
  out[threadIdx.x] = held[threadIdx.x ^ 32];
  both.sync();
  NamedBarrier::sync(64, 2);
}
TEST(NamedBarrier, InATemplate) {
  device_buffer<int> out(64);
  launch(in_a_template<7>, {.grid = 1, .block = 64}, out.data());
  EXPECT_EQ(out.download(), std::vector<int>(64, 7));
}

__global__ void too_few() {
  if (threadIdx.x < 32) NamedBarrier::sync(64, 5);
}
TEST(NamedBarrier, ThatNeverCompletesIsAnError) {
  EXPECT_MESSAGE(launch(too_few, {.grid = 1, .block = 64}), "NamedBarrier");
}

}  // namespace
