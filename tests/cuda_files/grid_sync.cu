// SPDX-License-Identifier: Apache-2.0
// Relaxes a line of numbers with a barrier of the whole grid in each round: a cooperative launch.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdio.h>

namespace cg = cooperative_groups;

constexpr int blocks = 4, threads = 64, count = blocks * threads, rounds = 4;

__global__ void relax(float* a, float* b) {
  cg::grid_group grid = cg::this_grid();
  int i = static_cast<int>(grid.thread_rank());
  for (int round = 0; round < rounds; ++round) {
    float left = i > 0 ? a[i - 1] : 0.f, right = i + 1 < count ? a[i + 1] : 0.f;
    b[i] = 0.5f * (left + right);
#ifndef PLANTED
    grid.sync();
#endif
    float* swap = a;
    a = b;
    b = swap;
  }
}

__global__ void wide(int* to) {
  to[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  cg::this_grid().sync();
  int const other = to[(blockIdx.x * blockDim.x + threadIdx.x + 999) % (gridDim.x * blockDim.x)];
  if (threadIdx.x == 0) atomicAdd(to + gridDim.x * blockDim.x, other);
}
/// A grid that the card just holds: more threads than blocks of a small launch have.
static int fills_card() {
  int of_multiprocessor = 0, multiprocessors = 0, sum = 0, *to;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_multiprocessor, wide, 256, 96 * 1024);
  int const most = of_multiprocessor * multiprocessors;
  if (most < 200) return 1;
  cudaMalloc(&to, (most * 256 + 1) * sizeof(int));
  cudaMemset(to, 0, (most * 256 + 1) * sizeof(int));
  cudaFuncSetAttribute(wide, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 * 1024);
  void* arguments[] = {&to};
  if (cudaLaunchCooperativeKernel(wide, most, 256, arguments, 96 * 1024, 0) != cudaSuccess) return 2;
  cudaMemcpy(&sum, to + most * 256, sizeof sum, cudaMemcpyDeviceToHost);
  cudaFree(to);
  return sum == most ? 0 : 3;
}

int main() {
  float *a, *b, host[count], expected[count], next[count];
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  for (int i = 0; i < count; ++i) expected[i] = host[i] = static_cast<float>(i * i % 17);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  void* arguments[] = {&a, &b};
  cudaError_t status = cudaLaunchCooperativeKernel((void*)relax, blocks, threads, arguments, 0, 0);
  if (status != cudaSuccess) {
    printf("%s\n", cudaGetErrorString(status));
    return 1;
  }
  cudaMemcpy(host, rounds % 2 == 0 ? a : b, sizeof host, cudaMemcpyDeviceToHost);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < count; ++i)
      next[i] = 0.5f * ((i > 0 ? expected[i - 1] : 0.f) + (i + 1 < count ? expected[i + 1] : 0.f));
    for (int i = 0; i < count; ++i) expected[i] = next[i];
  }
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += host[i] != expected[i];
  cudaFree(a);
  cudaFree(b);
  printf("%d wrong\n", wrong);
  if (int const fault = fills_card()) {
    printf("a grid that fills the card: %d\n", fault);
    return 1;
  }
  return wrong != 0;
}
