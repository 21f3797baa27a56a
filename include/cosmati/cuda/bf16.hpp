// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's cuda_bf16.h provides: `__nv_bfloat16` with the bits of cosmati::bfloat16_t, `__nv_bfloat162`, and their
/// intrinsics.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#define __CUDA_BF16_H__
#include <cosmati/cuda/number16.hpp>
#include <cosmati/number/bfloat16.hpp>

COSMATI_CUDA_NUMBER_(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, __nv_bfloat162_raw,
                     COSMATI_NAMESPACE::bfloat16_t)
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

// Conversions.
constexpr float __bfloat162float(__nv_bfloat16 v) { return v; }
constexpr __nv_bfloat16 __float2bfloat16(float v) { return v; }
constexpr __nv_bfloat16 __float2bfloat16_rn(float v) { return v; }
constexpr __nv_bfloat16 __double2bfloat16(double v) { return v; }
inline __nv_bfloat16 __float2bfloat16_rz(float v) {
  return __nv_bfloat16(cosmati_cuda::rounded_toward<COSMATI_NAMESPACE::bfloat16_t>(v, v));
}
inline __nv_bfloat16 __float2bfloat16_ru(float v) {
  return __nv_bfloat16(cosmati_cuda::rounded_toward<COSMATI_NAMESPACE::bfloat16_t>(v, __builtin_inf()));
}
inline __nv_bfloat16 __float2bfloat16_rd(float v) {
  return __nv_bfloat16(cosmati_cuda::rounded_toward<COSMATI_NAMESPACE::bfloat16_t>(v, -__builtin_inf()));
}
COSMATI_CUDA_NUMBER_INTEGERS_(__nv_bfloat16, bfloat16, COSMATI_NAMESPACE::bfloat16_t)
constexpr unsigned short __bfloat16_as_ushort(__nv_bfloat16 v) { return v.__x; }
constexpr short __bfloat16_as_short(__nv_bfloat16 v) { return static_cast<short>(v.__x); }
constexpr __nv_bfloat16 __ushort_as_bfloat16(unsigned short v) { return __nv_bfloat16_raw{v}; }
constexpr __nv_bfloat16 __short_as_bfloat16(short v) { return __ushort_as_bfloat16(static_cast<unsigned short>(v)); }

// Pairs.
constexpr __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
constexpr __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
constexpr __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
constexpr __nv_bfloat162 __float2bfloat162_rn(float v) { return {v, v}; }
constexpr __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return {a, b}; }
constexpr __nv_bfloat162 __float22bfloat162_rn(float2 v) { return {v.x, v.y}; }
constexpr float2 __bfloat1622float2(__nv_bfloat162 v) { return {v.x, v.y}; }
constexpr __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
constexpr __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
constexpr __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return {v.x, v.x}; }
constexpr __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return {v.y, v.y}; }
constexpr __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.x, b.x}; }
constexpr __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.y, b.y}; }

#endif

#include <cosmati/core/macros_end.hpp>
