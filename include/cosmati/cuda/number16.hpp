// SPDX-License-Identifier: Apache-2.0
/// @file
/// What cuda_fp16.h and cuda_bf16.h have in common: one macro that defines a number type of 16 bits, its pair, and the
/// intrinsics that have the same name for both. Arithmetic is that of cosmati::half_t and cosmati::bfloat16_t.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
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
#define COSMATI_CUDA_NUMBER_(T, Pair, number)                                              \
  struct T {                                                                               \
    unsigned short __x;                                                                    \
    T() = default;                                                                         \
    explicit constexpr T(number v) : __x(v.raw()) {}                                       \
    constexpr T(float v) : T(number(v)) {}                                                 \
    constexpr T(double v) : T(number(v)) {}                                                \
    template <std::integral U>                                                             \
    constexpr T(U v) : T(number(v)) {}                                                     \
    constexpr number as_number() const { return number::bitcast(__x); }                    \
    constexpr operator float() const { return static_cast<float>(as_number()); }           \
    template <class V>                                                                     \
    requires(std::is_arithmetic_v<V>) constexpr T& operator=(V v) { return *this = T(v); } \
  };                                                                                       \
  struct alignas(4) Pair {                                                                 \
    T x, y;                                                                                \
    Pair() = default;                                                                      \
    constexpr Pair(T a, T b) : x(a), y(b) {}                                               \
  };                                                                                       \
  COSMATI_CUDA_NUMBER_ARITHMETIC_(T, Pair)                                                 \
  COSMATI_CUDA_NUMBER_COMPARISONS_(T, Pair)                                                \
  COSMATI_CUDA_NUMBER_FUNCTIONS_(T, Pair, number)                                          \
  COSMATI_CUDA_NUMBER_PAIRS_(T, Pair)

#define COSMATI_CUDA_NUMBER_OPERATOR_(T, Pair, op, name)                          \
  constexpr T operator op(T a, T b) { return a.as_number() op b.as_number(); }    \
  constexpr Pair operator op(Pair a, Pair b) { return {a.x op b.x, a.y op b.y}; } \
  constexpr T& operator op##=(T& a, T b) { return a = a op b; }                   \
  constexpr Pair& operator op##=(Pair& a, Pair b) { return a = a op b; }          \
  constexpr T name(T a, T b) { return a op b; }                                   \
  constexpr T name##_rn(T a, T b) { return a op b; }
#define COSMATI_CUDA_NUMBER_ARITHMETIC_(T, Pair)              \
  COSMATI_CUDA_NUMBER_OPERATOR_(T, Pair, +, __hadd)           \
  COSMATI_CUDA_NUMBER_OPERATOR_(T, Pair, -, __hsub)           \
  COSMATI_CUDA_NUMBER_OPERATOR_(T, Pair, *, __hmul)           \
  COSMATI_CUDA_NUMBER_OPERATOR_(T, Pair, /, __hdiv)           \
  constexpr T operator-(T a) { return -a.as_number(); }       \
  constexpr T operator+(T a) { return a; }                    \
  constexpr Pair operator-(Pair a) { return {-a.x, -a.y}; }   \
  constexpr Pair operator+(Pair a) { return a; }              \
  constexpr T& operator++(T& a) { return a = a + T(1.f); }    \
  constexpr T& operator--(T& a) { return a = a - T(1.f); }    \
  constexpr Pair __hadd2(Pair a, Pair b) { return a + b; }    \
  constexpr Pair __hsub2(Pair a, Pair b) { return a - b; }    \
  constexpr Pair __hmul2(Pair a, Pair b) { return a * b; }    \
  constexpr Pair __hadd2_rn(Pair a, Pair b) { return a + b; } \
  constexpr Pair __hsub2_rn(Pair a, Pair b) { return a - b; } \
  constexpr Pair __hmul2_rn(Pair a, Pair b) { return a * b; } \
  constexpr Pair __h2div(Pair a, Pair b) { return a / b; }    \
  constexpr T __hneg(T a) { return -a; }                      \
  constexpr Pair __hneg2(Pair a) { return -a; }

/// Ordered comparisons are false for a NaN, those that end in `u` true.
#define COSMATI_CUDA_NUMBER_COMPARE_(T, Pair, name, expression)                                       \
  constexpr bool __h##name(T s, T t) {                                                                \
    float const a = s, b = t;                                                                         \
    return a == a && b == b && (expression);                                                          \
  }                                                                                                   \
  constexpr bool __h##name##u(T s, T t) {                                                             \
    float const a = s, b = t;                                                                         \
    return !(a == a && b == b) || (expression);                                                       \
  }                                                                                                   \
  constexpr Pair __h##name##2(Pair a, Pair b) {                                                       \
    return {T(__h##name(a.x, b.x) ? 1.f : 0.f), T(__h##name(a.y, b.y) ? 1.f : 0.f)};                  \
  }                                                                                                   \
  constexpr bool __hb##name##2(Pair a, Pair b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
  constexpr unsigned __h##name##2_mask(Pair a, Pair b) {                                              \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);           \
  }
#define COSMATI_CUDA_NUMBER_COMPARISONS_(T, Pair)                                                      \
  COSMATI_CUDA_NUMBER_COMPARE_(T, Pair, eq, a == b)                                                    \
  COSMATI_CUDA_NUMBER_COMPARE_(T, Pair, ne, a != b)                                                    \
  COSMATI_CUDA_NUMBER_COMPARE_(T, Pair, lt, a < b)                                                     \
  COSMATI_CUDA_NUMBER_COMPARE_(T, Pair, le, a <= b)                                                    \
  COSMATI_CUDA_NUMBER_COMPARE_(T, Pair, gt, a > b)                                                     \
  COSMATI_CUDA_NUMBER_COMPARE_(T, Pair, ge, a >= b)                                                    \
  constexpr bool operator==(T a, T b) { return __heq(a, b); }                                          \
  constexpr bool operator!=(T a, T b) { return __hneu(a, b); }                                         \
  constexpr bool operator<(T a, T b) { return __hlt(a, b); }                                           \
  constexpr bool operator>(T a, T b) { return __hgt(a, b); }                                           \
  constexpr bool operator<=(T a, T b) { return __hle(a, b); }                                          \
  constexpr bool operator>=(T a, T b) { return __hge(a, b); }                                          \
  constexpr bool operator==(Pair a, Pair b) { return __hbeq2(a, b); }                                  \
  constexpr bool operator!=(Pair a, Pair b) { return !__hbeq2(a, b); }                                 \
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
  constexpr Pair __hmax2(Pair a, Pair b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }              \
  constexpr Pair __hmin2(Pair a, Pair b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }

/// A function of one number is computed in float and rounded. @param call of the float `v`
#define COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, name, call) \
  inline T h##name(T a) {                                  \
    float const v = a;                                     \
    return T(call);                                        \
  }                                                        \
  inline Pair h2##name(Pair a) { return {h##name(a.x), h##name(a.y)}; }
#define COSMATI_CUDA_NUMBER_FUNCTIONS_(T, Pair, number)                                                           \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, exp, std::exp(v))                                                        \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, exp2, std::exp2(v))                                                      \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, exp10, __exp10f(v))                                                      \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, log, std::log(v))                                                        \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, log2, std::log2(v))                                                      \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, log10, std::log10(v))                                                    \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, sqrt, std::sqrt(v))                                                      \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, rsqrt, rsqrtf(v))                                                        \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, rcp, 1.f / v)                                                            \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, sin, std::sin(v))                                                        \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, cos, std::cos(v))                                                        \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, tanh, std::tanh(v))                                                      \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, floor, std::floor(v))                                                    \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, ceil, std::ceil(v))                                                      \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, trunc, std::trunc(v))                                                    \
  COSMATI_CUDA_NUMBER_FUNCTION_(T, Pair, rint, std::rint(v))                                                      \
  /* The product is exact in double, and the sum is rounded once. */                                              \
  inline T __hfma(T a, T b, T c) {                                                                                \
    return number(static_cast<double>(float(a)) * static_cast<double>(float(b)) + static_cast<double>(float(c))); \
  }                                                                                                               \
  inline Pair __hfma2(Pair a, Pair b, Pair c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }          \
  inline T __hfma_relu(T a, T b, T c) { return __hmax(__hfma(a, b, c), T(0.f)); }                                 \
  constexpr T __hsaturate(T a) { return a > T(0.f) ? (a < T(1.f) ? a : T(1.f)) : T(0.f); }                        \
  constexpr T __hadd_sat(T a, T b) { return __hsaturate(a + b); }                                                 \
  constexpr T __hsub_sat(T a, T b) { return __hsaturate(a - b); }                                                 \
  constexpr T __hmul_sat(T a, T b) { return __hsaturate(a * b); }                                                 \
  inline T __hfma_sat(T a, T b, T c) { return __hsaturate(__hfma(a, b, c)); }                                     \
  constexpr T __habs(T a) { return abs(a.as_number()); }                                                          \
  constexpr Pair __habs2(Pair a) { return {__habs(a.x), __habs(a.y)}; }

#define COSMATI_CUDA_NUMBER_PAIRS_(T, Pair)            \
  constexpr float __low2float(Pair a) { return a.x; }  \
  constexpr float __high2float(Pair a) { return a.y; } \
  constexpr Pair __lowhigh2highlow(Pair a) { return {a.y, a.x}; }

#endif

#include <cosmati/core/macros_end.hpp>
