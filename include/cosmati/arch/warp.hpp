// SPDX-License-Identifier: Apache-2.0
/// @file
/// A thread's lane, and `__syncwarp`, for headers below the one that defines these words on the simulated device.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/simulated.hpp>
#include <cosmati/arch/target.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

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

/// Waits for the other lanes of the warp, and makes their writes visible.
COSMATI_HD inline void sync_warp(COSMATI_CALLER_PARAMETERS_) {
#if defined(__CUDA_ARCH__)
  __syncwarp();
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_meet(0xffffffffu, nullptr, nullptr, "__syncwarp", file, line);
#endif
}

}  // namespace detail

/// True for one thread of the warp. All threads of the warp call it together (sm_90 and newer). The compiler knows that
/// it is one thread, so that the code for this thread needs no loop over threads.
template <int dependent = 0>
COSMATI_HD inline bool elect_one_sync() {
  static_assert(detail::target_lacks_the_instruction<instruction::elect, 90 + 0 * dependent, COSMATI_TARGET_SM>::ok);
#if defined(__CUDA_ARCH__)
  std::uint32_t elected = 0;
#if __CUDA_ARCH__ >= 900
  asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(elected));
#endif
  return elected != 0;
#else
  return detail::lane_of_warp() == 0;
#endif
}

/// What `elect_one_leader_sync` gives. CuTe's names.
struct ElectOneLaneIdReturnType {
  std::uint32_t is_leader;       ///< 1 for one thread of the warp
  std::uint32_t leader_lane_id;  ///< its lane, known to all
};
/// Elects one thread of the warp and tells all which. All threads of the warp call it together (sm_90 and newer).
template <int dependent = 0>
COSMATI_HD inline ElectOneLaneIdReturnType elect_one_leader_sync() {
  static_assert(detail::target_lacks_the_instruction<instruction::elect, 90 + 0 * dependent, COSMATI_TARGET_SM>::ok);
  ElectOneLaneIdReturnType elected = {};
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile("{\n.reg .pred p;\nelect.sync %1|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}"
               : "=r"(elected.is_leader), "=r"(elected.leader_lane_id));
#endif
#else
  elected.is_leader = detail::lane_of_warp() == 0 ? 1 : 0;
#endif
  return elected;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
