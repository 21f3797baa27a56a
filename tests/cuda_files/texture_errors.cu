// SPDX-License-Identifier: Apache-2.0
// Wrong arrays, textures and surfaces. The argument chooses one; each is a hazard with its line, too.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void fetch(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex2D<float>(t, threadIdx.x, 0);  // line of destroyed, line of integers, line of array_unwritten
}
__global__ void fetch_one(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex1D<float>(t, threadIdx.x);  // line of dimensions
}
__global__ void store(cudaSurfaceObject_t s) {
  surf2Dwrite(1.f, s, threadIdx.x * 4, 0);  // line of trap
}
__global__ void store_bytes(cudaSurfaceObject_t s) {
  surf2Dwrite(1.f, s, threadIdx.x, 0);  // line of bytes
}

static int expect(cudaError_t got, cudaError_t wanted) {
  if (got == wanted) return 0;
  printf("%s, expected %s\n", cudaGetErrorName(got), cudaGetErrorName(wanted));
  return 1;
}
template <class T>
static cudaResourceDesc resource_of(unsigned flags, bool writes) {
  cudaChannelFormatDesc const format = cudaCreateChannelDesc<T>();
  cudaArray_t array = nullptr;
  cudaMallocArray(&array, &format, 32, 2, flags);
  T const zeros[2][32] = {};
  if (writes) cudaMemcpy2DToArray(array, 0, 0, zeros, 32 * sizeof(T), 32 * sizeof(T), 2, cudaMemcpyHostToDevice);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  return r;
}

static int wrong_calls(char const* what) {
  cudaTextureDesc const how = {};
  cudaTextureObject_t t = 0;
  cudaResourceDesc r = resource_of<float>(0, true);
  cudaArray_t const array = r.res.array.array;
  float host[64] = {}, *p;
  cudaMalloc(&p, 1024);
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.desc = cudaCreateChannelDesc<float>();
  linear.res.linear.sizeInBytes = 256;
  int bad = 0;
  if (!strcmp(what, "format")) {
    cudaChannelFormatDesc const wrong = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
    cudaArray_t other = nullptr;
    bad = cudaMallocArray(&other, &wrong, 4, 4) == cudaSuccess;  // line of format
  } else if (!strcmp(what, "extent")) {
    cudaChannelFormatDesc const format = cudaCreateChannelDesc<float>();
    cudaArray_t other = nullptr;
    bad = expect(cudaMalloc3DArray(&other, &format, make_cudaExtent(4, 3, 6), cudaArrayCubemap),  // line of extent
                 cudaErrorInvalidValue);
  } else if (!strcmp(what, "rows")) {
    bad = expect(cudaMemcpy2DToArray(array, 4, 0, host, 128, 128, 1, cudaMemcpyHostToDevice),  // line of rows
                 cudaErrorInvalidValue);
  } else if (!strcmp(what, "array_twice")) {
    cudaFreeArray(array);
    return cudaFreeArray(array) == cudaSuccess;  // line of array_twice
  } else if (!strcmp(what, "alignment")) {
    linear.res.linear.devPtr = p + 1;
    bad = expect(cudaCreateTextureObject(&t, &linear, &how, nullptr), cudaErrorInvalidValue);  // line of alignment
  } else if (!strcmp(what, "pitch")) {
    cudaResourceDesc pitched = {};
    pitched.resType = cudaResourceTypePitch2D;
    pitched.res.pitch2D.devPtr = p;
    pitched.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    pitched.res.pitch2D.width = pitched.res.pitch2D.height = 9;
    pitched.res.pitch2D.pitchInBytes = 36;
    bad = expect(cudaCreateTextureObject(&t, &pitched, &how, nullptr), cudaErrorInvalidValue);  // line of pitch
  } else if (!strcmp(what, "flag")) {
    cudaSurfaceObject_t s = 0;
    bad = expect(cudaCreateSurfaceObject(&s, &r), cudaErrorInvalidValue);  // line of flag
  } else if (!strcmp(what, "texture_twice")) {
    cudaCreateTextureObject(&t, &r, &how, nullptr);
    cudaDestroyTextureObject(t);
    bad = cudaDestroyTextureObject(t) == cudaSuccess;  // line of texture_twice
  }
  cudaFreeArray(array);
  cudaFree(p);
  return bad;
}

static int wrong_kernels(char const* what) {
  cudaTextureDesc const how = {};
  cudaTextureObject_t t = 0;
  cudaSurfaceObject_t s = 0;
  float* p;
  cudaMalloc(&p, 1024);
  if (!strcmp(what, "integers")) {
    cudaResourceDesc const r = resource_of<unsigned char>(0, true);
    cudaCreateTextureObject(&t, &r, &how, nullptr);
    fetch<<<1, 1>>>(t, p);
    return 0;
  }
  cudaResourceDesc const r = resource_of<float>(cudaArraySurfaceLoadStore, strcmp(what, "array_unwritten") != 0);
  cudaCreateTextureObject(&t, &r, &how, nullptr);
  cudaCreateSurfaceObject(&s, &r);
  if (!strcmp(what, "destroyed")) {
    cudaDestroyTextureObject(t);
    fetch<<<1, 1>>>(t, p);
  } else if (!strcmp(what, "dimensions")) {
    fetch_one<<<1, 1>>>(t, p);
  } else if (!strcmp(what, "trap")) {
    store<<<1, 33>>>(s);
  } else if (!strcmp(what, "bytes")) {
    store_bytes<<<1, 2>>>(s);
  } else {
    fetch<<<1, 32>>>(t, p);
  }
  return 0;
}

// What is right: 32 elements of a row are stored, and fetched later.
static int right() {
  cudaResourceDesc const r = resource_of<float>(cudaArraySurfaceLoadStore, true);
  cudaTextureDesc const how = {};
  cudaTextureObject_t t = 0;
  cudaSurfaceObject_t s = 0;
  float *p, host[32];
  cudaMalloc(&p, sizeof host);
  cudaCreateTextureObject(&t, &r, &how, nullptr);
  cudaCreateSurfaceObject(&s, &r);
  store<<<1, 32>>>(s);
  fetch<<<1, 32>>>(t, p);
  cudaError_t const error = cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
  cudaDestroySurfaceObject(s);
  cudaDestroyTextureObject(t);
  cudaFreeArray(r.res.array.array);
  cudaFree(p);
  return error != cudaSuccess || host[0] != 1 || host[31] != 1;
}

int main(int argc, char** argv) {
  char const* const in_kernels[] = {"integers", "destroyed", "dimensions", "trap", "bytes", "array_unwritten"};
  char const* const what = argc > 1 ? argv[1] : "";
  if (*what == 0) return right();
  for (char const* const one : in_kernels)
    if (!strcmp(what, one)) return wrong_kernels(what);
  int const bad = wrong_calls(what);
  return bad;
}
