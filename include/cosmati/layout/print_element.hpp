// SPDX-License-Identifier: Apache-2.0
/// @file
/// `detail::print_element(x)`: writes one element of a tensor in a column of its type's width.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/print.hpp>
#include <cosmati/number/number_types.hpp>

namespace COSMATI_NAMESPACE::detail {

template <class T>
inline constexpr bool is_small_integer = false;
template <int bits, bool is_signed>
inline constexpr bool is_small_integer<integer_subbyte<bits, is_signed>> = true;

/// Writes one element in a column.
template <class T>
COSMATI_HD void print_element(T const& x) {
  if constexpr (std::is_same_v<T, char>)
    printf("%3c", x);
  else if constexpr (std::is_same_v<T, double>)
    printf("%11.3e", x);
  else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, tfloat32_t>)
    printf("%10.2e", static_cast<double>(static_cast<float>(x)));
  else if constexpr (std::is_integral_v<T> && sizeof(T) >= 4)
    printf("%5lld", static_cast<long long>(x));
  else if constexpr (std::is_integral_v<T>)
    printf("  %lld", static_cast<long long>(x));
  else if constexpr (is_small_integer<T>)
    printf("%*d", sizeof_bits_v<T> == 1 ? 3 : 5, static_cast<int>(x));
  else if constexpr (std::is_convertible_v<T, float>)
    printf("%8.2f", static_cast<double>(static_cast<float>(x)));
  else {
    printf("  ");
    print(x);
  }
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
