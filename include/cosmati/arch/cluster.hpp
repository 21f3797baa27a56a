// SPDX-License-Identifier: Apache-2.0
/// @file
/// Clusters of blocks (sm_90): a block's place in its cluster, the barrier of all its threads, and the shared memory of
/// the other blocks.
///
/// `launch_config::cluster` gives the blocks of a cluster. Without it, and below sm_90, each block is a cluster of its
/// own. A block's shared memory may be used from other blocks after all have begun and before any has ended: a kernel
/// that does so calls `cluster_sync()` at its start and at its end.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/named_barrier.hpp>
#include <cosmati/arch/target.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define COSMATI_CLUSTER_REGISTER_(name, text, number) \
  __device__ __forceinline__ unsigned name() {        \
    unsigned x;                                       \
    asm volatile("mov.u32 %0, %" text ";" : "=r"(x)); \
    return x;                                         \
  }
#elif defined(COSMATI_SIMULATED)
inline unsigned place_in_cluster(int number) {
  unsigned place[12];
  cosmati_sim_cluster_place(place);
  return place[number];
}
#define COSMATI_CLUSTER_REGISTER_(name, text, number) \
  inline unsigned name() { return place_in_cluster(number); }
#else  // kernels are parsed for the host too, and for GPUs without clusters
#define COSMATI_CLUSTER_REGISTER_(name, text, number) \
  COSMATI_HD inline unsigned name() { return 0; }
#endif
/// @name The hardware's registers: the cluster's blocks, the block in it, its number, and the grid's clusters
/// @{
COSMATI_CLUSTER_REGISTER_(cluster_blocks_x, "%cluster_nctaid.x", 0)
COSMATI_CLUSTER_REGISTER_(cluster_blocks_y, "%cluster_nctaid.y", 1)
COSMATI_CLUSTER_REGISTER_(cluster_blocks_z, "%cluster_nctaid.z", 2)
COSMATI_CLUSTER_REGISTER_(block_of_cluster_x, "%cluster_ctaid.x", 3)
COSMATI_CLUSTER_REGISTER_(block_of_cluster_y, "%cluster_ctaid.y", 4)
COSMATI_CLUSTER_REGISTER_(block_of_cluster_z, "%cluster_ctaid.z", 5)
COSMATI_CLUSTER_REGISTER_(cluster_of_grid_x, "%clusterid.x", 6)
COSMATI_CLUSTER_REGISTER_(cluster_of_grid_y, "%clusterid.y", 7)
COSMATI_CLUSTER_REGISTER_(cluster_of_grid_z, "%clusterid.z", 8)
COSMATI_CLUSTER_REGISTER_(clusters_x, "%nclusterid.x", 9)
COSMATI_CLUSTER_REGISTER_(clusters_y, "%nclusterid.y", 10)
COSMATI_CLUSTER_REGISTER_(clusters_z, "%nclusterid.z", 11)
/// @}
#undef COSMATI_CLUSTER_REGISTER_
}  // namespace detail

/// The number of blocks in the cluster.
COSMATI_HD inline unsigned blocks_in_cluster() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  unsigned x;
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(x));
  return x;
#elif defined(COSMATI_SIMULATED)
  return cosmati_sim_cluster_blocks();
#else
  return 1;
#endif
}
/// The number of the block in its cluster, x fastest.
COSMATI_HD inline unsigned block_rank_in_cluster() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  unsigned x;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(x));
  return x;
#elif defined(COSMATI_SIMULATED)
  return cosmati_sim_cluster_rank();
#else
  return 0;
#endif
}

/// @name The barrier of a cluster: every thread of its blocks comes, and waits
/// @{
COSMATI_HD inline void cluster_arrive(COSMATI_CALLER_PARAMETERS_) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_cluster_arrive(0, file, line);
#endif
}
/// Without the promise that others see what was written before.
COSMATI_HD inline void cluster_arrive_relaxed(COSMATI_CALLER_PARAMETERS_) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_cluster_arrive(1, file, line);
#endif
}
COSMATI_HD inline void cluster_wait(COSMATI_CALLER_PARAMETERS_) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
#elif defined(COSMATI_SIMULATED)
  if (cosmati_sim_cluster_blocks() == 1) return detail::sync_block(COSMATI_CALLER_);
  cosmati_sim_cluster_wait(file, line);
#else
  detail::sync_block(COSMATI_CALLER_);
#endif
}
COSMATI_HD inline void cluster_sync(COSMATI_CALLER_PARAMETERS_) {
#if defined(COSMATI_SIMULATED)
  if (cosmati_sim_cluster_blocks() == 1) return detail::sync_block(COSMATI_CALLER_);
  cosmati_sim_cluster_sync(file, line);
#else
  cluster_arrive(COSMATI_CALLER_);
  cluster_wait(COSMATI_CALLER_);
#endif
}
/// @}

/// @name Distributed shared memory
/// @{
/// The address, in the shared memory of another block of the cluster, of what lies at `address` in this one's. Both are
/// those of the instructions' 32 bits; `map_shared_rank` gives a pointer.
COSMATI_HD inline unsigned set_block_rank(unsigned address, [[maybe_unused]] unsigned rank) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  unsigned there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
  return there;
#elif defined(COSMATI_SIMULATED)
  void* const own = cosmati_sim_shared_of(address);
  return static_cast<unsigned>(
      reinterpret_cast<std::uintptr_t>(cosmati_sim_map_shared_rank(own, rank, __builtin_FILE(), __builtin_LINE())));
#else
  return address;
#endif
}
/// A pointer to the shared memory of the block `rank` of the cluster, to what `own` points to in this block's. Loads
/// and stores through it, and tensors of `make_smem_ptr` of it, use the other block's memory.
/// @param own points to shared memory, static or dynamic
template <class T>
COSMATI_HD T* map_shared_rank(T* own, [[maybe_unused]] unsigned rank COSMATI_AND_CALLER_PARAMETERS_) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  T* there;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(own), "r"(rank));
  return there;
#elif defined(COSMATI_SIMULATED)
  return static_cast<T*>(cosmati_sim_map_shared_rank(own, rank, file, line));
#else
  return own;
#endif
}
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
