// SPDX-License-Identifier: Apache-2.0
/// @file
/// `tma_store_ring`: stages of shared memory that threads write and tensor or bulk copies store to global memory (sm_90
/// and newer).
///
///     tma_store_ring<2> ring(128, 1, threadIdx.x == 0);
///     for (int tile = 0; tile < tiles; ++tile) {
///       write(sC(_, _, ring.acquire()), tile);
///       ring.store([&](int stage) { copy(tma_c, tCsC(_, stage), tCgC(_, tile)); });
///     }
///     ring.finish();
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/named_barrier.hpp>
#include <cosmati/core/tuple/transform.hpp>
#include <cosmati/pipeline/step.hpp>

namespace COSMATI_NAMESPACE {

/// @tparam stages the number of stages, 1 to 16; with one, nothing is written while a copy reads
template <int stages>
class tma_store_ring {
  static_assert(stages >= 1 && stages <= 16, "tma_store_ring<STAGES>: 1 to 16 stages");

 public:
  /// @param writers the number of threads that write and call the functions together, a multiple of 32
  /// @param barrier the number of a hardware barrier of the block that these threads use for nothing else, 1 to 15
  /// @param leads true for exactly one of them, which starts the copies
  COSMATI_HD tma_store_ring(int writers, int barrier, bool leads)
      : writers_(writers), barrier_(barrier), leads_(leads) {}

  /// Waits until the next stage may be written, and returns its index.
  COSMATI_HD int acquire(COSMATI_CALLER_PARAMETERS_) {
    if (leads_) tma_store_wait<stages - 1>(COSMATI_CALLER_);
    detail::sync_named(writers_, barrier_ COSMATI_AND_CALLER_);
    return stage_;
  }
  /// Stores the stage that `acquire` returned, after all threads have written it.
  /// @param start start(stage) starts the copies; one thread calls it
  COSMATI_ANY_FUNCTION
  template <class Start>
  COSMATI_HD void store(Start const& start COSMATI_AND_CALLER_PARAMETERS_) {
    fence_proxy_async_shared(COSMATI_CALLER_);
    detail::sync_named(writers_, barrier_ COSMATI_AND_CALLER_);
    if (leads_) {
      start(stage_);
      tma_store_arrive(COSMATI_CALLER_);
    }
    stage_ = detail::stage_behind<stages>(stage_);
  }
  /// Waits until all stages have been read. It comes before the thread exits, and before shared memory is used for
  /// something else.
  COSMATI_HD void finish(COSMATI_CALLER_PARAMETERS_) {
    if (leads_) tma_store_wait<0>(COSMATI_CALLER_);
  }

 private:
  int writers_, barrier_;
  int stage_ = 0;
  bool leads_;
};

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
