// SPDX-License-Identifier: Apache-2.0
/// @file
/// Launches that begin before an earlier one in their stream has ended (`griddepcontrol`, sm_90 and newer).
///
/// The host asks for it by the launch attribute `cudaLaunchAttributeProgrammaticStreamSerialization`. Without the
/// attribute, and on the simulated device, a launch begins when the earlier one has ended: then both functions return
/// at once.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>

namespace COSMATI_NAMESPACE {

/// The next launch in the stream may begin when all blocks have called this or ended.
COSMATI_HD inline void launch_dependent_grids() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}
/// Waits until the earlier launches that this one depends on have ended, and their writes are visible.
COSMATI_HD inline void wait_on_dependent_grids() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
