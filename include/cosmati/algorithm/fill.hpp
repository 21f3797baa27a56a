// SPDX-License-Identifier: Apache-2.0
/// @file
/// `fill`: sets every element to one value.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/element.hpp>

namespace COSMATI_NAMESPACE {

/// The value is converted to the element's type once.
template <class T, class Value>
requires(tensor_type<T>) COSMATI_HD constexpr void fill(T&& t, Value const& value) {
  using Tensor = std::remove_cvref_t<T>;
  if constexpr (detail::tensor_is_read_only<typename Tensor::element_type>::ok) {
    auto const x = static_cast<typename Tensor::value_type>(value);
    detail::for_each_index(t, [&](auto i) { detail::store_element(t, i, x); });
  }
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
