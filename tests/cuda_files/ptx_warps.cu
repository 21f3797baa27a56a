// SPDX-License-Identifier: Apache-2.0
// Shuffles, votes, matches, reductions and barriers of PTX.
#include <cstdint>
#include <cstdio>

__device__ unsigned failures;
#define EXPECT(...)                                    \
  do {                                                 \
    if (!(__VA_ARGS__)) {                              \
      printf("line %d: %s\n", __LINE__, #__VA_ARGS__); \
      atomicAdd(&failures, 1u);                        \
    }                                                  \
  } while (0)

__global__ void shuffles() {
  int const lane = threadIdx.x % 32;
  int x, inside;
  asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, 3, 0x0, 0xffffffff; selp.s32 %1, 1, 0, p; }"
               : "=r"(x), "=r"(inside)
               : "r"(10 * lane));
  EXPECT(x == 10 * (lane >= 3 ? lane - 3 : lane) && inside == (lane >= 3));
  // Segments of 8 lanes.
  asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, %3, 0x181f, 0xffffffff; selp.s32 %1, 1, 0, p; }"
               : "=r"(x), "=r"(inside)
               : "r"(10 * lane), "r"(5));
  EXPECT(x == 10 * (lane % 8 < 3 ? lane + 5 : lane) && inside == (lane % 8 < 3));
  asm volatile("shfl.sync.bfly.b32 %0, %1, 0x10, 0x1f, 0xffffffff;" : "=r"(x) : "r"(lane));
  EXPECT(x == (lane ^ 16));
  float f;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(f) : "f"(0.5f * lane), "r"(7));
  EXPECT(f == 3.5f);
  asm volatile("shfl.sync.idx.b32 %0, %1, 20, 0x1f, 0xffffffff;" : "=r"(x) : "r"(lane));
  EXPECT(x == 20);
}

__global__ void votes() {
  int const lane = threadIdx.x % 32;
  uint32_t ballot, any, all, uni;
  asm volatile(
      "{ .reg .pred p, q; setp.lt.s32 p, %4, 5;\n"
      "vote.sync.ballot.b32 %0, p, 0xffffffff;\n"
      "vote.sync.any.pred q, p, 0xffffffff; selp.u32 %1, 1, 0, q;\n"
      "vote.sync.all.pred q, p, 0xffffffff; selp.u32 %2, 1, 0, q;\n"
      "vote.sync.uni.pred q, p, 0xffffffff; selp.u32 %3, 1, 0, q; }"
      : "=r"(ballot), "=r"(any), "=r"(all), "=r"(uni)
      : "r"(lane));
  EXPECT(ballot == 31 && any == 1 && all == 0 && uni == 0);
  uint32_t same, sum, leader, elected, active;
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(same) : "r"(lane / 8));
  EXPECT(same == 0xffu << (lane / 8 * 8));
  asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(lane - 20));
  EXPECT((int)sum == 31 * 16 - 640);
  asm volatile("redux.sync.min.u32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(lane + 3));
  EXPECT(sum == 3);
  asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p; }" : "=r"(leader), "=r"(elected));
  uint32_t leaders;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, -1; }"
               : "=r"(leaders)
               : "r"(elected));
  EXPECT(leaders == 1u << leader);
  asm volatile("activemask.b32 %0;" : "=r"(active));
  EXPECT((active >> lane & 1) == 1);
}

__global__ void barriers(int* out) {
  __shared__ int stage[128];
  int const i = threadIdx.x;
  uint32_t count, both;
  stage[i] = i;
#ifndef PLANTED
  asm volatile("barrier.sync.aligned 0;" ::: "memory");
#endif
  out[i] = stage[127 - i];  // planted: missing_barrier
  asm volatile(
      "{ .reg .pred p, q; setp.lt.s32 p, %2, 40; bar.red.popc.u32 %0, 1, p; bar.red.and.pred q, 2, 128, p; selp.u32 "
      "%1, 1, 0, q; }"
      : "=r"(count), "=r"(both)
      : "r"(i));
  EXPECT(count == 40 && both == 0);
  if (i < 64) {
    stage[i] = 2 * i;
    asm volatile("bar.arrive %0, %1;" ::"r"(3), "r"(128) : "memory");
  } else {
    asm volatile("bar.sync %0, %1;" ::"r"(3), "n"(128) : "memory");
    out[i] += stage[i - 64];
  }
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

int main() {
  shuffles<<<1, 64>>>();
  votes<<<1, 64>>>();
  int* out;
  cudaMalloc(&out, 128 * sizeof(int));
  barriers<<<1, 128>>>(out);
  int result[128];
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  unsigned failed = 0;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  for (int i = 0; i < 128; ++i) failed += result[i] != 127 - i + (i < 64 ? 0 : 2 * (i - 64));
  printf("%u failures\n", failed);
  return failed != 0;
}
