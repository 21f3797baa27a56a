// SPDX-License-Identifier: Apache-2.0
/// @file
/// An array as matrices: its last two modes, and the order of their elements in the input and in the output.
#pragma once

#include "job.hpp"
#include "npy.hpp"

#include <array>
#include <cstdint>

namespace cosmati::cli {

/// A value for each of the two modes.
using pair = std::array<std::int64_t, 2>;

struct matrices {
  pair extent{1, 1};
  std::array<std::int64_t, 3> batch{1, 1, 1};  ///< the extents of the leading modes, after ones
  cosmati_run_copy::matrix_strides source{}, target{};
  int source_fast = 1, target_fast = 1;  ///< the mode along which memory is contiguous

  /// Whether elements along `mode` are contiguous in the input, and those of the corresponding mode in the output.
  bool has_unit_stride(int mode) const {
    auto const& s = source;
    auto const& t = target;
    return mode == source_fast && (mode == 0 ? s.m : s.n) == 1 && (target_fast == 0 ? t.m : t.n) == 1;
  }
};

/// The compact strides of a shape. None is 0.
std::vector<std::int64_t> strides_of(std::vector<std::int64_t> const& shape, bool fortran);

/// @param transposed whether the output's last two modes are the input's, exchanged
matrices matrices_of(npy_head const& input, npy_head const& output, bool transposed);

/// The largest number of values that one instruction can move: contiguous on both sides, and aligned in every row and
/// batch.
std::int64_t widest_vector(matrices const& a, std::int64_t value_bytes);

/// The largest power of two that divides x.
constexpr std::int64_t power_of_two_in(std::int64_t x) { return x & -x; }
/// The smallest power of two that is at least x.
constexpr std::int64_t power_of_two_from(std::int64_t x) {
  std::int64_t p = 1;
  while (p < x) p *= 2;
  return p;
}

}  // namespace cosmati::cli
