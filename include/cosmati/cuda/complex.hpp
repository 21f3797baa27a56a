// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's cuComplex.h provides: complex numbers of float and double, with their arithmetic.
///
/// A quotient and a magnitude are scaled, so that squares neither overflow nor underflow.
#pragma once
#include <cosmati/core/macros_begin.hpp>

// In CUDA files that `cosmati sim` compiles. A toolkit's cufft.h includes the cuComplex.h that stands beside it.
#if defined(COSMATI_CUDA_FILE) && !defined(CU_COMPLEX_H_)
#define CU_COMPLEX_H_
#include <cmath>
#include <cosmati/runtime/cuda_vector_types.hpp>

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

namespace cosmati_cuda {
/// a b + c.
template <class C>
constexpr C complex_sum_of_product(C a, C b, C c) {
  return {(a.x * b.x - a.y * b.y) + c.x, (a.x * b.y + a.y * b.x) + c.y};
}
template <class C>
C complex_quotient(C a, C b) {
  auto const one = decltype(b.x){1};
  auto const scale = one / (std::fabs(b.x) + std::fabs(b.y));
  C const p = {a.x * scale, a.y * scale}, q = {b.x * scale, b.y * scale};
  auto const inverse = one / (q.x * q.x + q.y * q.y);
  return {(p.x * q.x + p.y * q.y) * inverse, (p.y * q.x - p.x * q.y) * inverse};
}
}  // namespace cosmati_cuda

#define COSMATI_COMPLEX_(C, T, make, f)                                                      \
  constexpr C make(T real, T imaginary) { return {real, imaginary}; }                        \
  constexpr T cuCreal##f(C a) { return a.x; }                                                \
  constexpr T cuCimag##f(C a) { return a.y; }                                                \
  constexpr C cuConj##f(C a) { return {a.x, -a.y}; }                                         \
  constexpr C cuCadd##f(C a, C b) { return {a.x + b.x, a.y + b.y}; }                         \
  constexpr C cuCsub##f(C a, C b) { return {a.x - b.x, a.y - b.y}; }                         \
  constexpr C cuCmul##f(C a, C b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
  inline C cuCdiv##f(C a, C b) { return cosmati_cuda::complex_quotient(a, b); }              \
  inline T cuCabs##f(C a) { return std::hypot(a.x, a.y); }
/// @name Arithmetic of complex numbers of float
/// @{
COSMATI_COMPLEX_(cuFloatComplex, float, make_cuFloatComplex, f)
/// @}
/// @name Arithmetic of complex numbers of double
/// @{
COSMATI_COMPLEX_(cuDoubleComplex, double, make_cuDoubleComplex, )
/// @}
#undef COSMATI_COMPLEX_
/// a b + c.
constexpr cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) {
  return cosmati_cuda::complex_sum_of_product(a, b, c);
}
/// a b + c.
constexpr cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  return cosmati_cuda::complex_sum_of_product(a, b, c);
}
constexpr cuComplex make_cuComplex(float real, float imaginary) { return {real, imaginary}; }
constexpr cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
constexpr cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y)};
}

#endif

#include <cosmati/core/macros_end.hpp>
