// SPDX-License-Identifier: Apache-2.0
/// @file
/// How warpgroups of a block give registers to each other (`setmaxnreg`, sm_90a).
///
/// A kernel starts with the same number of registers in every thread, the one that its `__launch_bounds__` allow. All
/// warps of a warpgroup then execute one of these functions once.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
template <int registers>
struct warpgroup_registers_are_possible {
  static constexpr bool ok = registers >= 24 && registers <= 256 && registers % 8 == 0;
  static_assert(ok,
                "warpgroup_registers_are_possible<REGISTERS>: a thread may have 24 to 256 registers, a multiple of 8");
};
}  // namespace detail

/// Lowers the registers of each thread of the warpgroup to `registers`, 24 to 256, a multiple of 8.
template <int registers>
COSMATI_HD inline void warpgroup_reg_dealloc() {
  static_assert(detail::warpgroup_registers_are_possible<registers>::ok);
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
#endif
}
/// Raises them to `registers`. It waits until the other warpgroups have given up as many.
template <int registers>
COSMATI_HD inline void warpgroup_reg_alloc() {
  static_assert(detail::warpgroup_registers_are_possible<registers>::ok);
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
#endif
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
