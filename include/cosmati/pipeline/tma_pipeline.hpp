// SPDX-License-Identifier: Apache-2.0
/// @file
/// `tma_pipeline`: stages of shared memory that tensor copies fill, in one block or in the blocks of a cluster that
/// share tiles (sm_90 and newer). The producer's end and the consumers' end are objects of their own.
///
///     __shared__ tma_pipeline<4>::storage barriers;
///     tma_pipeline<4> pipeline(barriers, 128, threadIdx.x == 0, mask_a | mask_b);
///     if (threadIdx.x == 128) {
///       auto producer = pipeline.producer();
///       for (int k = 0; k < tiles; ++k)
///         producer.fill([&](auto& stage) {
///           stage.load(tma_a, tAgA(_, k), tAsA(_, stage.index()), mask_a);
///           stage.load(tma_b, tBgB(_, k), tBsB(_, stage.index()), mask_b);
///         });
///       producer.finish();
///     } else if (threadIdx.x < 128) {
///       auto consumer = pipeline.consumer();
///       for (int k = 0; k < tiles; ++k) {
///         use(consumer.wait());
///         consumer.release();
///       }
///     }
///
/// The bytes that a phase waits for are those of the boxes that `load` is called with. With a mask, each of the mask's
/// blocks loads its part of them for all.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy.hpp>
#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/named_barrier.hpp>
#include <cosmati/arch/remote_mbarrier.hpp>
#include <cosmati/arch/warp.hpp>
#include <cosmati/pipeline/step.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {

/// The number of bits that are set.
COSMATI_HD constexpr int bits_set(unsigned mask) {
  int n = 0;
  for (; mask != 0; mask &= mask - 1) ++n;
  return n;
}

/// The number of bytes of a tensor's elements.
template <class T>
COSMATI_HD constexpr std::uint32_t bytes_of_elements(T const& t) {
  return static_cast<std::uint32_t>(static_cast<int>(size(t)) * sizeof_bits_v<typename T::value_type> / 8);
}

}  // namespace detail

/// The barriers of a pipeline, in shared memory at the same place in each block.
template <int stages>
struct tma_pipeline_storage {
  std::uint64_t full[std::size_t{stages}];   ///< one arrival, by the block's producer, which also says the bytes
  std::uint64_t empty[std::size_t{stages}];  ///< one arrival of each consuming warp of each block that gets the stage
};

/// A stage that a producer fills. Its type does not depend on the number of stages.
class tma_open_stage {
 public:
  COSMATI_HD tma_open_stage(int index, std::uint64_t& full) : full_(full), index_(index) {}

  COSMATI_HD int index() const { return index_; }
  /// The stage's mbarrier, for copies that `load` does not know. @param bytes the bytes that they will report there
  COSMATI_HD std::uint64_t& full(std::uint32_t bytes) {
    bytes_ += bytes;
    return full_;
  }
  /// The bytes that the copies so far will report.
  COSMATI_HD std::uint32_t bytes() const { return bytes_; }
  /// Starts the tensor copies of one thread, `copy(atom.with(full), coordinates, shared)`.
  template <class Atom, class Coordinates, class Shared>
  COSMATI_HD void load(Atom const& atom, Coordinates const& coordinates, Shared&& shared) {
    bytes_ += detail::bytes_of_elements(shared);
    ::COSMATI_NAMESPACE::copy(atom.with(full_), coordinates, shared);
  }
  /// The same to each block of `mask`, all of which do the same with their parts of the boxes.
  template <class Atom, class Coordinates, class Shared>
  COSMATI_HD void load(Atom const& atom, Coordinates const& coordinates, Shared&& shared, std::uint16_t mask) {
    bytes_ += detail::bytes_of_elements(shared);
    ::COSMATI_NAMESPACE::copy(atom.with(full_, mask), coordinates, shared);
  }

 private:
  std::uint64_t& full_;
  int index_;
  std::uint32_t bytes_ = 0;
};

/// The producer's end, which one thread of the block has.
template <int stages>
class tma_producer {
 public:
  using open_stage = tma_open_stage;

  COSMATI_HD explicit tma_producer(tma_pipeline_storage<stages>& barriers) : barriers_(barriers) {}

  /// Waits until all blocks that get the next stage have released it, then fills it.
  /// @param load load(open_stage&) starts the copies
  COSMATI_ANY_FUNCTION
  template <class Load>
  COSMATI_HD void fill(Load const& load COSMATI_AND_CALLER_PARAMETERS_) {
    // Only copies follow: an acquire of the cluster's scope would empty the L1 cache each time.
    wait_barrier(barriers_.empty[at_.stage], at_.parity ^ 1 COSMATI_AND_CALLER_);
    open_stage stage(at_.stage, barriers_.full[at_.stage]);
    load(stage);
    arrive_and_expect_bytes(barriers_.full[at_.stage], stage.bytes() COSMATI_AND_CALLER_);
    at_.advance();
  }
  /// Waits until every stage has been released. Until then other blocks may arrive at this one's barriers: it comes
  /// before the thread exits.
  COSMATI_HD void finish(COSMATI_CALLER_PARAMETERS_) {
    COSMATI_UNROLL
    for (int i = 0; i < stages; ++i) {
      wait_barrier(barriers_.empty[at_.stage], at_.parity ^ 1 COSMATI_AND_CALLER_);
      at_.advance();
    }
  }

 private:
  tma_pipeline_storage<stages>& barriers_;
  detail::stage_cursor<stages> at_;
};

/// The consumers' end, which each consuming thread has; a warp calls its functions together. It may wait for several
/// stages before it releases the first of them.
template <int stages>
class tma_consumer {
 public:
  COSMATI_HD tma_consumer(tma_pipeline_storage<stages>& barriers, std::uint16_t sharing)
      : barriers_(barriers), sharing_(sharing) {}

  /// Waits until the next stage is full, and returns its index.
  COSMATI_HD int wait(COSMATI_CALLER_PARAMETERS_) {
    int const stage = next_.stage;
    wait_barrier(barriers_.full[stage], next_.parity COSMATI_AND_CALLER_);
    next_.advance();
    return stage;
  }
  /// Whether the next stage is full already.
  COSMATI_HD bool is_full(COSMATI_CALLER_PARAMETERS_) {
    return try_wait_barrier(barriers_.full[next_.stage], next_.parity COSMATI_AND_CALLER_);
  }
  /// Goes on behind the next `count` stages, which other threads wait for and release. The thread has released every
  /// stage that it waited for, and waits again after the others have waited for all of these.
  COSMATI_HD void skip(int count) {
    int const stage = next_.stage + count;
    next_.parity ^= stage / stages % 2;
    next_.stage = held_ = stage % stages;
  }
  /// Releases the first of the stages that `wait` returned, after the warp has read it by ordinary loads.
  COSMATI_HD void release(COSMATI_CALLER_PARAMETERS_) {
    fence_proxy_async_shared(COSMATI_CALLER_);
    detail::sync_warp(COSMATI_CALLER_);
    unsigned const lane = detail::lane_of_warp();
    if (sharing_ == 0)
      arrive_here(lane COSMATI_AND_CALLER_);
    else if (lane < 16 && (sharing_ >> lane & 1) != 0)
      arrive_remote_barrier(barriers_.empty[held_], lane COSMATI_AND_CALLER_);
    held_ = detail::stage_behind<stages>(held_);
  }
  /// The same for a stage that only warpgroup matrix instructions have read, which are waited for.
  COSMATI_HD void release_unfenced(COSMATI_CALLER_PARAMETERS_) {
    detail::sync_warp(COSMATI_CALLER_);
    unsigned const lane = detail::lane_of_warp();
    if (sharing_ == 0)
      arrive_here(lane COSMATI_AND_CALLER_);
    else if (lane < 16 && (sharing_ >> lane & 1) != 0)
      arrive_remote_barrier_unfenced(barriers_.empty[held_], lane COSMATI_AND_CALLER_);
    held_ = detail::stage_behind<stages>(held_);
  }

 private:
  COSMATI_HD void arrive_here(unsigned lane COSMATI_AND_CALLER_PARAMETERS_) {
    if (lane == 0) arrive_barrier(barriers_.empty[held_] COSMATI_AND_CALLER_);
  }

  tma_pipeline_storage<stages>& barriers_;
  detail::stage_cursor<stages> next_;  ///< the next stage to wait for
  int held_ = 0;                       ///< the first stage that is not released
  std::uint16_t sharing_;
};

/// @tparam stages the number of stages, 2 to 16
template <int stages>
class tma_pipeline {
  static_assert(sizeof(detail::pipeline_has_stages<stages>) != 0);

 public:
  using storage = tma_pipeline_storage<stages>;

  /// The constructor, which all threads of the block call together, of the cluster if `sharing` is not 0: it contains
  /// the barrier of these threads.
  /// @param consumers the number of the block's threads that consume, a multiple of 32
  /// @param leads true for exactly one thread of each block, which initialises the barriers
  /// @param sharing the blocks of the cluster, this one's bit among them, that share any of the tiles with this one, as
  ///   bits of their ranks: all masks of `load` together; 0 if each block loads for itself
  COSMATI_HD tma_pipeline(storage& barriers, int consumers, bool leads,
                          std::uint16_t sharing = 0 COSMATI_AND_CALLER_PARAMETERS_)
      : barriers_(barriers), sharing_(sharing) {
    if (leads) {
      int const blocks = sharing == 0 ? 1 : detail::bits_set(sharing);
      COSMATI_UNROLL
      for (int i = 0; i < stages; ++i) {
        initialize_barrier(barriers.full[i], 1 COSMATI_AND_CALLER_);
        initialize_barrier(barriers.empty[i], (consumers + 31) / 32 * blocks COSMATI_AND_CALLER_);
      }
      fence_barrier_init(COSMATI_CALLER_);
    }
    if (sharing == 0)
      detail::sync_block(COSMATI_CALLER_);
    else
      cluster_sync(COSMATI_CALLER_);
  }

  /// The end of the one thread that fills stages.
  COSMATI_HD tma_producer<stages> producer() const { return tma_producer<stages>(barriers_); }
  /// The end of each thread that consumes stages.
  COSMATI_HD tma_consumer<stages> consumer() const { return {barriers_, sharing_}; }

 private:
  storage& barriers_;
  std::uint16_t sharing_;
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
