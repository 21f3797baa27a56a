// SPDX-License-Identifier: Apache-2.0
/// @file
/// Whether the sum, difference or product of two integers fits their type.
///
/// The functions compare and divide, because nvcc does not evaluate the compilers' overflow builtins in constants.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cstdint>
#include <type_traits>

namespace COSMATI_NAMESPACE::detail {

template <class T>
COSMATI_HD constexpr bool product_fits(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (a == 0 || b == 0) return true;
    T const highest = static_cast<T>(~(static_cast<T>(1) << (8 * sizeof(T) - 1)));
    T const lowest = static_cast<T>(-highest - 1);
    if (a > 0) return b > 0 ? a <= highest / b : b >= lowest / a;
    return b > 0 ? a >= lowest / b : a >= highest / b;
  } else {
    return true;
  }
}
template <class T>
COSMATI_HD constexpr bool sum_fits(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    T const highest = static_cast<T>(~(static_cast<T>(1) << (8 * sizeof(T) - 1)));
    return b > 0 ? a <= highest - b : a >= (-highest - 1) - b;
  } else {
    return true;
  }
}
template <class T>
COSMATI_HD constexpr bool difference_fits(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    T const highest = static_cast<T>(~(static_cast<T>(1) << (8 * sizeof(T) - 1)));
    return b < 0 ? a <= highest + b : a >= (-highest - 1) + b;
  } else {
    return true;
  }
}
}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
