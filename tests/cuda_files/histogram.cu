// SPDX-License-Identifier: Apache-2.0
// A histogram with atomics in shared memory, then in global memory.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef unsigned int uint;
#define NUM_BINS 64

__global__ void histogram_kernel(const unsigned char* buffer, long size, uint* histo) {
  __shared__ uint temp[NUM_BINS];
  if (threadIdx.x < NUM_BINS) temp[threadIdx.x] = 0;
  __syncthreads();
  int i = threadIdx.x + blockIdx.x * blockDim.x, offset = blockDim.x * gridDim.x;
  while (i < size) {
#ifdef PLANTED
    temp[buffer[i] % NUM_BINS]++;  // planted: race
#else
    atomicAdd(&temp[buffer[i] % NUM_BINS], 1);
#endif
    i += offset;
  }
  __syncthreads();
  if (threadIdx.x < NUM_BINS) atomicAdd(&(histo[threadIdx.x]), temp[threadIdx.x]);
}

int main(void) {
  const long size = 10000;
  std::vector<unsigned char> buffer(size);
  uint expected[NUM_BINS] = {}, histo[NUM_BINS];
  for (auto& b : buffer) expected[(b = rand()) % NUM_BINS]++;
  cudaDeviceProp prop;
  if (cudaGetDeviceProperties(&prop, 0) != cudaSuccess || prop.multiProcessorCount < 1) return 2;
  unsigned char* dev_buffer;
  uint* dev_histo;
  cudaMalloc((void**)&dev_buffer, size);
  cudaMemcpy(dev_buffer, buffer.data(), size, cudaMemcpyHostToDevice);
  cudaMalloc((void**)&dev_histo, NUM_BINS * sizeof(int));
  cudaMemset(dev_histo, 0, NUM_BINS * sizeof(int));
  int blocks = std::min(prop.multiProcessorCount, 8);
  histogram_kernel<<<blocks, 256>>>(dev_buffer, size, dev_histo);
  cudaMemcpy(histo, dev_histo, sizeof(histo), cudaMemcpyDeviceToHost);
  cudaFree(dev_histo);
  cudaFree(dev_buffer);
  for (int i = 0; i < NUM_BINS; i++) {
    if (histo[i] != expected[i]) {
      printf("Failure at %d!\n", i);
      return 1;
    }
  }
}
