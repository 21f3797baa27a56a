// SPDX-License-Identifier: Apache-2.0
/// @file
/// One tensor copy a launch: which box of which tensor, which way.
#pragma once

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/cluster.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/arch/tensor_copy.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <cosmati/runtime/launch.hpp>
#include <cosmati/runtime/tensor_map.hpp>
#include <vector>

namespace async_counters {

using namespace cosmati;

/// What the instruction does. `none` launches the same kernel without it.
enum class way { none, load, store, add, multicast, prefetch };
inline constexpr char const* way_names[] = {"none", "load", "store", "add", "multicast", "prefetch"};

/// A box, and the launch that moves it. Numbers of modes behind `rank` are ignored.
struct box_case {
  way does = way::load;
  tensor_map_type type = tensor_map_type::u16;
  int rank = 2;
  int extent[5] = {1024, 64, 2, 2, 2};       ///< of the tensor, in elements
  int stride_bytes[5] = {0, 4096, 0, 0, 0};  ///< of the modes behind the first, in bytes
  int box[5] = {64, 8, 1, 1, 1};             ///< in elements
  int step[5] = {1, 1, 1, 1, 1};             ///< from one element of the box to the next, in elements
  int first[5] = {0, 0, 0, 0, 0};            ///< the box's first coordinates, in elements
  int data_bytes = 0;                        ///< where the tensor begins, from a multiple of 4096 bytes
  TMA::SmemSwizzleBits swizzle = TMA::SmemSwizzleBits::DISABLE;
  TMA::L2Promotion promotion = TMA::L2Promotion::DISABLE;
  int shared_bytes = 0;  ///< where the box begins in shared memory
  int blocks = 1;        ///< of the grid and of its cluster
  unsigned mask = 0;     ///< the blocks that a multicast reaches
};

/// The bytes that the instruction writes to shared memory, those of a box.
inline int bytes_of_box(box_case const& c) {
  int elements = 1;
  for (int i = 0; i < c.rank; ++i) elements *= (c.box[i] + c.step[i] - 1) / c.step[i];
  return elements * detail::bytes_of(c.type);
}

/// What the kernel takes of a case.
struct box_launch {
  int first[5];
  int shared_bytes, box_bytes, stage_bytes;
  unsigned mask;
};

template <way does, int rank>
__global__ void box_counted(TmaDescriptor const __grid_constant__ tensor, box_launch const how) {
  __shared__ std::uint64_t full;
  unsigned char* const stage = dynamic_shared<unsigned char>();
  for (int i = 4 * static_cast<int>(threadIdx.x); i < how.stage_bytes; i += 128)
    *reinterpret_cast<unsigned*>(stage + i) = 0;
  if (threadIdx.x == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
  }
  fence_proxy_async_shared();
  __syncthreads();
  if constexpr (does == way::multicast) {
    if (threadIdx.x == 0 && (how.mask >> block_rank_in_cluster() & 1u) != 0)
      set_barrier_transaction_bytes(full, static_cast<std::uint32_t>(how.box_bytes));
    cluster_sync();
  }
  if (threadIdx.x == 0) {
    int first[rank];
    for (int i = 0; i < rank; ++i) first[i] = how.first[i];
    unsigned char* const at = stage + how.shared_bytes;
    if constexpr (does == way::load) {
      set_barrier_transaction_bytes(full, static_cast<std::uint32_t>(how.box_bytes));
      tensor_copy_g2s(at, tensor, first, full);
      wait_barrier(full, 0);
    } else if constexpr (does == way::multicast) {
      if (block_rank_in_cluster() == 0)
        tensor_copy_multicast(at, tensor, first, full, static_cast<std::uint16_t>(how.mask),
                              TMA::CacheHintSm90::EVICT_NORMAL);
      if ((how.mask >> block_rank_in_cluster() & 1u) != 0) wait_barrier(full, 0);
    } else if constexpr (does == way::store) {
      tensor_copy_s2g(tensor, at, first);
      tma_store_arrive();
      bulk_store_wait<0>();
    } else if constexpr (does == way::add) {
      tensor_reduce_s2g<tma_reduction::add>(tensor, at, first);
      tma_store_arrive();
      bulk_store_wait<0>();
    } else if constexpr (does == way::prefetch) {
      tensor_prefetch_l2(tensor, first);
    }
  }
  if constexpr (does == way::multicast) cluster_sync();
}

template <way does, int rank>
void start_box(box_case const& c, TmaDescriptor const& tensor) {
  box_launch how = {};
  for (int i = 0; i < rank; ++i) how.first[i] = c.first[i];
  how.shared_bytes = c.shared_bytes;
  how.box_bytes = bytes_of_box(c);
  // With a swizzle, rows stand as far apart as its span.
  how.stage_bytes = c.shared_bytes + how.box_bytes * 8;
  if (how.stage_bytes > 40960) how.stage_bytes = 40960;
  how.mask = c.mask;
  unsigned const blocks = static_cast<unsigned>(c.blocks);
  launch(box_counted<does, rank>,
         {.grid = blocks, .block = 32, .shared_bytes = static_cast<std::size_t>(how.stage_bytes), .cluster = blocks},
         tensor, how);
}

template <int rank>
void start_ranked(box_case const& c, TmaDescriptor const& tensor) {
  switch (c.does) {
    case way::none:
      return start_box<way::none, rank>(c, tensor);
    case way::load:
      return start_box<way::load, rank>(c, tensor);
    case way::store:
      return start_box<way::store, rank>(c, tensor);
    case way::add:
      return start_box<way::add, rank>(c, tensor);
    case way::multicast:
      return start_box<way::multicast, rank>(c, tensor);
    case way::prefetch:
      return start_box<way::prefetch, rank>(c, tensor);
  }
}

/// Launches one copy. @param memory begins at a multiple of 4096 bytes
inline void start(box_case const& c, unsigned char* memory) {
  tensor_map_config t;
  t.data = memory + c.data_bytes;
  t.type = c.type;
  t.rank = c.rank;
  t.swizzle = c.swizzle;
  t.promotion = c.promotion;
  for (int i = 0; i < c.rank; ++i) {
    t.extent[i] = c.extent[i];
    t.stride[i] = i == 0 ? 1 : c.stride_bytes[i] / detail::bytes_of(c.type);
    t.box[i] = c.box[i];
    t.step[i] = c.step[i];
  }
  TmaDescriptor const tensor = make_tma_descriptor(t);
  switch (c.rank) {
    case 1:
      return start_ranked<1>(c, tensor);
    case 2:
      return start_ranked<2>(c, tensor);
    case 3:
      return start_ranked<3>(c, tensor);
    case 4:
      return start_ranked<4>(c, tensor);
    default:
      return start_ranked<5>(c, tensor);
  }
}

/// Every launch, in order.
std::vector<box_case> box_cases();

}  // namespace async_counters
