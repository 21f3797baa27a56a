// SPDX-License-Identifier: Apache-2.0
/// @file
/// Overloads of the functions of tiled copies and products for refused results (core/refused.hpp), so that no further
/// error appears.
///
/// A function of this layer has its overload here if it takes any type, or takes refused results by a template.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/refused.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// What `get_slice` says of three numbers, or of what is no number.
template <class Thread>
struct thread_is_no_number : refused {
  static_assert(sizeof(Thread) == 0,
                "get_slice, get_thread_slice: thread_is_no_number<THREAD>: a slice is of one thread, by its number; of "
                "threadIdx pass threadIdx.x, or threadIdx.x + blockDim.x * threadIdx.y");
};
}  // namespace detail

/// @name The first argument is a refused result
/// @{
template <int... k, class... X>
COSMATI_HD constexpr C<1> tile_size(refused const&, X const&...) {
  return {};
}
/// @}

/// @name The only argument is a refused result
/// @{
template <int... k, refusal R>
COSMATI_HD constexpr refused tile_size(R const&) {
  return {};
}
/// @}

/// @name One of the arguments is a refused result
/// @{
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused make_tiled_copy(X const&...) { return {}; }
template <class... X>
requires(any_refusal<X...>) COSMATI_HD constexpr refused make_tiled_mma(X const&...) { return {}; }
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
