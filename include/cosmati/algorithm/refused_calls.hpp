// SPDX-License-Identifier: Apache-2.0
/// @file
/// Overloads of this layer's functions for refused results (core/refused.hpp), so that no further error appears.
///
/// A function of this layer has its overload here if it takes any type, or takes refused results by a template.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/refused.hpp>

namespace COSMATI_NAMESPACE {

/// @name The first argument is a refused result
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

/// @name The only argument is a refused result
/// @{
template <refusal R>
COSMATI_HD constexpr refused clear(R const&) {
  return {};
}
/// @}

/// @name One of the arguments is a refused result
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
