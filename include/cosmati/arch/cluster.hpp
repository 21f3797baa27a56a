// SPDX-License-Identifier: Apache-2.0
/// @file
/// Clusters of blocks (sm_90): a block's place in its cluster, and the barrier of all its threads.
///
/// Below sm_90, and on the simulated device, each block is a cluster of its own.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/named_barrier.hpp>
#include <cosmati/arch/target.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define COSMATI_CLUSTER_REGISTER_(name, text)         \
  __device__ __forceinline__ unsigned name() {        \
    unsigned x;                                       \
    asm volatile("mov.u32 %0, %" text ";" : "=r"(x)); \
    return x;                                         \
  }
#else
#define COSMATI_CLUSTER_REGISTER_(name, text)
#endif
/// @name The hardware's registers: the cluster's blocks, the block in it, and its number
/// @{
COSMATI_CLUSTER_REGISTER_(cluster_blocks_x, "%cluster_nctaid.x")
COSMATI_CLUSTER_REGISTER_(cluster_blocks_y, "%cluster_nctaid.y")
COSMATI_CLUSTER_REGISTER_(cluster_blocks_z, "%cluster_nctaid.z")
COSMATI_CLUSTER_REGISTER_(block_of_cluster_x, "%cluster_ctaid.x")
COSMATI_CLUSTER_REGISTER_(block_of_cluster_y, "%cluster_ctaid.y")
COSMATI_CLUSTER_REGISTER_(block_of_cluster_z, "%cluster_ctaid.z")
COSMATI_CLUSTER_REGISTER_(clusters_x, "%nclusterid.x")
COSMATI_CLUSTER_REGISTER_(clusters_y, "%nclusterid.y")
COSMATI_CLUSTER_REGISTER_(clusters_z, "%nclusterid.z")
COSMATI_CLUSTER_REGISTER_(cluster_of_grid_x, "%clusterid.x")
COSMATI_CLUSTER_REGISTER_(cluster_of_grid_y, "%clusterid.y")
COSMATI_CLUSTER_REGISTER_(cluster_of_grid_z, "%clusterid.z")
COSMATI_CLUSTER_REGISTER_(cluster_rank, "%cluster_ctarank")
/// @}
#undef COSMATI_CLUSTER_REGISTER_
}  // namespace detail

/// @name The barrier of a cluster: every thread of its blocks comes, and waits
/// @{
COSMATI_HD inline void cluster_arrive() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
#endif
}
/// Without the promise that others see what was written before.
COSMATI_HD inline void cluster_arrive_relaxed() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
#endif
}
COSMATI_HD inline void cluster_wait(COSMATI_CALLER_PARAMETERS_) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
#else
  detail::sync_block(COSMATI_CALLER_);
#endif
}
COSMATI_HD inline void cluster_sync(COSMATI_CALLER_PARAMETERS_) {
  cluster_arrive();
  cluster_wait(COSMATI_CALLER_);
}
/// @}
/// The number of the block in its cluster.
COSMATI_HD inline unsigned block_rank_in_cluster() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  return detail::cluster_rank();
#else
  return 0;
#endif
}
/// The address, in the shared memory of another block of the cluster, of what lies at `address` in this one's.
COSMATI_HD inline unsigned set_block_rank(unsigned address, [[maybe_unused]] unsigned rank) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  unsigned there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
  return there;
#else
  return address;
#endif
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
