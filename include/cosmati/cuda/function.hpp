// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's functions about kernels on the simulated device: attributes and occupancy.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/device.hpp>
#include <cosmati/cuda/error.hpp>
#include <cstddef>
#include <type_traits>

enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeClusterDimMustBeSet = 10,
  cudaFuncAttributeRequiredClusterWidth = 11,
  cudaFuncAttributeRequiredClusterHeight = 12,
  cudaFuncAttributeRequiredClusterDepth = 13,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14
};
enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxShared = 100,
  cudaSharedmemCarveoutMaxL1 = 0
};
struct cudaFuncAttributes {
  std::size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
  int preferredShmemCarveout;
};

COSMATI_CUDA_API_(cudaError_t, cudaFuncSetAttribute, (void const* kernel, cudaFuncAttribute attribute, int value));
COSMATI_CUDA_API_(cudaError_t, cudaFuncGetAttributes, (cudaFuncAttributes * out, void const* kernel));
namespace cosmati_cuda {
COSMATI_CUDA_API_(cudaError_t, occupancy, (int* blocks, int threads, std::size_t shared_bytes));
template <class Kernel>
concept is_kernel = std::is_function_v<Kernel>;
}  // namespace cosmati_cuda

template <cosmati_cuda::is_kernel Kernel>
cudaError_t cudaFuncSetAttribute(Kernel* kernel, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel), attribute, value);
}
template <cosmati_cuda::is_kernel Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, Kernel* kernel) {
  return cudaFuncGetAttributes(out, reinterpret_cast<void const*>(kernel));
}
template <class Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel*, cudaFuncCache) {
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncSetSharedMemConfig(Kernel*, cudaSharedMemConfig) {
  return cudaSuccess;
}

// Registers are not counted. Threads, blocks and shared memory limit the occupancy.
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel*, int threads, std::size_t shared_bytes) {
  return cosmati_cuda::occupancy(blocks, threads, shared_bytes);
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Kernel*, int threads,
                                                                   std::size_t shared_bytes, unsigned) {
  return cosmati_cuda::occupancy(blocks, threads, shared_bytes);
}
/// The block of the highest occupancy, and the least grid that fills the device.
/// @param shared_of the bytes of dynamic shared memory of a block of so many threads
template <class Kernel, class SharedOf>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, Kernel*, SharedOf shared_of,
                                                           int most_threads = 0) {
  if (most_threads <= 0 || most_threads > 1024) most_threads = 1024;
  int best = 0;
  for (int threads = most_threads / 32 * 32; threads >= 32; threads -= 32) {
    int blocks = 0;
    if (cudaError_t const e = cosmati_cuda::occupancy(&blocks, threads, static_cast<std::size_t>(shared_of(threads))))
      return e;
    if (blocks * threads <= best) continue;
    best = blocks * threads;
    *block = threads;
    int multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    *grid = blocks * multiprocessors;
  }
  return best > 0 ? cudaSuccess : cudaErrorInvalidValue;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, Kernel* kernel, std::size_t shared_bytes = 0,
                                               int most_threads = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      grid, block, kernel, [shared_bytes](int) { return shared_bytes; }, most_threads);
}

#endif

#include <cosmati/core/macros_end.hpp>
