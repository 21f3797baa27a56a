// SPDX-License-Identifier: Apache-2.0
/// @file
/// The 8-bit floating-point types: `float_e4m3_t`, `float_e5m2_t`, and the unsigned scale factors `float_ue4m3_t` and
/// `float_ue8m0_t`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/number/minifloat.hpp>

struct __nv_fp8_e4m3;  // NOLINT: CUDA's types; cuda_fp8.h completes them
struct __nv_fp8_e5m2;  // NOLINT
struct __nv_fp8_e8m0;  // NOLINT

namespace COSMATI_NAMESPACE {

inline namespace as_cutlass {  // see bench/notes/kernel-names.md
/// Sign, 4 exponent bits, 3 mantissa bits, no infinity. The largest number is 448, the smallest normal one 2^-6, the
/// smallest one 2^-9. Only 0x7f and 0xff are NaN. Conversion saturates.
struct e4m3_format {
  using storage_type = std::uint8_t;
  using cuda_type = ::__nv_fp8_e4m3;
  static constexpr int bits = 8, exponent_bits = 4, mantissa_bits = 3, bias = 7;
  static constexpr bool is_signed = true, has_infinity = false, has_nan = true, saturates = true, ties_away = false;
  static constexpr std::uint32_t double_nan = 0x7f;
};
}  // namespace as_cutlass

inline namespace as_cutlass {  // see bench/notes/kernel-names.md
/// Sign, 5 exponent bits, 2 mantissa bits, with infinities. The largest number is 57344, the smallest normal one 2^-14,
/// the smallest one 2^-16. Conversion saturates: infinities become the largest finite number.
struct e5m2_format {
  using storage_type = std::uint8_t;
  using cuda_type = ::__nv_fp8_e5m2;
  static constexpr int bits = 8, exponent_bits = 5, mantissa_bits = 2, bias = 15;
  static constexpr bool is_signed = true, has_infinity = true, has_nan = true, saturates = true, ties_away = false;
  static constexpr std::uint32_t double_nan = 0x7e;
};
}  // namespace as_cutlass

inline namespace as_cutlass {  // see bench/notes/kernel-names.md
/// `e4m3` without a sign: 0 to 448 in the lower 7 bits; the NaN is 0x7f. Conversion drops the sign.
struct ue4m3_format {
  using storage_type = std::uint8_t;
  using cuda_type = no_cuda_type;
  static constexpr int bits = 8, exponent_bits = 4, mantissa_bits = 3, bias = 7;
  static constexpr bool is_signed = false, has_infinity = false, has_nan = true, saturates = true, ties_away = false;
};
}  // namespace as_cutlass

inline namespace as_cutlass {  // see bench/notes/kernel-names.md
/// Powers of two from 2^-127 (code 0) to 2^127 (code 0xfe); the NaN is 0xff, and there is no zero. Conversion drops the
/// sign and rounds up to the next power. Zero and everything below the smallest power become the smallest power.
struct ue8m0_format {
  using storage_type = std::uint8_t;
  using cuda_type = ::__nv_fp8_e8m0;
  static constexpr int bits = 8, exponent_bits = 8, mantissa_bits = 0, bias = 127;
  static constexpr bool is_signed = false, has_infinity = false, has_nan = true, saturates = true, ties_away = false;
};
}  // namespace as_cutlass

/// A number with the same bits as `__nv_cvt_float_to_fp8` and `__nv_cvt_double_to_fp8` give with `__NV_SATFINITE`.
using float_e4m3_t = minifloat<e4m3_format>;
using float_e5m2_t = minifloat<e5m2_format>;
using float_ue4m3_t = minifloat<ue4m3_format>;
/// A number with the same bits as `__nv_fp8_e8m0`: those of `__nv_cvt_float_to_e8m0` with `__NV_SATFINITE` and
/// `cudaRoundPosInf`.
using float_ue8m0_t = minifloat<ue8m0_format>;

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
