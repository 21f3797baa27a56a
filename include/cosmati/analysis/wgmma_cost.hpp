// SPDX-License-Identifier: Apache-2.0
/// @file
/// The cost in shared memory of warpgroup matrix instructions (`wgmma`) as values: `wgmma_cost`.
///
/// Operands are read by lines of 128 bytes. A descriptor can only name layouts whose pieces of eight rows of 16 bytes
/// lie in different banks, with each swizzle and either mode contiguous. The instruction therefore has no bank
/// conflicts, whatever its descriptors say. Measured on an H200: bench/results/counters/README.md.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/analysis/shared_cost.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
/// The share of the warp with this number in the warpgroup: 16 rows of A; the first one's also B, which all share.
constexpr int wgmma_wavefronts_of_warp(int n, bool a_in_shared, int warp) {
  return (a_in_shared ? 4 : 0) + (warp == 0 ? n / 4 : 0);
}
}  // namespace detail

/// The wavefronts of one instruction of four warps: 32 bytes of K in 64 rows of A, unless A is in registers, and in N
/// rows of B. Bank conflicts are 0.
/// @param n columns of B, 8 to 256 @param a_in_shared whether A has a descriptor
constexpr shared_cost wgmma_cost(int n, bool a_in_shared) {
  shared_cost c;
  for (int warp = 0; warp < 4; ++warp) c.wavefronts += detail::wgmma_wavefronts_of_warp(n, a_in_shared, warp);
  c.floor = c.ideal = c.wavefronts;
  return c;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
