// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's header cuComplex.h provides: complex numbers in float2 and double2, and their functions.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cmath>
#include <cosmati/runtime/cuda_words.hpp>

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

/// The functions of one precision. `suffix` ends the names of those in float.
#define COSMATI_COMPLEX_(type, part, make, suffix)                                                          \
  inline part cuCreal##suffix(type z) { return z.x; }                                                       \
  inline part cuCimag##suffix(type z) { return z.y; }                                                       \
  inline type make(part real, part imag) {                                                                  \
    type z;                                                                                                 \
    z.x = real;                                                                                             \
    z.y = imag;                                                                                             \
    return z;                                                                                               \
  }                                                                                                         \
  inline type cuConj##suffix(type z) { return make(z.x, -z.y); }                                            \
  inline type cuCadd##suffix(type a, type b) { return make(a.x + b.x, a.y + b.y); }                         \
  inline type cuCsub##suffix(type a, type b) { return make(a.x - b.x, a.y - b.y); }                         \
  inline type cuCmul##suffix(type a, type b) { return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); } \
  /** As std::hypot, without an overflow on the way. */                                                     \
  inline part cuCabs##suffix(type z) { return std::hypot(z.x, z.y); }                                       \
  /** The divisor is scaled to parts of at most 1, so that its square neither overflows nor vanishes. */    \
  inline type cuCdiv##suffix(type a, type b) {                                                              \
    part const scale = 1 / (std::fabs(b.x) + std::fabs(b.y));                                               \
    part const ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                      \
    part const square = bx * bx + by * by;                                                                  \
    return make((ax * bx + ay * by) / square, (ay * bx - ax * by) / square);                                \
  }                                                                                                         \
  /** a * b + c */                                                                                          \
  inline type cuCfma##suffix(type a, type b, type c) {                                                      \
    return make(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);                                  \
  }
COSMATI_COMPLEX_(cuFloatComplex, float, make_cuFloatComplex, f)
COSMATI_COMPLEX_(cuDoubleComplex, double, make_cuDoubleComplex, )
#undef COSMATI_COMPLEX_

inline cuComplex make_cuComplex(float real, float imag) { return make_cuFloatComplex(real, imag); }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_cuDoubleComplex(z.x, z.y); }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_cuFloatComplex(static_cast<float>(z.x), static_cast<float>(z.y));
}

#endif

#include <cosmati/core/macros_end.hpp>
