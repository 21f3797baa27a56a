// SPDX-License-Identifier: Apache-2.0
// Boxes of memory: allocations, fills, and copies of parts.
#include <cstdio>
#include <cstring>

__constant__ int offset;

__global__ void fill_box(cudaPitchedPtr p, cudaExtent e) {
  int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  if (x * sizeof(int) >= e.width || y >= (int)e.height) return;
  char* slice = (char*)p.ptr + z * p.pitch * e.height;
  ((int*)(slice + y * p.pitch))[x] = 100 * z + 10 * y + x + offset;
}
static int boxes() {
  int const w = 5, h = 4, d = 3;
  cudaExtent extent = make_cudaExtent(w * sizeof(int), h, d);
  cudaPitchedPtr p;
  if (cudaMalloc3D(&p, extent) != cudaSuccess || p.pitch < extent.width) return 11;
  int seven = 7;
  cudaMemcpyToSymbol(offset, &seven, sizeof seven);
  cudaMemset3D(p, 0, extent);
  fill_box<<<d, dim3(8, 8)>>>(p, extent);
  int host[d][h][w];
  memset(host, 0, sizeof host);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = p;
  copy.dstPtr = make_cudaPitchedPtr(host, w * sizeof(int), w, h);
  copy.extent = extent;
  copy.kind = cudaMemcpyDeviceToHost;
  if (cudaMemcpy3D(&copy) != cudaSuccess) return 12;
  for (int z = 0; z < d; ++z)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        if (host[z][y][x] != 100 * z + 10 * y + x + 7) return 13;
  // A part of the box: 2 by 2 by 1 elements from (1, 1, 2) to the host's (0, 0, 0).
  copy.srcPos = make_cudaPos(sizeof(int), 1, 2);
  copy.extent = make_cudaExtent(2 * sizeof(int), 2, 1);
  if (cudaMemcpy3DAsync(&copy, 0) != cudaSuccess) return 14;
  cudaDeviceSynchronize();
  if (host[0][0][0] != 218 || host[0][1][1] != 229) return 15;
  cudaFree(p.ptr);
  return 0;
}

int main() {
  int bad = boxes();
  printf("%d\n", bad);
  return bad;
}
