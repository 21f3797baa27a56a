// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tests for a single thread, such as `if (thread0()) print(layout);`; and `print_type`, which shows a type.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cosmati/runtime/cuda_words.hpp>

namespace COSMATI_NAMESPACE {

/// @name The calling thread
/// Threads of a block and blocks of a grid are counted x first. In host code that no simulated block runs, the
/// functions return true.
/// @{
/// Whether the calling thread is in block `bid` of the grid.
COSMATI_HD inline bool block([[maybe_unused]] int bid) {
#if defined(__CUDA_ARCH__) || defined(COSMATI_SIMULATED)
  return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z) == static_cast<unsigned>(bid);
#else
  return true;
#endif
}
/// Whether the calling thread is thread `tid` of block `bid`.
COSMATI_HD inline bool thread([[maybe_unused]] int tid, [[maybe_unused]] int bid = 0) {
#if defined(__CUDA_ARCH__) || defined(COSMATI_SIMULATED)
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z) == static_cast<unsigned>(tid) &&
         block(bid);
#else
  return true;
#endif
}
COSMATI_HD inline bool block0() { return block(0); }
COSMATI_HD inline bool thread0() { return thread(0, 0); }
/// @}

/// @name print_type: ends the compilation with an error that names the types
/// @{
namespace detail {
template <class... T>
struct type_is {
  static_assert(sizeof...(T) < 0, "print_type: the types are the arguments of type_is");
};
}  // namespace detail
template <class... T>
COSMATI_HD constexpr void print_type() {
  static_assert(sizeof(detail::type_is<T...>) != 0);
}
template <class... T>
COSMATI_HD constexpr void print_type(T&&...) {
  static_assert(sizeof(detail::type_is<T...>) != 0);
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
