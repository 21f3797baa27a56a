// SPDX-License-Identifier: Apache-2.0
/// @file
/// The bit at which an atom's layout puts a lane's bit, and whether a layout names every bit once.
#pragma once

#include <cosmati/layout/operations.hpp>
#include <vector>

template <class L>
int bit(L const& layout, int lane, int b) {
  return static_cast<int>(layout(lane, b));
}

/// How often the bits of `of_a_lane` of all `lanes` name each bit below `bits`.
template <class L>
std::vector<int> times_named(L const& layout, int lanes, int of_a_lane, int bits) {
  std::vector<int> times(static_cast<std::size_t>(bits), 0);
  for (int lane = 0; lane < lanes; ++lane) {
    for (int b = 0; b < of_a_lane; ++b) ++times.at(static_cast<std::size_t>(bit(layout, lane, b)));
  }
  return times;
}
