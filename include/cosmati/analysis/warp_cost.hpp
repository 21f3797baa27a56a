// SPDX-License-Identifier: Apache-2.0
/// @file
/// The cost of one warp instruction in both memories: `warp_cost_of`.
///
/// @code
///   warp_access a;
///   for (int lane = 0; lane < 32; ++lane) a.offset[lane] = 128 * lane;            // a column of float[32][32]
///   warp_cost_of(load_shared(4), a).shared.bank_conflicts;                        // 31
/// @endcode
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/global_cost.hpp>
#include <cosmati/analysis/shared_cost.hpp>

namespace COSMATI_NAMESPACE {

/// The cost of one warp instruction in global memory, in shared memory, or in both.
struct warp_cost {
  shared_cost shared;
  global_cost global;
};

/// The source of a cp.async that reads contiguous memory. Lane l reads at l times the width.
COSMATI_HD constexpr warp_access contiguous_source(memory_instruction const& instruction, std::uint32_t active) {
  warp_access source;
  source.active = active;
  for (int l = 0; l < 32; ++l) source.offset[l] = std::int64_t{l} * instruction.bytes;
  return source;
}

/// @param access cp.async: the destination in shared memory
/// @param source its source in global memory
COSMATI_HD constexpr warp_cost warp_cost_of(memory_instruction const& instruction, warp_access const& access,
                                            warp_access const& source) {
  return {shared_cost_of(instruction, access, source), global_cost_of(instruction, source)};
}
/// The source of a cp.async is assumed to be contiguous.
COSMATI_HD constexpr warp_cost warp_cost_of(memory_instruction const& instruction, warp_access const& access) {
  if (instruction.operation != memory_operation::copy_async) return warp_cost_of(instruction, access, access);
  return warp_cost_of(instruction, access, contiguous_source(instruction, access.active));
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
