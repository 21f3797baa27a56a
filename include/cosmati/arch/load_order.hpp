// SPDX-License-Identifier: Apache-2.0
/// @file
/// Where loads stand in the machine code: before the work that follows them, all at once.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>

namespace COSMATI_NAMESPACE::detail {

/// The loads that the program has begun are issued before whatever follows; none of them is waited for here.
///
/// ptxas 13.0 moves a load to its use where that saves registers, so that a thread waits for its loads one after the
/// other. `pmevent` is the one instruction found that no load passes and that waits for nothing. It adds one to a
/// counter of profilers, which nothing here reads. bench/notes/opaque-integers.md has the machine code and the times.
COSMATI_HD inline void issue_loads() {
#if defined(__CUDA_ARCH__)
  asm volatile("pmevent 15;" ::: "memory");
#endif
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
