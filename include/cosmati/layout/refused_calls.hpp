// SPDX-License-Identifier: Apache-2.0
/// @file
/// Overloads of layout functions for refused results (core/refused.hpp), so that no further error appears.
///
/// A function of this layer has its overload here if it takes any type, or takes refused results by a template.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/refused.hpp>

namespace COSMATI_NAMESPACE {

/// @name The first argument is a refused result
/// @{
template <class... X>
COSMATI_HD constexpr refused make_layout(refused const&, X const&...) {
  return {};
}
template <class... X>
COSMATI_HD constexpr refused composition(refused const&, X const&...) {
  return {};
}
template <class... X>
COSMATI_HD constexpr refused complement(refused const&, X const&...) {
  return {};
}
template <class... X>
COSMATI_HD constexpr refused coalesce(refused const&, X const&...) {
  return {};
}
template <class... X>
COSMATI_HD constexpr refused right_inverse(refused const&, X const&...) {
  return {};
}
template <class... X>
COSMATI_HD constexpr refused left_inverse(refused const&, X const&...) {
  return {};
}
template <class... X>
COSMATI_HD constexpr refused logical_divide(refused const&, X const&...) {
  return {};
}
template <class... X>
COSMATI_HD constexpr refused zipped_divide(refused const&, X const&...) {
  return {};
}
template <class... X>
COSMATI_HD constexpr refused tiled_divide(refused const&, X const&...) {
  return {};
}
template <class... X>
COSMATI_HD constexpr refused flat_divide(refused const&, X const&...) {
  return {};
}
template <class... X>
COSMATI_HD constexpr refused logical_product(refused const&, X const&...) {
  return {};
}
template <class... X>
COSMATI_HD constexpr refused blocked_product(refused const&, X const&...) {
  return {};
}
template <class... X>
COSMATI_HD constexpr refused raked_product(refused const&, X const&...) {
  return {};
}
template <int... k, class... X>
COSMATI_HD constexpr C<1> cosize(refused const&, X const&...) {
  return {};
}
template <int... k, class... X>
COSMATI_HD constexpr refused layout(refused const&, X const&...) {
  return {};
}
/// @}

/// @name The only argument is a refused result
/// @{
template <int... k, refusal R>
COSMATI_HD constexpr refused stride(R const&) {
  return {};
}
template <class From, class To, refusal R>
COSMATI_HD constexpr refused recast_layout(R const&) {
  return {};
}
template <refusal R>
COSMATI_HD constexpr refused print_layout(R const&) {
  return {};
}
/// @}

/// @name One of the arguments is a refused result
/// @{
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused blocked_product(X const&...) { return {}; }
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused raked_product(X const&...) { return {}; }
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused tile_to_shape(X const&...) { return {}; }
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused with_shape(X const&...) { return {}; }
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused max_common_vector(X const&...) { return {}; }
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused max_common_layout(X const&...) { return {}; }
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused max_alignment(X const&...) { return {}; }
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused nullspace(X const&...) { return {}; }
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused filter(X const&...) { return {}; }
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused filter_zeros(X const&...) { return {}; }
template <int n, class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused upcast(X const&...) { return {}; }
template <int n, class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused downcast(X const&...) { return {}; }
template <int first, int last, class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused group_modes(X const&...) { return {}; }
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
