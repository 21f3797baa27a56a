// SPDX-License-Identifier: Apache-2.0
/// @file
/// `is_floating_point`-like questions are in <cute/util/type_traits.hpp>; the narrow number types are in
/// <cute/numeric/numeric_types.hpp>.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/number/bfloat16.hpp>
#include <cosmati/number/half.hpp>
#include <cosmati/number/tfloat32.hpp>

namespace COSMATI_NAMESPACE {

/// @name Results into the first argument
/// @{
template <class To, class A, class B>
COSMATI_HD constexpr void add(To& to, A const& a, B const& b) {
  to = a + b;
}
template <class To, class A, class B>
COSMATI_HD constexpr void mul(To& to, A const& a, B const& b) {
  to = a * b;
}
template <class To, class A, class B, class Sum>
COSMATI_HD constexpr void fma(To& to, A const& a, B const& b, Sum const& sum) {
  to = a * b + sum;
}
template <class A, class B, class Sum>
COSMATI_HD constexpr void fma(A const& a, B const& b, Sum& sum) {
  sum = a * b + sum;
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
