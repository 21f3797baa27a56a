// SPDX-License-Identifier: Apache-2.0
// Texture fetches: address modes, filters and conversions as in the programming guide's section "Texture Fetching".
#include <cuda_runtime.h>
#include <texture_indirect_functions.h>
#include <texture_types.h>

#include <cmath>
#include <cstdio>
#include <cstring>

__device__ unsigned failures;
#define EXPECT(...)                                    \
  do {                                                 \
    if (!(__VA_ARGS__)) {                              \
      printf("line %d: %s\n", __LINE__, #__VA_ARGS__); \
      atomicAdd(&failures, 1u);                        \
    }                                                  \
  } while (0)
#define CHECK(...)                                                                                           \
  do {                                                                                                       \
    cudaError_t const error = (__VA_ARGS__);                                                                 \
    if (error != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)), wrong_calls = 1; \
  } while (0)
static int wrong_calls = 0;

static cudaTextureDesc point_texture() {
  cudaTextureDesc t;
  memset(&t, 0, sizeof t);
  for (auto& mode : t.addressMode) mode = cudaAddressModeClamp;
  t.filterMode = cudaFilterModePoint;
  t.readMode = cudaReadModeElementType;
  return t;
}
static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureDesc const& how) {
  cudaResourceDesc r;
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  cudaTextureObject_t t = 0;
  CHECK(cudaCreateTextureObject(&t, &r, &how, NULL));
  return t;
}
template <class T>
static cudaArray_t array_of(T const* values, int w, int h, unsigned flags = 0) {
  cudaChannelFormatDesc const format = cudaCreateChannelDesc<T>();
  cudaArray_t array = nullptr;
  CHECK(cudaMallocArray(&array, &format, w, h, flags));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, values, w * sizeof(T), w * sizeof(T), h == 0 ? 1 : h, cudaMemcpyHostToDevice));
  return array;
}
static void end(cudaTextureObject_t t, cudaArray_t array = nullptr) {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(array));
}

__global__ void linear_memory(cudaTextureObject_t t, int n) {
  int const i = threadIdx.x;
  if (i < n) {
    EXPECT(tex1Dfetch<int>(t, i) == 3 * i);
    int v = 0;
    tex1Dfetch(&v, t, i);
    EXPECT(v == 3 * i);
  } else {
    EXPECT(tex1Dfetch<int>(t, i) == 0 && tex1Dfetch<int>(t, -1 - i) == 0);  // out of range
  }
}
static void of_linear_memory() {
  int const n = 40;
  int host[n], *p;
  for (int i = 0; i < n; ++i) host[i] = 3 * i;
  CHECK(cudaMalloc(&p, sizeof host));
  CHECK(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = p;
  r.res.linear.desc = cudaCreateChannelDesc<int>();
  r.res.linear.sizeInBytes = sizeof host;
  cudaTextureDesc const how = point_texture();
  cudaTextureObject_t t;
  CHECK(cudaCreateTextureObject(&t, &r, &how, nullptr));
  cudaResourceDesc got;
  CHECK(cudaGetTextureObjectResourceDesc(&got, t));
  if (got.resType != cudaResourceTypeLinear || got.res.linear.devPtr != p) wrong_calls = 2;
  linear_memory<<<1, 64>>>(t, n);
  end(t);
  CHECK(cudaFree(p));
}

// i = floor(x), and the address modes of coordinates outside.
__global__ void nearest(cudaTextureObject_t clamp, cudaTextureObject_t wrap, cudaTextureObject_t mirror,
                        cudaTextureObject_t border, cudaTextureObject_t plain) {
  EXPECT(tex1D<float>(plain, 0.f) == 1 && tex1D<float>(plain, 0.99f) == 1 && tex1D<float>(plain, 1.f) == 2);
  EXPECT(tex1D<float>(plain, 3.5f) == 8 && tex1D<float>(plain, 4.f) == 8 && tex1D<float>(plain, -7.f) == 1);
  EXPECT(tex1D<float>(clamp, 0.125f) == 1 && tex1D<float>(clamp, 0.875f) == 8);
  EXPECT(tex1D<float>(clamp, 1.25f) == 8 && tex1D<float>(clamp, -0.25f) == 1);
  EXPECT(tex1D<float>(wrap, 1.125f) == 1 && tex1D<float>(wrap, -0.125f) == 8 && tex1D<float>(wrap, 2.625f) == 4);
  EXPECT(tex1D<float>(mirror, 1.125f) == 8 && tex1D<float>(mirror, -0.125f) == 1 && tex1D<float>(mirror, 1.625f) == 2);
  EXPECT(tex1D<float>(border, 1.125f) == 0 && tex1D<float>(border, -0.125f) == 0 && tex1D<float>(border, 0.625f) == 4);
  EXPECT(tex1DLod<float>(plain, 2.5f, 0.f) == 4 && tex1DGrad<float>(plain, 2.5f, 0.f, 0.f) == 4);
}
static void of_points() {
  float const values[] = {1, 2, 4, 8};
  cudaArray_t const array = array_of(values, 4, 0);
  cudaTextureObject_t t[5];
  cudaTextureAddressMode const modes[] = {cudaAddressModeClamp, cudaAddressModeWrap, cudaAddressModeMirror,
                                          cudaAddressModeBorder, cudaAddressModeWrap};
  for (int i = 0; i < 5; ++i) {
    cudaTextureDesc how = point_texture();
    for (auto& mode : how.addressMode) mode = modes[i];
    how.normalizedCoords = i < 4;  // without normalized coordinates, wrap and mirror mean clamp
    t[i] = texture_of(array, how);
  }
  nearest<<<1, 1>>>(t[0], t[1], t[2], t[3], t[4]);
  for (int i = 0; i < 4; ++i) end(t[i]);
  end(t[4], array);
}

// (1 - a) T[i] + a T[i + 1] with x - 0.5 = i + a, where a has 8 bits of fraction.
__global__ void linear(cudaTextureObject_t one, cudaTextureObject_t two) {
  EXPECT(tex1D<float>(one, 0.5f) == 1 && tex1D<float>(one, 1.f) == 1.5f && tex1D<float>(one, 1.75f) == 2.5f);
  EXPECT(tex1D<float>(one, 0.f) == 1 && tex1D<float>(one, 3.5f) == 8 && tex1D<float>(one, 9.f) == 8);
  EXPECT(tex1D<float>(one, 2.5f + 3.f / 256) == 4 + 4 * 3.f / 256);
  // Between multiples of 1/256 the weight is one of the two neighbours.
  float const between = (tex1D<float>(one, 2.5f + 3.4f / 256) - 4) * 64;
  EXPECT(between == 3 || between == 4);
  // a = 1/4 and b = 1/2 of T = 0 16 / 32 64: 3/8 0 + 1/8 16 + 3/8 32 + 1/8 64.
  EXPECT(tex2D<float>(two, 0.75f, 1.f) == 22 && tex2D<float>(two, 0.5f, 0.5f) == 0 &&
         tex2D<float>(two, 1.5f, 1.5f) == 64);
  EXPECT(tex2DLod<float>(two, 0.75f, 1.f, 0.f) == 22);
  EXPECT(tex2DGrad<float>(two, 0.75f, 1.f, make_float2(0, 0), make_float2(0, 0)) == 22);
  float v = 0;
  tex2D(&v, two, 1.f, 0.5f);
  EXPECT(v == 8);
}
static void of_filters() {
  float const one[] = {1, 2, 4, 8}, two[] = {0, 16, 32, 64};
  cudaArray_t const a = array_of(one, 4, 0), b = array_of(two, 2, 2);
  cudaTextureDesc how = point_texture();
  how.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t const t = texture_of(a, how), u = texture_of(b, how);
  linear<<<1, 1>>>(t, u);
  end(t, a);
  end(u, b);
}

// Integers of 8 and 16 bits as floats: 255 is 1, and -127 and -128 are -1.
__global__ void normalized(cudaTextureObject_t bytes, cudaTextureObject_t plain, cudaTextureObject_t shorts) {
  float4 const v = tex2D<float4>(bytes, 1, 0);
  EXPECT(v.x == 1 && v.y == 0 && fabsf(v.z - 51 / 255.f) < 1e-6f && fabsf(v.w - 102 / 255.f) < 1e-6f);
  uchar4 const u = tex2D<uchar4>(plain, 1, 0);
  EXPECT(u.x == 255 && u.y == 0 && u.z == 51 && u.w == 102);
  EXPECT(tex2D<float>(shorts, 0, 0) == 1 && tex2D<float>(shorts, 1, 0) == -1 && tex2D<float>(shorts, 0, 1) == -1);
  EXPECT(tex2D<float>(shorts, 1, 1) == 0);
}
static void of_conversions() {
  uchar4 const bytes[] = {{1, 2, 3, 4}, {255, 0, 51, 102}};
  short const shorts[] = {32767, -32767, -32768, 0};
  cudaArray_t const a = array_of(bytes, 2, 1), b = array_of(shorts, 2, 2);
  cudaTextureDesc how = point_texture();
  cudaTextureObject_t const plain = texture_of(a, how);
  how.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t const t = texture_of(a, how), u = texture_of(b, how);
  cudaTextureDesc got;
  CHECK(cudaGetTextureObjectTextureDesc(&got, t));
  if (got.readMode != cudaReadModeNormalizedFloat) wrong_calls = 3;
  normalized<<<1, 1>>>(t, plain, u);
  end(plain);
  end(t, a);
  end(u, b);
}

// The bits of floats as integers, and the layers 1 and 2 of three.
__global__ void viewed(cudaTextureObject_t bits, cudaTextureObject_t layers) {
  EXPECT(tex2DLayered<unsigned>(bits, 2, 1, 1) == __float_as_uint(112));
  EXPECT(tex2DLayered<float>(layers, 2, 1, 0) == 112 && tex2DLayered<float>(layers, 2, 1, 1) == 212);
}
static cudaArray_t box_of(float const* values, cudaExtent extent, unsigned flags);
static void of_views() {
  float values[3 * 4 * 4];
  for (int i = 0; i < 3 * 16; ++i) values[i] = 100 * (i / 16) + 10 * (i / 4 % 4) + i % 4;
  cudaArray_t const array = box_of(values, make_cudaExtent(4, 4, 3), cudaArrayLayered);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  cudaTextureDesc const how = point_texture();
  cudaResourceViewDesc view = {};
  view.format = cudaResViewFormatUnsignedInt1;
  view.width = view.height = 4;
  view.depth = 3;
  view.lastLayer = 2;
  cudaTextureObject_t bits, layers;
  CHECK(cudaCreateTextureObject(&bits, &r, &how, &view));
  view.format = cudaResViewFormatFloat1;
  view.firstLayer = 1;
  CHECK(cudaCreateTextureObject(&layers, &r, &how, &view));
  cudaResourceViewDesc got;
  CHECK(cudaGetTextureObjectResourceViewDesc(&got, layers));
  if (got.firstLayer != 1 || got.format != cudaResViewFormatFloat1) wrong_calls = 6;
  viewed<<<1, 1>>>(bits, layers);
  end(bits);
  end(layers, array);
}

// Pitched memory, and the four texels of a filter: (0, 1), (1, 1), (1, 0), (0, 0).
__global__ void pitched(cudaTextureObject_t t, cudaTextureObject_t gathered, int w, int h) {
  int const x = threadIdx.x, y = threadIdx.y;
  if (x < w && y < h) EXPECT(tex2D<float>(t, x + 0.5f, y + 0.5f) == 10 * y + x);
  if (x + 1 < w && y + 1 < h) {
    float4 const v = tex2Dgather<float4>(gathered, x + 1.f, y + 1.f, 0);
    EXPECT(v.x == 10 * (y + 1) + x && v.y == v.x + 1 && v.z == 10 * y + x + 1 && v.w == 10 * y + x);
  }
}
static void of_pitched_memory() {
  int const w = 13, h = 9;
  float host[h][w];
  for (int i = 0; i < w * h; ++i) host[i / w][i % w] = 10 * (i / w) + i % w;
  float* p;
  size_t pitch;
  CHECK(cudaMallocPitch(&p, &pitch, w * sizeof(float), h));
  CHECK(cudaMemcpy2D(p, pitch, host, sizeof host[0], sizeof host[0], h, cudaMemcpyHostToDevice));
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D.devPtr = p;
  r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  r.res.pitch2D.width = w;
  r.res.pitch2D.height = h;
  r.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc const how = point_texture();
  cudaTextureObject_t t;
  CHECK(cudaCreateTextureObject(&t, &r, &how, nullptr));
  cudaArray_t const array = array_of(&host[0][0], w, h, cudaArrayTextureGather);
  cudaTextureObject_t const gathered = texture_of(array, how);
  pitched<<<1, dim3(16, 16)>>>(t, gathered, w, h);
  end(t);
  end(gathered, array);
  CHECK(cudaFree(p));
}

__global__ void solid(cudaTextureObject_t t, cudaTextureObject_t layers) {
  int const x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  EXPECT(tex3D<float>(t, x + 0.5f, y + 0.5f, z + 0.5f) == 100 * z + 10 * y + x);
  if (x < 3 && z < 2) EXPECT(tex3D<float>(t, x + 1.f, y + 0.5f, z + 1.f) == 100 * z + 10 * y + x + 50.5f);
  EXPECT(tex2DLayered<float>(layers, x + 0.5f, y + 0.5f, z) == 100 * z + 10 * y + x);
  EXPECT(tex2DLayered<float>(layers, x + 0.5f, y + 0.5f, z + 3) == 200 + 10 * y + x);  // the last layer
}
__global__ void cube(cudaTextureObject_t t) {
  // Faces +x, -x, +y, -y, +z, -z; their middle is the direction of an axis.
  EXPECT(texCubemap<float>(t, 1, 0.1f, 0.1f) >= 0 && texCubemap<float>(t, 1, 0.1f, 0.1f) < 100);
  for (int face = 0; face < 6; ++face) {
    float const v = face % 2 == 0 ? 1 : -1;
    float const got =
        texCubemap<float>(t, face / 2 == 0 ? v : 0.1f, face / 2 == 1 ? v : 0.1f, face / 2 == 2 ? v : 0.1f);
    EXPECT(int(got) / 100 == face);
  }
  // +x: s = -z, t = -y. The texel of s = -1/4, t = 3/4 is (1, 3) of 4 by 4.
  EXPECT(texCubemap<float>(t, 2.f, -1.5f, 0.5f) == 31);
  // -z: s = -x, t = -y. s = 3/4, t = 1/4: (3, 2).
  EXPECT(texCubemap<float>(t, -3.f, -1.f, -4.f) == 500 + 23);
  // +y: s = x, t = z. s = -3/4, t = -1/4: (0, 1).
  EXPECT(texCubemap<float>(t, -3.f, 4.f, -1.f) == 200 + 10);
}
static cudaArray_t box_of(float const* values, cudaExtent extent, unsigned flags) {
  cudaChannelFormatDesc const format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &format, extent, flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr((void*)values, extent.width * sizeof(float), extent.width, extent.height);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}
static void of_boxes() {
  float values[6 * 4 * 4];
  for (int i = 0; i < 6 * 16; ++i) values[i] = 100 * (i / 16) + 10 * (i / 4 % 4) + i % 4;
  cudaTextureDesc how = point_texture();
  cudaArray_t const layered = box_of(values, make_cudaExtent(4, 4, 3), cudaArrayLayered);
  cudaArray_t const faces = box_of(values, make_cudaExtent(4, 4, 6), cudaArrayCubemap);
  cudaTextureObject_t const layers = texture_of(layered, how);
  how.normalizedCoords = 1;
  cudaTextureObject_t const t = texture_of(faces, how);
  cube<<<1, 1>>>(t);
  end(t, faces);
  how.normalizedCoords = 0;
  how.filterMode = cudaFilterModeLinear;
  cudaArray_t const box = box_of(values, make_cudaExtent(4, 4, 3), 0);
  cudaTextureObject_t const u = texture_of(box, how);
  solid<<<1, dim3(4, 4, 3)>>>(u, layers);
  end(u, box);
  end(layers, layered);
}

// A fetch is a read: it sees what an earlier kernel has written, and a kernel does not read what it writes itself.
__global__ void squares(float* p) { p[threadIdx.x] = threadIdx.x * threadIdx.x; }
__global__ void sums(cudaTextureObject_t t, float* p, float* out) {
#ifdef PLANTED
  p[threadIdx.x] = 1;
  __syncthreads();
#endif
  out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x) + tex1Dfetch<float>(t, threadIdx.x + 1);  // planted: race
}
static void of_earlier_kernels() {
  float *p, *out, host[32];
  CHECK(cudaMalloc(&p, 32 * sizeof(float)));
  CHECK(cudaMalloc(&out, 32 * sizeof(float)));
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = p;
  r.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  r.res.linear.sizeInBytes = 32 * sizeof(float);
  cudaTextureDesc const how = point_texture();
  cudaTextureObject_t t;
  CHECK(cudaCreateTextureObject(&t, &r, &how, nullptr));
  squares<<<1, 32>>>(p);
  sums<<<1, 32>>>(t, p, out);
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 31; ++i)
    if (host[i] != i * i + (i + 1) * (i + 1)) wrong_calls = 4;
  if (host[31] != 31 * 31) wrong_calls = 5;
  end(t);
  CHECK(cudaFree(p));
  CHECK(cudaFree(out));
}

int main() {
  of_linear_memory();
  of_points();
  of_filters();
  of_conversions();
  of_views();
  of_pitched_memory();
  of_boxes();
  of_earlier_kernels();
  unsigned n = 0;
  CHECK(cudaMemcpyFromSymbol(&n, failures, sizeof n));
  printf("%u failures, %d\n", n, wrong_calls);
#ifdef PLANTED
  return 0;
#endif
  return n != 0 || wrong_calls != 0;
}
