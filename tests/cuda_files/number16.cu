// SPDX-License-Identifier: Apache-2.0
// cuda_fp16.h and cuda_bf16.h: arithmetic, comparisons and conversions of many numbers, against doubles. A result is
// the nearest number if no neighbour is nearer, and a tie has an even code.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cfloat>
#include <cmath>
#include <cstdio>

__device__ unsigned failures;
#define EXPECT(...)                                                       \
  do {                                                                    \
    if (!(__VA_ARGS__)) {                                                 \
      if (failures < 20) printf("line %d: %s\n", __LINE__, #__VA_ARGS__); \
      atomicAdd(&failures, 1u);                                           \
    }                                                                     \
  } while (0)

__device__ unsigned code_of(__half v) { return __half_as_ushort(v); }
__device__ unsigned code_of(__nv_bfloat16 v) { return __bfloat16_as_ushort(v); }
__device__ __half number_of(unsigned code, __half) { return __ushort_as_half((unsigned short)code); }
__device__ __nv_bfloat16 number_of(unsigned code, __nv_bfloat16) { return __ushort_as_bfloat16((unsigned short)code); }
__device__ double value_of(__half v) { return __half2float(v); }
__device__ double value_of(__nv_bfloat16 v) { return __bfloat162float(v); }

/// The next number of a code whose number is positive or zero; negative ones by symmetry.
template <class T>
__device__ double above(T v) {
  unsigned const code = code_of(v), infinity = code_of(T(INFINITY)), largest = infinity - 1;
  if (code == 0x8000u) return value_of(number_of(1, v));
  if ((code & 0x8000u) != 0) return value_of(number_of(code - 1, v));
  if (code == largest) return 2 * value_of(number_of(largest, v)) - value_of(number_of(largest - 1, v));
  return value_of(number_of(code + 1, v));
}
template <class T>
__device__ double below(T v) {
  return -above(number_of(code_of(v) ^ 0x8000u, v));
}
/// Whether `got` is `exact` rounded to nearest even. @param error exact minus the double `exact`; only its sign counts
template <class T>
__device__ bool is_nearest(T got, double exact, double error = 0) {
  if (isnan(exact)) return isnan(value_of(got));
  T const largest = number_of(code_of(T(INFINITY)) - 1, got);
  double const limit = value_of(largest) + (above(largest) - value_of(largest)) / 2;
  if (isinf(value_of(got))) return fabs(exact) > limit || (fabs(exact) == limit && error * exact >= 0);
  double const v = value_of(got), up = (v + above(got)) / 2, down = (v + below(got)) / 2;
  bool const even = code_of(got) % 2 == 0;
  bool const low_enough = exact < up || (exact == up && (error < 0 || (error == 0 && even)));
  bool const high_enough = exact > down || (exact == down && (error > 0 || (error == 0 && even)));
  return low_enough && high_enough;
}

__device__ unsigned random_bits(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return (state ^ state >> 15) & 0xffffu;
}

template <class T>
__global__ void arithmetic() {
  unsigned state = blockIdx.x * 977u + threadIdx.x * 131u + 7;
  for (int i = 0; i < 40; ++i) {
    T const a = number_of(random_bits(state), T()), c = number_of(random_bits(state), T());
    T const b =
        i % 4 == 0 ? number_of(code_of(a) ^ (random_bits(state) & 0x8003u), T()) : number_of(random_bits(state), T());
    double const x = value_of(a), y = value_of(b), z = value_of(c);
    double const sum = x + y, part = sum - x, error = (x - (sum - part)) + (y - part);
    EXPECT(is_nearest(__hadd(a, b), sum, error) && is_nearest(a * b, x * y) &&
           is_nearest(__hsub_rn(a, b), x - y, x - y == 0 ? 0 : (x - (x - y)) - y));
    EXPECT(y == 0 || isnan(x / y) || is_nearest(__hdiv(a, b), x / y, fma(-(x / y), y, x) * (y > 0 ? 1 : -1)));
    double const product = x * y, all = product + z, of_z = all - product;
    EXPECT(is_nearest(__hfma(a, b, c), all, isfinite(all) ? (product - (all - of_z)) + (z - of_z) : 0));
    double const clamped = value_of(__hadd_sat(a, b));
    EXPECT(isnan(sum) ? clamped == 0 : sum <= 0 ? clamped == 0 : sum >= 1 ? clamped == 1 : clamped == value_of(a + b));
    EXPECT(value_of(__hfma_relu(a, b, c)) >= 0 || isnan(all));
    EXPECT(__heq(a, b) == (x == y) && __hneu(a, b) == !(x == y) && __hne(a, b) == (x < y || x > y) &&
           __hlt(a, b) == (x < y));
    EXPECT(__hleu(a, b) == !(x > y) && __hge(a, b) == (x >= y) && __hgtu(a, b) == !(x <= y) && (a > b) == (x > y));
    EXPECT(isnan(x) || isnan(y) ? isnan(value_of(__hmax_nan(a, b))) : value_of(__hmax(a, b)) == fmax(x, y));
    EXPECT(isnan(x) ? __hisnan(a) : value_of(__habs(a)) == fabs(x) && value_of(-a) == -x);
  }
}

// bfloat16: a product in the middle between two numbers, and an addend that is far smaller and decides.
__global__ void one_rounding() {
  __nv_bfloat16 const a = __float2bfloat16(1 + 0x1p-4f), b = __float2bfloat16(1 + 0x1p-4f);  // 1 + 2^-3 + 2^-8
  EXPECT(value_of(__hfma(a, b, __float2bfloat16(0x1p-100f))) == 1 + 0x1p-3 + 0x1p-7);
  EXPECT(value_of(__hfma(a, b, __float2bfloat16(-0x1p-100f))) == 1 + 0x1p-3);
  EXPECT(value_of(__hfma(a, b, __float2bfloat16(0.f))) == 1 + 0x1p-3);
}

#define PAIRS(T, T2, halves, infinite)                                                                                 \
  {                                                                                                                    \
    T2 const p = halves(T(1.f), T(2.f)), q = halves(T(2.f), T(1.f)), n = halves(T(NAN), T(-3.f));                      \
    EXPECT(__hbeq2(p + q, halves(T(3.f), T(3.f))) && __hbeq2(__hmul2(p, q), halves(T(2.f), T(2.f))));                  \
    EXPECT(__hlt2_mask(p, q) == 0xffffu && __hgeu2_mask(n, p) == 0xffffu && __hne2_mask(p, q) == 0xffffffffu);         \
    EXPECT(__low2float(__hlt2(p, q)) == 1.f && __high2float(__hgtu2(p, q)) == 1.f && __hbltu2(n, p) &&                 \
           !__hblt2(n, p));                                                                                            \
    EXPECT(__low2float(__hisnan2(n)) == 1.f && __high2float(__hisnan2(n)) == 0.f && p == p && p != q);                 \
    EXPECT(__hbeq2(__hfma2(p, q, p), halves(T(3.f), T(4.f))) &&                                                        \
           __hbeq2(__hfma2_relu(p, -q, p), halves(T(0.f), T(0.f))));                                                   \
    EXPECT(__hbeq2(__hadd2_sat(p, -q), halves(T(0.f), T(1.f))) && __hbeq2(__hmax2_nan(p, q), halves(T(2.f), T(2.f)))); \
    EXPECT(__hbeq2(__hcmadd(p, q, p), halves(T(1.f), T(7.f))) && __hbeq2(__lowhigh2highlow(p), q));                    \
    EXPECT(__hbeq2(__habs2(-p), p) && __hbeq2(h2sqrt(halves(T(4.f), T(9.f))), halves(T(2.f), T(3.f))));                \
    EXPECT(value_of(hfloor(T(-1.5f))) == -2 && value_of(hceil(T(1.25f))) == 2 && value_of(hrint(T(2.5f))) == 2);       \
    EXPECT(value_of(htrunc(T(-1.5f))) == -1 && value_of(hrcp(T(4.f))) == 0.25 && value_of(hrsqrt(T(4.f))) == 0.5);     \
    EXPECT(fabs(value_of(hexp(T(1.f))) - 2.71828) < 0.02 && value_of(hexp2(T(3.f))) == 8 &&                            \
           value_of(hlog2(T(8.f))) == 3);                                                                              \
    EXPECT(fabs(value_of(htanh(T(0.5f))) - 0.46212) < 0.004 && fabs(value_of(hsin(T(1.f))) - 0.84147) < 0.005);        \
    EXPECT(__hisinf(T(-INFINITY)) == -1 && __hisinf(T(INFINITY)) == 1 && __hisinf(T(1.f)) == 0);                       \
    T v(1.f);                                                                                                          \
    ++v, v += T(2.f), v *= T(2.f);                                                                                     \
    EXPECT(value_of(v--) == 8 && value_of(v) == 7 && (float)v == 7.f && (bool)v);                                      \
  }

__global__ void pairs() {
  PAIRS(__half, __half2, __halves2half2, 0x7c00)
  PAIRS(__nv_bfloat16, __nv_bfloat162, __halves2bfloat162, 0x7f80)
  EXPECT(__hbeq2(__lows2half2(make_half2(1, 2), make_half2(3, 4)), make_half2(1, 3)));
  EXPECT(__hbeq2(__highs2bfloat162(make_bfloat162(1, 2), make_bfloat162(3, 4)), make_bfloat162(2, 4)));
}

/// The bounds of a conversion in the four roundings.
template <class T>
__device__ bool brackets(T rn, T rz, T ru, T rd, double exact) {
  bool const sides = value_of(rd) <= exact && exact <= value_of(ru);
  bool const close = value_of(rd) == exact ? value_of(ru) == exact
                                           : above(rd) == value_of(ru) || isinf(value_of(ru)) || isinf(value_of(rd));
  return sides && close && value_of(rz) == (exact > 0 ? value_of(rd) : value_of(ru)) && is_nearest(rn, exact);
}
#define BRACKETS(name, v) EXPECT(brackets(name##_rn(v), name##_rz(v), name##_ru(v), name##_rd(v), (double)(v)))

__global__ void conversions() {
  unsigned state = threadIdx.x * 4099u + 1;
  for (int i = 0; i < 40; ++i) {
    unsigned const word = random_bits(state) << 16 | random_bits(state);
    int const n = (int)word >> random_bits(state) % 31;
    float const f = __uint_as_float((word & 0x80ffffffu) | (112 + random_bits(state) % 28) << 23);
    BRACKETS(__float2half, f);
    BRACKETS(__float2bfloat16, f);
    BRACKETS(__int2half, n);
    BRACKETS(__uint2half, word);
    BRACKETS(__short2half, (short)n);
    BRACKETS(__int2bfloat16, n);
    BRACKETS(__uint2bfloat16, word);
    BRACKETS(__ll2bfloat16, (long long)n);
    BRACKETS(__ushort2bfloat16, (unsigned short)word);
    __half const h = __float2half(f);
    double const v = value_of(h);
    EXPECT(__half2int_rn(h) == rint(v) && __half2int_rz(h) == trunc(v) && __half2int_ru(h) == ceil(v) &&
           __half2int_rd(h) == floor(v));
    EXPECT(__half2short_rz(h) == (v > 32767    ? 32767
                                  : v < -32768 ? -32768
                                               : trunc(v)) &&
           __half2uint_rz(h) == (v < 0 ? 0 : trunc(v)));
    __nv_bfloat16 const b = __float2bfloat16(f);
    EXPECT(__bfloat162int_ru(b) == ceil(value_of(b)) && __bfloat162ll_rd(b) == floor(value_of(b)));
  }
  EXPECT(__half2char_rz(__half(300.f)) == 127 && __half2uchar_rz(__half(-3.f)) == 0 && __half2int_rn(__half(NAN)) == 0);
  // 2^40 + 1 is no double sum of two numbers of 16 bits, and lies above 2^40.
  EXPECT(value_of(__ll2bfloat16_ru((1ll << 40) + 1)) > 0x1p40 && value_of(__ull2bfloat16_rd(~0ull)) < 0x1p64);
  EXPECT(value_of(__ll2bfloat16_ru((1ll << 60) + 1)) > 0x1p60 && value_of(__ll2bfloat16_rz((1ll << 60) + 1)) == 0x1p60);
}

// Shuffles, loads with hints, and atomics.
__global__ void of_a_warp(__half* h, __nv_bfloat162* b) {
  int const lane = threadIdx.x;
  __half const v = __shfl_xor_sync(~0u, __int2half_rn(lane), 1);
  EXPECT(value_of(v) == (lane ^ 1) && __low2float(__shfl_sync(~0u, __floats2half2_rn(lane, 1), 3)) == 3.f);
  EXPECT(value_of(__shfl_down_sync(~0u, __int2bfloat16_rn(lane), 2)) == (lane < 30 ? lane + 2 : lane));
  atomicAdd(&h[0], __half(1.f));
  atomicAdd(b, __floats2bfloat162_rn(1, 2));
  atomicAdd((__half2*)(h + 2), __floats2half2_rn(1, -1));
  __syncwarp();
  __threadfence();
  EXPECT(value_of(__ldcg(&h[4])) == 5);
  if (lane == 0) __stcs(&h[5], __half(9.f));
}

int main() {
  arithmetic<__half><<<4, 64>>>();
  arithmetic<__nv_bfloat16><<<4, 64>>>();
  one_rounding<<<1, 1>>>();
  pairs<<<1, 1>>>();
  conversions<<<1, 64>>>();
  __half host[8], *h;
  for (int i = 0; i < 8; ++i) host[i] = __float2half(i == 4 ? 5.f : 0.f);
  __nv_bfloat162 sum = __floats2bfloat162_rn(0, 0), *b;
  cudaMalloc(&h, sizeof host), cudaMalloc(&b, sizeof sum);
  cudaMemcpy(h, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(b, &sum, sizeof sum, cudaMemcpyHostToDevice);
  of_a_warp<<<1, 32>>>(h, b);
  cudaMemcpy(host, h, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, b, sizeof sum, cudaMemcpyDeviceToHost);
  cudaFree(h), cudaFree(b);
  if (__half2float(host[0]) != 32 || __half2float(host[2]) != 32 || __half2float(host[3]) != -32 ||
      __half2float(host[5]) != 9)
    return printf("halves: %f %f %f\n", __half2float(host[0]), __half2float(host[2]), __half2float(host[3])), 1;
  if (__low2float(sum) != 32 || __high2float(sum) != 64) return printf("bfloat16\n"), 2;
  unsigned failed = 1;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  return failed != 0;
}
