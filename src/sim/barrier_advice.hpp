// SPDX-License-Identifier: Apache-2.0
/// @file
/// Which barrier a report names: the one that mends all pairs of accesses that were met there.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "sites.hpp"

namespace cosmati_sim {

/// The pairs of lines at which accesses of different warps were met with nothing that orders them.
class barrier_advice {
 public:
  void met_across_warps(program_line const& a, program_line const& b);

  /// Whether a barrier between two lines has to be one of the block: for accesses of these lines, or for those of one
  /// of them and a line beyond the other, which the same barrier orders.
  bool is_of_block(program_line const& a, program_line const& b) const;

  /// "put __syncthreads() between the two", or the same of a warp.
  static char const* words(bool of_block);

 private:
  using place = std::pair<std::string, int>;
  static std::pair<place, place> in_order(program_line const& a, program_line const& b);

  std::set<std::pair<place, place>> across_;
};

}  // namespace cosmati_sim
