// SPDX-License-Identifier: Apache-2.0
/// @file
/// What cuda_fp16.h and cuda_bf16.h have in common: one macro that defines a number type of 16 bits, its pair, and the
/// intrinsics that have the same name for both. Arithmetic is that of cosmati::half_t and cosmati::bfloat16_t.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cmath>
#include <cosmati/cuda/runtime.hpp>
#include <cosmati/number/minifloat.hpp>

namespace cosmati_cuda {

/// The neighbour of a number that rounds `v` in one direction. @tparam Number a type of cosmati
template <class Number>
Number rounded_toward(double v, double target) {
  Number const nearest(v);
  auto const got = static_cast<double>(static_cast<float>(nearest));
  bool const too_high = target < v ? got > v : target > v ? false : std::fabs(got) > std::fabs(v) && got > 0;
  bool const too_low = target > v ? got < v : target < v ? false : std::fabs(got) > std::fabs(v) && got < 0;
  if (v != v || !(too_high || too_low)) return nearest;
  // The codes of positive numbers grow with the numbers, those of negative ones fall.
  std::uint32_t const code = nearest.code(), sign = 0x8000u;
  if (too_high) return Number::from_code(code == 0 ? sign | 1u : (code & sign) != 0 ? code + 1 : code - 1);
  return Number::from_code(code == sign ? 1u : (code & sign) != 0 ? code - 1 : code + 1);
}
/// The number of the format with the value of a double; rounded once.
template <class Cuda, class Number>
Cuda number_of(double v) {
  return Cuda(Number(v));
}

}  // namespace cosmati_cuda

/// Defines a type with CUDA's name, and its pair. @param number the type of cosmati
#define COSMATI_CUDA_NUMBER_(T, T2, number)                                                \
  struct T {                                                                               \
    unsigned short __x;                                                                    \
    T() = default;                                                                         \
    explicit constexpr T(number v) : __x(v.raw()) {}                                       \
    constexpr T(float v) : T(number(v)) {}                                                 \
    constexpr T(double v) : T(number(v)) {}                                                \
    template <std::integral I>                                                             \
    constexpr T(I v) : T(number(v)) {}                                                     \
    constexpr number as_number() const { return number::bitcast(__x); }                    \
    constexpr operator float() const { return static_cast<float>(as_number()); }           \
    template <class V>                                                                     \
    requires(std::is_arithmetic_v<V>) constexpr T& operator=(V v) { return *this = T(v); } \
  };                                                                                       \
  struct alignas(4) T2 {                                                                   \
    T x, y;                                                                                \
    T2() = default;                                                                        \
    constexpr T2(T a, T b) : x(a), y(b) {}                                                 \
  };                                                                                       \
  COSMATI_CUDA_NUMBER_ARITHMETIC_(T, T2)                                                   \
  COSMATI_CUDA_NUMBER_COMPARISONS_(T, T2)                                                  \
  COSMATI_CUDA_NUMBER_FUNCTIONS_(T, T2, number)                                            \
  COSMATI_CUDA_NUMBER_PAIRS_(T, T2)

#define COSMATI_CUDA_NUMBER_OPERATOR_(T, T2, op, name)                         \
  constexpr T operator op(T a, T b) { return a.as_number() op b.as_number(); } \
  constexpr T2 operator op(T2 a, T2 b) { return {a.x op b.x, a.y op b.y}; }    \
  constexpr T& operator op##=(T& a, T b) { return a = a op b; }                \
  constexpr T2& operator op##=(T2& a, T2 b) { return a = a op b; }             \
  constexpr T name(T a, T b) { return a op b; }                                \
  constexpr T name##_rn(T a, T b) { return a op b; }
#define COSMATI_CUDA_NUMBER_ARITHMETIC_(T, T2)             \
  COSMATI_CUDA_NUMBER_OPERATOR_(T, T2, +, __hadd)          \
  COSMATI_CUDA_NUMBER_OPERATOR_(T, T2, -, __hsub)          \
  COSMATI_CUDA_NUMBER_OPERATOR_(T, T2, *, __hmul)          \
  COSMATI_CUDA_NUMBER_OPERATOR_(T, T2, /, __hdiv)          \
  constexpr T operator-(T a) { return -a.as_number(); }    \
  constexpr T operator+(T a) { return a; }                 \
  constexpr T2 operator-(T2 a) { return {-a.x, -a.y}; }    \
  constexpr T2 operator+(T2 a) { return a; }               \
  constexpr T& operator++(T& a) { return a = a + T(1.f); } \
  constexpr T& operator--(T& a) { return a = a - T(1.f); } \
  constexpr T2 __hadd2(T2 a, T2 b) { return a + b; }       \
  constexpr T2 __hsub2(T2 a, T2 b) { return a - b; }       \
  constexpr T2 __hmul2(T2 a, T2 b) { return a * b; }       \
  constexpr T2 __hadd2_rn(T2 a, T2 b) { return a + b; }    \
  constexpr T2 __hsub2_rn(T2 a, T2 b) { return a - b; }    \
  constexpr T2 __hmul2_rn(T2 a, T2 b) { return a * b; }    \
  constexpr T2 __h2div(T2 a, T2 b) { return a / b; }       \
  constexpr T __hneg(T a) { return -a; }                   \
  constexpr T2 __hneg2(T2 a) { return -a; }

/// Ordered comparisons are false for a NaN, those that end in `u` true.
#define COSMATI_CUDA_NUMBER_COMPARE_(T, T2, name, expression)                                     \
  constexpr bool __h##name(T s, T t) {                                                            \
    float const a = s, b = t;                                                                     \
    return a == a && b == b && (expression);                                                      \
  }                                                                                               \
  constexpr bool __h##name##u(T s, T t) {                                                         \
    float const a = s, b = t;                                                                     \
    return !(a == a && b == b) || (expression);                                                   \
  }                                                                                               \
  constexpr T2 __h##name##2(T2 a, T2 b) {                                                         \
    return {T(__h##name(a.x, b.x) ? 1.f : 0.f), T(__h##name(a.y, b.y) ? 1.f : 0.f)};              \
  }                                                                                               \
  constexpr bool __hb##name##2(T2 a, T2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
  constexpr unsigned __h##name##2_mask(T2 a, T2 b) {                                              \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);       \
  }
#define COSMATI_CUDA_NUMBER_COMPARISONS_(T, T2)                                                        \
  COSMATI_CUDA_NUMBER_COMPARE_(T, T2, eq, a == b)                                                      \
  COSMATI_CUDA_NUMBER_COMPARE_(T, T2, ne, a != b)                                                      \
  COSMATI_CUDA_NUMBER_COMPARE_(T, T2, lt, a < b)                                                       \
  COSMATI_CUDA_NUMBER_COMPARE_(T, T2, le, a <= b)                                                      \
  COSMATI_CUDA_NUMBER_COMPARE_(T, T2, gt, a > b)                                                       \
  COSMATI_CUDA_NUMBER_COMPARE_(T, T2, ge, a >= b)                                                      \
  constexpr bool operator==(T a, T b) { return __heq(a, b); }                                          \
  constexpr bool operator!=(T a, T b) { return __hneu(a, b); }                                         \
  constexpr bool operator<(T a, T b) { return __hlt(a, b); }                                           \
  constexpr bool operator>(T a, T b) { return __hgt(a, b); }                                           \
  constexpr bool operator<=(T a, T b) { return __hle(a, b); }                                          \
  constexpr bool operator>=(T a, T b) { return __hge(a, b); }                                          \
  constexpr bool operator==(T2 a, T2 b) { return __hbeq2(a, b); }                                      \
  constexpr bool operator!=(T2 a, T2 b) { return !__hbeq2(a, b); }                                     \
  constexpr bool __hisnan(T a) { return __hneu(a, a); }                                                \
  constexpr int __hisinf(T a) { return !isinf(a.as_number()) ? 0 : a.as_number().signbit() ? -1 : 1; } \
  /* A number is preferred to a NaN, and +0 is more than -0. */                                        \
  constexpr T __hmax(T a, T b) {                                                                       \
    if (__hisnan(a) || __hisnan(b)) return __hisnan(a) ? (__hisnan(b) ? a + b : b) : a;                \
    return a < b || (a == b && a.as_number().signbit()) ? b : a;                                       \
  }                                                                                                    \
  constexpr T __hmin(T a, T b) {                                                                       \
    if (__hisnan(a) || __hisnan(b)) return __hisnan(a) ? (__hisnan(b) ? a + b : b) : a;                \
    return b < a || (a == b && b.as_number().signbit()) ? b : a;                                       \
  }                                                                                                    \
  constexpr T __hmax_nan(T a, T b) { return __hisnan(a) || __hisnan(b) ? a + b : __hmax(a, b); }       \
  constexpr T __hmin_nan(T a, T b) { return __hisnan(a) || __hisnan(b) ? a + b : __hmin(a, b); }       \
  constexpr T2 __hmax2(T2 a, T2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }                    \
  constexpr T2 __hmin2(T2 a, T2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }

/// A function of one number is computed in float and rounded. @param call of the float `v`
#define COSMATI_CUDA_NUMBER_FUNCTION_(T, T2, name, call) \
  inline T h##name(T a) {                                \
    float const v = a;                                   \
    return T(call);                                      \
  }                                                      \
  inline T2 h2##name(T2 a) { return {h##name(a.x), h##name(a.y)}; }
#define COSMATI_CUDA_NUMBER_FUNCTIONS_(T, T2, number)                                                             \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, T2, exp, std::exp(v))                                                          \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, T2, exp2, std::exp2(v))                                                        \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, T2, exp10, __exp10f(v))                                                        \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, T2, log, std::log(v))                                                          \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, T2, log2, std::log2(v))                                                        \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, T2, log10, std::log10(v))                                                      \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, T2, sqrt, std::sqrt(v))                                                        \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, T2, rsqrt, rsqrtf(v))                                                          \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, T2, rcp, 1.f / v)                                                              \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, T2, sin, std::sin(v))                                                          \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, T2, cos, std::cos(v))                                                          \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, T2, tanh, std::tanh(v))                                                        \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, T2, floor, std::floor(v))                                                      \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, T2, ceil, std::ceil(v))                                                        \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, T2, trunc, std::trunc(v))                                                      \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, T2, rint, std::rint(v))                                                        \
  /* The product is exact in double, and the sum is rounded once. */                                              \
  inline T __hfma(T a, T b, T c) {                                                                                \
    return number(static_cast<double>(float(a)) * static_cast<double>(float(b)) + static_cast<double>(float(c))); \
  }                                                                                                               \
  inline T2 __hfma2(T2 a, T2 b, T2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }                  \
  inline T __hfma_relu(T a, T b, T c) { return __hmax(__hfma(a, b, c), T(0.f)); }                                 \
  constexpr T __hsaturate(T a) { return a > T(0.f) ? (a < T(1.f) ? a : T(1.f)) : T(0.f); }                        \
  constexpr T __hadd_sat(T a, T b) { return __hsaturate(a + b); }                                                 \
  constexpr T __hsub_sat(T a, T b) { return __hsaturate(a - b); }                                                 \
  constexpr T __hmul_sat(T a, T b) { return __hsaturate(a * b); }                                                 \
  inline T __hfma_sat(T a, T b, T c) { return __hsaturate(__hfma(a, b, c)); }                                     \
  constexpr T __habs(T a) { return abs(a.as_number()); }                                                          \
  constexpr T2 __habs2(T2 a) { return {__habs(a.x), __habs(a.y)}; }

#define COSMATI_CUDA_NUMBER_PAIRS_(T, T2)            \
  constexpr float __low2float(T2 a) { return a.x; }  \
  constexpr float __high2float(T2 a) { return a.y; } \
  constexpr T2 __lowhigh2highlow(T2 a) { return {a.y, a.x}; }

#include <cosmati/core/macros_end.hpp>
