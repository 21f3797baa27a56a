// SPDX-License-Identifier: Apache-2.0
/// @file
/// `launch_dependent_grids`, `wait_on_dependent_grids`. If CUTLASS's own header is later on the include path, this
/// header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/arch/grid_dependency_control.h>)
#include_next <cutlass/arch/grid_dependency_control.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/arch/barrier.h>
#include <cutlass/cutlass.h>
#include <cosmati/arch/grid_dependency.hpp>

namespace cutlass::arch {

using ::COSMATI_NAMESPACE::launch_dependent_grids;
using ::COSMATI_NAMESPACE::wait_on_dependent_grids;

/// Whether CUTLASS's own kernels use these instructions.
#if defined(CUTLASS_GDC_ENABLED)
static constexpr bool IsGdcGloballyEnabled = true;
#else
static constexpr bool IsGdcGloballyEnabled = false;
#endif

}  // namespace cutlass::arch

#include <cosmati/core/macros_end.hpp>

#endif
