// SPDX-License-Identifier: Apache-2.0
/// @file
/// `bfloat16_t`: the upper half of a `float`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/number/minifloat.hpp>

struct __nv_bfloat16;  // NOLINT: CUDA's type; cuda_bf16.h completes it

namespace COSMATI_NAMESPACE {

inline namespace as_cutlass {  // see bench/notes/kernel-names.md
/// Sign, 8 exponent bits, 7 mantissa bits. It has the range of `float`, with subnormals from 2^-133. The NaN is 0x7fff.
struct bfloat16_format {
  using storage_type = std::uint16_t;
  using cuda_type = ::__nv_bfloat16;
  static constexpr int bits = 16, exponent_bits = 8, mantissa_bits = 7, bias = 127;
  static constexpr bool is_signed = true, has_infinity = true, has_nan = true, saturates = false, ties_away = false;
};
}  // namespace as_cutlass

/// A number with the same bits as CUDA's `__nv_bfloat16`: those of `__float2bfloat16_rn`, `__double2bfloat16` (one
/// rounding), `__int2bfloat16_rn` and similar functions, and of the host arithmetic. The conversion to `float` keeps
/// the payload of a NaN, as `__bfloat162float` does.
using bfloat16_t = minifloat<bfloat16_format>;

inline namespace literals {
consteval bfloat16_t operator""_bf16(long double x) { return bfloat16_t(static_cast<double>(x)); }
consteval bfloat16_t operator""_bf16(unsigned long long x) { return bfloat16_t(x); }
}  // namespace literals

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
