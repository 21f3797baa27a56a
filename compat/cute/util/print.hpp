// SPDX-License-Identifier: Apache-2.0
/// @file
/// `print` of integers and texts.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/print.hpp>
#include <cosmati/layout/print_element.hpp>
#include <cosmati/number/integer_subbyte.hpp>
#include <cute/numeric/numeric_types.hpp>
#include <cute/util/type_traits.hpp>

namespace COSMATI_NAMESPACE {

/// How many characters an integer takes.
COSMATI_HD constexpr int num_digits(int x) { return detail::digits_of(x) + (x < 0 ? 1 : 0); }

/// An element as `print_tensor` writes it, in a column of its type's width.
template <class T>
COSMATI_HD void pretty_print(T const& x) {
  detail::print_element(x);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
