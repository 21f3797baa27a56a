// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's headers cuda/semaphore and cuda/latch provide: semaphores and latches, on cuda::atomic.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/atomic.hpp>

namespace cuda {

/// A number of permits.
template <thread_scope scope, ::std::ptrdiff_t most = 0x7fffffff>
class counting_semaphore {
 public:
  explicit constexpr counting_semaphore(::std::ptrdiff_t permits) : permits_(static_cast<int>(permits)) {}
  static constexpr ::std::ptrdiff_t max() { return most; }
  void release(::std::ptrdiff_t permits = 1) { permits_.fetch_add(static_cast<int>(permits), memory_order_release); }
  bool try_acquire() {
    int permits = permits_.load(memory_order_acquire);
    while (permits > 0) {
      if (permits_.compare_exchange_strong(permits, permits - 1, memory_order_acq_rel)) return true;
    }
    return false;
  }
  /// Waits for a permit.
  void acquire() {
    while (!try_acquire()) permits_.wait(0, memory_order_acquire);
  }

 private:
  atomic<int, scope> permits_;
};
template <thread_scope scope>
using binary_semaphore = counting_semaphore<scope, 1>;

/// A barrier of one phase.
template <thread_scope scope>
class latch {
 public:
  explicit constexpr latch(::std::ptrdiff_t count) : missing_(static_cast<int>(count)) {}
  void count_down(::std::ptrdiff_t arrivals = 1) {
    missing_.fetch_sub(static_cast<int>(arrivals), memory_order_acq_rel);
  }
  bool try_wait() const { return missing_.load(memory_order_acquire) == 0; }
  void wait() const {
    while (!try_wait()) {
      if (cosmati_cuda::sim_active() != 0) cosmati_sim_yield();
    }
  }
  void arrive_and_wait(::std::ptrdiff_t arrivals = 1) {
    count_down(arrivals);
    wait();
  }

 private:
  atomic<int, scope> missing_;
};

}  // namespace cuda

#endif

#include <cosmati/core/macros_end.hpp>
