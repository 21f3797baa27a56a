// SPDX-License-Identifier: Apache-2.0
/// @file
/// A thread's lane, and `__syncwarp`, for headers below the one that supplies those words to the simulated device.
#pragma once

#include <cosmati/arch/simulated.hpp>
#include <cosmati/arch/target.hpp>

namespace COSMATI_NAMESPACE::detail {

/// The thread's place in its warp, 0 to 31.
COSMATI_HD inline unsigned lane_of_warp() {
#if defined(__CUDA_ARCH__)
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
#elif defined(COSMATI_SIMULATED)
  return cosmati_sim_lane();
#else
  return 0;
#endif
}

/// Waits for the warp's other lanes, and makes known what they did.
COSMATI_HD inline void sync_warp(COSMATI_CALLER_PARAMETERS_) {
#if defined(__CUDA_ARCH__)
  __syncwarp();
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_meet(0xffffffffu, nullptr, nullptr, "__syncwarp", file, line);
#endif
}

}  // namespace COSMATI_NAMESPACE::detail
