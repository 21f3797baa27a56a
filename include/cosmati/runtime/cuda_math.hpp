// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's arithmetic intrinsics on the simulated device: fast math, roundings, conversions, products, and bytes of
/// words. Fast variants are computed as the exact ones; GPUs may differ in the last bits.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cmath>
#include <cosmati/core/config.hpp>
#include <cosmati/runtime/cuda_intrinsics.hpp>
#include <cstdint>

#if defined(COSMATI_SIMULATED)

// Rounding to nearest, which is the host's.
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline float __fsqrt_rn(float v) { return __builtin_sqrtf(v); }
inline float __frcp_rn(float v) { return 1.f / v; }
inline float __frsqrt_rn(float v) { return static_cast<float>(1. / __builtin_sqrt(static_cast<double>(v))); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline double __dsqrt_rn(double v) { return __builtin_sqrt(v); }
inline double __drcp_rn(double v) { return 1. / v; }

// Variants that are fast on a GPU.
inline float __fdividef(float a, float b) { return a / b; }
inline float __expf(float v) { return __builtin_expf(v); }
inline float __exp10f(float v) { return __builtin_powf(10.f, v); }
inline float __logf(float v) { return __builtin_logf(v); }
inline float __log2f(float v) { return __builtin_log2f(v); }
inline float __log10f(float v) { return __builtin_log10f(v); }
inline float __sinf(float v) { return __builtin_sinf(v); }
inline float __cosf(float v) { return __builtin_cosf(v); }
inline float __tanf(float v) { return __builtin_tanf(v); }
inline void __sincosf(float v, float* sine, float* cosine) {
  *sine = __builtin_sinf(v);
  *cosine = __builtin_cosf(v);
}
inline float __powf(float a, float b) { return __builtin_powf(a, b); }
inline float __saturatef(float v) { return v > 0.f ? (v < 1.f ? v : 1.f) : 0.f; }

// Functions that <cmath> lacks. @tparam T float, double
#define COSMATI_MATH_(T, f)                                                                         \
  inline T rsqrt##f(T v) { return T(1) / std::sqrt(v); }                                            \
  inline T rcbrt##f(T v) { return T(1) / std::cbrt(v); }                                            \
  inline T sinpi##f(T v) {                                                                          \
    T const turn = std::remainder(v, T(2)), half = std::round(turn * 2), rest = turn - half / 2;    \
    int const quarter = static_cast<int>(half) & 3;                                                 \
    T const angle = rest * T(3.14159265358979323846);                                               \
    T const s = (quarter & 1) != 0 ? std::cos(angle) : std::sin(angle);                             \
    return (quarter & 2) != 0 ? -s : s;                                                             \
  }                                                                                                 \
  inline T cospi##f(T v) { return sinpi##f(std::remainder(v, T(2)) + T(0.5)); }                     \
  inline void sincospi##f(T v, T* sine, T* cosine) {                                                \
    *sine = sinpi##f(v);                                                                            \
    *cosine = cospi##f(v);                                                                          \
  }                                                                                                 \
  inline T norm3d##f(T a, T b, T c) { return std::hypot(a, b, c); }                                 \
  inline T norm4d##f(T a, T b, T c, T d) { return std::hypot(std::hypot(a, b), std::hypot(c, d)); } \
  inline T rnorm3d##f(T a, T b, T c) { return T(1) / std::hypot(a, b, c); }                         \
  inline T rhypot##f(T a, T b) { return T(1) / std::hypot(a, b); }                                  \
  inline T normcdf##f(T v) { return std::erfc(v * T(-0.70710678118654752440)) / 2; }
COSMATI_MATH_(float, f)
COSMATI_MATH_(double, )
#undef COSMATI_MATH_

// Conversions. From a floating-point number, a value that is too large becomes the largest; and a NaN becomes 0, from
// or to the bits the highest bit alone, as the PTX ISA says of `cvt`.
namespace cosmati_cuda {
template <class From, class To>
To to_integer(double v) {
  constexpr To least = static_cast<To>(static_cast<To>(-1) < To(0) ? To(1) << (8 * sizeof(To) - 1) : 0);
  constexpr To most = static_cast<To>(~least);
  if (v != v) return sizeof(To) == 8 || sizeof(From) == 8 ? static_cast<To>(To(1) << (8 * sizeof(To) - 1)) : To(0);
  if (v >= static_cast<double>(most)) return most;
  return v <= static_cast<double>(least) ? least : static_cast<To>(v);
}
}  // namespace cosmati_cuda
#define COSMATI_TO_INTEGER_(From, from, To, to)                                                                     \
  inline To __##from##2##to##_rn(From v) { return cosmati_cuda::to_integer<From, To>(__builtin_rint(double(v))); }  \
  inline To __##from##2##to##_rz(From v) { return cosmati_cuda::to_integer<From, To>(__builtin_trunc(double(v))); } \
  inline To __##from##2##to##_ru(From v) { return cosmati_cuda::to_integer<From, To>(__builtin_ceil(double(v))); }  \
  inline To __##from##2##to##_rd(From v) { return cosmati_cuda::to_integer<From, To>(__builtin_floor(double(v))); }
#define COSMATI_CONVERSIONS_(Integer, name)          \
  COSMATI_TO_INTEGER_(float, float, Integer, name)   \
  COSMATI_TO_INTEGER_(double, double, Integer, name) \
  inline float __##name##2float_rn(Integer v) { return static_cast<float>(v); }
COSMATI_CONVERSIONS_(int, int)
COSMATI_CONVERSIONS_(unsigned, uint)
COSMATI_CONVERSIONS_(long long, ll)
COSMATI_CONVERSIONS_(unsigned long long, ull)
#undef COSMATI_CONVERSIONS_
#undef COSMATI_TO_INTEGER_
inline double __int2double_rn(int v) { return v; }
inline double __uint2double_rn(unsigned v) { return v; }
inline double __ll2double_rn(long long v) { return static_cast<double>(v); }
inline double __ull2double_rn(unsigned long long v) { return static_cast<double>(v); }
inline float __double2float_rn(double v) { return static_cast<float>(v); }

// Differences and averages.
inline unsigned __sad(int a, int b, unsigned c) {
  return c + (a < b ? static_cast<unsigned>(b) - static_cast<unsigned>(a)
                    : static_cast<unsigned>(a) - static_cast<unsigned>(b));
}
inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a < b ? b - a : a - b); }
inline int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
inline int __rhadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1); }
inline unsigned __uhadd(unsigned a, unsigned b) { return static_cast<unsigned>((std::uint64_t{a} + b) >> 1); }
inline unsigned __urhadd(unsigned a, unsigned b) { return static_cast<unsigned>((std::uint64_t{a} + b + 1) >> 1); }

// Functions of words with four bytes or two halves: `__vadd4`, `__vmaxs2`, ...
namespace cosmati_cuda {
/// Element k of a word. @tparam E the element's type
template <class E>
constexpr E element(unsigned word, unsigned k) {
  return static_cast<E>(word >> (8 * sizeof(E) * k));
}
template <class E, class F>
unsigned by_element(unsigned a, unsigned b, F f) {
  unsigned result = 0;
  constexpr unsigned bits = 8 * sizeof(E), mask = (1u << bits) - 1;
  for (unsigned k = 0; k < 4 / sizeof(E); ++k)
    result |= (static_cast<unsigned>(f(element<E>(a, k), element<E>(b, k))) & mask) << (bits * k);
  return result;
}
template <class A, class B, class Sum>
Sum dot(unsigned a, unsigned b, unsigned first, Sum c) {
  auto sum = static_cast<unsigned>(c);
  for (unsigned k = 0; k < 4 / sizeof(A); ++k)
    sum += static_cast<unsigned>(static_cast<int>(element<A>(a, k)) * static_cast<int>(element<B>(b, first + k)));
  return static_cast<Sum>(sum);
}
}  // namespace cosmati_cuda
#define COSMATI_WORDS_(name, E, expression)                                                   \
  inline unsigned __v##name(unsigned a, unsigned b) {                                         \
    return cosmati_cuda::by_element<E>(a, b, [](int x, int y) -> int { return expression; }); \
  }
#define COSMATI_WORDS_OF_(n, S, U)                           \
  COSMATI_WORDS_(add##n, U, x + y)                           \
  COSMATI_WORDS_(sub##n, U, x - y)                           \
  COSMATI_WORDS_(maxs##n, S, x < y ? y : x)                  \
  COSMATI_WORDS_(maxu##n, U, x < y ? y : x)                  \
  COSMATI_WORDS_(mins##n, S, y < x ? y : x)                  \
  COSMATI_WORDS_(minu##n, U, y < x ? y : x)                  \
  COSMATI_WORDS_(absdiffs##n, S, x < y ? y - x : x - y)      \
  COSMATI_WORDS_(absdiffu##n, U, x < y ? y - x : x - y)      \
  COSMATI_WORDS_(avgu##n, U, (x + y + 1) >> 1)               \
  COSMATI_WORDS_(cmpeq##n, U, x == y ? -1 : 0)               \
  COSMATI_WORDS_(cmpne##n, U, x != y ? -1 : 0)               \
  COSMATI_WORDS_(cmpgts##n, S, x > y ? -1 : 0)               \
  COSMATI_WORDS_(cmpgtu##n, U, x > y ? -1 : 0)               \
  COSMATI_WORDS_(cmplts##n, S, x < y ? -1 : 0)               \
  COSMATI_WORDS_(cmpltu##n, U, x < y ? -1 : 0)               \
  COSMATI_WORDS_(addus##n, U, x + y > U(-1) ? U(-1) : x + y) \
  COSMATI_WORDS_(subus##n, U, x < y ? 0 : x - y)
COSMATI_WORDS_OF_(4, std::int8_t, std::uint8_t)
COSMATI_WORDS_OF_(2, std::int16_t, std::uint16_t)
#undef COSMATI_WORDS_OF_
#undef COSMATI_WORDS_

/// The sum of four products of 8-bit integers and c.
inline int __dp4a(int a, int b, int c) {
  return cosmati_cuda::dot<std::int8_t, std::int8_t>(static_cast<unsigned>(a), static_cast<unsigned>(b), 0, c);
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  return cosmati_cuda::dot<std::uint8_t, std::uint8_t>(a, b, 0, c);
}
/// The sum of two products of 16-bit and 8-bit integers and c. The 8-bit integers are the lower or upper two of b.
inline int __dp2a_lo(int a, int b, int c) {
  return cosmati_cuda::dot<std::int16_t, std::int8_t>(static_cast<unsigned>(a), static_cast<unsigned>(b), 0, c);
}
inline int __dp2a_hi(int a, int b, int c) {
  return cosmati_cuda::dot<std::int16_t, std::int8_t>(static_cast<unsigned>(a), static_cast<unsigned>(b), 2, c);
}
inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return cosmati_cuda::dot<std::uint16_t, std::uint8_t>(a, b, 0, c);
}
inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
  return cosmati_cuda::dot<std::uint16_t, std::uint8_t>(a, b, 2, c);
}

#endif

#include <cosmati/core/macros_end.hpp>
