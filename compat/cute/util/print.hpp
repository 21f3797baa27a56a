// SPDX-License-Identifier: Apache-2.0
/// @file
/// `print` of integers and texts.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/print.hpp>
#include <cosmati/number/integer_subbyte.hpp>
#include <cute/numeric/numeric_types.hpp>
#include <cute/util/type_traits.hpp>

namespace COSMATI_NAMESPACE {

/// How many characters an integer takes.
COSMATI_HD constexpr int num_digits(int x) { return detail::digits_of(x) + (x < 0 ? 1 : 0); }

/// An element as `print_tensor` writes it, in a column of its type's width.
template <class T>
COSMATI_HD void pretty_print(T const& x) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, uint1b_t>)
    printf("%*d", 3, static_cast<int>(x));
  else if constexpr (std::is_integral_v<T>)
    std::is_signed_v<T> ? printf("%*lld", 5, static_cast<long long>(x))
                        : printf("%*llu", 5, static_cast<unsigned long long>(x));
  else if constexpr (is_subbyte_v<T> && std::is_convertible_v<T, int>)
    printf("%*d", 5, static_cast<int>(x));
  else if constexpr (std::is_same_v<T, double>)
    printf("%*.3e", 11, x);
  else if constexpr (std::is_convertible_v<T, float>)
    printf("%*.2e", 10, static_cast<double>(static_cast<float>(x)));
  else
    printf("  "), print(x);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
