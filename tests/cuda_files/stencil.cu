// SPDX-License-Identifier: Apache-2.0
// A stencil of one dimension with its coefficients in constant memory, and a counter in a __device__ variable.
#include <cstdio>
#define RADIUS 3
#define BLOCK_SIZE 64

__constant__ float coefficients[2 * RADIUS + 1];
__device__ int blocks_done = 0;

__global__ void stencil_1d(const float* in, float* out, int n) {
  __shared__ float temp[BLOCK_SIZE + 2 * RADIUS];
  int gindex = threadIdx.x + blockIdx.x * blockDim.x + RADIUS;
  int lindex = threadIdx.x + RADIUS;
  temp[lindex] = in[gindex];
#ifdef PLANTED
  if (threadIdx.x < RADIUS - 1) {  // one element of each halo is left out
#else
  if (threadIdx.x < RADIUS) {
#endif
    temp[lindex - RADIUS] = in[gindex - RADIUS];
    temp[lindex + BLOCK_SIZE] = in[gindex + BLOCK_SIZE];
  }
  __syncthreads();
  float result = 0;
  for (int offset = -RADIUS; offset <= RADIUS; offset++)
    result += coefficients[offset + RADIUS] * temp[lindex + offset];  // planted: uninitialized
  if (gindex < n + RADIUS) out[gindex] = result;
  if (threadIdx.x == 0) atomicAdd(&blocks_done, 1);
}

int main() {
  const int n = 4 * BLOCK_SIZE, all = n + 2 * RADIUS;
  float h[2 * RADIUS + 1], in[all], out[all], *d_in, *d_out;
  for (int i = 0; i < 2 * RADIUS + 1; ++i) h[i] = 1.f / (1 + i);
  for (int i = 0; i < all; ++i) in[i] = i % 11;
  if (cudaMemcpyToSymbol(coefficients, h, sizeof(h)) != cudaSuccess) return 2;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  stencil_1d<<<n / BLOCK_SIZE, BLOCK_SIZE>>>(d_in, d_out, n);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  int done = 0;
  cudaMemcpyFromSymbol(&done, blocks_done, sizeof(int));
  for (int i = RADIUS; i < n + RADIUS; ++i) {
    float expected = 0;
    for (int j = -RADIUS; j <= RADIUS; ++j) expected += h[j + RADIUS] * in[i + j];
    if (out[i] - expected > 1e-4f || expected - out[i] > 1e-4f) return 1;
  }
  cudaFree(d_in);
  cudaFree(d_out);
  return done == n / BLOCK_SIZE ? 0 : 3;
}
