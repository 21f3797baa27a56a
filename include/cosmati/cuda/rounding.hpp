// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's arithmetic and conversions with directed roundings (`__fadd_rz`, `__dmul_ru`, `__ll2float_rd`, ...). The
/// host's processor rounds in that direction meanwhile, so results are exact to the last bit.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cfenv>
#include <cmath>

/// Roundings of conversions by CUDA's names.
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

namespace cosmati_cuda {

/// Empty assembly that keeps the compiler from knowing a value, and from moving its uses to before.
template <class T>
void hide(T& value) {
  __asm__ volatile("" : "+m"(value) : : "memory");
}
/// The result of `operation` on the operands in a rounding mode of <cfenv>. The compiler may not move the operation to
/// where another mode holds.
template <int mode, class Operation, class... T>
auto rounded(Operation operation, T... operand) {
  int const before = std::fegetround();
  std::fesetround(mode);
  (hide(operand), ...);
  auto result = operation(operand...);
  hide(result);
  std::fesetround(before);
  return result;
}

}  // namespace cosmati_cuda

#define COSMATI_ROUNDED_MODE_(suffix, mode)                                                \
  COSMATI_ROUNDED_TYPE_(float, __f, __fmaf, __builtin_fmaf, suffix, mode)                  \
  COSMATI_ROUNDED_TYPE_(double, __d, __fma, __builtin_fma, suffix, mode)                   \
  inline float __double2float_##suffix(double a) {                                         \
    return cosmati_cuda::rounded<mode>([](double x) { return static_cast<float>(x); }, a); \
  }                                                                                        \
  COSMATI_ROUNDED_INTEGER_(int, int, float, suffix, mode)                                  \
  COSMATI_ROUNDED_INTEGER_(unsigned, uint, float, suffix, mode)                            \
  COSMATI_ROUNDED_INTEGER_(long long, ll, float, suffix, mode)                             \
  COSMATI_ROUNDED_INTEGER_(unsigned long long, ull, float, suffix, mode)                   \
  COSMATI_ROUNDED_INTEGER_(long long, ll, double, suffix, mode)                            \
  COSMATI_ROUNDED_INTEGER_(unsigned long long, ull, double, suffix, mode)                  \
  inline float __fmaf_ieee_##suffix(float a, float b, float c) { return __fmaf_##suffix(a, b, c); }
#define COSMATI_ROUNDED_INTEGER_(U, name, T, suffix, mode)                        \
  inline T __##name##2##T##_##suffix(U a) {                                       \
    return cosmati_cuda::rounded<mode>([](U x) { return static_cast<T>(x); }, a); \
  }
#define COSMATI_ROUNDED_BINARY_(T, name, op, suffix, mode)                     \
  inline T name##_##suffix(T a, T b) {                                         \
    return cosmati_cuda::rounded<mode>([](T x, T y) { return x op y; }, a, b); \
  }
#define COSMATI_ROUNDED_TYPE_(T, prefix, multiply_add, builtin_multiply_add, suffix, mode)                    \
  COSMATI_ROUNDED_BINARY_(T, prefix##add, +, suffix, mode)                                                    \
  COSMATI_ROUNDED_BINARY_(T, prefix##sub, -, suffix, mode)                                                    \
  COSMATI_ROUNDED_BINARY_(T, prefix##mul, *, suffix, mode)                                                    \
  COSMATI_ROUNDED_BINARY_(T, prefix##div, /, suffix, mode)                                                    \
  inline T prefix##rcp_##suffix(T a) {                                                                        \
    return cosmati_cuda::rounded<mode>([](T x) { return T(1) / x; }, a);                                      \
  }                                                                                                           \
  inline T prefix##sqrt_##suffix(T a) {                                                                       \
    return cosmati_cuda::rounded<mode>([](T x) { return std::sqrt(x); }, a);                                  \
  }                                                                                                           \
  inline T multiply_add##_##suffix(T a, T b, T c) {                                                           \
    return cosmati_cuda::rounded<mode>([](T x, T y, T z) { return builtin_multiply_add(x, y, z); }, a, b, c); \
  }
COSMATI_ROUNDED_MODE_(rz, FE_TOWARDZERO)
COSMATI_ROUNDED_MODE_(ru, FE_UPWARD)
COSMATI_ROUNDED_MODE_(rd, FE_DOWNWARD)
#undef COSMATI_ROUNDED_MODE_
#undef COSMATI_ROUNDED_TYPE_
#undef COSMATI_ROUNDED_BINARY_
#undef COSMATI_ROUNDED_INTEGER_
inline float __fmaf_ieee_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

#endif

#include <cosmati/core/macros_end.hpp>
