// SPDX-License-Identifier: Apache-2.0
/// @file
/// `tfloat32_t`: a `float` whose mantissa has 10 bits. It is the operand of TF32 matrix instructions.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/number/minifloat.hpp>

namespace COSMATI_NAMESPACE {

inline namespace as_cutlass {  // see bench/notes/kernel-names.md
/// Sign, 8 exponent bits and 10 mantissa bits in the upper 19 bits of a word. The library writes the lower 13 bits as
/// zero, and ignores them when it reads.
struct tfloat32_format {
  using storage_type = std::uint32_t;
  using cuda_type = no_cuda_type;
  static constexpr int bits = 32, exponent_bits = 8, mantissa_bits = 10, bias = 127;
  static constexpr bool is_signed = true, has_infinity = true, has_nan = true, saturates = false, ties_away = true;
};
}  // namespace as_cutlass

/// Conversion rounds to nearest, ties away from zero, as PTX's `cvt.rna.tf32.f32` does. It is the only conversion that
/// every GPU with TF32 has; CUDA defines none on the host. A NaN becomes 0x7fffe000, as with `cvt.rn.tf32.f32`. `.rna`
/// would cut its payload, which can leave an infinity.
using tfloat32_t = minifloat<tfloat32_format>;

inline namespace literals {
consteval tfloat32_t operator""_tf32(long double x) { return tfloat32_t(static_cast<double>(x)); }
consteval tfloat32_t operator""_tf32(unsigned long long x) { return tfloat32_t(x); }
}  // namespace literals

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
