// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's cooperative_groups.h provides: the block, tiles of up to 32 threads, coalesced threads, clusters, the
/// grid.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#define _COOPERATIVE_GROUPS_H_
#include <cosmati/cuda/cluster_group.hpp>
#include <cosmati/cuda/runtime.hpp>
#include <cosmati/cuda/wide_tile.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <cstdio>

#define COSMATI_SITE_ char const *file = __builtin_FILE(), int line = __builtin_LINE()

extern "C" {
/// Whether cudaLaunchCooperativeKernel, or its attribute of cudaLaunchKernelEx, has launched the running kernel.
int cosmati_sim_is_cooperative(void);
}

namespace cooperative_groups {

namespace detail {
inline unsigned rank_in_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
inline unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
inline unsigned rank_of_block() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }
inline unsigned long long grid_blocks() { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
/// Shuffles a value of more than 8 bytes word by word.
template <class V, class Shuffle>
V by_words(V value, Shuffle shuffle) {
  if constexpr (sizeof(V) <= 8) {
    return shuffle(value);
  } else {
    static_assert(sizeof(V) % 4 == 0 && sizeof(V) <= 32, "a group shuffles values of at most 32 bytes, in words of 4");
    unsigned words[sizeof(V) / 4];
    __builtin_memcpy(words, &value, sizeof(V));
    for (unsigned& word : words) word = shuffle(word);
    __builtin_memcpy(&value, words, sizeof(V));
    return value;
  }
}
/// The lanes of a warp that exist: the last warp of a block may be cut.
inline unsigned lanes_of_warp() {
  unsigned const left = block_threads() - rank_in_block() / 32 * 32;
  return left >= 32 ? 0xffffffffu : (1u << left) - 1u;
}
}  // namespace detail

/// The threads of a warp that a mask names. It is the base of tiles and of coalesced groups.
class lanes_group {
 public:
  explicit lanes_group(unsigned mask) : mask_(mask) {}
  void sync(COSMATI_SITE_) const { __syncwarp(mask_, file, line); }
  unsigned size() const { return static_cast<unsigned>(__popc(mask_)); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return static_cast<unsigned>(__popc(mask_ & ((1u << cosmati_sim_lane()) - 1u))); }
  int any(int predicate, COSMATI_SITE_) const { return __any_sync(mask_, predicate, file, line); }
  int all(int predicate, COSMATI_SITE_) const { return __all_sync(mask_, predicate, file, line); }
  unsigned ballot(int predicate, COSMATI_SITE_) const { return packed(__ballot_sync(mask_, predicate, file, line)); }
  template <class V>
  unsigned match_any(V value, COSMATI_SITE_) const {
    return packed(__match_any_sync(mask_, value, file, line));
  }
  template <class V>
  unsigned match_all(V value, int& predicate, COSMATI_SITE_) const {
    return packed(__match_all_sync(mask_, value, &predicate, file, line));
  }
  template <class V>
  V shfl(V value, int rank, COSMATI_SITE_) const {
    return detail::by_words(value, [&](auto word) {
      return __shfl_sync(mask_, word, lane_of(static_cast<unsigned>(rank) % size()), 32, file, line);
    });
  }
  template <class V>
  V shfl_up(V value, unsigned delta, COSMATI_SITE_) const {
    unsigned const rank = thread_rank();
    return detail::by_words(value, [&](auto word) {
      return __shfl_sync(mask_, word, lane_of(rank >= delta ? rank - delta : rank), 32, file, line);
    });
  }
  template <class V>
  V shfl_down(V value, unsigned delta, COSMATI_SITE_) const {
    unsigned const rank = thread_rank();
    return detail::by_words(value, [&](auto word) {
      return __shfl_sync(mask_, word, lane_of(rank + delta < size() ? rank + delta : rank), 32, file, line);
    });
  }
  template <class V>
  V shfl_xor(V value, unsigned bits, COSMATI_SITE_) const {
    unsigned const rank = thread_rank() ^ bits;
    return detail::by_words(value, [&](auto word) {
      return __shfl_sync(mask_, word, lane_of(rank < size() ? rank : thread_rank()), 32, file, line);
    });
  }
  /// The lanes of the warp.
  unsigned lanes() const { return mask_; }

 private:
  int lane_of(unsigned rank) const { return static_cast<int>(__fns(mask_, 0, static_cast<int>(rank) + 1)); }
  /// The bits of the group's lanes, side by side.
  unsigned packed(unsigned lanes) const {
    unsigned result = 0, rank = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((mask_ >> lane & 1u) == 0) continue;
      result |= (lanes >> lane & 1u) << rank++;
    }
    return result;
  }
  unsigned mask_;
};

/// All threads of the block.
class thread_block {
 public:
  static void sync(COSMATI_SITE_) { __syncthreads(file, line); }
  void barrier_sync(COSMATI_SITE_) const { __syncthreads(file, line); }
  struct arrival_token {};
  /// The two halves of a barrier of the block. The arrival waits, too, so that the second half has nothing to do.
  static arrival_token barrier_arrive(COSMATI_SITE_) {
    __syncthreads(file, line);
    return {};
  }
  static void barrier_wait(arrival_token&&) {}
  static unsigned thread_rank() { return detail::rank_in_block(); }
  static unsigned size() { return detail::block_threads(); }
  static unsigned num_threads() { return size(); }
  static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }

/// Memory for tiles of more than 32 threads, which the simulated device does not use.
template <unsigned most_threads = 1024>
struct block_tile_memory {
  unsigned char unused[1];
};
template <unsigned most_threads>
thread_block this_thread_block(block_tile_memory<most_threads>&) {
  return {};
}

/// Any group: the block, or threads of a warp.
class thread_group {
 public:
  thread_group(thread_block) {}
  thread_group(lanes_group const& g) : lanes_(g.lanes()) {}
  void sync(COSMATI_SITE_) const { lanes_ == 0 ? __syncthreads(file, line) : __syncwarp(lanes_, file, line); }
  unsigned size() const { return lanes_ == 0 ? detail::block_threads() : lanes_group(lanes_).size(); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return lanes_ == 0 ? detail::rank_in_block() : lanes_group(lanes_).thread_rank(); }
  unsigned lanes() const { return lanes_; }

 private:
  unsigned lanes_ = 0;  // 0 for the block
};

template <unsigned Size, class Parent>
class thread_block_tile;
namespace detail {
/// The number of threads of a tile's parent.
template <class Parent>
struct parent_threads {
  static unsigned value() { return block_threads(); }
};
template <unsigned Size, class Parent>
struct parent_threads<thread_block_tile<Size, Parent>> {
  static unsigned value() { return Size; }
};
template <class Parent>
unsigned threads_of() {
  return parent_threads<Parent>::value();
}
}  // namespace detail

/// `Size` threads of a group that follow each other. `Size` is a power of two.
template <unsigned Size, class Parent = void>
class thread_block_tile : public lanes_group {
  static_assert(Size != 0 && (Size & (Size - 1)) == 0, "tiled_partition<N>: N is a power of two");

 public:
  thread_block_tile() : lanes_group(lanes_here() & detail::lanes_of_warp()) {}
  /// The same tile, without its parent's type.
  template <class Other>
  thread_block_tile(thread_block_tile<Size, Other> const& tile) : lanes_group(tile.lanes()) {}
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return detail::rank_in_block() % Size; }
  /// The place of the tile among those of its parent: a tile, or the block.
  static unsigned meta_group_rank() { return detail::rank_in_block() % detail::threads_of<Parent>() / Size; }
  static unsigned meta_group_size() { return (detail::threads_of<Parent>() + Size - 1) / Size; }
  template <class V>
  V shfl(V value, int rank, COSMATI_SITE_) const {
    return detail::by_words(value, [&](auto word) { return __shfl_sync(lanes(), word, rank, Size, file, line); });
  }
  template <class V>
  V shfl_up(V value, unsigned delta, COSMATI_SITE_) const {
    return detail::by_words(value, [&](auto word) { return __shfl_up_sync(lanes(), word, delta, Size, file, line); });
  }
  template <class V>
  V shfl_down(V value, unsigned delta, COSMATI_SITE_) const {
    return detail::by_words(value, [&](auto word) { return __shfl_down_sync(lanes(), word, delta, Size, file, line); });
  }
  template <class V>
  V shfl_xor(V value, unsigned bits, COSMATI_SITE_) const {
    return detail::by_words(
        value, [&](auto word) { return __shfl_xor_sync(lanes(), word, static_cast<int>(bits), Size, file, line); });
  }

 private:
  static unsigned lanes_here() {
    if constexpr (Size == 32) {
      return 0xffffffffu;
    } else {
      return ((1u << Size) - 1u) << (detail::rank_in_block() % 32 / Size * Size);
    }
  }
};
template <unsigned Size, class Group>
thread_block_tile<Size, Group> tiled_partition(Group const&) {
  return {};
}
/// Tiles of a size that is known at run time.
template <class Group>
thread_group tiled_partition(Group const&, unsigned size, COSMATI_SITE_) {
  if (size == 0 || size > 32 || (size & (size - 1)) != 0)
    cosmati_sim_fail("invalid_argument", "tiled_partition: the size is a power of two of at most 32", file, line);
  unsigned const lanes = size == 32 ? 0xffffffffu : ((1u << size) - 1u) << (detail::rank_in_block() % 32 / size * size);
  return lanes_group(lanes & detail::lanes_of_warp());
}

/// The threads of the warp that reached this place together.
class coalesced_group : public lanes_group {
 public:
  using lanes_group::lanes_group;
  static constexpr unsigned meta_group_rank() { return 0; }
  static constexpr unsigned meta_group_size() { return 1; }
};
/// Tiles of a coalesced group: `size` of its threads that follow each other.
inline coalesced_group tiled_partition(coalesced_group const& g, unsigned size) {
  unsigned const first = g.thread_rank() / size * size;
  unsigned lanes = 0, rank = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((g.lanes() >> lane & 1u) == 0) continue;
    if (rank >= first && rank < first + size) lanes |= 1u << lane;
    ++rank;
  }
  return coalesced_group(lanes);
}
inline coalesced_group coalesced_threads(COSMATI_SITE_) { return coalesced_group(__activemask(file, line)); }
/// The threads of a group with the same label.
template <class Label>
coalesced_group labeled_partition(lanes_group const& g, Label label, COSMATI_SITE_) {
  return coalesced_group(__match_any_sync(g.lanes(), label, file, line));
}
inline coalesced_group binary_partition(lanes_group const& g, bool side, COSMATI_SITE_) {
  return labeled_partition(g, static_cast<int>(side), file, line);
}

namespace detail {
inline unsigned grid_arrivals = 0, grid_phase = 0;

/// Waits for all blocks. The last one begins the next phase.
inline void grid_sync(char const* file, int line) {
  if (cosmati_sim_is_cooperative() == 0)
    cosmati_sim_fail("invalid_launch", "grid.sync() needs a launch by cudaLaunchCooperativeKernel", file, line);
  __syncthreads(file, line);
  if (rank_in_block() == 0) {
    __threadfence();
    unsigned const phase = atomicAdd(&grid_phase, 0u, file, line);
    if (atomicAdd(&grid_arrivals, 1u, file, line) + 1 == grid_blocks()) {
      atomicExch(&grid_arrivals, 0u, file, line);
      __threadfence();
      atomicAdd(&grid_phase, 1u, file, line);
      cosmati_sim_wake_waiting();
    } else {
      if (cosmati_sim_wait_while(&grid_phase, phase) != 0) {
        char said[128];
        std::snprintf(
            said, sizeof said,
            "grid.sync() waits for ever: %u of the grid's %llu blocks have come to it; let every block call it",
            atomicAdd(&grid_arrivals, 0u, file, line), static_cast<unsigned long long>(grid_blocks()));
        cosmati_sim_fail("deadlock", said, file, line);
      }
      while (atomicAdd(&grid_phase, 0u, file, line) == phase) __nanosleep(100);
    }
    __threadfence();
  }
  __syncthreads(file, line);
}
}  // namespace detail

/// All threads of the grid, after cudaLaunchCooperativeKernel.
class grid_group {
 public:
  static bool is_valid() { return cosmati_sim_is_cooperative() != 0; }
  static void sync(COSMATI_SITE_) { detail::grid_sync(file, line); }
  static unsigned long long thread_rank() {
    return 1ull * detail::rank_of_block() * detail::block_threads() + detail::rank_in_block();
  }
  static unsigned long long size() { return detail::grid_blocks() * detail::block_threads(); }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long num_blocks() { return detail::grid_blocks(); }
  static unsigned long long block_rank() { return detail::rank_of_block(); }
  static dim3 dim_clusters() { return __clusterGridDimInClusters(); }
  static unsigned long long num_clusters() { return size() / detail::block_threads() / __clusterSizeInBlocks(); }
  static dim3 cluster_index() { return __clusterIdx(); }
  static unsigned long long cluster_rank() {
    dim3 const c = __clusterIdx(), n = __clusterGridDimInClusters();
    return c.x + 1ull * n.x * (c.y + 1ull * n.y * c.z);
  }
  static dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z);
  }
  static dim3 dim_threads() { return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z); }
  static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 group_dim() { return gridDim; }
};
inline grid_group this_grid() { return {}; }

template <class Group>
void sync(Group const& g, COSMATI_SITE_) {
  g.sync(file, line);
}
template <class Group>
auto thread_rank(Group const& g) {
  return g.thread_rank();
}
template <class Group>
auto group_size(Group const& g) {
  return g.size();
}

/// One thread of the group, the first, calls the function.
template <class Group, class Function, class... Arguments>
void invoke_one(Group const& g, Function&& function, Arguments&&... arguments) {
  if (g.thread_rank() == 0) function(arguments...);
}
/// All threads get what it returns. The group is within a warp.
template <class Group, class Function, class... Arguments>
auto invoke_one_broadcast(Group const& g, Function&& function, Arguments&&... arguments) {
  decltype(function(arguments...)) result{};
  if (g.thread_rank() == 0) result = function(arguments...);
  return g.shfl(result, 0);
}

}  // namespace cooperative_groups

#undef COSMATI_SITE_

#endif

#include <cosmati/core/macros_end.hpp>
