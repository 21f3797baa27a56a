// SPDX-License-Identifier: Apache-2.0
/// @file
/// `mbarrier_ring`: stages of shared memory that bulk copies fill and threads consume, synchronised by mbarriers (sm_90
/// and newer). The object tracks the stages, phases and parities of producer and consumers.
///
/// One thread may fill stages for the others (warp specialisation):
///
///     __shared__ mbarrier_ring<4>::storage barriers;
///     mbarrier_ring<4> ring(barriers, 128, threadIdx.x == 0);
///     if (threadIdx.x == 128)
///       ring.produce(tiles, bytes, [&](int tile, int stage, std::uint64_t& full) { bulk_copy_g2s(..., full); });
///     else if (threadIdx.x < 128)
///       for (auto [tile, stage] : ring.consume(tiles)) use(stage);
///
/// Or all threads consume, and one of them also fills:
///
///     for (auto [tile, stage] : ring.fill_and_consume(tiles, bytes, load)) use(stage);
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/arch/named_barrier.hpp>
#include <cosmati/arch/warp.hpp>
#include <cosmati/core/tuple/transform.hpp>
#include <cosmati/pipeline/step.hpp>

namespace COSMATI_NAMESPACE {

/// @tparam stages the number of stages, 2 to 16
template <int stages>
class mbarrier_ring {
  static_assert(sizeof(detail::pipeline_has_stages<stages>) != 0);

 public:
  /// The barriers of a ring, in shared memory.
  struct storage {
    std::uint64_t full[std::size_t{stages}];   ///< one arrival, by the producer, which also sets the expected bytes
    std::uint64_t empty[std::size_t{stages}];  ///< one arrival of each warp that consumes
  };

  /// The constructor, which all threads of the block call together, because it contains a barrier of the block.
  /// @param consumers the number of threads that call `wait` and `release`: whole warps, each of which calls together
  /// @param leads true for exactly one thread, which initialises the barriers, and fills in `fill_and_consume`
  COSMATI_HD mbarrier_ring(storage& barriers, int consumers, bool leads COSMATI_AND_CALLER_PARAMETERS_)
      : barriers_(barriers), leads_(leads) {
    if (leads) {
      COSMATI_UNROLL
      for (int i = 0; i < stages; ++i) {
        initialize_barrier(barriers.full[i], 1 COSMATI_AND_CALLER_);
        initialize_barrier(barriers.empty[i], (consumers + 31) / 32 COSMATI_AND_CALLER_);
      }
      fence_barrier_init(COSMATI_CALLER_);
    }
    detail::sync_block(COSMATI_CALLER_);
  }

  /// @name The producer, which is one thread
  /// @{
  /// Waits until the next stage has been released, then fills it.
  /// @param bytes the number of bytes that `load` copies, below 2^20
  /// @param load load(stage, full) starts bulk copies that report to the mbarrier `full`
  COSMATI_ANY_FUNCTION
  template <class Load>
  COSMATI_HD void fill(std::uint32_t bytes, Load const& load COSMATI_AND_CALLER_PARAMETERS_) {
    std::uint64_t& full = barriers_.full[filled_.stage];
    wait_barrier(barriers_.empty[filled_.stage], filled_.parity ^ 1 COSMATI_AND_CALLER_);
    arrive_and_expect_bytes(full, bytes COSMATI_AND_CALLER_);
    load(filled_.stage, full);
    filled_.advance();
  }
  /// Fills stages with the tiles 0 to tiles - 1. @param load load(tile, stage, full)
  COSMATI_ANY_FUNCTION
  template <class Load>
  COSMATI_HD void produce(int tiles, std::uint32_t bytes, Load const& load COSMATI_AND_CALLER_PARAMETERS_) {
    COSMATI_NO_UNROLL
    for (int tile = 0; tile < tiles; ++tile) fill_with(tile, bytes, load COSMATI_AND_CALLER_);
  }
  /// @}

  /// @name The consumers
  /// @{
  /// Waits until the next stage is full, and returns it.
  COSMATI_HD int wait(COSMATI_CALLER_PARAMETERS_) {
    wait_barrier(barriers_.full[used_.stage], used_.parity COSMATI_AND_CALLER_);
    return used_.stage;
  }
  /// Releases the stage that `wait` returned, after the warp has read it.
  COSMATI_HD void release(COSMATI_CALLER_PARAMETERS_) {
    fence_proxy_async_shared(COSMATI_CALLER_);  // orders these reads before the next bulk copy, which overwrites the
                                                // stage
    detail::sync_warp(COSMATI_CALLER_);
    if (detail::lane_of_warp() == 0) arrive_barrier(barriers_.empty[used_.stage] COSMATI_AND_CALLER_);
    used_.advance();
  }
  /// A loop over the tiles 0 to tiles - 1. Each iteration waits for its stage, and releases it when the next iteration
  /// begins. Do not leave the loop by `break`.
  COSMATI_HD auto consume(int tiles COSMATI_AND_CALLER_PARAMETERS_) {
    return turns<nobody_fills>(*this, tiles, {} COSMATI_AND_CALLER_);
  }
  /// The loop of `consume` for all threads of the block. The leading thread also fills stages, up to stages - 1 ahead.
  /// @param bytes, load as in `produce`
  template <class Load>
  COSMATI_HD auto fill_and_consume(int tiles, std::uint32_t bytes, Load const& load COSMATI_AND_CALLER_PARAMETERS_) {
    return turns<leader_fills<Load>>(*this, tiles, {load, bytes} COSMATI_AND_CALLER_);
  }
  /// @}

 private:
  using cursor = detail::stage_cursor<stages>;

  COSMATI_ANY_FUNCTION
  template <class Load>
  COSMATI_HD void fill_with(int tile, std::uint32_t bytes, Load const& load COSMATI_AND_CALLER_PARAMETERS_) {
    fill(bytes, [&](int stage, std::uint64_t& full) { load(tile, stage, full); } COSMATI_AND_CALLER_);
  }

  struct nobody_fills {
    COSMATI_HD void operator()(mbarrier_ring&, int, int COSMATI_AND_CALLER_PARAMETERS_) const {}
  };
  template <class Load>
  struct leader_fills {
    Load load;
    std::uint32_t bytes;
    COSMATI_ANY_FUNCTION
    COSMATI_HD void operator()(mbarrier_ring& ring, int tile, int tiles COSMATI_AND_CALLER_PARAMETERS_) const {
      if (ring.leads_ && tile < tiles) ring.fill_with(tile, bytes, load COSMATI_AND_CALLER_);
    }
  };

  /// The range of a loop.
  template <class Fill>
  class turns {
   public:
    /// An iterator over the tiles. `*` waits for a stage, and `++` releases it.
    class iterator {
     public:
      COSMATI_HD bool operator!=(detail::pipeline_end) const { return tile_ < turns_.tiles_; }
      /// Called once per iteration. It waits until the stage is full.
      COSMATI_HD pipeline_step operator*() {
        turns_.fill(tile_ + stages - 1);
        return {tile_, turns_.ring_.wait(COSMATI_CALLER_OF_(turns_.caller_))};
      }
      COSMATI_HD iterator& operator++() {
        turns_.ring_.release(COSMATI_CALLER_OF_(turns_.caller_));
        ++tile_;
        return *this;
      }

     private:
      friend turns;
      COSMATI_HD explicit iterator(turns const& t) : turns_(t) {}

      turns const& turns_;
      int tile_ = 0;
    };

    COSMATI_HD iterator begin() const {
      COSMATI_UNROLL
      for (int tile = 0; tile < stages - 1; ++tile) fill(tile);
      return iterator(*this);
    }
    COSMATI_HD detail::pipeline_end end() const { return {}; }

    COSMATI_HD turns(mbarrier_ring& ring, int tiles, Fill const& fill COSMATI_AND_CALLER_PARAMETERS_)
        : ring_(ring), fill_(fill), tiles_(tiles), caller_{COSMATI_CALLER_} {}

   private:
    COSMATI_HD void fill(int tile) const { fill_(ring_, tile, tiles_ COSMATI_AND_CALLER_OF_(caller_)); }

    mbarrier_ring& ring_;
    Fill fill_;
    int tiles_;
    detail::kept_caller caller_;
  };

  storage& barriers_;
  cursor filled_, used_;
  bool leads_;
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
