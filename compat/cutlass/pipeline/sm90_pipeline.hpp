// SPDX-License-Identifier: Apache-2.0
/// @file
/// `PipelineState`: which stage of a ring is next, and the phase of its barrier. The pipelines that use it:
/// `PipelineTmaAsync`, `PipelineTransactionAsync`, `PipelineAsync`, `PipelineTmaStore`, `OrderedSequenceBarrier`. If
/// CUTLASS's own header is later on the include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/pipeline/sm90_pipeline.hpp>)
#include_next <cutlass/pipeline/sm90_pipeline.hpp>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/arch/barrier.h>
#include <cosmati/arch/warp.hpp>
#include <cosmati/tensor/tensor.hpp>
#include <cute/arch/cluster_sm90.hpp>
#include <cute/swizzle_layout.hpp>

namespace cutlass {

/// A place in a ring of stages: the phase changes each time that the index comes round.
template <std::uint32_t Stages_>
struct PipelineState {
  static constexpr std::uint32_t Stages = Stages_;

  PipelineState() = default;
  CUTLASS_HOST_DEVICE constexpr PipelineState(int index, std::uint32_t phase, std::uint32_t count)
      : index_(index), phase_(phase), count_(count) {}

  CUTLASS_HOST_DEVICE constexpr int index() const { return index_; }
  CUTLASS_HOST_DEVICE constexpr std::uint32_t phase() const { return phase_; }
  /// Steps since the begin.
  CUTLASS_HOST_DEVICE constexpr std::uint32_t count() const { return count_; }

  CUTLASS_HOST_DEVICE constexpr void operator++() { advance(1); }
  CUTLASS_HOST_DEVICE constexpr PipelineState& operator+=(std::uint32_t steps) { return advance(steps); }
  CUTLASS_HOST_DEVICE constexpr PipelineState& advance(std::uint32_t steps) {
    if constexpr (Stages > 0) {
      std::uint32_t const reached = static_cast<std::uint32_t>(index_) + steps;
      phase_ ^= reached / Stages % 2;
      index_ = static_cast<int>(reached % Stages);
      count_ += steps;
    }
    return *this;
  }
  CUTLASS_HOST_DEVICE static constexpr PipelineState make_pipeline_state(PipelineState start, std::uint32_t steps) {
    return start.advance(steps);
  }

  int index_ = 0;
  std::uint32_t phase_ = 0;
  std::uint32_t count_ = 0;
};

/// Where a producer begins: its first wait, for a stage that nobody has filled, passes at once.
template <class Pipeline>
CUTLASS_HOST_DEVICE constexpr PipelineState<Pipeline::Stages> make_producer_start_state() {
  return {0, 1, 0};
}

/// Whether a phase was complete when it was asked for.
enum class BarrierStatus : std::uint32_t { WaitAgain = 0u, WaitDone = 1u, WaitOnly = 2u };
struct ArrivalToken {
  CUTLASS_HOST_DEVICE constexpr ArrivalToken(BarrierStatus status) : barrier_status_(status) {}
  CUTLASS_HOST_DEVICE constexpr BarrierStatus get() const { return barrier_status_; }
  CUTLASS_HOST_DEVICE constexpr bool operator==(ArrivalToken const& other) const {
    return barrier_status_ == other.barrier_status_;
  }

 private:
  BarrierStatus barrier_status_;
};
struct ProducerToken : ArrivalToken {
  using ArrivalToken::ArrivalToken;
};
struct ConsumerToken : ArrivalToken {
  using ArrivalToken::ArrivalToken;
};

namespace detail {

/// The number of the thread in its block.
CUTLASS_DEVICE std::uint32_t thread_of_block() {
#if defined(__CUDA_ARCH__) || defined(COSMATI_SIMULATED)
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
#else
  return 0;
#endif
}

/// What the pipelines over two rings of mbarriers have in common: producers wait until stages are empty, consumers
/// until they are full.
template <int Stages_, class Full>
class two_rings {
 public:
  static constexpr std::uint32_t Stages = Stages_;
  using PipelineState = ::cutlass::PipelineState<Stages>;
  using FullBarrier = Full;
  using EmptyBarrier = arch::ClusterBarrier;
  using ProducerBarrierType = typename FullBarrier::ValueType;
  using ConsumerBarrierType = typename EmptyBarrier::ValueType;

  struct SharedStorage {
    FullBarrier full_barrier_[std::size_t{Stages_}];
    EmptyBarrier empty_barrier_[std::size_t{Stages_}];
  };
  enum class ThreadCategory { NonParticipant, Producer, Consumer, ProducerConsumer };

  CUTLASS_DEVICE ProducerToken producer_try_acquire(PipelineState state, std::uint32_t skip = false) {
    return {tried(storage_->empty_barrier_[state.index()], state.phase(), skip)};
  }
  CUTLASS_DEVICE void producer_acquire(PipelineState state, ProducerToken token = {BarrierStatus::WaitAgain}) {
    if (token.get() != BarrierStatus::WaitDone) storage_->empty_barrier_[state.index()].wait(state.phase());
  }
  /// Waits until all stages are empty, so that no other block arrives at this one's barriers after its end.
  CUTLASS_DEVICE void producer_tail(PipelineState state) {
    for (int i = 0; i < Stages_; ++i) {
      storage_->empty_barrier_[state.index()].wait(state.phase());
      ++state;
    }
  }
  CUTLASS_DEVICE ProducerBarrierType* producer_get_barrier(PipelineState state) {
    return reinterpret_cast<ProducerBarrierType*>(&storage_->full_barrier_[state.index()]);
  }
  CUTLASS_DEVICE ConsumerToken consumer_try_wait(PipelineState state, std::uint32_t skip = false) {
    return {tried(storage_->full_barrier_[state.index()], state.phase(), skip)};
  }
  CUTLASS_DEVICE ConsumerToken consumer_test_wait(PipelineState state, std::uint32_t skip = false) {
    return consumer_try_wait(state, skip);
  }
  CUTLASS_DEVICE void consumer_wait(PipelineState state, ConsumerToken token = {BarrierStatus::WaitAgain}) {
    if (token.get() != BarrierStatus::WaitDone) storage_->full_barrier_[state.index()].wait(state.phase());
  }

 protected:
  CUTLASS_DEVICE explicit two_rings(SharedStorage& storage) : storage_(&storage) {}
  /// One warp, whole or diverged, initialises: its first thread does.
  CUTLASS_DEVICE static void initialize(SharedStorage& storage, int warp, std::uint32_t producers,
                                        std::uint32_t consumers) {
    if (thread_of_block() == 32u * static_cast<std::uint32_t>(warp)) {
      for (int i = 0; i < Stages_; ++i) {
        storage.full_barrier_[i].init(producers);
        storage.empty_barrier_[i].init(consumers);
      }
      arch::fence_barrier_init();
    }
  }
  template <class Barrier>
  CUTLASS_DEVICE static BarrierStatus tried(Barrier& barrier, std::uint32_t phase, std::uint32_t skip) {
    if (skip != 0) return BarrierStatus::WaitDone;
    return barrier.try_wait(phase) ? BarrierStatus::WaitDone : BarrierStatus::WaitAgain;
  }
  SharedStorage* storage_;
};

}  // namespace detail

/// Stages that tensor copies fill: one producing thread a block, and whole warps that consume. Blocks of a cluster
/// along x share tiles of one operand, those along y of the other.
template <int Stages_>
class PipelineTmaAsync : public detail::two_rings<Stages_, arch::ClusterTransactionBarrier> {
  using base = detail::two_rings<Stages_, arch::ClusterTransactionBarrier>;

 public:
  using typename base::PipelineState;
  using typename base::SharedStorage;
  using typename base::ThreadCategory;

  struct Params {
    std::uint32_t transaction_bytes = 0;  ///< of one stage, with what other blocks send
    ThreadCategory role = ThreadCategory::NonParticipant;
    std::uint32_t is_leader = 0;      ///< true for the producing thread
    std::uint32_t num_consumers = 0;  ///< the block's consuming threads, a multiple of 32
    std::uint32_t num_producers = 1;
    int initializing_warp = 0;
  };

  /// All threads of the block make one, then come to a barrier of the block, with several blocks to `cluster_sync`.
  /// @tparam InitBarriers, InitMasks whether it initialises its barriers, and finds the blocks that it serves
  template <class ClusterShape, class InitBarriers = std::true_type, class InitMasks = std::true_type>
  CUTLASS_DEVICE PipelineTmaAsync(SharedStorage& storage, Params params, ClusterShape cluster_shape, InitBarriers = {},
                                  InitMasks = {})
      : base(storage), params_(params) {
    if constexpr (InitBarriers::value) init_barriers(storage, params, cluster_shape);
    auto const cx = static_cast<std::uint32_t>(::COSMATI_NAMESPACE::size<0>(cluster_shape));
    auto const cy = static_cast<std::uint32_t>(::COSMATI_NAMESPACE::size<1>(cluster_shape));
    std::uint32_t const rank = ::COSMATI_NAMESPACE::block_rank_in_cluster(), x = rank % cx, y = rank / cx;
    for (std::uint32_t i = 0; i < cy; ++i) sharing_ |= 1u << (x + cx * i);
    for (std::uint32_t i = 0; i < cx; ++i) sharing_ |= 1u << (i + cx * y);
  }
  template <class ClusterShape>
  CUTLASS_DEVICE static void init_barriers(SharedStorage& storage, Params params, ClusterShape cluster_shape) {
    auto const sharers = static_cast<std::uint32_t>(::COSMATI_NAMESPACE::size<0>(cluster_shape) +
                                                    ::COSMATI_NAMESPACE::size<1>(cluster_shape)) -
                         1;
    base::initialize(storage, params.initializing_warp, 1, sharers * ((params.num_consumers + 31) / 32));
  }

  /// Waits until the stage is empty; the leader also says how many bytes will come.
  CUTLASS_DEVICE void producer_acquire(PipelineState state, ProducerToken token = {BarrierStatus::WaitAgain}) {
    base::producer_acquire(state, token);
    if (params_.is_leader != 0)
      this->storage_->full_barrier_[state.index()].arrive_and_expect_tx(params_.transaction_bytes);
  }
  /// Nothing: the copies report themselves.
  CUTLASS_DEVICE void producer_commit(PipelineState, std::uint32_t = 0) {}
  /// @param arrive called with the stage's full barrier
  template <class Arrive>
  requires(!std::is_convertible_v<Arrive, std::uint32_t>) CUTLASS_DEVICE
      void producer_commit(PipelineState state, Arrive&& arrive) {
    arrive(this->producer_get_barrier(state));
  }
  /// The stage waits for more bytes, which the leader says.
  CUTLASS_DEVICE void producer_expect_transaction(PipelineState state, std::uint32_t bytes) {
    if (params_.is_leader != 0) this->storage_->full_barrier_[state.index()].expect_transaction(bytes);
  }
  /// Called by all threads of the warp, after they have read the stage.
  CUTLASS_DEVICE void consumer_release(PipelineState state) {
    ::COSMATI_NAMESPACE::fence_proxy_async_shared();
    ::COSMATI_NAMESPACE::detail::sync_warp();
    std::uint32_t const lane = ::COSMATI_NAMESPACE::detail::lane_of_warp();
    this->storage_->empty_barrier_[state.index()].arrive(lane, lane < 16 && (sharing_ >> lane & 1) != 0);
  }

 private:
  Params params_;
  std::uint32_t sharing_ = 0;  // the blocks that get what this one's producer loads, or load what it gets
};

/// Stages that threads fill by asynchronous copies, of which each announces bytes, and threads consume.
template <int Stages_>
class PipelineTransactionAsync : public detail::two_rings<Stages_, arch::ClusterTransactionBarrier> {
  using base = detail::two_rings<Stages_, arch::ClusterTransactionBarrier>;

 public:
  using typename base::PipelineState;
  using typename base::SharedStorage;
  using typename base::ThreadCategory;

  struct Params {
    ThreadCategory role = ThreadCategory::NonParticipant;
    std::uint32_t transaction_bytes = 0;   ///< of one stage
    std::uint32_t producer_arv_count = 1;  ///< the threads that call `producer_commit` for a stage
    std::uint32_t consumer_arv_count = 1;  ///< the threads that call `consumer_release`
    std::uint32_t dst_blockid = ::COSMATI_NAMESPACE::block_rank_in_cluster();
    int initializing_warp = 0;
  };

  /// All threads of the block make one, then come to a barrier of the block.
  template <class InitBarriers = std::true_type>
  CUTLASS_DEVICE PipelineTransactionAsync(SharedStorage& storage, Params const& params, InitBarriers = {})
      : base(storage), params_(params) {
    if constexpr (InitBarriers::value) init_barriers(storage, params);
  }
  CUTLASS_DEVICE static void init_barriers(SharedStorage& storage, Params const& params) {
    base::initialize(storage, params.initializing_warp, params.producer_arv_count, params.consumer_arv_count);
  }

  /// The stage waits for its bytes too. One thread calls it, before its own `producer_commit`.
  CUTLASS_DEVICE void producer_expect_transaction(PipelineState state) {
    this->storage_->full_barrier_[state.index()].expect_transaction(params_.transaction_bytes);
  }
  CUTLASS_DEVICE void producer_commit(PipelineState state) {
    this->storage_->full_barrier_[state.index()].arrive(params_.dst_blockid);
  }
  CUTLASS_DEVICE void consumer_release(PipelineState state) {
    this->storage_->empty_barrier_[state.index()].arrive(params_.dst_blockid);
  }

 private:
  Params params_;
};

/// Stages that threads fill and threads consume.
template <int Stages_>
class PipelineAsync : public detail::two_rings<Stages_, arch::ClusterBarrier> {
  using base = detail::two_rings<Stages_, arch::ClusterBarrier>;

 public:
  using typename base::PipelineState;
  using typename base::SharedStorage;
  using typename base::ThreadCategory;

  struct Params {
    ThreadCategory role = ThreadCategory::NonParticipant;
    std::uint32_t producer_arv_count = 1;  ///< the threads that call `producer_commit` for a stage
    std::uint32_t consumer_arv_count = 1;  ///< the threads that call `consumer_release`
    std::uint32_t dst_blockid = ::COSMATI_NAMESPACE::block_rank_in_cluster();
    int initializing_warp = 0;
  };

  /// All threads of the block make one, then come to a barrier of the block.
  template <class InitBarriers = std::true_type>
  CUTLASS_DEVICE PipelineAsync(SharedStorage& storage, Params const& params, InitBarriers = {})
      : base(storage), params_(params) {
    if constexpr (InitBarriers::value) init_barriers(storage, params);
  }
  CUTLASS_DEVICE static void init_barriers(SharedStorage& storage, Params const& params) {
    base::initialize(storage, params.initializing_warp, params.producer_arv_count, params.consumer_arv_count);
  }

  CUTLASS_DEVICE void producer_commit(PipelineState state) { this->storage_->full_barrier_[state.index()].arrive(); }
  /// @param arrive called with the stage's full barrier first, such as `cpasync_barrier_arrive`
  template <class Arrive>
  CUTLASS_DEVICE void producer_commit(PipelineState state, Arrive&& arrive) {
    arrive(this->producer_get_barrier(state));
    producer_commit(state);
  }
  CUTLASS_DEVICE void consumer_release(PipelineState state) {
    this->storage_->empty_barrier_[state.index()].arrive(params_.dst_blockid);
  }

 private:
  Params params_;
};

/// Stages that tensor copies store to global memory. One thread calls its functions.
template <int Stages_, int UnacquiredStages_ = Stages_ - 1>
class PipelineTmaStore {
 public:
  static constexpr std::uint32_t Stages = Stages_;
  static constexpr std::uint32_t UnacquiredStages = static_cast<std::uint32_t>(UnacquiredStages_);
  using PipelineState = ::cutlass::PipelineState<Stages>;
  struct Params {
    bool always_wait = false;
  };

  CUTLASS_DEVICE PipelineTmaStore(Params = {}) {}
  /// Waits until the stage that is next has been read.
  CUTLASS_DEVICE void producer_acquire(PipelineState = {}) { ::COSMATI_NAMESPACE::tma_store_wait<UnacquiredStages_>(); }
  CUTLASS_DEVICE void producer_commit(PipelineState = {}) { ::COSMATI_NAMESPACE::tma_store_arrive(); }
  /// Waits until all have been read.
  CUTLASS_DEVICE void producer_tail(PipelineState = {}) { ::COSMATI_NAMESPACE::tma_store_wait<0>(); }
};

/// Turns of groups of threads: group g waits until group g - 1 has arrived. Group 0 begins.
/// @tparam SequenceDepth_ the number of steps that follow each other, each with an order of its own
/// @tparam SequenceLength_ the number of groups
template <int SequenceDepth_, int SequenceLength_>
class OrderedSequenceBarrier {
 public:
  static constexpr int SequenceDepth = SequenceDepth_, SequenceLength = SequenceLength_;
  using Barrier = arch::ClusterBarrier;
  struct SharedStorage {
    Barrier barrier_[std::size_t{SequenceDepth_}][std::size_t{SequenceLength_}];
  };
  struct Params {
    std::uint32_t group_id;    ///< of the calling thread
    std::uint32_t group_size;  ///< the threads of a group that call `arrive`
    int initializing_warp = 0;
  };

  /// All threads of the block make one, then come to a barrier of the block.
  CUTLASS_DEVICE OrderedSequenceBarrier(SharedStorage& storage, Params const& params)
      : params_(params), storage_(&storage), stage_(0, params.group_id == 0 ? 1u : 0u, 0) {
    if (detail::thread_of_block() == 32u * static_cast<std::uint32_t>(params.initializing_warp)) {
      for (int depth = 0; depth < SequenceDepth; ++depth) {
        for (int group = 0; group < SequenceLength; ++group) storage.barrier_[depth][group].init(params.group_size);
      }
      arch::fence_barrier_init();
    }
  }
  OrderedSequenceBarrier(OrderedSequenceBarrier const&) = delete;
  OrderedSequenceBarrier& operator=(OrderedSequenceBarrier const&) = delete;

  /// Waits for the group's turn.
  CUTLASS_DEVICE void wait() { barrier_of(params_.group_id).wait(stage_.phase()); }
  /// Gives the turn to the next group.
  CUTLASS_DEVICE void arrive() {
    barrier_of((params_.group_id + 1) % static_cast<std::uint32_t>(SequenceLength)).arrive();
    ++stage_;
  }
  /// Leaves a turn out.
  CUTLASS_DEVICE void advance() { ++stage_; }

 private:
  CUTLASS_DEVICE Barrier& barrier_of(std::uint32_t group) { return storage_->barrier_[stage_.index()][group]; }

  Params params_;
  SharedStorage* storage_;
  PipelineState<static_cast<std::uint32_t>(SequenceDepth_)> stage_;
};

/// @name What a cluster's blocks do between making their pipelines and using them
/// @{
CUTLASS_DEVICE void pipeline_init_arrive_relaxed(int blocks) {
  blocks > 1 ? ::COSMATI_NAMESPACE::cluster_arrive_relaxed() : __syncthreads();
}
CUTLASS_DEVICE void pipeline_init_wait(int blocks) {
  blocks > 1 ? ::COSMATI_NAMESPACE::cluster_wait() : __syncthreads();
}
/// @}

}  // namespace cutlass

#include <cosmati/core/macros_end.hpp>

#endif
