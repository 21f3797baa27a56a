// SPDX-License-Identifier: Apache-2.0
/// @file
/// `ceil_div`, `round_up`, `gcd` of plain integers; `FastDivmod`.
/// Where CUTLASS's own header is further back on the include path, this one stands aside.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/fast_math.h>)
#include_next <cutlass/fast_math.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/cutlass.h>
#include <cosmati/core/math.hpp>

namespace cutlass {

using ::COSMATI_NAMESPACE::ceil_div;

/// The next multiple of b at or above a.
template <class A, class B>
CUTLASS_HOST_DEVICE constexpr auto round_up(A a, B b) {
  return (a + b - 1) / b * b;
}

/// A divisor that is used often.
struct FastDivmod {
  int divisor = 1;
  FastDivmod() = default;
  CUTLASS_HOST_DEVICE constexpr explicit FastDivmod(int by) : divisor(by) {}
  CUTLASS_HOST_DEVICE constexpr void operator()(int& quotient, int& remainder, int dividend) const {
    quotient = dividend / divisor;
    remainder = dividend % divisor;
  }
  CUTLASS_HOST_DEVICE constexpr int divmod(int& remainder, int dividend) const {
    remainder = dividend % divisor;
    return dividend / divisor;
  }
  CUTLASS_HOST_DEVICE constexpr operator int() const { return divisor; }  // NOLINT(google-explicit-constructor)
};

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
