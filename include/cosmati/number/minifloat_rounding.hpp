// SPDX-License-Identifier: Apache-2.0
/// @file
/// Conversions of a `float`, `double` or integer to and from the bits of a narrow floating-point format, with rounding.
///
/// A *format* is a struct of constants:
/// - `storage_type`, `cuda_type` (CUDA's type of this format, or `no_cuda_type`), `bits` (the bits of an element)
/// - `is_signed`, `exponent_bits`, `mantissa_bits`, `bias`
/// - `has_infinity`, `has_nan`: with both, they use the highest exponent; with a NaN alone, only all ones is the NaN
/// - `saturates`: numbers that are too large, and infinities, become the largest finite number (PTX `.satfinite`)
/// - `ties_away`: ties round away from zero (PTX `.rna`) instead of to even
/// - `double_nan`: a NaN of type `double` keeps its sign and its high bits, joined with these bits
///
/// An unsigned format drops the sign of a rounded number. A format without a NaN rounds a NaN to its largest finite
/// number, positive.
///
/// The *code* of a number is its sign, exponent and mantissa in the low bits of a word.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <concepts>
#include <cosmati/core/access.hpp>
#include <cosmati/core/config.hpp>
#include <cstdint>
#include <type_traits>

#if defined(__CUDA_ARCH__) && defined(__NVCC__)
// The functions by which nvcc itself names `cvt.rn.f16.f32` and `cvt.f32.f16`. They need no CUDA header.
extern "C" __device__ unsigned short __nvvm_f2h_rn(float);  // NOLINT
extern "C" __device__ float __nvvm_h2f(unsigned short);     // NOLINT
#define COSMATI_HARDWARE_HALF 1
#endif

namespace COSMATI_NAMESPACE {

/// Stands for the CUDA type of a format if CUDA has none.
struct no_cuda_type;

/// Constants that follow from a format: masks and particular codes.
template <class Format>
struct minifloat_code {
  static constexpr int width = (Format::is_signed ? 1 : 0) + Format::exponent_bits + Format::mantissa_bits;
  static constexpr int unused_low_bits = Format::bits == 32 ? 32 - width : 0;
  static constexpr bool exponent_only = Format::mantissa_bits == 0;
  static constexpr std::uint32_t magnitude = (1u << (Format::exponent_bits + Format::mantissa_bits)) - 1;
  static constexpr std::uint32_t sign = Format::is_signed ? magnitude + 1 : 0;
  static constexpr std::uint32_t infinity = ((1u << Format::exponent_bits) - 1) << Format::mantissa_bits;
  static constexpr std::uint32_t max_finite =
      Format::has_infinity ? infinity - 1 : (Format::has_nan ? magnitude - 1 : magnitude);
  static constexpr std::uint32_t overflow = Format::saturates ? max_finite : infinity;
  static constexpr std::uint32_t nan = Format::has_nan ? magnitude : max_finite;
  static constexpr bool is_binary16 =
      Format::exponent_bits == 5 && Format::mantissa_bits == 10 && Format::has_infinity && !Format::saturates;
  static constexpr bool is_upper_half_of_float =
      Format::exponent_bits == 8 && Format::mantissa_bits == 7 && Format::has_infinity && !Format::saturates;
};

/// Whether the bits are a NaN of the format.
template <class Format>
COSMATI_HD constexpr bool is_nan_code(std::uint32_t code) {
  using c = minifloat_code<Format>;
  return Format::has_nan && (code & c::magnitude) > (Format::has_infinity ? c::infinity : c::max_finite);
}

/// The smallest power of two that is at least the magnitude, for formats without a mantissa.
template <class Format, class Bits>
COSMATI_HD constexpr std::uint32_t round_up_to_power(Bits magnitude, int fraction_bits, int source_bias) {
  int const exponent = static_cast<int>(magnitude >> fraction_bits);
  Bits const fraction = magnitude & ((Bits{1} << fraction_bits) - 1);
  int code = exponent - source_bias + Format::bias;
  if (exponent == 0) {  // a subnormal source: at most twice 2^-bias, or far below 2^-bias
    code += fraction > (Bits{1} << (fraction_bits - 1)) ? 1 : 0;
  } else {
    code += fraction != 0 ? 1 : 0;
  }
  int const largest = static_cast<int>(minifloat_code<Format>::max_finite);
  return static_cast<std::uint32_t>(code < 0 ? 0 : (code > largest ? largest : code));
}

/// Rounds the bits of a binary32 (`Bits` has 32 bits) or binary64 (64 bits) number to a code, once.
template <class Format, class Bits>
COSMATI_HD constexpr std::uint32_t round_bits_to_code(Bits bits) {
  using c = minifloat_code<Format>;
  constexpr int source_width = 8 * static_cast<int>(sizeof(Bits));
  constexpr int fraction_bits = source_width == 32 ? 23 : 52;
  constexpr int source_bias = source_width == 32 ? 127 : 1023;
  constexpr Bits one = 1;
  constexpr Bits source_infinity = ((one << (source_width - 1 - fraction_bits)) - 1) << fraction_bits;

  Bits const magnitude = bits & ((one << (source_width - 1)) - 1);
  std::uint32_t const sign = magnitude != bits ? c::sign : 0;
  if (magnitude > source_infinity) {
    if constexpr (source_width == 64 && requires { Format::double_nan; }) {
      return sign | Format::double_nan |
             (static_cast<std::uint32_t>(magnitude >> (fraction_bits - Format::mantissa_bits)) &
              ((1u << Format::mantissa_bits) - 1));
    } else {
#if defined(COSMATI_SIMULATED)
      // The pattern of an unwritten register is kept, so that it is still recognised.
      if constexpr (source_width == 32 && Format::bits == 16) {
        if (!__builtin_is_constant_evaluated() && access_is_watched() && is_unwritten_value(magnitude)) return 0x7FFD;
      }
#endif
      return c::nan;
    }
  }
  if constexpr (c::exponent_only) {
    return round_up_to_power<Format>(magnitude, fraction_bits, source_bias);
  } else if constexpr (Format::bias == source_bias && Format::has_infinity) {
    // The exponents are those of the source. Only the mantissa is shortened, and a carry may reach infinity.
    constexpr int shift = fraction_bits - Format::mantissa_bits;
    Bits const below_half = (one << (shift - 1)) - 1;
    Bits const odd = Format::ties_away ? one : (magnitude >> shift) & 1;
    return sign | static_cast<std::uint32_t>((magnitude + below_half + odd) >> shift);
  } else {
    int source_exponent = static_cast<int>(magnitude >> fraction_bits);
    Bits significand = magnitude & ((one << fraction_bits) - 1);
    if (source_exponent == 0) {
      source_exponent = 1;
    } else {
      significand |= one << fraction_bits;
    }
    int const exponent = source_exponent - source_bias + Format::bias;
    int const shift = fraction_bits - Format::mantissa_bits + (exponent < 1 ? 1 - exponent : 0);
    if (shift > fraction_bits + 1) return sign;  // the number is below half of the smallest subnormal
    Bits const rest = significand & ((one << shift) - 1);
    Bits const half = one << (shift - 1);
    std::uint32_t code = static_cast<std::uint32_t>(significand >> shift);
    if (rest > half || (rest == half && (Format::ties_away || (code & 1) != 0))) code += 1;
    // The leading bit of the significand adds 1 to the exponent, and so may a carry.
    if (exponent > 1) code += static_cast<std::uint32_t>(exponent - 1) << Format::mantissa_bits;
    return sign | (code > c::max_finite ? c::overflow : code);
  }
}

/// Rounds a `float`.
template <class Format>
COSMATI_HD constexpr std::uint32_t round_to_code(float x) {
#if defined(COSMATI_HARDWARE_HALF)
  if constexpr (minifloat_code<Format>::is_binary16) {
    if (!__builtin_is_constant_evaluated()) return __nvvm_f2h_rn(x);
  }
#if __CUDA_ARCH__ >= 800
  if constexpr (minifloat_code<Format>::is_upper_half_of_float) {
    if (!__builtin_is_constant_evaluated()) {
      unsigned short code;
      asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(code) : "f"(x));
      return code;
    }
  }
#endif
#endif
  return round_bits_to_code<Format>(__builtin_bit_cast(std::uint32_t, x));
}

/// Rounds a `double` directly. The way through `float` could round twice.
template <class Format>
COSMATI_HD constexpr std::uint32_t round_to_code(double x) {
  return round_bits_to_code<Format>(__builtin_bit_cast(std::uint64_t, x));
}

/// Rounds an integer, once.
template <class Format, std::integral T>
COSMATI_HD constexpr std::uint32_t round_integer_to_code(T x) {
  // Integers that `float` cannot hold exactly are beyond the range of formats with few exponent bits.
  if constexpr (sizeof(T) <= 2 || Format::exponent_bits < 6) {
    return round_to_code<Format>(static_cast<float>(x));
  } else if constexpr (sizeof(T) <= 4) {
    return round_to_code<Format>(static_cast<double>(x));
  } else {
    std::uint64_t magnitude = static_cast<std::uint64_t>(x);
    bool const negative = std::is_signed_v<T> && magnitude >> 63 != 0;
    if (negative) magnitude = 0 - magnitude;
    if (magnitude >> 53 != 0) {
      // The 11 bits that `double` cannot hold become one bit, which says whether any of them was set.
      magnitude = ((magnitude >> 11) | ((magnitude & 0x7ff) != 0 ? 1 : 0)) << 11;
    }
    double const rounded = static_cast<double>(magnitude);
    return round_to_code<Format>(negative ? -rounded : rounded);
  }
}

/// The value of a code, which `float` holds exactly. A NaN becomes the NaN that CUDA's conversion gives.
template <class Format>
COSMATI_HD constexpr float code_to_float(std::uint32_t code) {
  using c = minifloat_code<Format>;
#if defined(COSMATI_HARDWARE_HALF)
  if constexpr (c::is_binary16) {
    if (!__builtin_is_constant_evaluated()) return __nvvm_h2f(static_cast<unsigned short>(code));
  }
#endif
  std::uint32_t const magnitude = code & c::magnitude;
  std::uint32_t const sign = (code & c::sign) != 0 ? 0x80000000u : 0u;
  if constexpr (c::exponent_only) {
    std::uint32_t const bits = magnitude == c::nan ? 0x7fff0000u : (magnitude == 0 ? 0x00400000u : magnitude << 23);
    return __builtin_bit_cast(float, bits);
  } else if constexpr (Format::bias == 127 && Format::has_infinity) {
    return __builtin_bit_cast(float, sign | magnitude << (23 - Format::mantissa_bits));
  } else {
    if (is_nan_code<Format>(code)) return __builtin_bit_cast(float, 0x7fffffffu);
    if (Format::has_infinity && magnitude == c::infinity) return __builtin_bit_cast(float, sign | 0x7f800000u);
    std::uint32_t bits =
        (magnitude << (23 - Format::mantissa_bits)) + (static_cast<std::uint32_t>(127 - Format::bias) << 23);
    if (magnitude >> Format::mantissa_bits == 0) {
      constexpr std::uint32_t unit = static_cast<std::uint32_t>(128 - Format::bias - Format::mantissa_bits) << 23;
      bits = __builtin_bit_cast(std::uint32_t, static_cast<float>(magnitude) * __builtin_bit_cast(float, unit));
    }
    return __builtin_bit_cast(float, sign | bits);
  }
}

/// Whether the device has an instruction that adds and subtracts codes of the format. Its results have the same bits as
/// a sum in `float` that is rounded afterwards. An exact sum has at most twice the bits of the format, so the second
/// rounding is harmless.
template <class Format>
inline constexpr bool device_adds =
#if defined(COSMATI_HARDWARE_HALF)
    minifloat_code<Format>::is_binary16 || (minifloat_code<Format>::is_upper_half_of_float && __CUDA_ARCH__ >= 900);
#else
    false;
#endif
/// Whether the device has an instruction that multiplies codes of the format. A product of bfloat16 in `float` may be
/// rounded twice below 2^-133, so the device multiplies bfloat16 in `float` too.
template <class Format>
inline constexpr bool device_multiplies = device_adds<Format>&& minifloat_code<Format>::is_binary16;

#if defined(COSMATI_HARDWARE_HALF)
/// Executes one instruction on two codes. `.rn` keeps the compiler from fusing it with another instruction, so that
/// each result is rounded.
template <class Format, char operation>
__device__ std::uint32_t device_arithmetic(std::uint32_t a, std::uint32_t b) {
  static_assert(operation == '+' || operation == '-' || (operation == '*' && device_multiplies<Format>));
  auto const x = static_cast<unsigned short>(a), y = static_cast<unsigned short>(b);
  unsigned short code = 0;
  if constexpr (operation == '*')
    asm("mul.rn.f16 %0, %1, %2;" : "=h"(code) : "h"(x), "h"(y));
  else if constexpr (operation == '+' && minifloat_code<Format>::is_binary16)
    asm("add.rn.f16 %0, %1, %2;" : "=h"(code) : "h"(x), "h"(y));
  else if constexpr (minifloat_code<Format>::is_binary16)
    asm("sub.rn.f16 %0, %1, %2;" : "=h"(code) : "h"(x), "h"(y));
#if __CUDA_ARCH__ >= 900
  else if constexpr (operation == '+')
    asm("add.rn.bf16 %0, %1, %2;" : "=h"(code) : "h"(x), "h"(y));
  else
    asm("sub.rn.bf16 %0, %1, %2;" : "=h"(code) : "h"(x), "h"(y));
#endif
  return code;
}
#endif

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
