// SPDX-License-Identifier: Apache-2.0
/// @file
/// Fused multiply-adds, saturated arithmetic and functions of CUDA's numbers of 16 bits, as one macro for a type.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cmath>
#include <cosmati/runtime/cuda_words.hpp>
#include <cstdint>

namespace cosmati_cuda {

/// a * b + c, shortened to a double that lies on the same side of every number with fewer than 52 bits (rounding to
/// odd). @pre the product is exact
inline double odd_multiply_add(double a, double b, double c) {
  double const product = a * b, sum = product + c;
  if (!std::isfinite(sum)) return sum;
  double const part = sum - product, left = (product - (sum - part)) + (c - part);
  auto bits = __builtin_bit_cast(std::uint64_t, sum);
  if (left == 0 || (bits & 1u) != 0) return sum;
  return __builtin_bit_cast(double, (left > 0) == (sum > 0) ? bits | 1u : (bits - 1) | 1u);
}

}  // namespace cosmati_cuda

/// A function of one number is computed in float and rounded. @param call of the float `v`
#define COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, name, call) \
  inline T h##name(T a) {                                  \
    float const v = a;                                     \
    return T(call);                                        \
  }                                                        \
  inline Pair h2##name(Pair a) { return {h##name(a.x), h##name(a.y)}; }
#define COSMATI_CUDA_NUMBER_FUNCTIONS_(T, Pair, number)                                                              \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, exp, std::exp(v))                                                           \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, exp2, std::exp2(v))                                                         \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, exp10, __exp10f(v))                                                         \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, log, std::log(v))                                                           \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, log2, std::log2(v))                                                         \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, log10, std::log10(v))                                                       \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, sqrt, std::sqrt(v))                                                         \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, rsqrt, rsqrtf(v))                                                           \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, rcp, 1.f / v)                                                               \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, sin, std::sin(v))                                                           \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, cos, std::cos(v))                                                           \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, tanh, std::tanh(v))                                                         \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, tanh_approx, std::tanh(v))                                                  \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, floor, std::floor(v))                                                       \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, ceil, std::ceil(v))                                                         \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, trunc, std::trunc(v))                                                       \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, rint, std::rint(v))                                                         \
  constexpr T __hsaturate(T a) { return a > T(0.f) ? (a < T(1.f) ? a : T(1.f)) : T(0.f); }                           \
  inline T __hfma(T a, T b, T c) {                                                                                   \
    if (__hisnan(a) || __hisnan(b) || __hisnan(c)) return a * b + c;                                                 \
    double const sum = cosmati_cuda::odd_multiply_add(float(a), float(b), float(c));                                 \
    return sum != sum ? T(__builtin_nanf("")) : T(number(sum));                                                      \
  }                                                                                                                  \
  inline T __hfma_sat(T a, T b, T c) { return __hsaturate(__hfma(a, b, c)); }                                        \
  inline T __hfma_relu(T a, T b, T c) { return __hmax_nan(__hfma(a, b, c), T(0.f)); }                                \
  inline Pair __hfma2(Pair a, Pair b, Pair c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }             \
  inline Pair __hfma2_sat(Pair a, Pair b, Pair c) { return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)}; } \
  inline Pair __hfma2_relu(Pair a, Pair b, Pair c) {                                                                 \
    return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};                                                 \
  }                                                                                                                  \
  /* The product of two complex numbers, plus a third. */                                                            \
  inline Pair __hcmadd(Pair a, Pair b, Pair c) {                                                                     \
    return {__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};                      \
  }                                                                                                                  \
  COSMATI_CUDA_NUMBER_SATURATED_(T, Pair)

/// Arithmetic clamped to [0, 1]. A NaN becomes 0.
#define COSMATI_CUDA_NUMBER_SATURATED_(T, Pair)                                                       \
  constexpr T __hadd_sat(T a, T b) { return __hsaturate(a + b); }                                     \
  constexpr T __hsub_sat(T a, T b) { return __hsaturate(a - b); }                                     \
  constexpr T __hmul_sat(T a, T b) { return __hsaturate(a * b); }                                     \
  constexpr Pair __hadd2_sat(Pair a, Pair b) { return {__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y)}; } \
  constexpr Pair __hsub2_sat(Pair a, Pair b) { return {__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y)}; } \
  constexpr Pair __hmul2_sat(Pair a, Pair b) { return {__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y)}; } \
  constexpr T __habs(T a) { return T(abs(a.as_number())); }                                           \
  constexpr Pair __habs2(Pair a) { return {__habs(a.x), __habs(a.y)}; }

#endif

#include <cosmati/core/macros_end.hpp>
