// SPDX-License-Identifier: Apache-2.0
/// @file
/// `complex<T>`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/complex.h>
#include <cosmati/number/complex.hpp>
#include <type_traits>

namespace COSMATI_NAMESPACE {

/// @name The real part, the imaginary part and the conjugate of real numbers
/// @{
template <class T>
requires(std::is_arithmetic_v<T>) COSMATI_HD constexpr T real(T const& x) { return x; }
template <class T>
requires(std::is_arithmetic_v<T>) COSMATI_HD constexpr T imag(T const&) { return T(0); }
template <class T>
requires(std::is_arithmetic_v<T>) COSMATI_HD constexpr T conj(T const& x) { return x; }
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
