// SPDX-License-Identifier: Apache-2.0
/// @file
/// `warpgroup_reg_alloc` and `warpgroup_reg_dealloc`: how many registers a warp's threads may use from here on
/// (`setmaxnreg`, sm_90a).
///
/// All warps of a warpgroup (128 threads) execute the same call. Warps that load give registers back, and warps that
/// multiply then take them. The kernel needs a fixed number of threads (`__launch_bounds__`).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/simulated.hpp>
#include <cosmati/arch/target.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
template <int registers>
struct register_budget {
  static constexpr bool ok = registers >= 24 && registers <= 256 && registers % 8 == 0;
  static_assert(
      ok,
      "warpgroup_reg_alloc, warpgroup_reg_dealloc: register_budget<REGISTERS A THREAD> is a multiple of 8, 24 "
      "to 256");
};
}  // namespace detail

/// Waits until each thread of the warp may use `registers` registers, more than before.
template <int registers>
COSMATI_HD inline void warpgroup_reg_alloc(COSMATI_CALLER_PARAMETERS_) {
  static_assert(sizeof(detail::register_budget<registers>) != 0);
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_register_budget(registers, 1, file, line);
#endif
}
/// Gives the registers of each thread of the warp beyond `registers` back.
template <int registers>
COSMATI_HD inline void warpgroup_reg_dealloc(COSMATI_CALLER_PARAMETERS_) {
  static_assert(sizeof(detail::register_budget<registers>) != 0);
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_register_budget(registers, 0, file, line);
#endif
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
