// SPDX-License-Identifier: Apache-2.0
/// @file
/// `type_list<T...>`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/cutlass.h>
#include <cosmati/core/type_list.hpp>
#include <cute/util/type_traits.hpp>

namespace COSMATI_NAMESPACE {

/// The index of the first true value, or the number of values if none is true.
template <bool... B>
struct find_true {
  static constexpr std::size_t value = [] {
    std::size_t i = 0;
    (void)((B || (++i, false)) || ...);
    return i;
  }();
};
template <bool... B>
inline constexpr std::size_t find_true_v = find_true<B...>::value;

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
