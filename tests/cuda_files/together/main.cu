// SPDX-License-Identifier: Apache-2.0
// One program of several files, as `nvcc -rdc=true main.cu kernels.cu checks.cpp` makes one.
#include "common.h"

#include <cstdio>
#include <cstdlib>

__constant__ float factor;
__device__ int launches = 0;

__device__ float scaled(float v) { return factor * v; }

__global__ void own_shared(float* p) {
  extern __shared__ float own[];
  own[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = own[blockDim.x - 1 - threadIdx.x];
}

int main(int argc, char** argv) {
  int const n = argc > 1 ? atoi(argv[1]) : 64;
  float const three = 3;
  float *host = new float[n], *d;
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMemcpyToSymbol(factor, &three, sizeof three);
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(d, host, n * sizeof(float), cudaMemcpyHostToDevice);
  scale_all<<<1, n>>>(d, n);  // of another file
  own_shared<<<1, n, n * sizeof(float)>>>(d);
  launch_reversal(d, n);
  cudaMemcpy(host, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  int count = 0;
  cudaMemcpyFromSymbol(&count, launches, sizeof count);
  cudaFree(d);
  int const bad = count_wrong(host, n, three) + (count != 1);
  delete[] host;
  printf("%d elements, %d wrong\n", n, bad);
  return bad;
}
