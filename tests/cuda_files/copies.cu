// SPDX-License-Identifier: Apache-2.0
// Copies of rows, of symbols, between allocations; pools, managed and pinned memory; host functions in streams.
#include <cstdio>
#include <cstring>
#include <numeric>

__device__ float table[16];
__constant__ struct {
  int shift;
  float scale;
} settings;

__global__ void rows(float* data, size_t pitch, int width, int height) {
  int c = threadIdx.x, r = threadIdx.y;
  if (c < width && r < height) {
    float* row = (float*)((char*)data + r * pitch);
    row[c] = row[c] * settings.scale + table[(c + settings.shift) % 16];
  }
}
__global__ void negate(float* p) { p[threadIdx.x] = -p[threadIdx.x]; }
static void CUDART_CB note(void* data) { ++*static_cast<int*>(data); }

int main() {
  int const width = 10, height = 4;
  float host[height][12], back[height][width], more[16];
  for (int r = 0; r < height; ++r) std::iota(host[r], host[r] + 12, 100.f * r);
  std::iota(more, more + 16, 0.f);
  cudaMemcpyToSymbol(table, more, sizeof more);
  cudaMemcpyToSymbol(settings, &width, 4);
  float scale = 2;
  cudaMemcpyToSymbol(settings, &scale, sizeof scale, 4);
  float* d = nullptr;
  size_t pitch = 0;
  cudaMallocPitch(&d, &pitch, width * sizeof(float), height);
  if (pitch < width * sizeof(float)) return 1;
  cudaMemcpy2D(d, pitch, host, sizeof host[0], width * sizeof(float), height, cudaMemcpyHostToDevice);
  rows<<<1, dim3(16, 8)>>>(d, pitch, width, height);
  cudaMemcpy2D(back, sizeof back[0], d, pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost);
  for (int r = 0; r < height; ++r) {
    for (int c = 0; c < width; ++c) {
      if (back[r][c] != 2 * (100 * r + c) + (c + width) % 16) return 2;
    }
  }
  void* address = nullptr;
  size_t bytes = 0;
  cudaGetSymbolAddress(&address, table);
  cudaGetSymbolSize(&bytes, table);
  if (bytes != sizeof more) return 3;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  float *pool, *both;
  int noted = 0;
  cudaMallocAsync(&pool, sizeof more, stream);
  cudaMallocManaged(&both, sizeof more);
  cudaMemcpyAsync(pool, address, sizeof more, cudaMemcpyDeviceToDevice, stream);
  negate<<<1, 16, 0, stream>>>(pool);
  cudaMemcpyAsync(both, pool, sizeof more, cudaMemcpyDefault, stream);
  cudaFreeAsync(pool, stream);
  cudaLaunchHostFunc(stream, note, &noted);
  cudaStreamSynchronize(stream);
  for (int i = 0; i < 16; ++i) {
    if (both[i] != -i) return 4;
    both[i] = 1;
  }
  negate<<<1, 16>>>(both);
  cudaDeviceSynchronize();
  if (both[15] != -1 || noted != 1) return 5;
  cudaMemset2D(d, pitch, 0, 8, height);
  cudaMemcpy(back, d, 12, cudaMemcpyDeviceToHost);
  if (back[0][0] != 0 || back[0][2] == 0) return 6;
  cudaFree(d), cudaFree(both);
  return cudaStreamDestroy(stream);
}
