// SPDX-License-Identifier: Apache-2.0
/// @file
/// A sum over tiles of 1024 floats that come by cp.async, three stages: the loop of the library and one by hand.
#include <cosmati/cosmati.hpp>

using namespace cosmati;
constexpr int stages = 3;

extern "C" __global__ void __launch_bounds__(256) by_library(float const* in, float* out, int tiles) {
  __shared__ alignas(16) float shared[stages * 1024];
  unsigned const t = threadIdx.x;
  float4 sum = {0, 0, 0, 0};
  for (auto [tile, stage] : cp_async_stages<stages>(
           tiles, [&](int next, int free) { cp_async<16>(shared + 1024 * free + 4 * t, in + 1024 * next + 4 * t); })) {
    float4 const x = *reinterpret_cast<float4 const*>(shared + 1024 * stage + 4 * (t ^ 37u));
    sum.x += x.x, sum.y += x.y, sum.z += x.z, sum.w += x.w;
  }
  *reinterpret_cast<float4*>(out + 4 * t) = sum;
}

extern "C" __global__ void __launch_bounds__(256) by_hand(float const* in, float* out, int tiles) {
  __shared__ alignas(16) float shared[stages * 1024];
  unsigned const t = threadIdx.x;
  float4 sum = {0, 0, 0, 0};
  for (int i = 0; i < stages - 1; ++i) {
    if (i < tiles) cp_async<16>(shared + 1024 * i + 4 * t, in + 1024 * i + 4 * t);
    cp_async_fence();
  }
  int stage = 0, free = stages - 1;
  for (int tile = 0; tile < tiles; ++tile) {
    cp_async_wait<stages - 2>();
    __syncthreads();
    int const next = tile + stages - 1;
    if (next < tiles) cp_async<16>(shared + 1024 * free + 4 * t, in + 1024 * next + 4 * t);
    cp_async_fence();
    float4 const x = *reinterpret_cast<float4 const*>(shared + 1024 * stage + 4 * (t ^ 37u));
    sum.x += x.x, sum.y += x.y, sum.z += x.z, sum.w += x.w;
    free = stage;
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  *reinterpret_cast<float4*>(out + 4 * t) = sum;
}
