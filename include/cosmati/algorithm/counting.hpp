// SPDX-License-Identifier: Apache-2.0
/// @file
/// Loops over the indices of a tensor. They count in 32 bits if the tensor's size fits, otherwise in 64 bits.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cosmati/core/tuple/transform.hpp>

#include <cstdint>

namespace COSMATI_NAMESPACE::detail {

/// A static integer as an int if it fits, so that templates get the same argument type as for an int.
template <std::int64_t n>
inline constexpr auto narrowest = [] {
  if constexpr (n == static_cast<int>(n))
    return static_cast<int>(n);
  else
    return n;
}();

/// Calls f(i) for i = first, first + step, ... below `size`. The index is unsigned if it has 32 bits.
/// @tparam unroll whether the compiler may repeat the body
COSMATI_ANY_FUNCTION
template <bool unroll = true, class Size, class F>
COSMATI_HD constexpr void count_up(Size const& size, std::int64_t first, std::int64_t step, F const& f) {
  auto const end = static_cast<std::int64_t>(size);
  if constexpr (sizeof(size + 0) > sizeof(int)) {
    if (end > INT64_C(0xffffffff)) {
      COSMATI_NO_UNROLL
      for (std::int64_t i = first; i < end; i += step) f(i);
      return;
    }
  }
  if constexpr (unroll) {
    for (std::int64_t i = first; i < end; i += step) f(static_cast<unsigned>(i));
  } else {
    COSMATI_NO_UNROLL
    for (std::int64_t i = first; i < end; i += step) f(static_cast<unsigned>(i));
  }
}

/// Calls f(k) for every vector k. @tparam n the number if known at compile time, otherwise -1
template <auto n, class Count, class Function>
COSMATI_HD inline void for_each_vector([[maybe_unused]] Count const& count, Function const& f) {
  if constexpr (n >= 0 && n <= 256) {
    COSMATI_UNROLL
    for (int k = 0; k < n; ++k) f(k);
  } else {
    count_up<false>(count, 0, 1, f);
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
