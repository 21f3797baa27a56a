// SPDX-License-Identifier: Apache-2.0
// Dynamic shared memory: one address for every type, aligned to 1024 bytes, a block's own.
#include <gtest/gtest.h>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <cosmati/runtime/launch.hpp>

using namespace cosmati;

namespace {

__global__ void addresses(int* out) {
  __shared__ int fixed[3];
  fixed[0] = 1;
  auto* const bytes = dynamic_shared();
  auto* const numbers = dynamic_shared<double>();
  numbers[threadIdx.x] = blockIdx.x + threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    int* const mine = out + 4 * blockIdx.x;
    mine[0] = static_cast<int>(reinterpret_cast<std::uintptr_t>(bytes) % 1024);
    mine[1] = static_cast<void*>(bytes) == static_cast<void*>(numbers);
    mine[2] = static_cast<int>(numbers[blockDim.x - 1]);
    mine[3] = static_cast<void*>(&fixed[0]) == static_cast<void*>(bytes);
  }
}
TEST(DynamicShared, IsOneAddressAndABlocksOwn) {
  device_buffer<int> out(4 * 5);
  launch(addresses, {.grid = 5, .block = 32, .shared_bytes = 32 * sizeof(double)}, out.data());
  auto const got = out.download();
  for (int b = 0; b < 5; ++b) {
    auto const at = static_cast<std::size_t>(4 * b);
    EXPECT_EQ(got[at], 0);
    EXPECT_EQ(got[at + 1], 1);
    EXPECT_EQ(got[at + 2], b + 31);
    EXPECT_EQ(got[at + 3], 0) << "beside static shared memory";
  }
}

}  // namespace
