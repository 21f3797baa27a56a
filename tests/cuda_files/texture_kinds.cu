// SPDX-License-Identifier: Apache-2.0
// Textures of colours (sRGB), and layers of cubemaps.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

#include "expectations.cuh"

__global__ void read_colors(cudaTextureObject_t t, float4* out) {
  out[threadIdx.x] = tex2D<float4>(t, threadIdx.x + 0.5f, 0.5f);
}
__global__ void read_faces(cudaTextureObject_t t, float* out) {
  int const face = threadIdx.x, layer = threadIdx.y;
  float const side = face % 2 == 0 ? 1.f : -1.f;
  float const x = face / 2 == 0 ? side : 0, y = face / 2 == 1 ? side : 0, z = face / 2 == 2 ? side : 0;
  out[layer * 6 + face] = texCubemapLayered<float>(t, x, y, z, layer);
}

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureDesc const& how) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureObject_t t = 0;
  expect("a texture", cudaCreateTextureObject(&t, &resource, &how, nullptr) == cudaSuccess);
  return t;
}

// IEC 61966-2-1: a byte c is v = c / 255; the light is v / 12.92 up to 0.04045, and ((v + 0.055) / 1.055)^2.4 above.
static double light_of(int c) {
  double const v = c / 255.;
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}
static void colors(int is_srgb) {
  uchar4 host[256];
  for (int i = 0; i < 256; ++i) host[i] = uchar4{(unsigned char)i, (unsigned char)(255 - i), 10, (unsigned char)i};
  cudaChannelFormatDesc const format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t array;
  expect("an array", cudaMallocArray(&array, &format, 256, 1) == cudaSuccess);
  cudaMemcpy2DToArray(array, 0, 0, host, sizeof host, sizeof host, 1, cudaMemcpyHostToDevice);
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.readMode = cudaReadModeNormalizedFloat;
  how.sRGB = is_srgb;
  cudaTextureObject_t const t = texture_of(array, how);
  float4 *out, got[256];
  cudaMalloc(&out, sizeof got);
  read_colors<<<1, 256>>>(t, out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  bool right = true;
  for (int i = 0; i < 256; ++i) {
    double const x = is_srgb ? light_of(i) : i / 255., y = is_srgb ? light_of(255 - i) : (255 - i) / 255.;
    right = right && std::fabs(got[i].x - x) < 1e-6 && std::fabs(got[i].y - y) < 1e-6;
    right = right && std::fabs(got[i].w - i / 255.) < 1e-6;  // the fourth channel is no colour
  }
  expect(is_srgb ? "sRGB" : "plain bytes", right);
  cudaDestroyTextureObject(t);
  cudaFreeArray(array);
  cudaFree(out);
}

static void layers_of_cubes() {
  constexpr int layers = 3;
  float host[layers * 6][2][2], *out, got[layers * 6];
  for (int slice = 0; slice < layers * 6; ++slice)
    for (int i = 0; i < 4; ++i) host[slice][i / 2][i % 2] = slice + 1;
  cudaChannelFormatDesc const format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  unsigned const flags = cudaArrayCubemap | cudaArrayLayered;
  expect("layers of cubes",
         cudaMalloc3DArray(&array, &format, make_cudaExtent(2, 2, layers * 6), flags) == cudaSuccess);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host, sizeof host[0][0], 2, 2);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(2, 2, layers * 6);
  copy.kind = cudaMemcpyHostToDevice;
  expect("a copy to all faces", cudaMemcpy3D(&copy) == cudaSuccess);
  cudaTextureDesc how = {};
  how.normalizedCoords = 1;
  cudaTextureObject_t const t = texture_of(array, how);
  cudaMalloc(&out, sizeof got);
  read_faces<<<1, dim3(6, layers)>>>(t, out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  bool right = true;
  for (int slice = 0; slice < layers * 6; ++slice) right = right && got[slice] == slice + 1;
  expect("the faces of each layer", right);
  cudaDestroyTextureObject(t);
  cudaFreeArray(array);
  cudaFree(out);
}

int main() {
  colors(0);
  colors(1);
  layers_of_cubes();
  std::printf("%d wrong\n", wrong);
  return wrong;
}
