// SPDX-License-Identifier: Apache-2.0
/// @file
/// Products of complex matrices from products of double: four real products, or three by Gauss's method.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/atom/mma_sm80.hpp>
#include <cosmati/atom/mma_sm90.hpp>

namespace COSMATI_NAMESPACE {

/// A complex number as three sums, which Gauss's method accumulates. The real part is t0 - t1, the imaginary part t0 +
/// t2.
struct gauss_complex {
  double t0, t1, t2;
  /// The complex number that the three sums represent.
  COSMATI_HD constexpr double real() const { return t0 - t1; }
  COSMATI_HD constexpr double imag() const { return t0 + t2; }
  COSMATI_HD constexpr operator complex<double>()
      const {  // NOLINT(google-explicit-constructor): the number it stands for
    return {real(), imag()};
  }
};

namespace detail {
/// A product of complex numbers by real products. @tparam Real the instruction, @tparam Sum complex<double> or
/// gauss_complex
template <class Real, class Sum>
struct mma_complex {
  using real_operation = Real;
  using sum_type = Sum;
  using DRegisters = Sum[std::extent_v<typename Real::DRegisters>];
  using ARegisters = complex<double>[std::extent_v<typename Real::ARegisters>];
  using BRegisters = complex<double>[std::extent_v<typename Real::BRegisters>];
  using CRegisters = DRegisters;
  /// Takes references to the registers of D, then those of A, B and C. Defined in arch/mma.hpp.
  template <class... Register>
  COSMATI_HD static void fma(Register&&... registers);
};
template <class Op>
concept mma_complex_operation = requires {
  typename Op::real_operation;
  typename Op::sum_type;
};
}  // namespace detail

/// D = A B + C of complex numbers, by products of double. The GC64 variants keep the sums of Gauss's three products.
struct SM80_8x8x4_C64C64C64C64_TN : detail::mma_complex<SM80_8x8x4_F64F64F64F64_TN, complex<double>> {};
struct SM80_8x8x4_GC64C64C64GC64_TN : detail::mma_complex<SM80_8x8x4_F64F64F64F64_TN, gauss_complex> {
  using GaussComplex = gauss_complex;
};
struct SM90_16x8x4_C64C64C64C64_TN : detail::mma_complex<SM90_16x8x4_F64F64F64F64_TN, complex<double>> {};
struct SM90_16x8x8_C64C64C64C64_TN : detail::mma_complex<SM90_16x8x8_F64F64F64F64_TN, complex<double>> {};
struct SM90_16x8x16_C64C64C64C64_TN : detail::mma_complex<SM90_16x8x16_F64F64F64F64_TN, complex<double>> {};

template <detail::mma_complex_operation Op>
struct MMA_Traits<Op> : MMA_Traits<typename Op::real_operation> {
  using ValTypeD = typename Op::sum_type;
  using ValTypeA = complex<double>;
  using ValTypeB = complex<double>;
  using ValTypeC = typename Op::sum_type;
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
