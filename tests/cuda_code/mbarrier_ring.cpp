// SPDX-License-Identifier: Apache-2.0
/// @file
/// A sum over tiles of 1024 floats that a fifth warp brings in bulk, three stages: the ring of the library and one by
/// hand.
#include <cosmati/cosmati.hpp>

using namespace cosmati;
constexpr int stages = 3, bytes = 4096;

extern "C" __global__ void __launch_bounds__(288) by_library(float const* in, float* out, int tiles) {
  __shared__ alignas(16) float shared[stages * 1024];
  __shared__ mbarrier_ring<stages>::storage barriers;
  unsigned const t = threadIdx.x;
  mbarrier_ring<stages> ring(barriers, 256, t == 0);
  if (t == 256) {
    ring.produce(tiles, bytes, [&](int tile, int stage, std::uint64_t& full) {
      bulk_copy_g2s(shared + 1024 * stage, in + 1024 * tile, bytes, full);
    });
  } else if (t < 256) {
    float4 sum = {0, 0, 0, 0};
    for (auto [tile, stage] : ring.consume(tiles)) {
      float4 const x = *reinterpret_cast<float4 const*>(shared + 1024 * stage + 4 * (t ^ 37u));
      sum.x += x.x, sum.y += x.y, sum.z += x.z, sum.w += x.w;
    }
    *reinterpret_cast<float4*>(out + 4 * t) = sum;
  }
}

extern "C" __global__ void __launch_bounds__(288) by_hand(float const* in, float* out, int tiles) {
  __shared__ alignas(16) float shared[stages * 1024];
  __shared__ std::uint64_t full[stages], empty[stages];
  unsigned const t = threadIdx.x;
  if (t == 0) {
    for (int i = 0; i < stages; ++i) {
      initialize_barrier(full[i], 1);
      initialize_barrier(empty[i], 8);
    }
    fence_barrier_init();
  }
  __syncthreads();
  int stage = 0, parity = 0;
  if (t == 256) {
#pragma unroll 1
    for (int tile = 0; tile < tiles; ++tile) {
      wait_barrier(empty[stage], parity ^ 1);
      arrive_and_expect_bytes(full[stage], bytes);
      bulk_copy_g2s(shared + 1024 * stage, in + 1024 * tile, bytes, full[stage]);
      if (++stage == stages) stage = 0, parity ^= 1;
    }
  } else if (t < 256) {
    float4 sum = {0, 0, 0, 0};
    for (int tile = 0; tile < tiles; ++tile) {
      wait_barrier(full[stage], parity);
      float4 const x = *reinterpret_cast<float4 const*>(shared + 1024 * stage + 4 * (t ^ 37u));
      sum.x += x.x, sum.y += x.y, sum.z += x.z, sum.w += x.w;
      fence_proxy_async_shared();
      __syncwarp();
      if (t % 32 == 0) arrive_barrier(empty[stage]);
      if (++stage == stages) stage = 0, parity ^= 1;
    }
    *reinterpret_cast<float4*>(out + 4 * t) = sum;
  }
}
