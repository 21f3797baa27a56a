// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a block of `gemm_hopper` has in shared memory, and the tiles of C that it computes.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/cluster.hpp>
#include <cosmati/core/error.hpp>
#include <cosmati/kernel/gemm/hopper_maps.hpp>
#include <cosmati/kernel/gemm/tile_order.hpp>
#include <cosmati/runtime/cuda_words.hpp>

namespace COSMATI_NAMESPACE::detail {

/// The tensors of a block's stages, its results and its barriers, in shared memory. @tparam Parts hopper_parts
template <class Parts>
struct hopper_shared {
  unsigned char* memory;

  COSMATI_HD auto a() const {
    return make_tensor(make_smem_ptr(reinterpret_cast<typename Parts::TA*>(memory)), typename Parts::LayoutSA{});
  }
  COSMATI_HD auto b() const {
    return make_tensor(make_smem_ptr(reinterpret_cast<typename Parts::TB*>(memory + Parts::bytes_a * Parts::stages)),
                       typename Parts::LayoutSB{});
  }
  /// The tile of a stage of A or B.
  COSMATI_HD typename Parts::TA* a(int stage) const {
    return reinterpret_cast<typename Parts::TA*>(memory) + stage * (Parts::TileM::value * Parts::tile_k);
  }
  COSMATI_HD typename Parts::TB* b(int stage) const {
    return reinterpret_cast<typename Parts::TB*>(memory + Parts::bytes_a * Parts::stages) +
           stage * (Parts::TileN::value * Parts::tile_k);
  }
  /// The boxes of results of a warp.
  COSMATI_HD typename Parts::TC* results(unsigned warp) const {
    return reinterpret_cast<typename Parts::TC*>(behind_stages() + Parts::bytes_c * warp);
  }
  /// The parts of the sums that all blocks of a split have of this block's part of the tile.
  COSMATI_HD typename Parts::Sum* parts() const { return reinterpret_cast<typename Parts::Sum*>(behind_stages()); }
  COSMATI_HD typename Parts::Barriers& barriers() const {
    return *reinterpret_cast<typename Parts::Barriers*>(memory + Parts::shared_bytes -
                                                        sizeof(typename Parts::Barriers));
  }

 private:
  COSMATI_HD unsigned char* behind_stages() const { return memory + (Parts::bytes_a + Parts::bytes_b) * Parts::stages; }
};

/// A tile of C with the rows that exist of it.
struct hopper_tile : gemm_tile {
  int row;  ///< the tile's first row in C
  int end;  ///< the first row that is not its own
};

/// The tiles of C that a block computes, one after the other, and its stages along K of each. The blocks of a cluster
/// have neighbours along M, or parts of K of the same tile.
template <class Parts>
class hopper_tiles {
 public:
  COSMATI_HD hopper_tiles(hopper_arguments<Parts> const& arguments, gemm_tile_order const& order)
      : arguments_(arguments), order_(order), count_k_(arguments.tiles_k()) {
    if constexpr (Parts::cluster > 1 || Parts::config.split > 1) rank_ = static_cast<int>(block_rank_in_cluster());
    if constexpr (Parts::config.split > 1) {
      blocks_ = blocks_in_cluster();
      count_k_ = (count_k_ + static_cast<int>(blocks_) - 1) / static_cast<int>(blocks_);
    }
  }
  /// The block's number in its cluster, and the number of blocks there.
  COSMATI_HD int rank() const { return rank_; }
  COSMATI_HD unsigned blocks() const { return blocks_; }
  /// The stages along K of this block. What lies beyond the matrices is zero; without a K that is the only stage.
  COSMATI_HD int count_k() const { return count_k_; }
  COSMATI_HD int first_k() const {
    return (Parts::config.split > 1 ? rank_ * count_k_ : 0) + (arguments_.k == 0 ? 1 : 0);
  }
  /// Calls each(hopper_tile).
  template <class Each>
  COSMATI_HD void for_each(Each const& each) const {
    if constexpr (Parts::grouped) {
      for_each_of_groups(each);
    } else {
      COSMATI_NO_UNROLL
      for (unsigned i = blockIdx.x / blocks_; i < order_.blocks(); i += gridDim.x / blocks_) {
        gemm_tile tile = order_(i);
        if constexpr (Parts::cluster > 1) tile.m = tile.m * Parts::cluster + rank_;
        each(hopper_tile{tile, tile.m * Parts::TileM::value, arguments_.m});
      }
    }
  }

 private:
  /// The same for groups of rows: groups follow each other, and the rows of a group are along M first.
  template <class Each>
  COSMATI_HD void for_each_of_groups(Each const& each) const {
    constexpr int tile_m = Parts::TileM::value;
    int const* const offsets = arguments_.offsets;
    int group = 0, row = offsets[0], end = offsets[1];
    check_group(group, row, end);
    unsigned first = 0;  // tiles before the group
    COSMATI_NO_UNROLL
    for (unsigned i = blockIdx.x / blocks_;; i += gridDim.x / blocks_) {
      auto tiles_m = static_cast<unsigned>((end - row + tile_m - 1) / tile_m);
      while (i - first >= tiles_m * order_.n) {
        if (++group == arguments_.batches) return;
        first += tiles_m * order_.n;
        row = end;
        end = offsets[group + 1];
        check_group(group, row, end);
        tiles_m = static_cast<unsigned>((end - row + tile_m - 1) / tile_m);
      }
      auto const column = static_cast<int>((i - first) / tiles_m), m = static_cast<int>((i - first) % tiles_m);
      each(hopper_tile{{m, column, group}, row + m * tile_m, end});
    }
  }

  /// The offsets are on the device, so that the simulated device looks at them where blocks do. A GPU trusts them.
  COSMATI_HD void check_group([[maybe_unused]] int group, [[maybe_unused]] int row, [[maybe_unused]] int end) const {
#if defined(COSMATI_SIMULATED)
    if (row < 0 || end < row || end > arguments_.m)
      fail(
          "gemm_hopper_grouped: group %d goes from row offsets[%d] = %d to offsets[%d] = %d, and M is %d; offsets are "
          "row numbers from 0 to M that do not decrease",
          group, group, row, group + 1, end, arguments_.m);
#endif
  }

  hopper_arguments<Parts> const& arguments_;
  gemm_tile_order const& order_;
  unsigned blocks_ = Parts::cluster;
  int rank_ = 0, count_k_;
};

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
