// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tiles of cooperative groups with 64 to 512 threads: some warps of a block that meet at a barrier of their own. They
/// have no shuffles on the simulated device; cooperative_groups/reduce.h reduces them.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/words.hpp>

#define COSMATI_SITE_ char const *file = __builtin_FILE(), int line = __builtin_LINE()

namespace cooperative_groups {

template <unsigned Size, class Parent>
class thread_block_tile;
namespace detail {
template <class Parent>
unsigned threads_of();
}

template <unsigned Size, class Parent>
requires(Size > 32) class thread_block_tile<Size, Parent> {
  static_assert(Size <= 512 && (Size & (Size - 1)) == 0, "tiled_partition<N>: N is a power of two of at most 512");

 public:
  static void sync(COSMATI_SITE_) { meet(0, 0, "tile.sync", file, line); }
  static int any(int predicate, COSMATI_SITE_) { return static_cast<int>(meet(3, predicate, "tile.any", file, line)); }
  static int all(int predicate, COSMATI_SITE_) { return static_cast<int>(meet(2, predicate, "tile.all", file, line)); }
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return rank_in_block() % Size; }
  /// The place of the tile among those of its parent: a tile, or the block.
  static unsigned meta_group_rank() { return rank_in_block() % detail::threads_of<Parent>() / Size; }
  static unsigned meta_group_size() { return (detail::threads_of<Parent>() + Size - 1) / Size; }

 private:
  static unsigned rank_in_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
  /// Barrier 0 is that of the block. @param reduce as in cosmati_sim_barrier
  static unsigned meet(int reduce, int predicate, char const* name, char const* file, int line) {
    unsigned const tile = rank_in_block() / Size;
    if (tile > 14)
      cosmati_sim_fail("invalid_argument",
                       "tiled_partition<N>: the simulated device has barriers for 15 tiles of more than 32 threads",
                       file, line);
    return cosmati_sim_barrier(static_cast<int>(tile) + 1, Size, reduce, predicate, name, file, line, nullptr);
  }
};

}  // namespace cooperative_groups

#undef COSMATI_SITE_

#endif

#include <cosmati/core/macros_end.hpp>
