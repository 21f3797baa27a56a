// SPDX-License-Identifier: Apache-2.0
/// @file
/// `cast_smem_ptr_to_uint`; calls with the elements of arrays: `detail::explode`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/target.hpp>
#include <cute/numeric/integer_sequence.hpp>

namespace COSMATI_NAMESPACE::detail {

/// @name `f` of the elements of one to four arrays or tensors, in order
/// @{
template <class F, class A, int... a>
COSMATI_HD constexpr void explode(F f, A&& x, int_sequence<a...>) {
  f(x[a]...);
}
template <class F, class A, int... a, class B, int... b>
COSMATI_HD constexpr void explode(F f, A&& x, int_sequence<a...>, B&& y, int_sequence<b...>) {
  f(x[a]..., y[b]...);
}
template <class F, class A, int... a, class B, int... b, class Third, int... c>
COSMATI_HD constexpr void explode(F f, A&& x, int_sequence<a...>, B&& y, int_sequence<b...>, Third&& z,
                                  int_sequence<c...>) {
  f(x[a]..., y[b]..., z[c]...);
}
template <class F, class A, int... a, class B, int... b, class Third, int... c, class D, int... d>
COSMATI_HD constexpr void explode(F f, A&& x, int_sequence<a...>, B&& y, int_sequence<b...>, Third&& z,
                                  int_sequence<c...>, D&& w, int_sequence<d...>) {
  f(x[a]..., y[b]..., z[c]..., w[d]...);
}
/// @}
/// @name `f` of the elements of one or two tuples, in order
/// @{
template <class F, class A, int... a>
COSMATI_HD constexpr void explode_tuple(F f, A&& x, int_sequence<a...>) {
  f(get<a>(x)...);
}
template <class F, class A, int... a, class B, int... b>
COSMATI_HD constexpr void explode_tuple(F f, A&& x, int_sequence<a...>, B&& y, int_sequence<b...>) {
  f(get<a>(x)..., get<b>(y)...);
}
/// @}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
