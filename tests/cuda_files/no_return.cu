// SPDX-License-Identifier: Apache-2.0
// Functions without their `return`, whose value nobody uses: nvcc warns, and the program goes on.
#include <cstdio>

#pragma GCC diagnostic ignored "-Wreturn-type"

__device__ int add_to(int* at, int by) { atomicAdd(at, by); }
__global__ void count(int* at) { add_to(at, 2); }

bool launch_twice(int* at) {
  for (int i = 0; i < 2; ++i) count<<<1, 32>>>(at);
}
cudaError_t wait() { cudaDeviceSynchronize(); }

int main() {
  int* at;
  cudaMallocManaged(&at, sizeof(int));
  *at = 0;
  launch_twice(at);
  wait();
  bool const right = *at == 128;
  std::printf("%d\n", *at);
  cudaFree(at);
  return right ? 0 : 1;
}
