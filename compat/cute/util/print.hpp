// SPDX-License-Identifier: Apache-2.0
/// @file
/// `print` of integers and texts.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/layout/print.hpp>

namespace COSMATI_NAMESPACE {

/// How many characters an integer takes.
COSMATI_HD constexpr int num_digits(int x) { return detail::digits_of(x) + (x < 0 ? 1 : 0); }

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
