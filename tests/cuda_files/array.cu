// SPDX-License-Identifier: Apache-2.0
// CUDA arrays: their descriptions, and copies of rows, boxes and bytes from and to them.
#include <channel_descriptor.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

static int failures = 0;
#define EXPECT(...)                                    \
  do {                                                 \
    if (!(__VA_ARGS__)) {                              \
      printf("line %d: %s\n", __LINE__, #__VA_ARGS__); \
      ++failures;                                      \
    }                                                  \
  } while (0)

static bool same(cudaChannelFormatDesc a, int x, int y, int z, int w, cudaChannelFormatKind f) {
  return a.x == x && a.y == y && a.z == z && a.w == w && a.f == f;
}
static void descriptions() {
  EXPECT(same(cudaCreateChannelDesc<float>(), 32, 0, 0, 0, cudaChannelFormatKindFloat));
  EXPECT(same(cudaCreateChannelDesc<uchar4>(), 8, 8, 8, 8, cudaChannelFormatKindUnsigned));
  EXPECT(same(cudaCreateChannelDesc<short2>(), 16, 16, 0, 0, cudaChannelFormatKindSigned));
  EXPECT(same(cudaCreateChannelDesc<int1>(), 32, 0, 0, 0, cudaChannelFormatKindSigned));
  EXPECT(same(cudaCreateChannelDescHalf2(), 16, 16, 0, 0, cudaChannelFormatKindFloat));
  EXPECT(same(cudaCreateChannelDesc<cudaChannelFormatKindUnsignedNormalized8X4>(), 8, 8, 8, 8,
              cudaChannelFormatKindUnsignedNormalized8X4));
  EXPECT(cudaCreateChannelDesc<double>().f == cudaChannelFormatKindNone);

  cudaChannelFormatDesc format = cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindUnsigned), got;
  cudaArray_t array;
  EXPECT(cudaMalloc3DArray(&array, &format, make_cudaExtent(6, 5, 4), cudaArraySurfaceLoadStore) == cudaSuccess);
  cudaExtent extent;
  unsigned flags = 0;
  EXPECT(cudaArrayGetInfo(&got, &extent, &flags, array) == cudaSuccess);
  EXPECT(same(got, 16, 16, 0, 0, cudaChannelFormatKindUnsigned));
  EXPECT(extent.width == 6 && extent.height == 5 && extent.depth == 4 && flags == cudaArraySurfaceLoadStore);
  EXPECT(cudaGetChannelDesc(&got, array) == cudaSuccess && got.x == 16);
  EXPECT(cudaFreeArray(array) == cudaSuccess && cudaFreeArray(nullptr) == cudaSuccess);
}

// The whole array, through a texture.
__global__ void read_all(cudaTextureObject_t t, int* out, int w) {
  out[threadIdx.y * w + threadIdx.x] = tex2D<int>(t, threadIdx.x, threadIdx.y);
}

static void rows() {
  int const w = 7, h = 5;
  int from[h][w], to[h][w];
  for (int i = 0; i < w * h; ++i) from[i / w][i % w] = 10 * (i / w) + i % w;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray *a, *b;
  EXPECT(cudaMallocArray(&a, &format, w, h) == cudaSuccess && cudaMallocArray(&b, &format, w, h) == cudaSuccess);
  EXPECT(cudaMemcpy2DToArray(a, 0, 0, from, sizeof from[0], sizeof from[0], h, cudaMemcpyHostToDevice) == cudaSuccess);
  EXPECT(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, sizeof from[0], h) == cudaSuccess);
  // 2 by 3 elements from (1, 2) to (4, 0).
  EXPECT(cudaMemcpy2DArrayToArray(b, 4 * sizeof(int), 0, a, sizeof(int), 2, 2 * sizeof(int), 3) == cudaSuccess);
  EXPECT(cudaMemcpy2DFromArray(to, sizeof to[0], b, 0, 0, sizeof to[0], h, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      bool moved = x >= 4 && x < 6 && y < 3;
      EXPECT(to[y][x] == (moved ? 10 * (y + 2) + x - 3 : 10 * y + x));
    }
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = b;
  cudaTextureDesc const how = {};
  cudaTextureObject_t texture;
  EXPECT(cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaSuccess);
  int *out, read[h][w];
  cudaMalloc(&out, sizeof read);
  read_all<<<1, dim3(w, h)>>>(texture, out, w);
  cudaMemcpy(read, out, sizeof read, cudaMemcpyDeviceToHost);
  EXPECT(memcmp(read, to, sizeof read) == 0);
  cudaDestroyTextureObject(texture);
  cudaFree(out);
  // A part of the array, by a stream, through pinned memory.
  int* pinned;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocHost(&pinned, 6 * sizeof(int));
  EXPECT(cudaMemcpy2DFromArrayAsync(pinned, 3 * sizeof(int), a, 2 * sizeof(int), 1, 3 * sizeof(int), 2,
                                    cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  cudaStreamSynchronize(stream);
  for (int i = 0; i < 6; ++i) EXPECT(pinned[i] == 10 * (1 + i / 3) + 2 + i % 3);
  for (int i = 0; i < 6; ++i) pinned[i] = -i;
  EXPECT(cudaMemcpy2DToArrayAsync(a, 0, 3, pinned, 3 * sizeof(int), 3 * sizeof(int), 2, cudaMemcpyHostToDevice,
                                  stream) == cudaSuccess);
  cudaStreamSynchronize(stream);
  EXPECT(cudaMemcpy2DFromArray(to, sizeof to[0], a, 0, 0, sizeof to[0], h, cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(to[3][2] == -2 && to[4][0] == -3 && to[4][3] == 43 && to[2][1] == 21);
  cudaFreeHost(pinned);
  cudaStreamDestroy(stream);
  cudaFreeArray(a);
  cudaFreeArray(b);
}

// Where an array takes part, the extent and the array's position are in elements.
static void boxes() {
  int const w = 4, h = 3, d = 5;
  float2 from[d][h][w], to[d][h][w];
  for (int z = 0; z < d; ++z)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        from[z][y][x] = make_float2(100 * z + 10 * y + x, -1), to[z][y][x] = make_float2(-7, -7);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
  cudaArray_t array, other;
  cudaExtent extent = make_cudaExtent(w, h, d);
  EXPECT(cudaMalloc3DArray(&array, &format, extent) == cudaSuccess);
  EXPECT(cudaMalloc3DArray(&other, &format, extent) == cudaSuccess);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(from, w * sizeof(float2), w, h);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  EXPECT(cudaMemcpy3D(&copy) == cudaSuccess);
  cudaMemcpy3DParms between = {};
  between.srcArray = array;
  between.dstArray = other;
  between.extent = extent;
  between.kind = cudaMemcpyDeviceToDevice;
  EXPECT(cudaMemcpy3D(&between) == cudaSuccess);
  cudaMemcpy3DParms back = {};
  back.srcArray = other;
  back.srcPos = make_cudaPos(1, 0, 3);
  back.dstPtr = make_cudaPitchedPtr(to, w * sizeof(float2), w, h);
  back.extent = make_cudaExtent(2, 3, 2);
  back.kind = cudaMemcpyDeviceToHost;
  EXPECT(cudaMemcpy3D(&back) == cudaSuccess);
  for (int z = 0; z < d; ++z)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) EXPECT(to[z][y][x].x == (x < 2 && z < 2 ? 100 * (z + 3) + 10 * y + x + 1 : -7));
  cudaFreeArray(array);
  cudaFreeArray(other);
}

int main() {
  descriptions();
  rows();
  boxes();
  printf("%d failures\n", failures);
  return failures != 0;
}
