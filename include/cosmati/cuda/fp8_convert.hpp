// SPDX-License-Identifier: Apache-2.0
/// @file
/// The conversion functions of CUDA's cuda_fp8.h: `__nv_cvt_float_to_fp8` and its kin, for e4m3, e5m2 and e8m0. The
/// numbers are those of cosmati::float_e4m3_t, cosmati::float_e5m2_t and cosmati::float_ue8m0_t.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/bf16.hpp>
#include <cosmati/cuda/fp16.hpp>
#include <cosmati/number/float8.hpp>

using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned int;
/// What becomes of numbers that are too large: a NaN of e4m3 and an infinity of e5m2, or the largest number.
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace cosmati_cuda {

template <class V>
constexpr __nv_fp8_storage_t to_fp8(V v, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
  bool const e4m3 = format == __NV_E4M3;
  std::uint8_t const code =
      e4m3 ? COSMATI_NAMESPACE::float_e4m3_t(v).storage : COSMATI_NAMESPACE::float_e5m2_t(v).storage;
  if (saturate == __NV_SATFINITE || v != v) return code;
  // Beyond the middle between the largest number and the next power's step; the middle itself goes to the even one.
  V const magnitude = v < 0 ? -v : v;
  bool const too_large = e4m3 ? magnitude > V(464) : magnitude >= V(61440);
  return too_large ? static_cast<__nv_fp8_storage_t>((code & 0x80u) | (e4m3 ? 0x7fu : 0x7cu)) : code;
}
/// The values of both formats are halves.
constexpr float from_fp8(__nv_fp8_storage_t code, __nv_fp8_interpretation_t format) {
  if (format == __NV_E4M3) return COSMATI_NAMESPACE::float_e4m3_t::bitcast(code);
  return COSMATI_NAMESPACE::float_e5m2_t::bitcast(code);
}
template <class V>
constexpr __nv_fp8_storage_t to_e8m0(V v, __nv_saturation_t saturate, cudaRoundMode rounding) {
  using number = COSMATI_NAMESPACE::float_ue8m0_t;
  V const magnitude = v < 0 ? -v : v;
  if (v != v) return 0xff;
  if (magnitude > V(0x1p127)) {
    bool const infinite = magnitude - magnitude != 0;
    if (saturate == __NV_SATFINITE) return 0xfe;
    return rounding == cudaRoundPosInf || infinite ? 0xff : 0xfe;
  }
  __nv_fp8_storage_t const up = number(magnitude).storage;
  bool const exact = static_cast<V>(static_cast<float>(number::bitcast(up))) <= magnitude;
  return rounding == cudaRoundZero && !exact && up != 0 ? static_cast<__nv_fp8_storage_t>(up - 1) : up;
}
constexpr unsigned short two_bytes(unsigned char low, unsigned char high) {
  return static_cast<unsigned short>(low | high << 8);
}

}  // namespace cosmati_cuda

constexpr __nv_fp8_storage_t __nv_cvt_float_to_fp8(float v, __nv_saturation_t saturate,
                                                   __nv_fp8_interpretation_t format) {
  return cosmati_cuda::to_fp8(v, saturate, format);
}
constexpr __nv_fp8_storage_t __nv_cvt_double_to_fp8(double v, __nv_saturation_t saturate,
                                                    __nv_fp8_interpretation_t format) {
  return cosmati_cuda::to_fp8(v, saturate, format);
}
constexpr __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw v, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t format) {
  return cosmati_cuda::to_fp8(static_cast<float>(__half(v)), saturate, format);
}
constexpr __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw v, __nv_saturation_t saturate,
                                                         __nv_fp8_interpretation_t format) {
  return cosmati_cuda::to_fp8(static_cast<float>(__nv_bfloat16(v)), saturate, format);
}
constexpr __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t v, __nv_fp8_interpretation_t format) {
  return __half(cosmati_cuda::from_fp8(v, format));
}

// Two at once. The first number is in the low byte.
#define COSMATI_TO_FP8X2_(name, Pair, one)                                                      \
  constexpr __nv_fp8x2_storage_t __nv_cvt_##name##_to_fp8x2(Pair v, __nv_saturation_t saturate, \
                                                            __nv_fp8_interpretation_t format) { \
    return cosmati_cuda::two_bytes(one(v.x, saturate, format), one(v.y, saturate, format));     \
  }
COSMATI_TO_FP8X2_(float2, float2, __nv_cvt_float_to_fp8)
COSMATI_TO_FP8X2_(double2, double2, __nv_cvt_double_to_fp8)
#undef COSMATI_TO_FP8X2_
constexpr __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw v, __nv_saturation_t saturate,
                                                          __nv_fp8_interpretation_t format) {
  return cosmati_cuda::two_bytes(__nv_cvt_halfraw_to_fp8({v.x}, saturate, format),
                                 __nv_cvt_halfraw_to_fp8({v.y}, saturate, format));
}
constexpr __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw v, __nv_saturation_t saturate,
                                                              __nv_fp8_interpretation_t format) {
  return cosmati_cuda::two_bytes(__nv_cvt_bfloat16raw_to_fp8({v.x}, saturate, format),
                                 __nv_cvt_bfloat16raw_to_fp8({v.y}, saturate, format));
}
constexpr __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t v, __nv_fp8_interpretation_t format) {
  return {__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(v), format).x,
          __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(v >> 8), format).x};
}

// Powers of two. The rounding is cudaRoundZero or cudaRoundPosInf.
constexpr __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float v, __nv_saturation_t saturate, cudaRoundMode rounding) {
  return cosmati_cuda::to_e8m0(v, saturate, rounding);
}
constexpr __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double v, __nv_saturation_t saturate, cudaRoundMode rounding) {
  return cosmati_cuda::to_e8m0(v, saturate, rounding);
}
constexpr __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw v, __nv_saturation_t saturate,
                                                          cudaRoundMode rounding) {
  return cosmati_cuda::to_e8m0(static_cast<float>(__nv_bfloat16(v)), saturate, rounding);
}
constexpr __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 v, __nv_saturation_t saturate, cudaRoundMode rounding) {
  return cosmati_cuda::two_bytes(cosmati_cuda::to_e8m0(v.x, saturate, rounding),
                                 cosmati_cuda::to_e8m0(v.y, saturate, rounding));
}
constexpr __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2 v, __nv_saturation_t saturate,
                                                          cudaRoundMode rounding) {
  return cosmati_cuda::two_bytes(cosmati_cuda::to_e8m0(v.x, saturate, rounding),
                                 cosmati_cuda::to_e8m0(v.y, saturate, rounding));
}
constexpr __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw v, __nv_saturation_t saturate,
                                                               cudaRoundMode rounding) {
  return cosmati_cuda::two_bytes(__nv_cvt_bfloat16raw_to_e8m0({v.x}, saturate, rounding),
                                 __nv_cvt_bfloat16raw_to_e8m0({v.y}, saturate, rounding));
}
constexpr __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t v) {
  if (v == 0xff) return {0x7fff};
  return {v == 0 ? static_cast<unsigned short>(0x40u) : static_cast<unsigned short>(v << 7)};
}
constexpr __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t v) {
  return {__nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(v)).x,
          __nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(v >> 8)).x};
}

#endif

#include <cosmati/core/macros_end.hpp>
