// SPDX-License-Identifier: Apache-2.0
/// @file
/// The block's dynamic shared memory, with a type.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/core/config.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <cosmati/runtime/sim_abi.hpp>

namespace COSMATI_NAMESPACE {

#if defined(__CUDACC__)
namespace detail {
extern __shared__ __align__(1024) unsigned char dynamic_shared_bytes[];
}
#endif

/// The first byte of the dynamic shared memory that `launch_config::shared_bytes` requests, aligned to 1024 bytes. The
/// address is the same for every T. For kernels only.
template <class T = unsigned char>
__device__ inline T* dynamic_shared() {
#if defined(__CUDACC__)
  return reinterpret_cast<T*>(detail::dynamic_shared_bytes);
#else
  return static_cast<T*>(cosmati_sim_dynamic_shared());
#endif
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
