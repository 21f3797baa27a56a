// SPDX-License-Identifier: Apache-2.0
// cuda_fp8.h against an oracle: a code's value by its definition, and the nearest code by a search of all values.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

// Sign, exponent and mantissa of a code, as a number. e4m3 has no infinity, and its only NaN is all ones.
static float value_of(unsigned code, bool e4m3) {
  int const mantissa_bits = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
  unsigned const magnitude = code & 0x7f, mantissa = magnitude & ((1u << mantissa_bits) - 1);
  int const exponent = int(magnitude >> mantissa_bits);
  if (e4m3 ? magnitude == 0x7f : magnitude > 0x7c) return NAN;
  float const sign = code & 0x80 ? -1.f : 1.f;
  if (!e4m3 && magnitude == 0x7c) return sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(float(mantissa), 1 - bias - mantissa_bits);
  return sign * std::ldexp(float(mantissa + (1u << mantissa_bits)), exponent - bias - mantissa_bits);
}

// The nearest code; of two, the even one. Without saturation, the place of the next number stands for what is too
// large.
static unsigned nearest(double v, bool e4m3, bool saturates) {
  unsigned const sign = std::signbit(v) ? 0x80 : 0, largest = e4m3 ? 0x7e : 0x7b;
  if (std::isnan(v)) return 0x7f;
  double const magnitude = std::fabs(v), above = e4m3 ? 480 : 65536;
  unsigned low = 0, high = largest + 1;
  while (low + 1 < high) {
    unsigned const middle = (low + high) / 2;
    (value_of(middle, e4m3) <= magnitude ? low : high) = middle;
  }
  double const below = value_of(low, e4m3), next = high > largest ? above : value_of(high, e4m3);
  unsigned code = low;
  if (magnitude - below > next - magnitude || (magnitude - below == next - magnitude && (low & 1) != 0)) code = high;
  if (code > largest && saturates) code = largest;
  return sign | code;
}

struct results {
  unsigned char of_half[2][2][65536], of_bfloat16[2][2][65536], of_float[2][2][65536];
  unsigned short to_half[2][256];
};

template <class T>
__device__ T from_bits(unsigned short bits) {
  T v;
  memcpy(&v, &bits, 2);
  return v;
}
__global__ void convert(results* out) {
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int format = 0; format < 2; ++format) {
    auto const f = format == 0 ? __NV_E4M3 : __NV_E5M2;
    for (int s = 0; s < 2; ++s) {
      auto const saturate = s != 0 ? __NV_SATFINITE : __NV_NOSAT;
      out->of_half[format][s][i] = __nv_cvt_halfraw_to_fp8(from_bits<__half>(i), saturate, f);
      out->of_bfloat16[format][s][i] = __nv_cvt_bfloat16raw_to_fp8(from_bits<__nv_bfloat16>(i), saturate, f);
      // Floats close to the middles between codes: a half, and a little more or less.
      float const v = __half2float(from_bits<__half>(i)) * (1 + (i % 3 - 1) * 0x1p-20f);
      out->of_float[format][s][i] = __nv_cvt_float_to_fp8(v, saturate, f);
    }
    if (i < 256) out->to_half[format][i] = __half_as_ushort(__half(__nv_cvt_fp8_to_halfraw(i, f)));
  }
}

__device__ unsigned failures;
#define EXPECT(...)                                    \
  do {                                                 \
    if (!(__VA_ARGS__)) {                              \
      printf("line %d: %s\n", __LINE__, #__VA_ARGS__); \
      atomicAdd(&failures, 1u);                        \
    }                                                  \
  } while (0)

__global__ void types() {
  __nv_fp8_e4m3 const a(1.5f);
  EXPECT(a.__x == 0x3c && float(a) == 1.5f && float(__half(a)) == 1.5f && __bfloat162float(__nv_bfloat16(a)) == 1.5f);
  EXPECT(int(__nv_fp8_e4m3(-3.5)) == -3 && bool(a) && !bool(__nv_fp8_e5m2(0.f)) && double(__nv_fp8_e5m2(9)) == 8);
  EXPECT(float(__nv_fp8_e4m3(1e9f)) == 448.f && float(__nv_fp8_e5m2(-INFINITY)) == -57344.f);
  __nv_fp8x2_e4m3 const two(make_float2(1.f, -2.f));
  EXPECT(two.__x == 0xc038 && two.operator float2().x == 1.f && __high2float(__half2(two)) == -2.f);
  __nv_fp8x4_e5m2 const four(make_float4(1.f, 2.f, 4.f, -8.f));
  EXPECT(four.__x == 0xc844403cu && four.operator float4().w == -8.f);
  __nv_fp8x4_e5m2 const halves(__floats2half2_rn(1.f, 2.f), __floats2half2_rn(4.f, -8.f));
  EXPECT(halves.__x == four.__x);
  __nv_fp8x4_storage_t const word = four.__x;
  __nv_fp8x2_storage_t const low = word & 0xffff;
  EXPECT(__half2(__nv_cvt_fp8x2_to_halfraw2(low, __NV_E5M2)).y == __float2half(2.f));
  EXPECT(__nv_cvt_float2_to_fp8x2(make_float2(1.f, 500.f), __NV_NOSAT, __NV_E4M3) == 0x7f38);
}

// Powers of two: a number between two of them goes up or down.
__global__ void scales() {
  EXPECT(__nv_cvt_float_to_e8m0(1.f, __NV_SATFINITE, cudaRoundPosInf) == 127);
  EXPECT(__nv_cvt_float_to_e8m0(1.25f, __NV_SATFINITE, cudaRoundPosInf) == 128);
  EXPECT(__nv_cvt_float_to_e8m0(1.25f, __NV_SATFINITE, cudaRoundZero) == 127);
  EXPECT(__nv_cvt_float_to_e8m0(NAN, __NV_SATFINITE, cudaRoundPosInf) == 0xff);
  EXPECT(__nv_cvt_float_to_e8m0(INFINITY, __NV_SATFINITE, cudaRoundPosInf) == 0xfe);
  for (int code = 1; code < 255; ++code)
    EXPECT(__bfloat162float(__nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(code))) == ldexpf(1.f, code - 127));
}

int main() {
  results *device, *host = new results;
  cudaMalloc(&device, sizeof *host);
  convert<<<256, 256>>>(device);
  cudaMemcpy(host, device, sizeof *host, cudaMemcpyDeviceToHost);
  int wrong = 0;
  auto const compare = [&](char const* what, unsigned i, double v, unsigned got, bool e4m3, bool saturates) {
    unsigned const expected = nearest(v, e4m3, saturates);
    bool const nan = std::isnan(v) || (e4m3 ? (expected & 0x7f) == 0x7f : (expected & 0x7f) > 0x7c);
    if (nan ? !std::isnan(value_of(got, e4m3)) : got != expected)
      if (wrong++ < 5) printf("%s %04x: %02x, not %02x\n", what, i, got, expected);
  };
  for (unsigned i = 0; i < 65536; ++i) {
    __half_raw half;
    half.x = static_cast<unsigned short>(i);
    float const of_half = __half2float(__half(half)), shifted = of_half * (1 + (int(i) % 3 - 1) * 0x1p-20f);
    unsigned const word = i << 16;
    float of_bfloat16;
    memcpy(&of_bfloat16, &word, 4);
    for (int format = 0; format < 2; ++format)
      for (int s = 0; s < 2; ++s) {
        compare("half", i, of_half, host->of_half[format][s][i], format == 0, s != 0);
        compare("bfloat16", i, of_bfloat16, host->of_bfloat16[format][s][i], format == 0, s != 0);
        compare("float", i, shifted, host->of_float[format][s][i], format == 0, s != 0);
      }
  }
  for (int format = 0; format < 2; ++format)
    for (unsigned i = 0; i < 256; ++i) {
      __half_raw half;
      half.x = host->to_half[format][i];
      float const got = __half2float(__half(half)), expected = value_of(i, format == 0);
      if (std::isnan(expected) ? !std::isnan(got) : got != expected || std::signbit(got) != std::signbit(expected))
        ++wrong, printf("code %02x: %f, not %f\n", i, got, expected);
    }
  delete host;
  cudaFree(device);
  types<<<1, 1>>>();
  scales<<<1, 1>>>();
  unsigned failed = 1;
  cudaMemcpyFromSymbol(&failed, failures, sizeof failed);
  return wrong != 0 || failed != 0;
}
