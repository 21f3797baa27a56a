// SPDX-License-Identifier: Apache-2.0
/// @file
/// `ceil_div`, `round_up` of plain integers; `FastDivmod`; `fast_exp` and its like.
/// Where CUTLASS's own header is further back on the include path, this one stands aside.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/fast_math.h>)
#include_next <cutlass/fast_math.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/cutlass.h>
#include <cmath>
#include <cosmati/core/math.hpp>
#include <cosmati/number/half.hpp>
#include <cutlass/detail/number_names.hpp>

namespace cutlass {

using ::COSMATI_NAMESPACE::ceil_div;

/// The next multiple of b at or above a.
template <class A, class B>
CUTLASS_HOST_DEVICE constexpr auto round_up(A a, B b) {
  return (a + b - 1) / b * b;
}

/// A divisor that is used often.
struct FastDivmod {
  int divisor = 1;
  FastDivmod() = default;
  CUTLASS_HOST_DEVICE constexpr explicit FastDivmod(int by) : divisor(by) {}
  CUTLASS_HOST_DEVICE constexpr void operator()(int& quotient, int& remainder, int dividend) const {
    quotient = dividend / divisor;
    remainder = dividend % divisor;
  }
  CUTLASS_HOST_DEVICE constexpr int divmod(int& remainder, int dividend) const {
    remainder = dividend % divisor;
    return dividend / divisor;
  }
  CUTLASS_HOST_DEVICE constexpr operator int() const { return divisor; }  // NOLINT(google-explicit-constructor)
};

/// @name Functions by their fastest instruction, where the hardware has one
/// @{
CUTLASS_HOST_DEVICE float fast_exp(float x) {
#if defined(__CUDA_ARCH__)
  return __expf(x);
#else
  return std::exp(x);
#endif
}
CUTLASS_HOST_DEVICE float fast_log(float x) {
#if defined(__CUDA_ARCH__)
  return __logf(x);
#else
  return std::log(x);
#endif
}
CUTLASS_HOST_DEVICE float fast_sin(float x) {
#if defined(__CUDA_ARCH__)
  return __sinf(x);
#else
  return std::sin(x);
#endif
}
CUTLASS_HOST_DEVICE float fast_cos(float x) {
#if defined(__CUDA_ARCH__)
  return __cosf(x);
#else
  return std::cos(x);
#endif
}
CUTLASS_HOST_DEVICE float fast_tanh(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return std::tanh(x);
#endif
}
CUTLASS_HOST_DEVICE float fast_sqrt(float x) { return std::sqrt(x); }
CUTLASS_HOST_DEVICE float fast_rsqrt(float x) { return 1.0f / std::sqrt(x); }
CUTLASS_HOST_DEVICE float fast_asin(float x) { return std::asin(x); }
CUTLASS_HOST_DEVICE float fast_acos(float x) { return std::acos(x); }
CUTLASS_HOST_DEVICE double fast_exp(double x) { return std::exp(x); }
CUTLASS_HOST_DEVICE double fast_log(double x) { return std::log(x); }
CUTLASS_HOST_DEVICE double fast_sin(double x) { return std::sin(x); }
CUTLASS_HOST_DEVICE double fast_cos(double x) { return std::cos(x); }
CUTLASS_HOST_DEVICE double fast_tanh(double x) { return std::tanh(x); }
CUTLASS_HOST_DEVICE double fast_sqrt(double x) { return std::sqrt(x); }
CUTLASS_HOST_DEVICE ::COSMATI_NAMESPACE::half_t fast_exp(::COSMATI_NAMESPACE::half_t x) {
  return ::COSMATI_NAMESPACE::half_t(fast_exp(static_cast<float>(x)));
}
CUTLASS_HOST_DEVICE ::COSMATI_NAMESPACE::half_t fast_tanh(::COSMATI_NAMESPACE::half_t x) {
  return ::COSMATI_NAMESPACE::half_t(fast_tanh(static_cast<float>(x)));
}
/// @}
/// @name The smaller and the larger
/// @{
template <class T>
CUTLASS_HOST_DEVICE constexpr T fast_min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T fast_max(T a, T b) {
  return a < b ? b : a;
}
/// @}

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
