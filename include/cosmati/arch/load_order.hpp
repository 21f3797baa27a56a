// SPDX-License-Identifier: Apache-2.0
/// @file
/// The position of loads in the machine code: all of them are issued before the following work.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Issues all loads that the program has started before anything that follows. It waits for none of them.
///
/// ptxas 13.0 moves a load to its use if that saves registers, so that a thread waits for its loads one after the
/// other. `pmevent` is the only instruction found that no load passes and that does not wait. It increments a profiler
/// counter, which nothing here reads. bench/notes/opaque-integers.md shows the machine code and the times.
COSMATI_HD inline void issue_loads() {
#if defined(__CUDA_ARCH__)
  asm volatile("pmevent 15;" ::: "memory");
#endif
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
