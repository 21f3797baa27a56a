// SPDX-License-Identifier: Apache-2.0
/// @file
/// Clusters of blocks in CUDA files: cooperative_groups::cluster_group, and the functions `__cluster_*`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/words.hpp>

#define COSMATI_SITE_ char const *file = __builtin_FILE(), int line = __builtin_LINE()

extern "C" {
/// The place in its cluster of the block that has this address in its shared memory.
unsigned cosmati_sim_query_shared_rank(void const* address);
}

namespace cosmati_cuda {
/// Three of the twelve numbers of cosmati_sim_cluster_place. @param first 0 the cluster's blocks, 3 the block in it,
/// 6 the cluster in the grid, 9 the grid's clusters
inline dim3 cluster_place(int first) {
  unsigned place[12];
  cosmati_sim_cluster_place(place);
  return dim3(place[first], place[first + 1], place[first + 2]);
}
inline void cluster_sync(char const* file, int line) {
  if (cosmati_sim_cluster_blocks() == 1) return cosmati_sim_syncthreads("cluster.sync", file, line, nullptr);
  cosmati_sim_cluster_sync(file, line);
}
inline void cluster_arrive(int relaxed, char const* file, int line) {
  if (cosmati_sim_cluster_blocks() != 1) cosmati_sim_cluster_arrive(relaxed, file, line);
}
inline void cluster_wait(char const* file, int line) {
  if (cosmati_sim_cluster_blocks() == 1) return cosmati_sim_syncthreads("cluster.wait", file, line, nullptr);
  cosmati_sim_cluster_wait(file, line);
}
}  // namespace cosmati_cuda

inline dim3 __clusterDim() { return cosmati_cuda::cluster_place(0); }
inline dim3 __clusterRelativeBlockIdx() { return cosmati_cuda::cluster_place(3); }
inline dim3 __clusterIdx() { return cosmati_cuda::cluster_place(6); }
inline dim3 __clusterGridDimInClusters() { return cosmati_cuda::cluster_place(9); }
inline unsigned __clusterSizeInBlocks() { return cosmati_sim_cluster_blocks(); }
inline unsigned __clusterRelativeBlockRank() { return cosmati_sim_cluster_rank(); }
inline unsigned __clusterDimIsSpecified() { return cosmati_sim_cluster_blocks() > 1; }
inline void __cluster_barrier_arrive(COSMATI_SITE_) { cosmati_cuda::cluster_arrive(0, file, line); }
inline void __cluster_barrier_arrive_relaxed(COSMATI_SITE_) { cosmati_cuda::cluster_arrive(1, file, line); }
inline void __cluster_barrier_wait(COSMATI_SITE_) { cosmati_cuda::cluster_wait(file, line); }
inline unsigned __cluster_query_shared_rank(void const* address) { return cosmati_sim_query_shared_rank(address); }
inline void* __cluster_map_shared_rank(void const* own, unsigned rank, COSMATI_SITE_) {
  return cosmati_sim_map_shared_rank(own, rank, file, line);
}

namespace cooperative_groups {

/// The threads of a cluster of blocks. A kernel without clusters has clusters of one block.
class cluster_group {
 public:
  struct arrival_token {};
  static void sync(COSMATI_SITE_) { cosmati_cuda::cluster_sync(file, line); }
  static arrival_token barrier_arrive(COSMATI_SITE_) {
    cosmati_cuda::cluster_arrive(0, file, line);
    return {};
  }
  static void barrier_wait(COSMATI_SITE_) { cosmati_cuda::cluster_wait(file, line); }
  static void barrier_wait(arrival_token&&, COSMATI_SITE_) { cosmati_cuda::cluster_wait(file, line); }
  /// The place in the shared memory of the block `rank` that `own` has in the running block's.
  template <class T>
  static T* map_shared_rank(T* own, int rank, COSMATI_SITE_) {
    return static_cast<T*>(cosmati_sim_map_shared_rank(own, static_cast<unsigned>(rank), file, line));
  }
  /// The block of the cluster that has this address in its shared memory.
  static unsigned query_shared_rank(void const* address) { return cosmati_sim_query_shared_rank(address); }
  static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  static unsigned block_rank() { return cosmati_sim_cluster_rank(); }
  static dim3 dim_blocks() { return __clusterDim(); }
  static unsigned num_blocks() { return cosmati_sim_cluster_blocks(); }
  static dim3 thread_index() {
    dim3 const b = block_index();
    return dim3(b.x * blockDim.x + threadIdx.x, b.y * blockDim.y + threadIdx.y, b.z * blockDim.z + threadIdx.z);
  }
  static dim3 dim_threads() {
    dim3 const b = dim_blocks();
    return dim3(b.x * blockDim.x, b.y * blockDim.y, b.z * blockDim.z);
  }
  static unsigned thread_rank() {
    unsigned const threads = blockDim.x * blockDim.y * blockDim.z;
    return block_rank() * threads + threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  static unsigned num_threads() { return num_blocks() * blockDim.x * blockDim.y * blockDim.z; }
  static unsigned size() { return num_threads(); }
};
inline cluster_group this_cluster() { return {}; }

}  // namespace cooperative_groups

#undef COSMATI_SITE_

#endif

#include <cosmati/core/macros_end.hpp>
