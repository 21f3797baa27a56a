// SPDX-License-Identifier: Apache-2.0
/// @file
/// `for_each_of_turn`: loads spread over the products of a kernel's main loop.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Spreads `count` things evenly over `turns`, and calls each(thing) for those of turn x. The bound of the loop is a
/// constant, because nvcc unrolls the loops of a function before it knows the arguments of a call.
template <int count, int turns, class Each>
COSMATI_HD void for_each_of_turn(int x, Each const& each) {
  constexpr int most = (count + turns - 1) / turns;
  int const first = (x * count + turns - 1) / turns, end = ((x + 1) * count + turns - 1) / turns;
  COSMATI_UNROLL
  for (int i = 0; i < most; ++i)
    if (first + i < end) each(first + i);
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
