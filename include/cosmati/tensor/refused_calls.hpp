// SPDX-License-Identifier: Apache-2.0
/// @file
/// Overloads of tensor functions for refused results (core/refused.hpp), so that no further error appears.
///
/// A function of this layer has its overload here if it takes any type, or takes refused results by a template.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/refused.hpp>

namespace COSMATI_NAMESPACE {

/// @name The first argument is a refused result
/// @{
template <class... X>
COSMATI_HD constexpr refused local_tile(refused const&, X const&...) {
  return {};
}
template <class... X>
COSMATI_HD constexpr refused local_partition(refused const&, X const&...) {
  return {};
}
template <class... X>
COSMATI_HD constexpr refused make_tensor_like(refused const&, X const&...) {
  return {};
}
template <class... X>
COSMATI_HD constexpr refused make_fragment_like(refused const&, X const&...) {
  return {};
}
/// @}

/// @name The only argument is a refused result
/// @{
template <refusal R>
COSMATI_HD constexpr refused make_tensor_like(R const&) {
  return {};
}
template <refusal R>
COSMATI_HD constexpr refused make_fragment_like(R const&) {
  return {};
}
template <refusal R>
COSMATI_HD constexpr refused make_identity_tensor(R const&) {
  return {};
}
template <refusal R>
COSMATI_HD constexpr refused print_tensor(R const&) {
  return {};
}
template <class T, refusal R>
COSMATI_HD constexpr refused make_tensor(R const&) {
  return {};
}
template <class T, refusal R>
COSMATI_HD constexpr refused recast(R const&) {
  return {};
}
/// @}

/// @name The layout is a refused result
/// @{
template <class Iterator, refusal L, class... X>
COSMATI_HD constexpr refused make_tensor(Iterator const&, L const&, X const&...) {
  return {};
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
