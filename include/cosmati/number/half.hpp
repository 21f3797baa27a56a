// SPDX-License-Identifier: Apache-2.0
/// @file
/// `half_t`: IEEE 754 binary16.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/number/minifloat.hpp>

struct __half;  // NOLINT: CUDA's type; cuda_fp16.h completes it

namespace COSMATI_NAMESPACE {

inline namespace as_cutlass {  // see bench/notes/kernel-names.md
/// Sign, 5 exponent bits, 10 mantissa bits. The largest number is 65504, the smallest normal one 2^-14, the smallest
/// one 2^-24. Larger numbers become infinity. The NaN is 0x7fff.
struct half_format {
  using storage_type = std::uint16_t;
  using cuda_type = ::__half;
  static constexpr int bits = 16, exponent_bits = 5, mantissa_bits = 10, bias = 15;
  static constexpr bool is_signed = true, has_infinity = true, has_nan = true, saturates = false, ties_away = false;
};
}  // namespace as_cutlass

/// A number with the same bits as CUDA's `__half`. Conversions match `__float2half_rn` and `__double2half` (one
/// rounding). Arithmetic matches `__hadd`, `__hsub`, `__hmul` and `__hdiv` on the host.
using half_t = minifloat<half_format>;

inline namespace literals {
consteval half_t operator""_hf(long double x) { return half_t(static_cast<double>(x)); }
consteval half_t operator""_hf(unsigned long long x) { return half_t(x); }
}  // namespace literals

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
