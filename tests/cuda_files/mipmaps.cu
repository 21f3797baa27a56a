// SPDX-License-Identifier: Apache-2.0
// Mipmapped arrays: their levels, textures that choose a level by number or by gradients, views, and wrong calls.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

static int wrong = 0;
#define CHECK(...)                                                         \
  do {                                                                     \
    cudaError_t const error = (__VA_ARGS__);                               \
    if (error == cudaSuccess) break;                                       \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)), ++wrong; \
  } while (0)
#define EXPECT(...) \
  if (!(__VA_ARGS__)) printf("line %d: %s\n", __LINE__, #__VA_ARGS__), ++wrong

constexpr int fetches = 12;
__global__ void fetch(cudaTextureObject_t t, float* out) {
  float const x = 0.3f, y = 0.6f;
  out[0] = tex2D<float>(t, x, y);
  out[1] = tex2DLod<float>(t, x, y, 0.4f);
  out[2] = tex2DLod<float>(t, x, y, 0.6f);
  out[3] = tex2DLod<float>(t, x, y, 1.25f);
  out[4] = tex2DLod<float>(t, x, y, 17.f);
  out[5] = tex2DLod<float>(t, x, y, -3.f);
  out[6] = tex2DGrad<float>(t, x, y, make_float2(2 / 8.f, 0), make_float2(0, 0));
  out[7] = tex2DGrad<float>(t, x, y, make_float2(1 / 8.f, 0), make_float2(0, 4 / 8.f));
  out[8] = tex2DGrad<float>(t, x, y, make_float2(0, 0), make_float2(0, 0));
  out[9] = tex2DGrad<float>(t, x, y, make_float2(3 / 8.f, 4 / 8.f), make_float2(0, 0));
  tex2DLod(out + 10, t, x, y, 2.f);
  bool resident = false;
  out[11] = tex2DLod<float>(t, x, y, 1.f, &resident);
}
__global__ void columns(cudaTextureObject_t t, int level, float* out) {
  out[threadIdx.x] = tex1DLod<float>(t, (threadIdx.x + 0.5f) / blockDim.x, float(level));
}
__global__ void number_level(cudaSurfaceObject_t s, float value) {
  surf2Dwrite(value, s, threadIdx.x * sizeof(float), threadIdx.y);
}

static cudaTextureDesc description() {
  cudaTextureDesc t;
  memset(&t, 0, sizeof t);
  for (auto& mode : t.addressMode) mode = cudaAddressModeClamp;
  t.normalizedCoords = 1;
  t.maxMipmapLevelClamp = 100;
  return t;
}
static cudaResourceDesc resource_of(cudaMipmappedArray_t array) {
  cudaResourceDesc r;
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypeMipmappedArray;
  r.res.mipmap.mipmap = array;
  return r;
}
static std::vector<float> fetched(cudaMipmappedArray_t array, cudaTextureDesc const& how,
                                  cudaResourceViewDesc const* view = nullptr) {
  cudaResourceDesc const r = resource_of(array);
  cudaTextureObject_t t = 0;
  CHECK(cudaCreateTextureObject(&t, &r, &how, view));
  float* out;
  CHECK(cudaMalloc(&out, fetches * sizeof(float)));
  fetch<<<1, 1>>>(t, out);
  std::vector<float> values(fetches);
  CHECK(cudaMemcpy(values.data(), out, fetches * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(out));
  CHECK(cudaDestroyTextureObject(t));
  return values;
}

// Level l of 8 by 8 elements has the value 10 l everywhere.
static cudaMipmappedArray_t numbered_levels() {
  cudaChannelFormatDesc const format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t array = nullptr;
  CHECK(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(8, 8, 0), 99, cudaArraySurfaceLoadStore));
  for (unsigned level = 0; level < 4; ++level) {
    cudaArray_t of_level = nullptr;
    CHECK(cudaGetMipmappedArrayLevel(&of_level, array, level));
    cudaExtent extent;
    CHECK(cudaArrayGetInfo(nullptr, &extent, nullptr, of_level));
    EXPECT(extent.width == 8u >> level && extent.height == 8u >> level && extent.depth == 0);
    cudaResourceDesc r;
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = of_level;
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &r));
    number_level<<<1, dim3(8 >> level, 8 >> level)>>>(surface, 10.f * level);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaDestroySurfaceObject(surface));
  }
  return array;
}

static void levels_of_detail() {
  cudaMipmappedArray_t const array = numbered_levels();
  cudaTextureDesc how = description();
  EXPECT(fetched(array, how) == std::vector<float>{0, 0, 10, 10, 30, 0, 10, 20, 0, 20, 20, 10});
  how.mipmapFilterMode = cudaFilterModeLinear;
  how.filterMode = cudaFilterModeLinear;
  std::vector<float> const linear = fetched(array, how);
  EXPECT(linear[0] == 0 && linear[2] == 10 * 154 / 256.f && linear[3] == 12.5f && linear[4] == 30);
  EXPECT(linear[6] == 10 && linear[7] == 20 && linear[9] > 23.2f && linear[9] < 23.3f);  // 5 elements: log2(5)
  how.mipmapFilterMode = cudaFilterModePoint;
  how.mipmapLevelBias = 1;
  how.maxMipmapLevelClamp = 2;
  EXPECT(fetched(array, how) == std::vector<float>{10, 10, 20, 20, 20, 0, 20, 20, 0, 20, 20, 20});
  how = description();
  how.minMipmapLevelClamp = 1;
  EXPECT(fetched(array, how)[1] == 10);
  cudaResourceViewDesc view;
  memset(&view, 0, sizeof view);
  view.width = view.height = 8;
  view.firstMipmapLevel = 1;
  view.lastMipmapLevel = 2;
  std::vector<float> const of_view = fetched(array, description(), &view);
  EXPECT(of_view[0] == 10 && of_view[2] == 20 && of_view[4] == 20);
  CHECK(cudaFreeMipmappedArray(array));
}

// 5, 2 and 1 elements.
static void odd_extents() {
  cudaChannelFormatDesc const format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t array = nullptr;
  CHECK(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(5, 0, 0), 3));
  float const values[] = {1, 2, 3, 4, 5};
  for (unsigned level = 0, n = 5; level < 3; ++level, n /= 2) {
    cudaArray_t of_level;
    CHECK(cudaGetMipmappedArrayLevel(&of_level, array, level));
    CHECK(cudaMemcpy2DToArray(of_level, 0, 0, values + level, n * sizeof(float), n * sizeof(float), 1,
                              cudaMemcpyHostToDevice));
  }
  cudaResourceDesc const r = resource_of(array);
  cudaTextureDesc const how = description();
  cudaTextureObject_t t = 0;
  CHECK(cudaCreateTextureObject(&t, &r, &how, nullptr));
  float *out, got[5];
  CHECK(cudaMalloc(&out, sizeof got));
  for (int level = 0; level < 3; ++level) {
    int const n = 5 >> level;
    columns<<<1, n>>>(t, level, out);
    CHECK(cudaMemcpy(got, out, sizeof(float) * n, cudaMemcpyDeviceToHost));
    for (int k = 0; k < n; ++k) EXPECT(got[k] == 1 + level + k);
  }
  CHECK(cudaFree(out));
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeMipmappedArray(array));
}

int main() {
  levels_of_detail();
  odd_extents();
  printf("%d wrong\n", wrong);
  return wrong;
}
