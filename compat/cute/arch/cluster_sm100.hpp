// SPDX-License-Identifier: Apache-2.0
/// @file
/// `initialize_preferred_cluster_launch`: may a kernel be launched in clusters of a preferred size, or else another.
#pragma once
#include <cute/config.hpp>

#include <cosmati/core/macros_begin.hpp>

#if defined(__CUDACC__)

namespace COSMATI_NAMESPACE {

namespace detail {
/// A cluster has 1 to 32 blocks, and divides the grid.
inline bool cluster_is_possible(dim3 const& grid, dim3 const& cluster, char const* which) {
  unsigned const blocks = cluster.x * cluster.y * cluster.z;
  if (blocks == 0 || blocks > 32) {
    printf("initialize_preferred_cluster_launch: the %s cluster (%u, %u, %u) has %u blocks; give it 1 to 32\n", which,
           cluster.x, cluster.y, cluster.z, blocks);
    return false;
  }
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0) {
    printf(
        "initialize_preferred_cluster_launch: the %s cluster (%u, %u, %u) does not divide the grid (%u, %u, %u); round "
        "the grid up\n",
        which, cluster.x, cluster.y, cluster.z, grid.x, grid.y, grid.z);
    return false;
  }
  return true;
}
}  // namespace detail

/// Whether the sizes are possible; a sentence says what is not.
inline bool initialize_preferred_cluster_launch(void const* /* kernel */, dim3 const& grid, dim3 const& preferred,
                                                dim3 const& fallback) {
  if (grid.y > 65535 || grid.z > 65535) {
    printf("initialize_preferred_cluster_launch: the grid (%u, %u, %u) is larger than 65535 in y or z\n", grid.x,
           grid.y, grid.z);
    return false;
  }
  if (!detail::cluster_is_possible(grid, preferred, "preferred") ||
      !detail::cluster_is_possible(grid, fallback, "fallback"))
    return false;
  if (preferred.x % fallback.x != 0 || preferred.y % fallback.y != 0 || preferred.z != fallback.z) {
    printf(
        "initialize_preferred_cluster_launch: the fallback cluster (%u, %u, %u) does not divide the preferred one (%u, "
        "%u, %u), or their z differs\n",
        fallback.x, fallback.y, fallback.z, preferred.x, preferred.y, preferred.z);
    return false;
  }
  return true;
}

}  // namespace COSMATI_NAMESPACE

#endif

#include <cosmati/core/macros_end.hpp>
