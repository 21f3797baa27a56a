// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's cuda_fp6.h provides: `__nv_fp6_e2m3` and `__nv_fp6_e3m2`, two and four of them, and their conversions.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#define __CUDA_FP6_H__
#define __CUDA_FP6_TYPES_EXIST__
#include <cosmati/cuda/fp8.hpp>
#include <cosmati/cuda/narrow_floats.hpp>

using __nv_fp6_storage_t = __nv_fp8_storage_t;
using __nv_fp6x2_storage_t = __nv_fp8x2_storage_t;
using __nv_fp6x4_storage_t = __nv_fp8x4_storage_t;
enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 };

namespace cosmati_cuda {
using e2m3_of = narrow_float<COSMATI_NAMESPACE::float_e2m3_t, 8>;
using e3m2_of = narrow_float<COSMATI_NAMESPACE::float_e3m2_t, 8>;
template <class Call>
constexpr auto with_fp6(__nv_fp6_interpretation_t format, Call const& call) {
  return format == __NV_E2M3 ? call(e2m3_of()) : call(e3m2_of());
}
}  // namespace cosmati_cuda

constexpr __nv_fp6_storage_t __nv_cvt_float_to_fp6(float v, __nv_fp6_interpretation_t format, cudaRoundMode rounding) {
  return cosmati_cuda::with_fp6(format, [&](auto of) { return of.code(v, rounding); });
}
constexpr __nv_fp6_storage_t __nv_cvt_double_to_fp6(double v, __nv_fp6_interpretation_t format,
                                                    cudaRoundMode rounding) {
  return cosmati_cuda::with_fp6(format, [&](auto of) { return of.code(v, rounding); });
}
constexpr __nv_fp6_storage_t __nv_cvt_halfraw_to_fp6(__half_raw v, __nv_fp6_interpretation_t format,
                                                     cudaRoundMode rounding) {
  return cosmati_cuda::with_fp6(format, [&](auto of) { return of.code(cosmati_cuda::value_of_raw(v), rounding); });
}
constexpr __nv_fp6_storage_t __nv_cvt_bfloat16raw_to_fp6(__nv_bfloat16_raw v, __nv_fp6_interpretation_t format,
                                                         cudaRoundMode rounding) {
  return cosmati_cuda::with_fp6(format, [&](auto of) { return of.code(cosmati_cuda::value_of_raw(v), rounding); });
}
constexpr __nv_fp6x2_storage_t __nv_cvt_float2_to_fp6x2(float2 v, __nv_fp6_interpretation_t format,
                                                        cudaRoundMode rounding) {
  return cosmati_cuda::with_fp6(
      format, [&](auto of) { return static_cast<__nv_fp6x2_storage_t>(of.codes(v.x, v.y, rounding)); });
}
constexpr __nv_fp6x2_storage_t __nv_cvt_double2_to_fp6x2(double2 v, __nv_fp6_interpretation_t format,
                                                         cudaRoundMode rounding) {
  return cosmati_cuda::with_fp6(
      format, [&](auto of) { return static_cast<__nv_fp6x2_storage_t>(of.codes(v.x, v.y, rounding)); });
}
constexpr __nv_fp6x2_storage_t __nv_cvt_halfraw2_to_fp6x2(__half2_raw v, __nv_fp6_interpretation_t format,
                                                          cudaRoundMode rounding) {
  return __nv_cvt_float2_to_fp6x2(cosmati_cuda::values_of_raw(v), format, rounding);
}
constexpr __nv_fp6x2_storage_t __nv_cvt_bfloat16raw2_to_fp6x2(__nv_bfloat162_raw v, __nv_fp6_interpretation_t format,
                                                              cudaRoundMode rounding) {
  return __nv_cvt_float2_to_fp6x2(cosmati_cuda::values_of_raw(v), format, rounding);
}
constexpr __half_raw __nv_cvt_fp6_to_halfraw(__nv_fp6_storage_t v, __nv_fp6_interpretation_t format) {
  return cosmati_cuda::raw_half(cosmati_cuda::with_fp6(format, [&](auto of) { return of.value(v); }));
}
constexpr __half2_raw __nv_cvt_fp6x2_to_halfraw2(__nv_fp6x2_storage_t v, __nv_fp6_interpretation_t format) {
  return cosmati_cuda::with_fp6(
      format, [&](auto of) { return cosmati_cuda::raw_halves(of.value_at(v, 0), of.value_at(v, 1)); });
}

struct __nv_fp6_e2m3 : cosmati_cuda::one_narrow_float<cosmati_cuda::e2m3_of, __nv_fp6_storage_t> {
  using one_narrow_float::one_narrow_float;
};
struct __nv_fp6x2_e2m3 : cosmati_cuda::two_narrow_floats<cosmati_cuda::e2m3_of, __nv_fp6x2_storage_t> {
  using two_narrow_floats::two_narrow_floats;
};
struct __nv_fp6x4_e2m3
    : cosmati_cuda::four_narrow_floats<cosmati_cuda::e2m3_of, __nv_fp6x2_e2m3, __nv_fp6x4_storage_t> {
  using four_narrow_floats::four_narrow_floats;
};
struct __nv_fp6_e3m2 : cosmati_cuda::one_narrow_float<cosmati_cuda::e3m2_of, __nv_fp6_storage_t> {
  using one_narrow_float::one_narrow_float;
};
struct __nv_fp6x2_e3m2 : cosmati_cuda::two_narrow_floats<cosmati_cuda::e3m2_of, __nv_fp6x2_storage_t> {
  using two_narrow_floats::two_narrow_floats;
};
struct __nv_fp6x4_e3m2
    : cosmati_cuda::four_narrow_floats<cosmati_cuda::e3m2_of, __nv_fp6x2_e3m2, __nv_fp6x4_storage_t> {
  using four_narrow_floats::four_narrow_floats;
};

#endif

#include <cosmati/core/macros_end.hpp>
