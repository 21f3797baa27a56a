// SPDX-License-Identifier: Apache-2.0
/// @file
/// `array<T, N>`; `print` of one, as of a tuple.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/cutlass.h>
#include <cosmati/core/array.hpp>
#include <cosmati/layout/print.hpp>
#include <cute/numeric/integral_constant.hpp>
#include <cute/util/type_traits.hpp>

namespace COSMATI_NAMESPACE {

template <class T, std::size_t N>
COSMATI_HD void print(array<T, N> const& a) {
  for (std::size_t i = 0; i < N; ++i) {
    print(i == 0 ? "(" : ",");
    print(a[i]);
  }
  print(N == 0 ? "()" : ")");
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
