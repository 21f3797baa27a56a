// SPDX-License-Identifier: Apache-2.0
/// @file
/// `for_each`: calls a function with every element.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/element.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
template <class T, class F>
struct call_with_element {
  T& t;
  F& f;
  COSMATI_ANY_FUNCTION
  template <class Index>
  COSMATI_HD constexpr void operator()(Index i) const {
    f(t(i));
  }
};
}  // namespace detail

/// Calls f(t(i)) for every i in order, by reference if the elements can be written.
template <class T, class F>
requires(tensor_type<T>) COSMATI_HD constexpr void for_each(T&& t, F&& f) {
  detail::for_each_index(t, detail::call_with_element<std::remove_reference_t<T>, std::remove_reference_t<F>>{t, f});
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
