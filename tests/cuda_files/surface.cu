// SPDX-License-Identifier: Apache-2.0
// Surfaces: reads and writes of arrays by kernels, whose x is in bytes, and the boundary modes.
#include <cuda_runtime.h>
#include <surface_indirect_functions.h>
#include <surface_types.h>

#include <cstdio>

__device__ unsigned failures;
#define EXPECT(...)                                    \
  do {                                                 \
    if (!(__VA_ARGS__)) {                              \
      printf("line %d: %s\n", __LINE__, #__VA_ARGS__); \
      atomicAdd(&failures, 1u);                        \
    }                                                  \
  } while (0)

int const w = 20, h = 6, layers = 3;

__global__ void fill(cudaSurfaceObject_t s) {
  int const x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y;
#ifdef PLANTED
  surf2Dwrite(make_float2(x, y), s, x * (int)sizeof(float2), y);  // planted: out_of_bounds
#else
  // Beyond the array nothing is written.
  surf2Dwrite(make_float2(x, y), s, x * (int)sizeof(float2), y, cudaBoundaryModeZero);
#endif
}
__global__ void twice(cudaSurfaceObject_t in, cudaSurfaceObject_t out) {
  int const x = threadIdx.x, y = threadIdx.y;
  if (x >= w || y >= h) return;
  float2 v;
  surf2Dread(&v, in, x * sizeof(float2), y);
  EXPECT(v.x == x && v.y == y);
  surf2Dwrite(make_float2(2 * v.x, 2 * v.y), out, x * sizeof(float2), y);
}
__global__ void boundaries(cudaSurfaceObject_t s) {
  int const size = sizeof(float2);
  EXPECT(surf2Dread<float2>(s, -size, 2, cudaBoundaryModeZero).y == 0);
  EXPECT(surf2Dread<float2>(s, w * size, 2, cudaBoundaryModeZero).y == 0);
  EXPECT(surf2Dread<float2>(s, size, h, cudaBoundaryModeZero).x == 0);
  EXPECT(surf2Dread<float2>(s, size, 2, cudaBoundaryModeZero).y == 4);
  float2 v = surf2Dread<float2>(s, (w + 5) * size, -3, cudaBoundaryModeClamp);
  EXPECT(v.x == 2 * (w - 1) && v.y == 0);
  v = surf2Dread<float2>(s, -5 * size, h + 1, cudaBoundaryModeClamp);
  EXPECT(v.x == 0 && v.y == 2 * (h - 1));
}

__global__ void fill_layers(cudaSurfaceObject_t s, cudaSurfaceObject_t box, cudaSurfaceObject_t line) {
  int const x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  surf2DLayeredwrite(short(100 * z + 10 * y + x), s, x * 2, y, z);
  surf3Dwrite((unsigned char)(30 * z + 7 * y + x), box, x, y, z);
  if (y == 0 && z == 0) surf1Dwrite(make_int4(x, 0, 0, -x), line, x * 16);
}
__global__ void look_at_layers(cudaSurfaceObject_t s, cudaSurfaceObject_t box, cudaSurfaceObject_t line) {
  int const x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  EXPECT(surf2DLayeredread<short>(s, x * 2, y, z) == 100 * z + 10 * y + x);
  EXPECT(surf3Dread<unsigned char>(box, x, y, z) == 30 * z + 7 * y + x);
  EXPECT(surf1Dread<int4>(line, x * 16).w == -x);
}

template <class T>
static cudaSurfaceObject_t surface_of(cudaArray_t* array, cudaExtent extent, unsigned flags = 0) {
  cudaChannelFormatDesc const format = cudaCreateChannelDesc<T>();
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  cudaSurfaceObject_t s = 0;
  if (cudaMalloc3DArray(array, &format, extent, flags | cudaArraySurfaceLoadStore) != cudaSuccess) return 0;
  r.res.array.array = *array;
  return cudaCreateSurfaceObject(&s, &r) == cudaSuccess ? s : 0;
}
static void end(cudaSurfaceObject_t s, cudaArray_t array) {
  cudaDestroySurfaceObject(s);
  cudaFreeArray(array);
}

int main() {
  cudaArray_t a, b, c, d, e;
  cudaSurfaceObject_t const in = surface_of<float2>(&a, make_cudaExtent(w, h, 0));
  cudaSurfaceObject_t const out = surface_of<float2>(&b, make_cudaExtent(w, h, 0));
  cudaResourceDesc r;
  if (cudaGetSurfaceObjectResourceDesc(&r, in) != cudaSuccess || r.res.array.array != a) return 2;
  fill<<<2, dim3(16, h)>>>(in);
  twice<<<1, dim3(32, 8)>>>(in, out);
  boundaries<<<1, 1>>>(out);
  cudaSurfaceObject_t const s = surface_of<short>(&c, make_cudaExtent(8, 4, layers), cudaArrayLayered);
  cudaSurfaceObject_t const box = surface_of<unsigned char>(&d, make_cudaExtent(8, 4, layers));
  cudaSurfaceObject_t const line = surface_of<int4>(&e, make_cudaExtent(8, 0, 0));
  fill_layers<<<1, dim3(8, 4, layers)>>>(s, box, line);
  look_at_layers<<<1, dim3(8, 4, layers)>>>(s, box, line);
  if (cudaDeviceSynchronize() != cudaSuccess) {
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
#ifndef PLANTED
    return 3;
#else
    return 0;
#endif
  }
  float2 host[h][w];
  cudaMemcpy2DFromArray(host, sizeof host[0], b, 0, 0, sizeof host[0], h, cudaMemcpyDeviceToHost);
  unsigned n = 0;
  for (int i = 0; i < w * h; ++i) n += host[i / w][i % w].x != 2 * (i % w) || host[i / w][i % w].y != 2 * (i / w);
  unsigned in_kernels = 0;
  cudaMemcpyFromSymbol(&in_kernels, failures, sizeof in_kernels);
  printf("%u failures\n", n + in_kernels);
  end(in, a);
  end(out, b);
  end(s, c);
  end(box, d);
  end(line, e);
  return n + in_kernels != 0;
}
