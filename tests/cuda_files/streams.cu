// SPDX-License-Identifier: Apache-2.0
// Chunks of a vector on several streams with pinned memory, an event between two streams, and times.
#include <cstdio>
#include <cstdlib>

#define gpuErrchk(ans) \
  { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char* file, int line, bool abort = true) {
  if (code != cudaSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    if (abort) exit(code);
  }
}

__global__ void kernel(float* a, int offset) {
  int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
  a[i] = a[i] * 2 + i;
}
__global__ void sum(const float* a, float* result, int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[i];
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(~0u, s, d);
  if (threadIdx.x == 0) *result = s;
}

int main() {
  const int blockSize = 64, nStreams = 4, n = 4 * 2 * blockSize;
  const int streamSize = n / nStreams, streamBytes = streamSize * sizeof(float), bytes = n * sizeof(float);
  float *a, *d_a, *d_sum, total = 0, expected = 0;
  gpuErrchk(cudaMallocHost((void**)&a, bytes));
  gpuErrchk(cudaMalloc((void**)&d_a, bytes));
  gpuErrchk(cudaMalloc((void**)&d_sum, sizeof(float)));
  float ms;
  cudaEvent_t startEvent, stopEvent, done;
  cudaStream_t stream[nStreams], other;
  gpuErrchk(cudaEventCreate(&startEvent));
  gpuErrchk(cudaEventCreate(&stopEvent));
  gpuErrchk(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  for (int i = 0; i < nStreams; ++i) gpuErrchk(cudaStreamCreate(&stream[i]));
  gpuErrchk(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  for (int i = 0; i < n; ++i) expected += 2 * (a[i] = i % 3) + i;
  gpuErrchk(cudaEventRecord(startEvent, 0));
  for (int i = 0; i < nStreams; ++i) {
    int offset = i * streamSize;
    gpuErrchk(cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]));
    kernel<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, offset);
    gpuErrchk(cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes, cudaMemcpyDeviceToHost, stream[i]));
  }
  for (int i = 0; i < nStreams; ++i) {
    gpuErrchk(cudaEventRecord(done, stream[i]));
#ifndef PLANTED
    gpuErrchk(cudaStreamWaitEvent(other, done, 0));
#endif
  }
  sum<<<1, 32, 0, other>>>(d_a, d_sum, n);
  gpuErrchk(cudaStreamSynchronize(other));
  gpuErrchk(cudaMemcpy(&total, d_sum, sizeof total, cudaMemcpyDeviceToHost));
  gpuErrchk(cudaEventRecord(stopEvent, 0));
  gpuErrchk(cudaEventSynchronize(stopEvent));
  gpuErrchk(cudaEventElapsedTime(&ms, startEvent, stopEvent));
  gpuErrchk(cudaDeviceSynchronize());
  printf("%s, sum %.0f\n", ms > 0 ? "timed" : "no time", total);
  for (int i = 0; i < nStreams; ++i) gpuErrchk(cudaStreamDestroy(stream[i]));
  gpuErrchk(cudaStreamDestroy(other));
  gpuErrchk(cudaEventDestroy(startEvent));
  gpuErrchk(cudaEventDestroy(stopEvent));
  gpuErrchk(cudaEventDestroy(done));
  gpuErrchk(cudaFree(d_sum));
  gpuErrchk(cudaFree(d_a));
  gpuErrchk(cudaFreeHost(a));
  return total == expected && ms > 0 ? 0 : 1;
}
