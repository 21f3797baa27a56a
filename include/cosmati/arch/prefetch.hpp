// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions that issue a prefetch. It never changes a program's result; the simulated device checks its address only.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/access.hpp>
#include <cosmati/core/config.hpp>

namespace COSMATI_NAMESPACE {

/// Brings the line of 128 bytes at a global address into the L2 cache.
COSMATI_HD inline void prefetch_l2([[maybe_unused]] void const* global) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(global)));
#elif defined(COSMATI_SIMULATED)
  if (cosmati_cuda::sim_active() != 0) cosmati_sim_prefetch(global);
#endif
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
