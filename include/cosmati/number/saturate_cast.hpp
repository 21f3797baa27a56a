// SPDX-License-Identifier: Apache-2.0
/// @file
/// `saturate_cast<T>(x)`: the integer of T that is nearest to a number, as `cvt.rni.sat` converts.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cmath>
#include <cosmati/core/config.hpp>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace COSMATI_NAMESPACE {

namespace detail {
/// Constants, because nvcc warns of calls of numeric_limits in functions for the device.
template <class T>
struct integer_range {
  static constexpr T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
};
}  // namespace detail

/// The integer of T that is nearest to x: a half goes to the even neighbour, and what lies outside T becomes its least
/// or its largest number. NaN becomes 0. @tparam T an integer type, @param x an integer or a floating-point number;
/// numbers of 16 and fewer bits are converted by way of float
template <class T, class V>
COSMATI_HD inline T saturate_cast(V const& x) {
  static_assert(std::is_integral_v<T>, "saturate_cast<T>: T is a type of integers");
  [[maybe_unused]] constexpr T least = detail::integer_range<T>::least, most = detail::integer_range<T>::most;
  if constexpr (std::is_same_v<T, V>) {
    return x;
  } else if constexpr (std::is_integral_v<V>) {
    if constexpr (std::is_signed_v<V> && !std::is_signed_v<T>) {
      if (x < 0) return T(0);
      return saturate_cast<T>(static_cast<std::make_unsigned_t<V>>(x));
    } else {  // V has no sign, or both have one
      using Wide = std::conditional_t<std::is_signed_v<V>, std::int64_t, std::uint64_t>;
      auto const wide = static_cast<Wide>(x);
      if (wide > static_cast<Wide>(most)) return most;
      if (std::is_signed_v<V> && wide < static_cast<Wide>(least)) return least;
      return static_cast<T>(x);
    }
  } else if constexpr (std::is_floating_point_v<V>) {
#if defined(__CUDA_ARCH__)
    if constexpr (std::is_same_v<V, float> && std::is_same_v<T, std::int8_t>) {
      std::int32_t r;
      asm("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(r) : "f"(x));
      return static_cast<T>(r);
    } else if constexpr (std::is_same_v<V, float> && std::is_same_v<T, std::uint8_t>) {
      std::uint32_t r;
      asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(r) : "f"(x));
      return static_cast<T>(r);
    } else
#endif
    {
      V const nearest = std::rint(x);
      if (nearest >= static_cast<V>(most)) return most;
      if (nearest <= static_cast<V>(least)) return least;
      return nearest == nearest ? static_cast<T>(nearest) : T(0);
    }
  } else {
    return saturate_cast<T>(static_cast<float>(x));
  }
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
