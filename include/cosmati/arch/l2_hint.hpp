// SPDX-License-Identifier: Apache-2.0
/// @file
/// The hint that a load gives the L2 cache. It never changes a program's result, and the simulated device ignores it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cstdint>

namespace COSMATI_NAMESPACE {

/// The cache hint of a load.
enum class l2_hint : std::uint8_t {
  none,
  evict_last  ///< the lines stay while others can be evicted, even after the kernel (sm_80; no effect below)
};

namespace detail {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
/// The operand of instructions with a hint. It is not volatile, so the compiler creates it once for all uses.
__device__ inline std::uint64_t evict_last_policy() {
  std::uint64_t policy;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}
#endif
}  // namespace detail

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
