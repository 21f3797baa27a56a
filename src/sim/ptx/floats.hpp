// SPDX-License-Identifier: Apache-2.0
/// @file
/// Floating-point numbers with PTX's roundings and modifiers.
#pragma once

#include <cmath>

#include "thread.hpp"

namespace cosmati_sim::ptx {

using cosmati::bfloat16_t;
using cosmati::half_t;

/// The bits of `instruction::code` of floating-point instructions.
inline constexpr int flushes = 1, saturates = 2, is_relu = 4, keeps_nan = 8, is_xorsign = 16, rounding_shift = 8;
/// `.rn`, `.rz`, `.rm`, `.rp`, `.rna` in the bits above `rounding_shift`.
enum rounding { to_nearest, to_zero, down, up, ties_away };

/// Reads the modifiers of an instruction.
int float_modifiers(instruction const& i);
inline rounding rounding_of(instruction const& i) { return static_cast<rounding>(i.code >> rounding_shift); }

/// While an object of this class lives, the host's arithmetic rounds so.
class rounding_scope {
 public:
  explicit rounding_scope(rounding r);
  ~rounding_scope();
  rounding_scope(rounding_scope const&) = delete;
  rounding_scope& operator=(rounding_scope const&) = delete;

 private:
  int saved_ = 0;
  bool changed_;
};

/// Zero for a subnormal number.
template <class T>
T flushed(T x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(T{0}, x) : x;
}

/// The type in which numbers of T are computed. Sums and products of 16-bit numbers are exact in double.
template <class T>
struct computed {
  using type = double;
  static double from(T x) { return static_cast<double>(static_cast<float>(x)); }
  static T to(double x) { return T(x); }
};
template <>
struct computed<float> {
  using type = float;
  static float from(float x) { return x; }
  static float to(float x) { return x; }
};
template <>
struct computed<double> {
  using type = double;
  static double from(double x) { return x; }
  static double to(double x) { return x; }
};

}  // namespace cosmati_sim::ptx
