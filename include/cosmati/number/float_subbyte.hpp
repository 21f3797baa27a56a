// SPDX-License-Identifier: Apache-2.0
/// @file
/// The floating-point types narrower than a byte: `float_e2m1_t` (4 bits), `float_e2m3_t` and `float_e3m2_t` (6 bits).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/number/minifloat.hpp>

struct __nv_fp4_e2m1;  // NOLINT: CUDA's types; cuda_fp4.h and cuda_fp6.h complete them
struct __nv_fp6_e2m3;  // NOLINT
struct __nv_fp6_e3m2;  // NOLINT

namespace COSMATI_NAMESPACE {

inline namespace as_cutlass {  // see bench/notes/kernel-names.md
/// 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives, without infinity and NaN. Conversion saturates; a NaN becomes 6.
struct e2m1_format {
  using storage_type = std::uint8_t;
  using cuda_type = ::__nv_fp4_e2m1;
  static constexpr int bits = 4, exponent_bits = 2, mantissa_bits = 1, bias = 1;
  static constexpr bool is_signed = true, has_infinity = false, has_nan = false, saturates = true, ties_away = false;
};
}  // namespace as_cutlass

inline namespace as_cutlass {  // see bench/notes/kernel-names.md
/// Multiples of 1/8 up to 7.5, without infinity and NaN. Conversion saturates; a NaN becomes 7.5.
struct e2m3_format {
  using storage_type = std::uint8_t;
  using cuda_type = ::__nv_fp6_e2m3;
  static constexpr int bits = 6, exponent_bits = 2, mantissa_bits = 3, bias = 1;
  static constexpr bool is_signed = true, has_infinity = false, has_nan = false, saturates = true, ties_away = false;
};
}  // namespace as_cutlass

inline namespace as_cutlass {  // see bench/notes/kernel-names.md
/// Multiples of 1/16 up to 28, without infinity and NaN. Conversion saturates; a NaN becomes 28.
struct e3m2_format {
  using storage_type = std::uint8_t;
  using cuda_type = ::__nv_fp6_e3m2;
  static constexpr int bits = 6, exponent_bits = 3, mantissa_bits = 2, bias = 3;
  static constexpr bool is_signed = true, has_infinity = false, has_nan = false, saturates = true, ties_away = false;
};
}  // namespace as_cutlass

/// A number with the same bits as `__nv_cvt_float_to_fp4` and `__nv_cvt_float_to_fp6` give with `cudaRoundNearest`. A
/// single value occupies the low bits of a byte; packed values share bytes with their neighbours.
using float_e2m1_t = minifloat<e2m1_format>;
using float_e2m3_t = minifloat<e2m3_format>;
using float_e3m2_t = minifloat<e3m2_format>;

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
