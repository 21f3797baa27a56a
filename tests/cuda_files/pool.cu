// SPDX-License-Identifier: Apache-2.0
// Pools of memory, and allocations in the order of a stream.
#include <cstdint>
#include <cstdio>

__global__ void twice(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= 2;
}

static int pools() {
  cudaMemPool_t pool, own;
  if (cudaDeviceGetDefaultMemPool(&pool, 0) != cudaSuccess) return 1;
  uint64_t threshold = UINT64_MAX, read = 0;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &read);
  if (read != threshold) return 2;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int* p;
  if (cudaMallocAsync(&p, 1024, stream) != cudaSuccess) return 3;
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &read);
  if (read < 1024) return 4;
  cudaMemsetAsync(p, 0, 1024, stream);
  twice<<<1, 256, 0, stream>>>(p, 256);
  cudaFreeAsync(p, stream);
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  if (cudaMemPoolCreate(&own, &props) != cudaSuccess) return 5;
  if (cudaMallocFromPoolAsync(&p, 64, own, stream) != cudaSuccess) return 6;
  cudaFreeAsync(p, stream);
  cudaStreamSynchronize(stream);
  cudaMemPoolTrimTo(own, 0);
  cudaMemPoolDestroy(own);
  cudaStreamDestroy(stream);
  return 0;
}

int main() {
  int bad = pools();
  printf("%d\n", bad);
  return bad;
}
