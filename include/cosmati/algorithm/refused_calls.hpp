// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions of this layer, called with the result of a call that was refused (core/refused.hpp): nothing more is said.
///
/// A function of this layer that takes any type, or that takes such results by a template, has its overload here.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/refused.hpp>

namespace COSMATI_NAMESPACE {

/// @name The first argument is such a result
/// @{
template <class... X>
COSMATI_HD constexpr refused clear(refused const&, X const&...) {
  return {};
}
template <class... X>
COSMATI_HD constexpr refused fill(refused const&, X const&...) {
  return {};
}
/// @}

/// @name The only argument is
/// @{
template <refusal R>
COSMATI_HD constexpr refused clear(R const&) {
  return {};
}
/// @}

/// @name One of the arguments is
/// @{
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused axpby(X const&...) { return {}; }
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused copy(X const&...) { return {}; }
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused copy_if(X const&...) { return {}; }
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused gemm(X const&...) { return {}; }
template <auto threads, auto bits, class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused cooperative_copy(X const&...) { return {}; }
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
