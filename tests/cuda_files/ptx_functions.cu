// SPDX-License-Identifier: Apache-2.0
// <cuda/ptx>: a ring of bulk copies that mbarriers order, results by bulk stores, and special registers.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cuda/ptx>
namespace ptx = cuda::ptx;

constexpr int threads = 64, tiles = 5, stages = 2;

__global__ void ring(int const* in, int* out) {
  __shared__ alignas(128) int stage[stages][threads];
  __shared__ alignas(128) int result[threads];
  __shared__ uint64_t full[stages];
  constexpr uint32_t bytes = threads * sizeof(int);
  if (threadIdx.x == 0) {
    for (uint64_t& barrier : full) ptx::mbarrier_init(&barrier, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  for (int i = 0; i < tiles + stages - 1; ++i) {
    if (i < tiles && threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[i % stages], bytes);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage[i % stages], in + i * threads, bytes,
                         &full[i % stages]);
    }
    int const tile = i - (stages - 1);
    if (tile < 0) continue;
#ifndef PLANTED
    while (!ptx::mbarrier_try_wait_parity(&full[tile % stages], tile / stages % 2)) {
    }
#endif
    result[threadIdx.x] = 3 * stage[tile % stages][threads - 1 - threadIdx.x];  // planted: missing_wait
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + tile * threads, result, bytes);
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
    __syncthreads();
  }
}

__device__ unsigned failures;
#define EXPECT(...)                                    \
  do {                                                 \
    if (!(__VA_ARGS__)) {                              \
      printf("line %d: %s\n", __LINE__, #__VA_ARGS__); \
      atomicAdd(&failures, 1u);                        \
    }                                                  \
  } while (0)

__global__ void registers() {
  unsigned const lane = threadIdx.x % 32;
  EXPECT(ptx::get_sreg_tid_x() == threadIdx.x && ptx::get_sreg_ntid_x() == 64 && ptx::get_sreg_laneid() == lane);
  EXPECT(ptx::get_sreg_ctaid_y() == blockIdx.y && ptx::get_sreg_nctaid_x() == gridDim.x);
  EXPECT(ptx::get_sreg_lanemask_lt() == (1u << lane) - 1 && ptx::get_sreg_lanemask_eq() == 1u << lane);
  EXPECT(ptx::get_sreg_cluster_nctarank() == 1 && ptx::get_sreg_cluster_ctarank() == 0);
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, 64);
  __syncthreads();
  uint64_t const state = ptx::mbarrier_arrive(&barrier);
  while (!ptx::mbarrier_test_wait(ptx::sem_acquire, ptx::scope_cta, &barrier, state)) {
  }
  ptx::fence(ptx::sem_acq_rel, ptx::scope_gpu);
}

int main() {
  int host[threads * tiles], *in, *out;
  for (int i = 0; i < threads * tiles; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  ring<<<1, threads>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
#ifdef PLANTED
  return 0;
#endif
  for (int i = 0; i < threads * tiles; ++i)
    if (host[i] != 3 * (i / threads * threads + threads - 1 - i % threads))
      return printf("ring %d: %d\n", i, host[i]), 1;
  registers<<<2, 64>>>();
  unsigned failed = 1;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  cudaFree(in), cudaFree(out);
  return failed != 0;
}
