// SPDX-License-Identifier: Apache-2.0
// Clusters of cooperative groups, and tiles of tiles and of coalesced threads.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cstdio>
namespace cg = cooperative_groups;

__device__ unsigned failures;
#define EXPECT(...)                                    \
  do {                                                 \
    if (!(__VA_ARGS__)) {                              \
      printf("line %d: %s\n", __LINE__, #__VA_ARGS__); \
      atomicAdd(&failures, 1u);                        \
    }                                                  \
  } while (0)

// Each block reads its neighbour's shared memory.
__global__ void __cluster_dims__(4, 1, 1) ring(int* out) {
  __shared__ int own[32];
  cg::cluster_group const cluster = cg::this_cluster();
  unsigned const rank = cluster.block_rank(), blocks = cluster.num_blocks();
  own[threadIdx.x] = 100 * rank + threadIdx.x;
#ifdef PLANTED
  __syncthreads();
#else
  cluster.sync();
#endif
  int const* const next = cluster.map_shared_rank(own, (rank + 1) % blocks);
  out[blockIdx.x * blockDim.x + threadIdx.x] = next[31 - threadIdx.x];  // planted: missing_barrier
  EXPECT(cluster.dim_blocks().x == 4 && cluster.block_index().x == rank && cluster.num_threads() == 128);
  EXPECT(cluster.thread_rank() == rank * 32 + threadIdx.x && cluster.query_shared_rank(next) == (rank + 1) % blocks);
  cluster.barrier_arrive();
  cluster.barrier_wait();
}

__global__ void tiles() {
  auto const block = cg::this_thread_block();
  auto const warp = cg::tiled_partition<32>(block);
  auto const eight = cg::tiled_partition<8>(warp);
  EXPECT(warp.meta_group_size() == 2 && warp.meta_group_rank() == threadIdx.x / 32);
  EXPECT(eight.meta_group_size() == 4 && eight.meta_group_rank() == threadIdx.x % 32 / 8);
  EXPECT(eight.thread_rank() == threadIdx.x % 8 && cg::group_size(eight) == 8);
  if (threadIdx.x % 2 == 1) {
    cg::coalesced_group const odd = cg::coalesced_threads();
    EXPECT(odd.num_threads() == 16);
    cg::coalesced_group const four = cg::tiled_partition(odd, 4);
    EXPECT(four.size() == 4 && four.thread_rank() == odd.thread_rank() % 4);
    EXPECT(four.shfl(int(threadIdx.x), 0) == int(threadIdx.x) / 8 * 8 + 1);
  }
  auto const third = cg::labeled_partition(warp, int(threadIdx.x % 3));
  unsigned same = 0;
  for (unsigned lane = 0; lane < 32; ++lane) same += (threadIdx.x / 32 * 32 + lane) % 3 == threadIdx.x % 3;
  EXPECT(third.size() == same);
  auto const half = cg::binary_partition(warp, threadIdx.x % 32 < 12);
  EXPECT(half.size() == (threadIdx.x % 32 < 12 ? 12u : 20u));
  unsigned calls = 0;
  cg::invoke_one(block, [&] { ++calls; });
  EXPECT(calls <= 1 && warp.all(1));
  int const from_one = cg::invoke_one_broadcast(warp, [&] { return 42; });
  EXPECT(from_one == 42);
  EXPECT(block.dim_threads().x == 64 && block.group_index().x == 0 && block.thread_index().x == threadIdx.x);
}

int main() {
  int host[256], *out;
  cudaMalloc(&out, sizeof host);
  ring<<<8, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
#ifndef PLANTED
  for (int i = 0; i < 256; ++i) {
    int const next = (i / 32 % 4 + 1) % 4;
    if (host[i] != 100 * next + 31 - i % 32) return printf("ring %d: %d\n", i, host[i]), 1;
  }
#endif
  tiles<<<1, 64>>>();
  unsigned failed = 1;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  cudaFree(out);
  return failed != 0;
}
