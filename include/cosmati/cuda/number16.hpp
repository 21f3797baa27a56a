// SPDX-License-Identifier: Apache-2.0
/// @file
/// What cuda_fp16.h and cuda_bf16.h have in common: one macro that defines a number type of 16 bits, its pair, and the
/// intrinsics that have the same name for both. Each result is rounded once, as the PTX ISA says of these types.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cmath>
#include <cosmati/cuda/number16_compare.hpp>
#include <cosmati/cuda/number16_math.hpp>
#include <cosmati/cuda/runtime.hpp>
#include <cosmati/number/minifloat.hpp>

namespace cosmati_cuda {

/// Whether a type is one of CUDA's numbers of 16 bits.
template <class T>
concept is_number16 = requires {
  typename T::cosmati_number;
};
template <class V, class T>
concept is_other_number16 = is_number16<V> && !std::is_same_v<V, T>;

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
/// The neighbour of an integer in one direction. An integer that double does not hold is shortened to a double that
/// lies on the same side of every number of 16 bits.
template <class Number, class U>
Number integer_rounded_toward(U v, double target) {
  auto d = static_cast<double>(v);
  if constexpr (sizeof(U) == 8) {
    std::uint64_t magnitude = v < 0 ? 0 - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
    if (magnitude >> 53 != 0) magnitude = (magnitude >> 11 | ((magnitude & 0x7ffu) != 0 ? 1u : 0u)) << 11;
    d = v < 0 ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
  }
  return rounded_toward<Number>(d, target == 0 ? d : target);
}
/// A product or quotient, rounded once. NaNs go through float, which keeps the pattern of unwritten memory.
template <class Number, bool divides>
constexpr Number scaled(Number s, Number t) {
  if (isnan(s) || isnan(t)) return divides ? s / t : s * t;
  double const a = static_cast<float>(s), b = static_cast<float>(t);
  double const result = divides ? a / b : a * b;
  return result != result ? s / t * Number(0.f) : Number(result);
}

}  // namespace cosmati_cuda

/// Defines a type with CUDA's name, and its pair. @param Raw, Raw2 the aggregates of their bits
/// @param number the type of cosmati
#define COSMATI_CUDA_NUMBER_(T, Pair, Raw, Raw2, number)                                                    \
  struct Raw {                                                                                              \
    unsigned short x;                                                                                       \
  };                                                                                                        \
  struct alignas(4) Raw2 {                                                                                  \
    unsigned short x, y;                                                                                    \
  };                                                                                                        \
  struct T {                                                                                                \
    using cosmati_number = number;                                                                          \
    unsigned short __x;                                                                                     \
    T() = default;                                                                                          \
    explicit constexpr T(number v) : __x(v.raw()) {}                                                        \
    constexpr T(Raw v) : __x(v.x) {}                                                                        \
    constexpr T(float v) : T(number(v)) {}                                                                  \
    constexpr T(double v) : T(number(v)) {}                                                                 \
    template <std::integral U>                                                                              \
    constexpr T(U v) : T(number(v)) {}                                                                      \
    template <class V>                                                                                      \
    requires(cosmati_cuda::is_other_number16<V, T>) explicit constexpr T(V v) : T(static_cast<float>(v)) {} \
    constexpr number as_number() const { return number::bitcast(__x); }                                     \
    constexpr operator float() const { return static_cast<float>(as_number()); }                            \
    constexpr operator Raw() const { return {__x}; }                                                        \
    explicit constexpr operator bool() const { return (__x & 0x7fffu) != 0; }                               \
    template <std::integral U>                                                                              \
    requires(!std::is_same_v<U, bool>) explicit operator U() const {                                        \
      return cosmati_cuda::to_integer<float, U>(std::trunc(static_cast<float>(*this)));                     \
    }                                                                                                       \
    template <class V>                                                                                      \
    requires(std::is_arithmetic_v<V>) constexpr T& operator=(V v) { return *this = T(v); }                  \
  };                                                                                                        \
  struct alignas(4) Pair {                                                                                  \
    T x, y;                                                                                                 \
    Pair() = default;                                                                                       \
    constexpr Pair(T a, T b) : x(a), y(b) {}                                                                \
    constexpr Pair(Raw2 v) : x(Raw{v.x}), y(Raw{v.y}) {}                                                    \
    constexpr operator Raw2() const { return {x.__x, y.__x}; }                                              \
  };                                                                                                        \
  COSMATI_CUDA_NUMBER_ARITHMETIC_(T, Pair, number)                                                          \
  COSMATI_CUDA_NUMBER_COMPARISONS_(T, Pair)                                                                 \
  COSMATI_CUDA_NUMBER_FUNCTIONS_(T, Pair, number)                                                           \
  COSMATI_CUDA_NUMBER_PAIRS_(T, Pair)

#define COSMATI_CUDA_NUMBER_OPERATOR_(T, Pair, op, name, call)                    \
  constexpr T operator op(T s, T t) {                                             \
    auto const a = s.as_number(), b = t.as_number();                              \
    return T(call);                                                               \
  }                                                                               \
  constexpr Pair operator op(Pair a, Pair b) { return {a.x op b.x, a.y op b.y}; } \
  constexpr T& operator op##=(T& a, T b) { return a = a op b; }                   \
  constexpr Pair& operator op##=(Pair& a, Pair b) { return a = a op b; }          \
  constexpr T name(T a, T b) { return a op b; }                                   \
  constexpr T name##_rn(T a, T b) { return a op b; }
#define COSMATI_CUDA_NUMBER_STEP_(V, op, T)                 \
  constexpr V& operator op##op(V& a) { return a = a op T; } \
  constexpr V operator op##op(V& a, int) {                  \
    V const before = a;                                     \
    a = a op T;                                             \
    return before;                                          \
  }
#define COSMATI_CUDA_NUMBER_ARITHMETIC_(T, Pair, number)                                         \
  COSMATI_CUDA_NUMBER_OPERATOR_(T, Pair, +, __hadd, a + b)                                       \
  COSMATI_CUDA_NUMBER_OPERATOR_(T, Pair, -, __hsub, a - b)                                       \
  COSMATI_CUDA_NUMBER_OPERATOR_(T, Pair, *, __hmul, (cosmati_cuda::scaled<number, false>(a, b))) \
  COSMATI_CUDA_NUMBER_OPERATOR_(T, Pair, /, __hdiv, (cosmati_cuda::scaled<number, true>(a, b)))  \
  constexpr T operator-(T a) { return T(-a.as_number()); }                                       \
  constexpr T operator+(T a) { return a; }                                                       \
  constexpr Pair operator-(Pair a) { return {-a.x, -a.y}; }                                      \
  constexpr Pair operator+(Pair a) { return a; }                                                 \
  COSMATI_CUDA_NUMBER_STEP_(T, +, T(1.f))                                                        \
  COSMATI_CUDA_NUMBER_STEP_(T, -, T(1.f))                                                        \
  COSMATI_CUDA_NUMBER_STEP_(Pair, +, Pair(T(1.f), T(1.f)))                                       \
  COSMATI_CUDA_NUMBER_STEP_(Pair, -, Pair(T(1.f), T(1.f)))                                       \
  constexpr Pair __hadd2(Pair a, Pair b) { return a + b; }                                       \
  constexpr Pair __hsub2(Pair a, Pair b) { return a - b; }                                       \
  constexpr Pair __hmul2(Pair a, Pair b) { return a * b; }                                       \
  constexpr Pair __hadd2_rn(Pair a, Pair b) { return a + b; }                                    \
  constexpr Pair __hsub2_rn(Pair a, Pair b) { return a - b; }                                    \
  constexpr Pair __hmul2_rn(Pair a, Pair b) { return a * b; }                                    \
  constexpr Pair __h2div(Pair a, Pair b) { return a / b; }                                       \
  constexpr T __hneg(T a) { return -a; }                                                         \
  constexpr Pair __hneg2(Pair a) { return -a; }

#define COSMATI_CUDA_NUMBER_PAIRS_(T, Pair)            \
  constexpr float __low2float(Pair a) { return a.x; }  \
  constexpr float __high2float(Pair a) { return a.y; } \
  constexpr Pair __lowhigh2highlow(Pair a) { return {a.y, a.x}; }

/// Conversions of a type to and from integers, in four roundings, by CUDA's names. @param word "half" or "bfloat16"
#define COSMATI_CUDA_NUMBER_INTEGER_(T, word, number, U, name)                                                         \
  constexpr T __##name##2##word##_rn(U v) { return v; }                                                                \
  inline T __##name##2##word##_rz(U v) { return T(cosmati_cuda::integer_rounded_toward<number>(v, 0)); }               \
  inline T __##name##2##word##_ru(U v) { return T(cosmati_cuda::integer_rounded_toward<number>(v, __builtin_inf())); } \
  inline T __##name##2##word##_rd(U v) {                                                                               \
    return T(cosmati_cuda::integer_rounded_toward<number>(v, -__builtin_inf()));                                       \
  }                                                                                                                    \
  inline U __##word##2##name##_rn(T v) { return cosmati_cuda::to_integer<float, U>(std::rint(float(v))); }             \
  inline U __##word##2##name##_rz(T v) { return cosmati_cuda::to_integer<float, U>(std::trunc(float(v))); }            \
  inline U __##word##2##name##_ru(T v) { return cosmati_cuda::to_integer<float, U>(std::ceil(float(v))); }             \
  inline U __##word##2##name##_rd(T v) { return cosmati_cuda::to_integer<float, U>(std::floor(float(v))); }
#define COSMATI_CUDA_NUMBER_INTEGERS_(T, word, number)                           \
  COSMATI_CUDA_NUMBER_INTEGER_(T, word, number, int, int)                        \
  COSMATI_CUDA_NUMBER_INTEGER_(T, word, number, unsigned, uint)                  \
  COSMATI_CUDA_NUMBER_INTEGER_(T, word, number, short, short)                    \
  COSMATI_CUDA_NUMBER_INTEGER_(T, word, number, unsigned short, ushort)          \
  COSMATI_CUDA_NUMBER_INTEGER_(T, word, number, long long, ll)                   \
  COSMATI_CUDA_NUMBER_INTEGER_(T, word, number, unsigned long long, ull)         \
  inline signed char __##word##2char_rz(T v) {                                   \
    return cosmati_cuda::to_integer<float, signed char>(std::trunc(float(v)));   \
  }                                                                              \
  inline unsigned char __##word##2uchar_rz(T v) {                                \
    return cosmati_cuda::to_integer<float, unsigned char>(std::trunc(float(v))); \
  }

#endif

#include <cosmati/core/macros_end.hpp>
