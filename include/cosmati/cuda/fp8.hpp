// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's cuda_fp8.h provides: `__nv_fp8_e4m3`, `__nv_fp8_e5m2` and `__nv_fp8_e8m0`, two and four of them, and
/// their conversions.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#define __CUDA_FP8_H__
#include <cmath>
#include <cosmati/cuda/fp8_convert.hpp>

namespace cosmati_cuda {

/// The conversions of one 8-bit format. @tparam format __NV_E4M3, __NV_E5M2
template <__nv_fp8_interpretation_t format>
struct fp8_of {
  template <class V>
  static constexpr __nv_fp8_storage_t code(V v) {
    return to_fp8(v, __NV_SATFINITE, format);
  }
  static constexpr float value(__nv_fp8_storage_t v) { return from_fp8(v, format); }
  static constexpr bool is_true(__nv_fp8_storage_t v) { return (v & 0x7fu) != 0; }
};
/// The same of powers of two, which are rounded up.
struct e8m0_of {
  template <class V>
  static constexpr __nv_fp8_storage_t code(V v) {
    return to_e8m0(v, __NV_SATFINITE, cudaRoundPosInf);
  }
  static constexpr float value(__nv_fp8_storage_t v) { return COSMATI_NAMESPACE::float_ue8m0_t::bitcast(v); }
  static constexpr bool is_true(__nv_fp8_storage_t) { return true; }
};

}  // namespace cosmati_cuda

/// One number, two and four. @param of the conversions
#define COSMATI_FP8_(T, Two, Four, of)                                                                                \
  struct T {                                                                                                          \
    __nv_fp8_storage_t __x;                                                                                           \
    T() = default;                                                                                                    \
    explicit constexpr T(float v) : __x(of::code(v)) {}                                                               \
    explicit constexpr T(double v) : __x(of::code(v)) {}                                                              \
    explicit constexpr T(__half v) : __x(of::code(static_cast<float>(v))) {}                                          \
    explicit constexpr T(__nv_bfloat16 v) : __x(of::code(static_cast<float>(v))) {}                                   \
    template <std::integral U>                                                                                        \
    explicit constexpr T(U v) : __x(of::code(static_cast<double>(v))) {}                                              \
    explicit constexpr operator float() const { return of::value(__x); }                                              \
    explicit constexpr operator double() const { return of::value(__x); }                                             \
    explicit constexpr operator __half() const { return of::value(__x); }                                             \
    explicit constexpr operator __nv_bfloat16() const { return of::value(__x); }                                      \
    explicit constexpr operator bool() const { return of::is_true(__x); }                                             \
    template <std::integral U>                                                                                        \
    requires(!std::is_same_v<U, bool>) explicit operator U() const {                                                  \
      return cosmati_cuda::to_integer<float, U>(std::trunc(of::value(__x)));                                          \
    }                                                                                                                 \
  };                                                                                                                  \
  struct alignas(2) Two {                                                                                             \
    __nv_fp8x2_storage_t __x;                                                                                         \
    Two() = default;                                                                                                  \
    template <class V>                                                                                                \
    requires(requires(V v) { T(v.y); }) explicit constexpr Two(V v)                                                   \
        : __x(cosmati_cuda::two_bytes(T(v.x).__x, T(v.y).__x)) {}                                                     \
    explicit constexpr operator float2() const {                                                                      \
      return {of::value(static_cast<__nv_fp8_storage_t>(__x)), of::value(static_cast<__nv_fp8_storage_t>(__x >> 8))}; \
    }                                                                                                                 \
    explicit constexpr operator __half2() const {                                                                     \
      float2 const v(*this);                                                                                          \
      return {v.x, v.y};                                                                                              \
    }                                                                                                                 \
    explicit constexpr operator __nv_bfloat162() const {                                                              \
      float2 const v(*this);                                                                                          \
      return {v.x, v.y};                                                                                              \
    }                                                                                                                 \
  };                                                                                                                  \
  struct alignas(4) Four {                                                                                            \
    __nv_fp8x4_storage_t __x;                                                                                         \
    Four() = default;                                                                                                 \
    template <class V>                                                                                                \
    requires(requires(V v) { T(v.w); }) explicit constexpr Four(V v)                                                  \
        : __x(T(v.x).__x | static_cast<unsigned>(T(v.y).__x) << 8 | static_cast<unsigned>(T(v.z).__x) << 16 |         \
              static_cast<unsigned>(T(v.w).__x) << 24) {}                                                             \
    template <class Pair>                                                                                             \
    constexpr Four(Pair low, Pair high) : __x(Two(low).__x | static_cast<unsigned>(Two(high).__x) << 16) {}           \
    explicit constexpr operator float4() const {                                                                      \
      return {of::value(static_cast<__nv_fp8_storage_t>(__x)), of::value(static_cast<__nv_fp8_storage_t>(__x >> 8)),  \
              of::value(static_cast<__nv_fp8_storage_t>(__x >> 16)),                                                  \
              of::value(static_cast<__nv_fp8_storage_t>(__x >> 24))};                                                 \
    }                                                                                                                 \
  };
COSMATI_FP8_(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, cosmati_cuda::fp8_of<__NV_E4M3>)
COSMATI_FP8_(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, cosmati_cuda::fp8_of<__NV_E5M2>)
COSMATI_FP8_(__nv_fp8_e8m0, __nv_fp8x2_e8m0, __nv_fp8x4_e8m0, cosmati_cuda::e8m0_of)
#undef COSMATI_FP8_

#endif

#include <cosmati/core/macros_end.hpp>
