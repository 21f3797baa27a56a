// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's cuda_fp16.h provides: `__half` with the bits of cosmati::half_t, `__half2`, and their intrinsics.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#define __CUDA_FP16_H__
#include <cosmati/cuda/number16.hpp>
#include <cosmati/number/half.hpp>

COSMATI_CUDA_NUMBER_(__half, __half2, __half_raw, __half2_raw, COSMATI_NAMESPACE::half_t)
using half = __half;
using half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;

// Conversions.
constexpr float __half2float(__half v) { return v; }
constexpr __half __float2half(float v) { return v; }
constexpr __half __float2half_rn(float v) { return v; }
constexpr __half __double2half(double v) { return v; }
inline __half __float2half_rz(float v) { return __half(cosmati_cuda::rounded_toward<COSMATI_NAMESPACE::half_t>(v, v)); }
inline __half __float2half_ru(float v) {
  return __half(cosmati_cuda::rounded_toward<COSMATI_NAMESPACE::half_t>(v, __builtin_inf()));
}
inline __half __float2half_rd(float v) {
  return __half(cosmati_cuda::rounded_toward<COSMATI_NAMESPACE::half_t>(v, -__builtin_inf()));
}
COSMATI_CUDA_NUMBER_INTEGERS_(__half, half, COSMATI_NAMESPACE::half_t)
constexpr unsigned short __half_as_ushort(__half v) { return v.__x; }
constexpr short __half_as_short(__half v) { return static_cast<short>(v.__x); }
constexpr __half __ushort_as_half(unsigned short v) { return __half_raw{v}; }
constexpr __half __short_as_half(short v) { return __ushort_as_half(static_cast<unsigned short>(v)); }

// Pairs.
constexpr __half2 make_half2(__half a, __half b) { return {a, b}; }
constexpr __half2 __halves2half2(__half a, __half b) { return {a, b}; }
constexpr __half2 __half2half2(__half a) { return {a, a}; }
constexpr __half2 __float2half2_rn(float v) { return {v, v}; }
constexpr __half2 __floats2half2_rn(float a, float b) { return {a, b}; }
constexpr __half2 __float22half2_rn(float2 v) { return {v.x, v.y}; }
constexpr float2 __half22float2(__half2 v) { return {v.x, v.y}; }
constexpr __half __low2half(__half2 v) { return v.x; }
constexpr __half __high2half(__half2 v) { return v.y; }
constexpr __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
constexpr __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
constexpr __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
constexpr __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

#endif

#include <cosmati/core/macros_end.hpp>
