// SPDX-License-Identifier: Apache-2.0
#include "common.h"

extern __constant__ float factor;
extern __device__ int launches;
extern __device__ float scaled(float v);

__global__ void scale_all(float* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) launches += 1;
#ifdef PLANTED
  if (i < n) p[i + 1] = scaled(p[i]);  // planted: out_of_bounds
#else
  if (i < n) p[i] = scaled(p[i]);
#endif
}
__global__ void reverse(float* p) {
  extern __shared__ float buffer[];
  buffer[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}

void launch_reversal(float* p, int n) {
  void* arguments[] = {&p};
  cudaLaunchKernel((void const*)reverse, dim3(1), dim3(n), arguments, n * sizeof(float), 0);
}
