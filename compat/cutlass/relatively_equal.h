// SPDX-License-Identifier: Apache-2.0
/// @file
/// `relatively_equal`: whether two numbers are equal up to a part of their sum.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/relatively_equal.h>)
#include_next <cutlass/relatively_equal.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/numeric_types.h>
#include <cosmati/core/integral_constant.hpp>

namespace cutlass {

/// Whether |a - b| is less than epsilon times |a| + |b|, or less than epsilon times nonzero_floor where that sum, or
/// one of the two, is near zero. Integers must be equal.
template <class T>
CUTLASS_HOST_DEVICE bool relatively_equal(T a, T b, T epsilon, T nonzero_floor) {
  if constexpr (::COSMATI_NAMESPACE::integer<T>) {
    return a == b;
  } else {
    auto const x = static_cast<double>(a), y = static_cast<double>(b);
    auto const size = [](double z) { return z < 0 ? -z : z; };
    if (x == y) return true;
    double const sum = size(x) + size(y), difference = size(x - y);
    auto const least = static_cast<double>(nonzero_floor);
    double const scale = x == 0 || y == 0 || difference < least ? least : sum;
    return difference < static_cast<double>(epsilon) * scale;
  }
}

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
