// SPDX-License-Identifier: Apache-2.0
/// @file
/// CUDA's occupancy of clusters on the simulated device, and occupancy with less than CUDA's arguments.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/function.hpp>
#include <cosmati/cuda/launch.hpp>
#include <cstddef>

namespace cosmati_cuda {
COSMATI_CUDA_API_(cudaError_t, clusters, (int* out, cudaLaunchConfig_t const* config));
}  // namespace cosmati_cuda

/// The clusters of a launch that are resident at the same time.
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, Kernel*, cudaLaunchConfig_t const* config) {
  return cosmati_cuda::clusters(clusters, config);
}
/// The largest cluster of blocks along x, 8 unless the kernel allows more.
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, Kernel*, cudaLaunchConfig_t const*) {
  *blocks = 8;
  return cudaSuccess;
}
/// The bytes of dynamic shared memory that a block may have when so many are resident.
template <class Kernel>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, Kernel*, int blocks, int) {
  int whole = 0, reserved = 0;
  cudaDeviceGetAttribute(&whole, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
  cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, 0);
  if (bytes == nullptr || blocks < 1) return cudaErrorInvalidValue;
  *bytes = whole / blocks > reserved ? static_cast<std::size_t>(whole / blocks - reserved) : 0;
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, Kernel* kernel, std::size_t shared_bytes,
                                                        int most_threads, unsigned) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, shared_bytes, most_threads);
}
template <class Kernel, class SharedOf>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* grid, int* block, Kernel* kernel,
                                                                    SharedOf shared_of, int most_threads, unsigned) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, shared_of, most_threads);
}

#endif

#include <cosmati/core/macros_end.hpp>
