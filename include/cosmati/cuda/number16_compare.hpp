// SPDX-License-Identifier: Apache-2.0
/// @file
/// Comparisons, maxima and minima of CUDA's numbers of 16 bits and of their pairs, as one macro for a type.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles

/// Ordered comparisons are false for a NaN, those that end in `u` true.
#define COSMATI_CUDA_NUMBER_COMPARE_(T, Pair, name, expression) \
  constexpr bool __h##name(T s, T t) {                          \
    float const a = s, b = t;                                   \
    return a == a && b == b && (expression);                    \
  }                                                             \
  constexpr bool __h##name##u(T s, T t) {                       \
    float const a = s, b = t;                                   \
    return !(a == a && b == b) || (expression);                 \
  }                                                             \
  COSMATI_CUDA_NUMBER_COMPARE_PAIR_(T, Pair, name)              \
  COSMATI_CUDA_NUMBER_COMPARE_PAIR_(T, Pair, name##u)
/// The same of pairs: as numbers 1 and 0, as one boolean, and as masks of 16 bits. @param stem the comparison's name
/// without "__h", of numbers
#define COSMATI_CUDA_NUMBER_COMPARE_PAIR_(T, Pair, stem)                                              \
  constexpr Pair __h##stem##2(Pair a, Pair b) {                                                       \
    return {T(__h##stem(a.x, b.x) ? 1.f : 0.f), T(__h##stem(a.y, b.y) ? 1.f : 0.f)};                  \
  }                                                                                                   \
  constexpr bool __hb##stem##2(Pair a, Pair b) { return __h##stem(a.x, b.x) && __h##stem(a.y, b.y); } \
  constexpr unsigned __h##stem##2_mask(Pair a, Pair b) {                                              \
    return (__h##stem(a.x, b.x) ? 0xffffu : 0u) | (__h##stem(a.y, b.y) ? 0xffff0000u : 0u);           \
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
  constexpr bool operator!=(Pair a, Pair b) { return __hbneu2(a, b); }                                 \
  constexpr bool operator<(Pair a, Pair b) { return __hblt2(a, b); }                                   \
  constexpr bool operator>(Pair a, Pair b) { return __hbgt2(a, b); }                                   \
  constexpr bool operator<=(Pair a, Pair b) { return __hble2(a, b); }                                  \
  constexpr bool operator>=(Pair a, Pair b) { return __hbge2(a, b); }                                  \
  constexpr bool __hisnan(T a) { return __hneu(a, a); }                                                \
  constexpr Pair __hisnan2(Pair a) { return __hneu2(a, a); }                                           \
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
  constexpr Pair __hmin2(Pair a, Pair b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }              \
  constexpr Pair __hmax2_nan(Pair a, Pair b) { return {__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)}; }  \
  constexpr Pair __hmin2_nan(Pair a, Pair b) { return {__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)}; }

#endif

#include <cosmati/core/macros_end.hpp>
