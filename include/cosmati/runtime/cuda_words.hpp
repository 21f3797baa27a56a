// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's words for code that g++ or clang compiles for the simulated device: annotations, `threadIdx` and similar
/// variables, barriers, warp functions, atomics, intrinsics. Under nvcc this header is empty, because the words exist.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cosmati/runtime/cuda_vector_types.hpp>

#if defined(COSMATI_SIMULATED)

// g++ does not know `#pragma unroll`. Before version 13 it obeys only -Wno-unknown-pragmas on the command line, which
// the CMake targets add.
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __constant__
#undef __managed__
#undef __forceinline__
#undef __noinline__
#undef __launch_bounds__
#undef __maxnreg__
#undef __cluster_dims__
#undef __grid_constant__
#undef __align__
#if !defined(COSMATI_CUDA_FILE)  // `cosmati sim` finds these in the text of CUDA files, and replaces them
#define __global__
#define __shared__ thread_local
#define __cluster_dims__(...)
#endif
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __forceinline__ inline
#define __noinline__  // empty, so that the attribute __noinline__ in system headers still works
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))

extern "C" {
extern __thread const uint3 threadIdx;  ///< this thread's index in its block
extern __thread const uint3 blockIdx;   ///< this block's index in the grid
}
extern __thread const dim3 blockDim asm("cosmati_sim_block_dim");  ///< threads of a block
extern __thread const dim3 gridDim asm("cosmati_sim_grid_dim");    ///< blocks of the grid
/// The number of lanes of a warp.
#if defined(COSMATI_CUDA_FILE)
extern const int warpSize;  // as CUDA declares it, so that a file may define it once more
#else
inline constexpr int warpSize = 32;
#endif

#include <cosmati/runtime/cuda_atomic.hpp>
#include <cosmati/runtime/cuda_intrinsics.hpp>
#include <cosmati/runtime/cuda_math.hpp>
#include <cosmati/runtime/cuda_warp.hpp>

#endif

#include <cosmati/core/macros_end.hpp>
