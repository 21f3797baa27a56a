// SPDX-License-Identifier: Apache-2.0
/// @file
/// Clusters of blocks: `cluster_sync` and its parts, places in a cluster, `elect_one_sync`.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/cluster.hpp>
#include <cosmati/arch/remote_store.hpp>
#include <cosmati/arch/warp.hpp>
#include <cute/arch/config.hpp>
#if !defined(__CUDACC__)
#include <cosmati/runtime/cuda_words.hpp>
#include <cute/numeric/numeric_types.hpp>
#endif

#if defined(__CUDACC__) || defined(COSMATI_SIMULATED)

namespace COSMATI_NAMESPACE {

#if (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900) || defined(COSMATI_SIMULATED)
#define COSMATI_CLUSTER_DIMS_(name, otherwise) \
  return dim3 { detail::name##_x(), detail::name##_y(), detail::name##_z() }
#elif defined(__CUDA_ARCH__)
#define COSMATI_CLUSTER_DIMS_(name, otherwise) return otherwise
#else
#define COSMATI_CLUSTER_DIMS_(name, otherwise) return dim3(1, 1, 1)
#endif

/// @name Where the block is, in blocks and clusters along x, y and z
/// @{
/// How many clusters the grid has.
COSMATI_HD inline dim3 cluster_grid_dims() { COSMATI_CLUSTER_DIMS_(clusters, dim3(gridDim.x, gridDim.y, gridDim.z)); }
/// Which of them the block belongs to.
COSMATI_HD inline dim3 cluster_id_in_grid() {
  COSMATI_CLUSTER_DIMS_(cluster_of_grid, dim3(blockIdx.x, blockIdx.y, blockIdx.z));
}
/// Which block of its cluster it is.
COSMATI_HD inline dim3 block_id_in_cluster() { COSMATI_CLUSTER_DIMS_(block_of_cluster, dim3(0, 0, 0)); }
/// How many blocks the cluster has.
COSMATI_HD inline dim3 cluster_shape() { COSMATI_CLUSTER_DIMS_(cluster_blocks, dim3(1, 1, 1)); }
/// @}

#undef COSMATI_CLUSTER_DIMS_

}  // namespace COSMATI_NAMESPACE

#endif

#include <cosmati/core/macros_end.hpp>
