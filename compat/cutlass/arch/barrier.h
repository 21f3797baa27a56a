// SPDX-License-Identifier: Apache-2.0
/// @file
/// `NamedBarrier`, `ClusterBarrier`, `ClusterTransactionBarrier`, and fences. If CUTLASS's own header is later on the
/// include path, this header forwards to it.
#pragma once
#include <cute/config.hpp>

#if __has_include_next(<cutlass/arch/barrier.h>)
#include_next <cutlass/arch/barrier.h>
#else

#include <cosmati/core/macros_begin.hpp>

#include <cutlass/cutlass.h>
#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/cluster.hpp>
#include <cosmati/arch/cp_async.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/arch/named_barrier.hpp>
#include <cosmati/arch/remote_mbarrier.hpp>
#include <cosmati/arch/warp.hpp>
#include <cute/arch/cluster_sm90.hpp>

namespace cutlass::arch {

/// The hardware's barriers that CUTLASS keeps for itself.
enum class ReservedNamedBarriers {
  EpilogueBarrier = 1,
  TransposeBarrier = 2,
  TransformBarrier = 3,
  StreamkBarrier0 = 4,
  StreamkBarrier1 = 5,
  TmemAllocBarrier = 6,
  Sm120MainloopBarrier = 7,
  FirstUserBarrier = 8
};

/// A block's barrier with a number, for some of its threads. Like CUTLASS's, it keeps the hardware's barriers 0 to 7
/// for others: number n is the hardware's n + 8.
struct NamedBarrier {
  static constexpr std::uint32_t ReservedNamedBarrierCount =
      static_cast<std::uint32_t>(ReservedNamedBarriers::FirstUserBarrier);
  static constexpr std::uint32_t HardwareMaxNumNamedBarriers = 16;

  CUTLASS_DEVICE NamedBarrier(std::uint32_t threads, std::uint32_t id = 0) : barrier_(held(threads, id)) {}
  CUTLASS_DEVICE NamedBarrier(std::uint32_t threads, ReservedNamedBarriers id) : barrier_(held(threads, id)) {}
  CUTLASS_DEVICE void arrive_and_wait() const { barrier_.arrive_and_wait(); }
  CUTLASS_DEVICE void arrive() const { barrier_.arrive(); }
  CUTLASS_DEVICE void sync() const { barrier_.sync(); }
  /// The library's barriers need no warp whose threads come together.
  CUTLASS_DEVICE void arrive_and_wait_unaligned() const { barrier_.arrive_and_wait(); }
  CUTLASS_DEVICE void arrive_unaligned() const { barrier_.arrive(); }
  CUTLASS_DEVICE static void arrive_and_wait(std::uint32_t threads, std::uint32_t id) {
    held(threads, id).arrive_and_wait();
  }
  CUTLASS_DEVICE static void arrive(std::uint32_t threads, std::uint32_t id) { held(threads, id).arrive(); }
  CUTLASS_DEVICE static void sync(std::uint32_t threads, std::uint32_t id) { held(threads, id).sync(); }
  CUTLASS_DEVICE static void arrive_and_wait(std::uint32_t threads, ReservedNamedBarriers id) {
    held(threads, id).arrive_and_wait();
  }
  CUTLASS_DEVICE static void arrive(std::uint32_t threads, ReservedNamedBarriers id) { held(threads, id).arrive(); }
  CUTLASS_DEVICE static void sync(std::uint32_t threads, ReservedNamedBarriers id) { held(threads, id).sync(); }

 private:
  using held_type = ::COSMATI_NAMESPACE::NamedBarrier;
  CUTLASS_DEVICE static held_type held(std::uint32_t threads, std::uint32_t id) {
    return {static_cast<int>(threads), static_cast<int>(id + ReservedNamedBarrierCount)};
  }
  CUTLASS_DEVICE static held_type held(std::uint32_t threads, ReservedNamedBarriers id) {
    return {static_cast<int>(threads), static_cast<int>(id)};
  }
  held_type barrier_;
};

/// An mbarrier in shared memory. Threads of other blocks of the cluster can arrive at it, by the number of its block.
struct ClusterBarrier {
  using ValueType = std::uint64_t;

  CUTLASS_DEVICE void init(std::uint32_t arrivals) const { init(&barrier_, arrivals); }
  CUTLASS_DEVICE bool test_wait(std::uint32_t phase, std::uint32_t predicate = true) const {
    return test_wait(&barrier_, phase, predicate);
  }
  CUTLASS_DEVICE bool try_wait(std::uint32_t phase) const { return try_wait(&barrier_, phase); }
  CUTLASS_DEVICE void wait(std::uint32_t phase) const { wait(&barrier_, phase); }
  CUTLASS_DEVICE void arrive() const { arrive(&barrier_); }
  CUTLASS_DEVICE void arrive(std::uint32_t block, std::uint32_t predicate = true) const {
    arrive(&barrier_, block, predicate);
  }

  CUTLASS_DEVICE static void init(ValueType const* barrier, std::uint32_t arrivals) {
    ::COSMATI_NAMESPACE::initialize_barrier(writable(barrier), static_cast<int>(arrivals));
  }
  CUTLASS_DEVICE static bool test_wait(ValueType const* barrier, std::uint32_t phase, std::uint32_t predicate) {
    return predicate != 0 && try_wait(barrier, phase);
  }
  CUTLASS_DEVICE static bool try_wait(ValueType const* barrier, std::uint32_t phase) {
    return ::COSMATI_NAMESPACE::try_wait_barrier(writable(barrier), static_cast<int>(phase));
  }
  CUTLASS_DEVICE static void wait(ValueType const* barrier, std::uint32_t phase) {
    ::COSMATI_NAMESPACE::wait_barrier(writable(barrier), static_cast<int>(phase));
  }
  CUTLASS_DEVICE static void arrive(ValueType const* barrier) {
    ::COSMATI_NAMESPACE::arrive_barrier(writable(barrier));
  }
  CUTLASS_DEVICE static void arrive(ValueType const* barrier, std::uint32_t block, std::uint32_t predicate) {
    if (predicate != 0) ::COSMATI_NAMESPACE::arrive_remote_barrier_unfenced(writable(barrier), block);
  }
  CUTLASS_DEVICE static void invalidate(ValueType const* barrier) {
    ::COSMATI_NAMESPACE::invalidate_barrier(writable(barrier));
  }

 protected:
  CUTLASS_DEVICE static ValueType& writable(ValueType const* barrier) { return *const_cast<ValueType*>(barrier); }
  ValueType barrier_;
};

/// The same, which waits for bytes of asynchronous copies too.
struct ClusterTransactionBarrier : ClusterBarrier {
  using ClusterBarrier::arrive;
  CUTLASS_DEVICE void arrive_and_expect_tx(std::uint32_t bytes) const { arrive_and_expect_tx(&barrier_, bytes); }
  CUTLASS_DEVICE void arrive_and_expect_tx(std::uint32_t bytes, std::uint32_t block,
                                           std::uint32_t predicate = true) const {
    arrive_and_expect_tx(&barrier_, bytes, block, predicate);
  }
  CUTLASS_DEVICE void expect_transaction(std::uint32_t bytes) const { expect_transaction(&barrier_, bytes); }
  /// The barrier, of this block or another, waits for fewer bytes, as if a copy had brought them.
  CUTLASS_DEVICE void complete_transaction(std::uint32_t bytes, std::uint32_t predicate = 1) const {
    complete_transaction(&barrier_, ::COSMATI_NAMESPACE::block_rank_in_cluster(), bytes, predicate);
  }
  CUTLASS_DEVICE void complete_transaction(std::uint32_t block, std::uint32_t bytes, std::uint32_t predicate) const {
    complete_transaction(&barrier_, block, bytes, predicate);
  }
  /// @name Older names
  /// @{
  CUTLASS_DEVICE void arrive_and_reset_bytes(std::uint32_t bytes) const { arrive_and_expect_tx(bytes); }
  CUTLASS_DEVICE void arrive_and_reset_bytes(std::uint32_t bytes, std::uint32_t block) const {
    arrive_and_expect_tx(bytes, block);
  }
  CUTLASS_DEVICE void reset_bytes(std::uint32_t bytes) const { expect_transaction(bytes); }
  CUTLASS_DEVICE void commit(std::uint32_t bytes, std::uint32_t predicate = 1) const {
    complete_transaction(bytes, predicate);
  }
  CUTLASS_DEVICE void commit(std::uint32_t block, std::uint32_t bytes, std::uint32_t predicate) const {
    complete_transaction(block, bytes, predicate);
  }
  CUTLASS_DEVICE static void commit(ValueType const* barrier, std::uint32_t block, std::uint32_t bytes,
                                    std::uint32_t predicate = 1) {
    complete_transaction(barrier, block, bytes, predicate);
  }
  CUTLASS_DEVICE static void arrive_and_reset_bytes(ValueType const* barrier, std::uint32_t bytes) {
    arrive_and_expect_tx(barrier, bytes);
  }
  CUTLASS_DEVICE static void arrive_and_reset_bytes(ValueType const* barrier, std::uint32_t bytes, std::uint32_t block,
                                                    std::uint32_t predicate) {
    arrive_and_expect_tx(barrier, bytes, block, predicate);
  }
  CUTLASS_DEVICE static void reset_bytes(ValueType const* barrier, std::uint32_t bytes) {
    expect_transaction(barrier, bytes);
  }
  /// @}
  CUTLASS_DEVICE static void arrive_and_expect_tx(ValueType const* barrier, std::uint32_t bytes) {
    ::COSMATI_NAMESPACE::arrive_and_expect_bytes(writable(barrier), bytes);
  }
  CUTLASS_DEVICE static void arrive_and_expect_tx(ValueType const* barrier, std::uint32_t bytes, std::uint32_t block,
                                                  std::uint32_t predicate) {
    if (predicate != 0) ::COSMATI_NAMESPACE::arrive_remote_and_expect_bytes(writable(barrier), bytes, block);
  }
  CUTLASS_DEVICE static void expect_transaction(ValueType const* barrier, std::uint32_t bytes) {
    ::COSMATI_NAMESPACE::expect_bytes(writable(barrier), bytes);
  }
  CUTLASS_DEVICE static void complete_transaction(ValueType const* barrier, std::uint32_t block, std::uint32_t bytes,
                                                  std::uint32_t predicate = 1) {
    if (predicate != 0) ::COSMATI_NAMESPACE::complete_remote_bytes(writable(barrier), bytes, block);
  }
};

namespace detail {

/// @name Arrays of barriers are initialised: by one thread, or by a warp, of which one thread does it
/// @{
template <typename T, std::uint32_t Stages>
CUTLASS_DEVICE void initialize_barrier_array(T barriers, int arrivals) {
  for (std::uint32_t i = 0; i < Stages; ++i) barriers[i].init(static_cast<std::uint32_t>(arrivals));
}
template <typename T, std::uint32_t Stages>
CUTLASS_DEVICE void initialize_barrier_array(std::uint64_t* barriers, int arrivals) {
  for (std::uint32_t i = 0; i < Stages; ++i) T::init(&barriers[i], static_cast<std::uint32_t>(arrivals));
}
template <typename Full, typename Empty, std::uint32_t Stages>
CUTLASS_DEVICE void initialize_barrier_array_pair(Full full, Empty empty, int full_arrivals, int empty_arrivals) {
  initialize_barrier_array<Full, Stages>(full, full_arrivals);
  initialize_barrier_array<Empty, Stages>(empty, empty_arrivals);
}
template <typename Full, typename Empty, std::uint32_t Stages>
CUTLASS_DEVICE void initialize_barrier_array_pair(std::uint64_t* full, std::uint64_t* empty, int full_arrivals,
                                                  int empty_arrivals) {
  initialize_barrier_array<Full, Stages>(full, full_arrivals);
  initialize_barrier_array<Empty, Stages>(empty, empty_arrivals);
}
template <typename T, std::uint32_t Stages, typename Barriers>
CUTLASS_DEVICE void initialize_barrier_array_aligned(Barriers barriers, int arrivals) {
  if (::COSMATI_NAMESPACE::elect_one_sync()) initialize_barrier_array<T, Stages>(barriers, arrivals);
}
template <typename Full, typename Empty, std::uint32_t Stages, typename Fulls, typename Empties>
CUTLASS_DEVICE void initialize_barrier_array_pair_aligned(Fulls full, Empties empty, int full_arrivals,
                                                          int empty_arrivals) {
  if (::COSMATI_NAMESPACE::elect_one_sync())
    initialize_barrier_array_pair<Full, Empty, Stages>(full, empty, full_arrivals, empty_arrivals);
}
/// @}

}  // namespace detail

/// @name Fences
/// @{
CUTLASS_DEVICE void fence_barrier_init() { ::COSMATI_NAMESPACE::fence_barrier_init(); }
/// What the thread has written to shared memory is visible to asynchronous copies behind it.
CUTLASS_DEVICE void fence_view_async_shared() { ::COSMATI_NAMESPACE::fence_proxy_async_shared(); }
/// What the thread has read or written in shared memory comes before its later accesses there.
CUTLASS_DEVICE void fence_view_shared() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("fence.release.sync_restrict::shared::cta.cluster;" ::: "memory");
#endif
}
/// @}

/// @name The barrier gets an arrival when the thread's earlier cp.async are complete
/// @{
/// The arrival is counted in addition to those that the barrier was made for.
CUTLASS_DEVICE void cpasync_barrier_arrive(std::uint64_t const* barrier) {
  ::COSMATI_NAMESPACE::cp_async_mbarrier_arrive(*const_cast<std::uint64_t*>(barrier));
}
/// The arrival is one of those that the barrier was made for.
CUTLASS_DEVICE void cpasync_barrier_arrive_noinc(std::uint64_t const* barrier) {
  ::COSMATI_NAMESPACE::cp_async_mbarrier_arrive_noinc(*const_cast<std::uint64_t*>(barrier));
}
/// @}

}  // namespace cutlass::arch

#include <cosmati/core/macros_end.hpp>

#endif
