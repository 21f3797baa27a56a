// SPDX-License-Identifier: Apache-2.0
// CUDA's words: every thread's place in its block and grid, shared memory a block, words that mean nothing here.
#include <gtest/gtest.h>
#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <cosmati/runtime/launch.hpp>

#include <set>

using namespace cosmati;

namespace {

__constant__ int offset = 1000;
struct __align__(16) aligned_pair {
  int a, b;
};
static_assert(alignof(aligned_pair) == 16 && sizeof(aligned_pair) == 16);
static_assert(warpSize == 32);

__host__ __device__ __forceinline__ int linear(uint3 const& i, dim3 const& n) {
  return static_cast<int>(i.x + n.x * (i.y + n.y * i.z));
}
__global__ void __launch_bounds__(64, 2) places(int* out) {
  __shared__ int of_block;
  int const block = linear(blockIdx, gridDim), threads = static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
  int const t = linear(threadIdx, blockDim);
  if (t == 0) of_block = block;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 1; ++i) out[block * threads + t] = offset * of_block + t;
}

TEST(CudaWords, EachThreadHasAPlaceOfItsOwn) {
  dim3 const grid(3, 2, 2), block(4, 3, 2);
  device_buffer<int> out(12 * 24);
  launch(places, {.grid = grid, .block = block}, out.data());
  auto const got = out.download();
  for (int b = 0; b < 12; ++b)
    for (int t = 0; t < 24; ++t) EXPECT_EQ(got[static_cast<std::size_t>(24 * b + t)], 1000 * b + t);
}

}  // namespace
