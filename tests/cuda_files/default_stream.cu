// SPDX-License-Identifier: Apache-2.0
// An event of the default stream follows the work of the streams before it: programs time several streams so. Streams
// that do not wait for the default stream are not part of it.
#include <cstdio>

__global__ void add(int* p) {
  p[threadIdx.x] += 1;  // planted: race
}

#if defined(PLANTED)
constexpr unsigned flags = cudaStreamNonBlocking;
#else
constexpr unsigned flags = cudaStreamDefault;
#endif

int main() {
  int *p, got[32];
  cudaMalloc(&p, sizeof got);
  cudaMemset(p, 0, sizeof got);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  for (int k = 0; k < 4; ++k) {
    cudaStream_t streams[2];
    for (cudaStream_t& s : streams) cudaStreamCreateWithFlags(&s, flags);
    cudaEventRecord(start);
    add<<<1, 32, 0, streams[k % 2]>>>(p);
    cudaEventRecord(stop);
    if (k % 2 == 0) cudaEventSynchronize(stop);
    for (cudaStream_t const s : streams) cudaStreamDestroy(s);
  }
  cudaDeviceSynchronize();
  cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int const g : got) wrong += g != 4;
  std::printf("%d wrong\n", wrong);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaFree(p);
  return wrong;
}
