// SPDX-License-Identifier: Apache-2.0
/// @file
/// The macros that say which instructions the compiler has, and which the target. If CUTLASS's own header is later on
/// the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/arch/config.h>)
#include_next <cutlass/arch/config.h>
#else

// The simulated device has them too.
#define CUTLASS_ARCH_MMA_SM90_SUPPORTED 1
#define CUTLASS_ARCH_MMA_SM90_F64_MMA_SUPPORTED 1
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define CUTLASS_ARCH_MMA_SM90_ENABLED 1
#define CUTLASS_ARCH_MMA_SM90_F64_MMA_ENABLED 1
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define CUTLASS_ARCH_MMA_MODIFIABLE_TMA_SM90_SUPPORTED 1
#define CUTLASS_ARCH_MMA_MODIFIABLE_TMA_SM90_ENABLED 1
#endif
#endif

#endif
