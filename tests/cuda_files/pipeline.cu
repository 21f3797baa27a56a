// SPDX-License-Identifier: Apache-2.0
// <cuda/pipeline>: of one thread, of a block, and with producers and consumers.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
#pragma nv_diag_suppress static_var_with_dynamic_init

constexpr int tile = 64, tiles = 6, stages = 2;

__global__ void of_threads(int const* in, int* out) {
  __shared__ int stage[stages][tile];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  int const t = threadIdx.x;
  for (int fetch = 0, i = 0; i < tiles; ++i) {
    for (; fetch < tiles && fetch < i + stages; ++fetch) {
      pipe.producer_acquire();
      cuda::memcpy_async(&stage[fetch % stages][t], &in[fetch * tile + t], sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[i * tile + t] = 2 * stage[i % stages][t];
    pipe.consumer_release();
  }
}

__global__ void of_block(int const* in, int* out) {
  __shared__ int stage[stages][tile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto const block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int fetch = 0, i = 0; i < tiles; ++i) {
    for (; fetch < tiles && fetch < i + stages; ++fetch) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, stage[fetch % stages], in + fetch * tile, sizeof(int) * tile, pipe);
      pipe.producer_commit();
    }
#ifndef PLANTED
    pipe.consumer_wait();
#endif
    out[i * tile + threadIdx.x] = stage[i % stages][tile - 1 - threadIdx.x];  // planted: missing_wait
    pipe.consumer_release();
  }
}

// The first warp copies, the other one reads.
__global__ void with_roles(int const* in, int* out) {
  __shared__ alignas(16) int stage[stages][tile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto const block = cg::this_thread_block();
  bool const produces = block.thread_rank() < 32;
  auto pipe =
      cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  auto const warp = cg::tiled_partition<32>(block);
  for (int i = 0; i < tiles; ++i) {
    if (produces) {
      pipe.producer_acquire();
      cuda::memcpy_async(warp, stage[i % stages], in + i * tile, cuda::aligned_size_t<16>(sizeof(int) * tile), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      for (int k = warp.thread_rank(); k < tile; k += 32) out[i * tile + k] = stage[i % stages][k] + 5;
      pipe.consumer_release();
    }
  }
}

int main() {
  int host[tile * tiles], *in, *out;
  for (int i = 0; i < tile * tiles; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  of_threads<<<1, tile>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < tile * tiles; ++i)
    if (host[i] != 2 * i) return printf("of_threads %d: %d\n", i, host[i]), 1;
  of_block<<<1, tile>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
#ifndef PLANTED
  for (int i = 0; i < tile * tiles; ++i)
    if (host[i] != i / tile * tile + tile - 1 - i % tile) return printf("of_block %d: %d\n", i, host[i]), 2;
#endif
  with_roles<<<1, 64>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < tile * tiles; ++i)
    if (host[i] != i + 5) return printf("with_roles %d: %d\n", i, host[i]), 3;
  cudaFree(in), cudaFree(out);
}
