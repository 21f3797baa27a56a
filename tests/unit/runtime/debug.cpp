// SPDX-License-Identifier: Apache-2.0
// Which thread speaks: exactly the one that is named, x counted first.
#include <gtest/gtest.h>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/debug.hpp>
#include <cosmati/runtime/launch.hpp>

using namespace cosmati;

namespace {

/// Who says yes: out[0] to out[3] count, out[4] is that thread's place.
__global__ void who(int* out) {
  if (thread0()) atomicAdd(out, 1);
  if (block0()) atomicAdd(out + 1, 1);
  if (block(7)) atomicAdd(out + 2, 1);
  if (thread(13, 5)) {
    atomicAdd(out + 3, 1);
    out[4] = static_cast<int>(100 * threadIdx.x + 10 * threadIdx.y + threadIdx.z);
    out[5] = static_cast<int>(100 * blockIdx.x + 10 * blockIdx.y + blockIdx.z);
  }
}
TEST(Debug, ThreadsAndBlocksCountXFirst) {
  device_buffer<int> out(std::vector<int>(6, 0));
  launch(who, {.grid = dim3(2, 2, 3), .block = dim3(4, 3, 2)}, out.data());
  // Thread 13 of 4 x 3 x 2 is (1, 0, 1); block 5 of 2 x 2 x 3 is (1, 0, 1).
  EXPECT_EQ(out.download(), (std::vector<int>{1, 24, 24, 1, 101, 101}));
}

}  // namespace
