// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUTLASS's macros, and the sizes of warps.
/// If CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/cutlass.h>)
#include_next <cutlass/cutlass.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/arch/config.h>
#include <cutlass/platform/platform.h>
#include <cute/util/debug.hpp>

#define CUTLASS_HOST_DEVICE CUTE_HOST_DEVICE
#define CUTLASS_DEVICE CUTE_DEVICE
#define CUTLASS_HOST CUTE_HOST
#define CUTLASS_GLOBAL __global__ static
#define CUTLASS_GRID_CONSTANT CUTE_GRID_CONSTANT
#define CUTLASS_PRAGMA_UNROLL COSMATI_UNROLL
#define CUTLASS_PRAGMA_NO_UNROLL COSMATI_NO_UNROLL
#define CUTLASS_GEMM_LOOP COSMATI_NO_UNROLL
#define CUTLASS_GEMM_LOOP_HEADER
#define CUTLASS_UNUSED(name) static_cast<void>(name)
#define CUTLASS_ASSERT(condition) assert(condition)
#define CUTLASS_NOT_IMPLEMENTED() assert(0 && __PRETTY_FUNCTION__)
#define CUTLASS_LAMBDA_FUNC_INLINE __attribute__((always_inline))
#define CUTLASS_THREAD_LOCAL thread_local
#define CUTLASS_CONSTEXPR_IF_CXX17 constexpr
#define CUTLASS_STL_NAMESPACE std
#define CUTLASS_GCC_UNREACHABLE CUTE_GCC_UNREACHABLE

namespace cutlass {

/// What functions of the host answer.
enum class Status {
  kSuccess,
  kErrorMisalignedOperand,
  kErrorInvalidDataType,
  kErrorInvalidLayout,
  kErrorInvalidProblem,
  kErrorNotSupported,
  kErrorWorkspaceNull,
  kErrorInternal,
  kErrorArchMismatch,
  kErrorInsufficientDriver,
  kErrorMemoryAllocation,
  kInvalid
};
/// The status in words.
CUTLASS_HOST_DEVICE char const* cutlassGetStatusString(Status status) {
  char const* const words[] = {"success",
                               "an operand is not aligned",
                               "the kernel is not for this type of elements",
                               "the kernel is not for this layout",
                               "the kernel is not for these extents",
                               "the kernel does not support the problem",
                               "the kernel needs a workspace, and the pointer is null",
                               "a call of CUDA has failed",
                               "the device has another architecture",
                               "the driver is too old",
                               "there is too little memory",
                               "the status is not valid"};
  return status <= Status::kInvalid ? words[static_cast<int>(status)] : words[static_cast<int>(Status::kInvalid)];
}

inline constexpr int NumThreadsPerWarp = 32;
inline constexpr int NumWarpsPerWarpGroup = 4;
inline constexpr int NumThreadsPerWarpGroup = NumWarpsPerWarpGroup * NumThreadsPerWarp;
inline constexpr int NumThreadsPerHalfWarp = NumThreadsPerWarp / 2;
inline constexpr int NumThreadsPerQuad = 4;
inline constexpr int NumThreadsPerQuadPair = 2 * NumThreadsPerQuad;

/// @name The calling thread's warp and lane, in a block of one dimension
/// @{
CUTE_DEVICE int canonical_lane_idx() { return static_cast<int>(threadIdx.x) % NumThreadsPerWarp; }
CUTE_DEVICE int canonical_warp_idx() { return static_cast<int>(threadIdx.x) / NumThreadsPerWarp; }
/// The same number, which the compiler is told that all lanes have.
CUTE_DEVICE int canonical_warp_idx_sync() {
  return __shfl_sync(0xffffffff, static_cast<int>(threadIdx.x) / NumThreadsPerWarp, 0);
}
CUTE_DEVICE int canonical_warp_group_idx() {
  return __shfl_sync(0xffffffff, static_cast<int>(threadIdx.x) / NumThreadsPerWarpGroup, 0);
}
/// @}
/// The same function: programs that use both namespaces may call it.
using ::COSMATI_NAMESPACE::thread0;

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
