// SPDX-License-Identifier: Apache-2.0
// Shared arrays of the library's number types. g++ guards their defaulted constructor, which initialises nothing.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>

using namespace cosmati;

namespace {

template <class T>
__global__ void turned(T* out) {
  __shared__ float before[32];
  __shared__ T stage[64];
  before[threadIdx.x % 32] = 1;
  stage[threadIdx.x] = static_cast<T>(static_cast<float>(threadIdx.x));
  __syncthreads();
  out[threadIdx.x] = static_cast<T>(static_cast<float>(stage[63 - threadIdx.x]) * before[threadIdx.x % 32]);
}
template <class T>
void check() {
  device_buffer<T> out(64);
  launch(turned<T>, {.grid = 3, .block = 64}, out.data());
  auto const got = out.download();
  for (int i = 0; i < 64; ++i)
    EXPECT_TRUE(got[static_cast<std::size_t>(i)] == static_cast<T>(static_cast<float>(63 - i))) << i;
}

TEST(SharedArrays, OfNumberTypes) {
  check<half_t>();
  check<bfloat16_t>();
  check<tfloat32_t>();
}

}  // namespace
