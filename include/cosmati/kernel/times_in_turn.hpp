// SPDX-License-Identifier: Apache-2.0
/// @file
/// `times_in_turn`: the times of several ways to do one piece of work, for `tune_copy` and `tune_gemm`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <algorithm>
#include <cosmati/runtime/stream.hpp>
#include <cstddef>
#include <vector>

namespace COSMATI_NAMESPACE::detail {

/// The median time of each way, in microseconds. Each is run once to warm up, then `rounds` times in turn with the
/// others. @param run run(way) queues the work on the default stream
template <class Run>
std::vector<double> times_in_turn(std::size_t ways, int rounds, Run const& run) {
  std::vector<std::vector<double>> us(ways);
  event start, stop;
  for (int round = -1; round < rounds; ++round) {
    for (std::size_t i = 0; i < ways; ++i) {
      start.record();
      run(i);
      stop.record();
      double const took = 1e3 * static_cast<double>(elapsed_ms(start, stop));
      if (round >= 0) us[i].push_back(took);
    }
  }
  std::vector<double> medians;
  for (std::vector<double>& times : us) {
    auto const middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    medians.push_back(*middle);
  }
  return medians;
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
