// SPDX-License-Identifier: Apache-2.0
/// @file
/// `clear`: every element becomes zero.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/fill.hpp>

namespace COSMATI_NAMESPACE {

/// Every element becomes zero.
template <class T>
requires(tensor_type<T>) COSMATI_HD constexpr void clear(T&& t) {
  fill(t, typename std::remove_cvref_t<T>::value_type{});
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
