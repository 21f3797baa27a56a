// SPDX-License-Identifier: Apache-2.0
/// @file
/// Conversions of two numbers at once by instructions that convert two, such as `cvt.rn.bf16x2.f32`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/streaming.hpp>
#include <cosmati/number/bfloat16.hpp>
#include <cosmati/number/float8.hpp>
#include <cosmati/number/half.hpp>
#include <type_traits>

#pragma push_macro("__builtin_memcpy")  // registers; see runtime/seen_builtins.hpp
#undef __builtin_memcpy

namespace COSMATI_NAMESPACE {

namespace detail {

template <class T>
inline constexpr bool is_float8 = std::is_same_v<T, float_e4m3_t> || std::is_same_v<T, float_e5m2_t>;

#if defined(__CUDA_ARCH__)
/// Converts two floats to one word of halves or bfloat16s.
template <class To>
__device__ inline std::uint32_t two_of_16_bits(float low, float high) {
  std::uint32_t word;
  if constexpr (std::is_same_v<To, half_t>)
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
  else
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
  return word;
}
/// Converts two floats to two bytes.
template <class To>
__device__ inline std::uint32_t two_of_8_bits(float low, float high) {
  std::uint16_t word;
  if constexpr (std::is_same_v<To, float_e4m3_t>)
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(word) : "f"(high), "f"(low));
  else
    asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(word) : "f"(high), "f"(low));
  return word;
}
/// Converts two bytes to one word of halves, exactly.
template <class From>
__device__ inline std::uint32_t two_halves_of(std::uint32_t bytes) {
  std::uint32_t word;
  if constexpr (std::is_same_v<From, float_e4m3_t>)
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(word) : "h"(static_cast<std::uint16_t>(bytes)));
  else
    asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(word) : "h"(static_cast<std::uint16_t>(bytes)));
  return word;
}
/// The two numbers as floats, exactly. @tparam T float, half_t, bfloat16_t, or (sm_89) a number of 8 bits
template <class T>
struct two_floats {
  float low, high;
  __device__ explicit two_floats(register_words<2 * sizeof(T)> const& v) {
    if constexpr (std::is_same_v<T, float>) {
      low = __uint_as_float(v.word[0]);
      high = __uint_as_float(v.word[1]);
    } else if constexpr (std::is_same_v<T, bfloat16_t>) {
      low = __uint_as_float(v.word[0] << 16);
      high = __uint_as_float(v.word[0] & 0xffff0000u);
    } else {
      std::uint32_t halves = v.word[0];
      if constexpr (is_float8<T>) halves = two_halves_of<T>(halves);
      low = __nvvm_h2f(static_cast<unsigned short>(halves & 0xffffu));
      high = __nvvm_h2f(static_cast<unsigned short>(halves >> 16));
    }
  }
};
template <class T>
inline constexpr bool is_16_bits = std::is_same_v<T, half_t> || std::is_same_v<T, bfloat16_t>;
#endif

}  // namespace detail

/// Converts two adjacent numbers as a cast converts each of them.
/// @tparam From, To types of at most 8 bytes
template <class From, class To>
COSMATI_HD inline register_words<2 * sizeof(To)> convert_two(register_words<2 * sizeof(From)> const& v) {
#if defined(__CUDA_ARCH__)
  constexpr bool known =
      std::is_same_v<From, float> || detail::is_16_bits<From> || (detail::is_float8<From> && __CUDA_ARCH__ >= 890);
  if constexpr (known && detail::is_16_bits<To> && __CUDA_ARCH__ >= 800 && !std::is_same_v<From, To>) {
    if constexpr (detail::is_float8<From> && std::is_same_v<To, half_t>) {
      return {{detail::two_halves_of<From>(v.word[0])}};
    } else {
      detail::two_floats<From> const two(v);
      return {{detail::two_of_16_bits<To>(two.low, two.high)}};
    }
  } else if constexpr (known && detail::is_float8<To> && __CUDA_ARCH__ >= 890 && !detail::is_float8<From>) {
    detail::two_floats<From> const two(v);
    return {{detail::two_of_8_bits<To>(two.low, two.high)}};
  } else if constexpr (detail::is_float8<From> && __CUDA_ARCH__ >= 890 && std::is_same_v<To, float>) {
    detail::two_floats<From> const two(v);
    return {{__float_as_uint(two.low), __float_as_uint(two.high)}};
  } else
#endif
  {
    From from[2];
    To to[2];
    if constexpr (sizeof(From) == 1) {
      unsigned char const bytes[2] = {static_cast<unsigned char>(v.word[0]),
                                      static_cast<unsigned char>(v.word[0] >> 8)};
      __builtin_memcpy(from, bytes, 2);
    } else {
      __builtin_memcpy(from, v.word, sizeof from);
    }
    to[0] = static_cast<To>(from[0]);
    to[1] = static_cast<To>(from[1]);
    register_words<2 * sizeof(To)> out = {};
    __builtin_memcpy(out.word, to, sizeof to);
    return out;
  }
}

}  // namespace COSMATI_NAMESPACE

#pragma pop_macro("__builtin_memcpy")

#include <cosmati/core/macros_end.hpp>
