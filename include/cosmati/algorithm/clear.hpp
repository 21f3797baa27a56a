// SPDX-License-Identifier: Apache-2.0
/// @file
/// `clear`: sets every element to zero.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/fill.hpp>

namespace COSMATI_NAMESPACE {

/// Sets every element to zero.
template <class T>
requires(tensor_type<T>) COSMATI_HD constexpr void clear(T&& t) {
  fill(t, typename std::remove_cvref_t<T>::value_type{});
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
