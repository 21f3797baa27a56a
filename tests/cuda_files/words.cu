// SPDX-License-Identifier: Apache-2.0
// Small words of kernels, each compared with its definition.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <math_constants.h>
#include <cstdio>

static_assert(CHAR_MIN < 0 && INT_MAX > 0);  // CUDA's headers include limits.h

__device__ unsigned failures;
#define EXPECT(...)                                    \
  do {                                                 \
    if (!(__VA_ARGS__)) {                              \
      printf("line %d: %s\n", __LINE__, #__VA_ARGS__); \
      atomicAdd(&failures, 1u);                        \
    }                                                  \
  } while (0)

__global__ void integers() {
  EXPECT(__umul24(0xff000003u, 5u) == 15u);
  EXPECT(__mul24(-3, 7) == -21);
  EXPECT(__hiloint2double(0x3ff00000, 0) == 1.0);
  EXPECT(__double2hiint(-2.0) == (int)0xc0000000 && __double2loint(1.0 + 0x1p-52) == 1);
  EXPECT(__fns(0b101100u, 0, 1) == 2u && __fns(0b101100u, 0, 3) == 5u && __fns(0b101100u, 0, 4) == ~0u);
  EXPECT(__fns(0b101100u, 5, -2) == 3u && __fns(0b101100u, 3, 0) == 3u);
  int const negative = -1;
  unsigned const one = 1;
  EXPECT(min(negative, one) == 1u && max(negative, one) == 0xffffffffu);
  EXPECT(min(2.5f, 1.0) == 1.0 && umin(3u, 2u) == 2u && llmax(-5ll, 2ll) == 2);
  __builtin_assume(one == 1);
  EXPECT(__popc(0xf0u) == 4 && __clz(1) == 31 && __ffs(8) == 4 && __brev(1u) == 0x80000000u);
}

__global__ void reals() {
  for (float y : {0.01f, 0.3f, 1.0f, 1.7f}) EXPECT(fabsf(erfcf(erfcinvf(y)) - y) < 1e-5f * (1 + y));
  for (double y : {-0.9, -0.2, 0.5, 0.999}) EXPECT(fabs(erf(erfinv(y)) - y) < 1e-12);
  EXPECT(fabs(normcdf(normcdfinv(0.2)) - 0.2) < 1e-12 && erfcinv(0.0) == CUDART_INF);
  EXPECT(isnan(erfcinvf(3.f)) && fabsf(CUDART_PI_F - 3.14159265f) < 1e-6f && isinf(CUDART_INF_F));
  EXPECT(__fdividef(6.f, 3.f) == 2.f && rsqrtf(4.f) == 0.5f && __saturatef(3.f) == 1.f);
}

__global__ void spaces(float* global) {
  __shared__ float shared[4];
  float local = 1;
  shared[threadIdx.x % 4] = local;
  EXPECT(__isShared(shared) && !__isShared(global) && __isGlobal(global) && !__isGlobal(shared));
  EXPECT(__isLocal(&local) && !__isLocal(global));
  size_t const inside = __cvta_generic_to_shared(&shared[3]) - __cvta_generic_to_shared(shared);
  EXPECT(inside == 3 * sizeof(float));
}

__global__ void vectors(float2* two, float4* four, __half2* halves) {
  atomicAdd(two, make_float2(1, 2));
  atomicAdd(four, make_float4(1, 2, 3, 4));
  atomicAdd(halves, __floats2half2_rn(1, 2));
}

__global__ void numbers() {
  __half const a = __float2half(1.5f), nan = __ushort_as_half(0x7fff);
  EXPECT(__half2float(a + a) == 3.f && __hlt(a, a + a) && !__heq(nan, nan) && __hneu(nan, nan) && !__hne(nan, nan));
  EXPECT(__heq(__hmax(a, nan), a) && __hisnan(nan) && __hisinf(__float2half(-CUDART_INF_F)) == -1);
  EXPECT(__half_as_ushort(__float2half_rz(1.f + 0x1.8p-11f)) == 0x3c00);
  EXPECT(__half_as_ushort(__float2half_ru(1.f + 0x1p-20f)) == 0x3c01 &&
         __half_as_ushort(__float2half_rd(-1.f - 0x1p-20f)) == 0xbc01);
  EXPECT(__half2int_rn(__float2half(2.5f)) == 2 && __half2int_ru(a) == 2 && __half2float(__int2half_rn(-7)) == -7.f);
  __half2 const p = __floats2half2_rn(1, 2), q = __lowhigh2highlow(p);
  EXPECT(__low2float(q) == 2.f && __hbeq2(p + q, __float2half2_rn(3.f)) && __high2float(-p) == -2.f);
  EXPECT(__half2float(hexp(__float2half(0.f))) == 1.f && __half2float(__hfma(a, a, a)) == 3.75f);
}

// CUDA's default, C++17, has no std::lerp; nvcc with C++20 has one, of the host.
#if __cplusplus < 202002L || defined(COSMATI_CUDA_FILE)
__host__ __device__ inline float lerp(float a, float b, float t) { return a + t * (b - a); }
__global__ void own_lerp() { EXPECT(lerp(1.f, 3.f, 0.25f) == 1.5f); }
#else
__global__ void own_lerp() {}
#endif

int main() {
  own_lerp<<<1, 1>>>();
  integers<<<1, 1>>>();
  reals<<<1, 1>>>();
  float* p;
  cudaMalloc(&p, 64);
  cudaMemset(p, 0, 64);
  spaces<<<1, 4>>>(p);
  vectors<<<2, 32>>>((float2*)p, (float4*)(p + 4), (__half2*)(p + 8));
  numbers<<<1, 1>>>();
  float host[16];
  cudaMemcpy(host, p, 64, cudaMemcpyDeviceToHost);
  cudaFree(p);
  if (host[1] != 128 || host[7] != 256) return printf("vectors: %f %f\n", host[1], host[7]), 2;
  unsigned failed = 1;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  return failed != 0;
}
