// SPDX-License-Identifier: Apache-2.0
/// @file
/// `mma_stages`: the ring of stages in shared memory of `gemm_mma`, and the order in which tiles of A and B fill it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/arch/named_barrier.hpp>
#include <cosmati/arch/warp.hpp>
#include <cosmati/kernel/gemm/mma_feed.hpp>
#include <cosmati/kernel/gemm/mma_tensor_feed.hpp>
#include <cosmati/kernel/gemm/tile_order.hpp>
#include <cosmati/kernel/gemm/turns.hpp>
#include <cosmati/runtime/cuda_words.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Whether tiles of A and B come by tensor copies, on the target that is compiled for.
template <class Parts, bool whole>
inline constexpr bool mma_comes_by_tensor = whole&& Parts::tensor_copies&& mma_target_has_tensor_copies;

/// @param shared (X, K, stages), @param of gemm_operand, @param extent_x, extent_k of its matrices
/// @param map of the same matrices, if by_tensor
template <class Operand, bool whole, bool by_tensor, class Shared, class Matrices>
COSMATI_HD auto make_operand_feed(Shared const& shared, [[maybe_unused]] Matrices const& of,
                                  [[maybe_unused]] int extent_x, [[maybe_unused]] int extent_k,
                                  [[maybe_unused]] mma_tensor_map const& map) {
  if constexpr (by_tensor)
    return mma_tensor_feed<Operand>(raw_pointer_cast(shared.data()), map);
  else
    return make_mma_feed<Operand, whole>(shared, of, extent_x, extent_k, threadIdx.x);
}

/// A thread's part in filling the stages. A stage holds one tile of A and of B along K. Tiles come in the order in
/// which the block multiplies them: along K, then for its next tile of C.
/// @tparam Parts mma_parts, @tparam whole tiles divide M, N and K, and A and B may be accessed by 16 bytes
/// @tparam FeedA, FeedB mma_feed or mma_tensor_feed
template <class Parts, bool whole, class FeedA, class FeedB>
struct mma_stages {
  static constexpr bool by_tensor = mma_comes_by_tensor<Parts, whole>;
  static constexpr int stages = Parts::stages;

  FeedA feed_a_;
  FeedB feed_b_;
  gemm_tile_order order_;
  std::uint64_t* full_;  ///< mbarriers of the stages, if by_tensor
  int tiles_k_;
  bool wide_ab_;                ///< A and B may be accessed by 16 bytes
  unsigned row_;                ///< the tile of C whose operands come next
  int row_k_ = 0;               ///< and how far along K
  int stage_ = 0, parity_ = 0;  ///< the stage that is read, and the parity of its mbarrier
  int free_ = stages - 1;       ///< the stage that is filled next

  COSMATI_HD mma_stages(FeedA const& feed_a, FeedB const& feed_b, gemm_tile_order const& order, std::uint64_t* full,
                        int tiles_k, bool wide_ab)
      : feed_a_(feed_a),
        feed_b_(feed_b),
        order_(order),
        full_(full),
        tiles_k_(tiles_k),
        wide_ab_(wide_ab),
        row_(blockIdx.x) {}

  /// The row of tiles behind the one that comes now belongs to the block's next tile of C.
  COSMATI_HD void aim() {
    gemm_tile const tile = order_(row_ < order_.blocks() ? row_ : blockIdx.x);  // behind the last: anything
    feed_a_.aim(tile.batch, tile.m * Parts::config.tile_m);
    feed_b_.aim(tile.batch, tile.n * Parts::config.tile_n);
    row_ += gridDim.x;
  }
  /// The next tile is the first of that row.
  COSMATI_HD void turn() {
    feed_a_.turn();
    feed_b_.turn();
    row_k_ = 0;
  }
  /// Begins to bring the next tile to a stage.
  COSMATI_HD void bring_all(int stage) {
    if constexpr (by_tensor) {
      if (threadIdx.x < 32 && elect_one_sync()) {
        arrive_and_expect_bytes(full_[stage], FeedA::bytes + FeedB::bytes);
        feed_a_.bring(stage, full_[stage]);
        feed_b_.bring(stage, full_[stage]);
      }
    } else {
      COSMATI_NO_UNROLL
      for (int j = 0; j < FeedA::vectors; ++j) feed_a_.bring(j, stage, wide_ab_);
      COSMATI_NO_UNROLL
      for (int j = 0; j < FeedB::vectors; ++j) feed_b_.bring(j, stage, wide_ab_);
    }
  }
  /// Begins to bring the part of the next tile that stands behind product x of `products`. By cp.async that is a part
  /// behind each product, so that the products need not wait.
  template <int products>
  COSMATI_HD void bring_between([[maybe_unused]] int x, int stage) {
    if constexpr (by_tensor) {
      if (x == 0) bring_all(stage);
    } else {
      constexpr int vectors_a = FeedA::vectors, vectors = vectors_a + FeedB::vectors;
      constexpr int together = Parts::config.together;
      for_each_of_turn<(vectors + together - 1) / together, products>(x, [&](int group) {
        COSMATI_UNROLL
        for (int i = 0; i < together; ++i) {
          int const j = group * together + i;
          if (j < vectors_a)
            feed_a_.bring(j, stage, wide_ab_);
          else if (j < vectors)
            feed_b_.bring(j - vectors_a, stage, wide_ab_);
        }
      });
    }
  }
  /// All of the tile is on its way: what is brought from now on is the next one's.
  COSMATI_HD void brought() {
    if constexpr (!by_tensor) cp_async_fence();
    feed_a_.advance();
    feed_b_.advance();
    if (++row_k_ == tiles_k_) turn();
  }
  /// The tile in the free stage is on its way.
  COSMATI_HD void filled() {
    brought();
    free_ = free_ + 1 == stages ? 0 : free_ + 1;
  }
  /// Waits until the tile in the stage that is read is there. If it came by cp.async, everybody has also left the stage
  /// before it.
  COSMATI_HD void await() {
    if constexpr (by_tensor) {
      wait_barrier(full_[stage_], parity_);
    } else {
      cp_async_wait<stages - 2>();
      sync_block();
    }
  }
  /// The stage behind the one that was read is read next.
  COSMATI_HD void advance() {
    stage_ = stage_ + 1 == stages ? 0 : stage_ + 1;
    if (stage_ == 0) parity_ ^= 1;
  }
  /// By all threads: begins to fill all stages but one.
  COSMATI_HD void begin() {
    if constexpr (by_tensor) {
      if (threadIdx.x == 0) {
        COSMATI_UNROLL
        for (int stage = 0; stage < stages; ++stage) initialize_barrier(full_[stage], 1);
        fence_barrier_init();
      }
      sync_block();
    }
    aim();
    turn();
    aim();
    COSMATI_NO_UNROLL
    for (int stage = 0; stage < stages - 1; ++stage) {
      bring_all(stage);
      brought();
      if (row_k_ == 0) aim();
    }
  }
  /// Waits for the tiles behind the last one: nothing may arrive when the block is gone.
  COSMATI_HD void end() {
    if constexpr (by_tensor) {
      COSMATI_UNROLL
      for (int i = 2; i < stages; ++i) {
        advance();
        await();
      }
    } else {
      cp_async_wait<0>();
    }
  }
};

/// @param sA, sB (X, K, stages) in shared memory, @param p gemm_problem, @param full an mbarrier a stage
/// @param maps of A and B, if they come by tensor copies; they outlive the result
template <class Parts, bool whole, class SA, class SB>
COSMATI_HD auto make_mma_stages(SA const& sA, SB const& sB, typename Parts::Problem const& p,
                                gemm_tile_order const& order, bool wide_ab, mma_tensor_maps const& maps,
                                std::uint64_t* full) {
  constexpr bool by_tensor = mma_comes_by_tensor<Parts, whole>;
  auto const feed_a = make_operand_feed<typename Parts::operand_A, whole, by_tensor>(sA, p.a, p.m, p.k, maps.a);
  auto const feed_b = make_operand_feed<typename Parts::operand_B, whole, by_tensor>(sB, p.b, p.n, p.k, maps.b);
  int const tiles_k = p.k > Parts::tile_k ? (p.k + Parts::tile_k - 1) / Parts::tile_k : 1;
  return mma_stages<Parts, whole, std::remove_const_t<decltype(feed_a)>, std::remove_const_t<decltype(feed_b)>>(
      feed_a, feed_b, order, full, tiles_k, wide_ab);
}

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
