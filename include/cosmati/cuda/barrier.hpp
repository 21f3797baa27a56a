// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's header cuda/barrier provides: cuda::barrier, cuda::memcpy_async with one, and its functions of bytes. In
/// shared memory, a barrier of block scope is an mbarrier. Elsewhere it counts by atomics.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/async_copy.hpp>
#include <cosmati/cuda/awbarrier.hpp>
#include <cosmati/cuda/counted_barrier.hpp>
#include <cosmati/cuda/standard.hpp>
#include <cosmati/cuda/thread_scope.hpp>
#include <cstddef>
#include <new>
#include <utility>

#define COSMATI_SITE_ char const *file = __builtin_FILE(), int line = __builtin_LINE()

namespace cuda {

template <thread_scope scope, class Completion = void>
class barrier;

/// A barrier of as many arrivals as it is initialised with, phase after phase.
template <thread_scope scope>
class barrier<scope, void> {
 public:
  class arrival_token {
   public:
    arrival_token() = default;
    explicit arrival_token(std::uint64_t state) : state_(state) {}
    std::uint64_t state() const { return state_; }

   private:
    std::uint64_t state_;
  };

  barrier() = default;
  explicit barrier(std::ptrdiff_t count, COSMATI_SITE_) { initialize(count, file, line); }
  barrier(barrier const&) = delete;
  barrier& operator=(barrier const&) = delete;
  friend void init(barrier* b, std::ptrdiff_t count, COSMATI_SITE_) { b->initialize(count, file, line); }
  static constexpr std::ptrdiff_t max() { return (1 << 20) - 1; }

  [[nodiscard]] arrival_token arrive(std::ptrdiff_t count = 1, COSMATI_SITE_) {
    if (!is_mbarrier()) return arrival_token(cosmati_cuda::counted_arrive(&word_, count, false));
    return arrival_token(cosmati_sim_mbarrier_arrive(&word_, static_cast<unsigned>(count), file, line));
  }
  void wait(arrival_token&& token, COSMATI_SITE_) const {
    if (!is_mbarrier()) return cosmati_cuda::counted_wait(&word_, token.state());
    cosmati_cuda::wait_for_token(handle(), token.state(), file, line);
  }
  /// Waits for the phase of this parity, 0 for the first.
  void wait_parity(bool parity, COSMATI_SITE_) const {
    if (!is_mbarrier()) return cosmati_cuda::counted_wait_parity(&word_, parity);
    cosmati_sim_mbarrier_wait_parity(handle(), parity ? 1u : 0u, file, line);
  }
  void arrive_and_wait(COSMATI_SITE_) { wait(arrive(1, file, line), file, line); }
  /// An arrival after which each phase expects one less.
  void arrive_and_drop(COSMATI_SITE_) {
    if (!is_mbarrier()) return static_cast<void>(cosmati_cuda::counted_arrive(&word_, 1, true));
    cosmati_sim_mbarrier_arrive_and_drop(&word_, file, line);
  }
  /// @name Tests that may wait a while
  /// @{
  bool try_wait(arrival_token&& token, COSMATI_SITE_) const {
    if (!is_mbarrier()) return cosmati_cuda::counted_is_over(&word_, token.state());
    return cosmati_sim_mbarrier_test_wait(handle(), token.state(), file, line) != 0;
  }
  bool try_wait_parity(bool parity, COSMATI_SITE_) const {
    if (!is_mbarrier()) return cosmati_cuda::counted_parity_is_over(&word_, parity);
    return cosmati_sim_mbarrier_try_wait_parity(handle(), parity ? 1u : 0u, file, line) != 0;
  }
  template <class Duration>
  bool try_wait_for(arrival_token&& token, Duration const&, COSMATI_SITE_) const {
    return try_wait(std::move(token), file, line);
  }
  template <class Duration>
  bool try_wait_parity_for(bool parity, Duration const&, COSMATI_SITE_) const {
    return try_wait_parity(parity, file, line);
  }
  /// @}
  /// The word that instructions use.
  std::uint64_t* handle() const { return const_cast<std::uint64_t*>(&word_); }
  /// Whether instructions use the word. If not, atomics count in it.
  bool is_mbarrier() const {
    return scope != thread_scope_thread && cosmati_cuda::sim_active() != 0 && cosmati_sim_space_of(&word_) == 1;
  }

 private:
  void initialize(std::ptrdiff_t count, char const* file, int line) {
    if (!is_mbarrier()) return cosmati_cuda::counted_init(&word_, count);
    cosmati_sim_mbarrier_init(&word_, static_cast<unsigned>(count), file, line);
    // The constructor of CUDA makes the barrier visible to bulk copies, too.
    cosmati_sim_fence_mbarrier_init(file, line);
  }
  alignas(8) std::uint64_t word_;
};

/// A barrier whose last arrival of a phase calls a function before the threads go on. As in CUDA it counts by atomics,
/// also in shared memory.
template <thread_scope scope, class Completion>
class barrier {
 public:
  using arrival_token = typename barrier<scope, void>::arrival_token;

  explicit barrier(std::ptrdiff_t count, Completion complete = Completion()) : complete_(std::move(complete)) {
    cosmati_cuda::counted_init(&word_, count);
  }
  barrier(barrier const&) = delete;
  barrier& operator=(barrier const&) = delete;
  friend void init(barrier* b, std::ptrdiff_t count, Completion complete = Completion()) {
    new (b) barrier(count, std::move(complete));
  }
  static constexpr std::ptrdiff_t max() { return (1 << 20) - 1; }

  [[nodiscard]] arrival_token arrive(std::ptrdiff_t count = 1) {
    return arrival_token(cosmati_cuda::counted_arrive_then(&word_, count, false, complete_));
  }
  void wait(arrival_token&& token) const { cosmati_cuda::counted_wait(&word_, token.state()); }
  /// Waits for the phase of this parity, 0 for the first.
  void wait_parity(bool parity) const { cosmati_cuda::counted_wait_parity(&word_, parity); }
  void arrive_and_wait() { wait(arrive()); }
  /// An arrival after which each phase expects one less.
  void arrive_and_drop() { cosmati_cuda::counted_arrive_then(&word_, 1, true, complete_); }
  bool try_wait(arrival_token&& token) const { return cosmati_cuda::counted_is_over(&word_, token.state()); }
  bool try_wait_parity(bool parity) const { return cosmati_cuda::counted_parity_is_over(&word_, parity); }

 private:
  alignas(8) std::uint64_t word_;
  Completion complete_;
};

namespace device {
template <thread_scope scope>
std::uint64_t* barrier_native_handle(barrier<scope>& b) {
  return b.handle();
}
/// Arrivals at a phase that also waits for `bytes` bytes of bulk copies.
template <thread_scope scope>
[[nodiscard]] typename barrier<scope>::arrival_token barrier_arrive_tx(barrier<scope>& b, std::ptrdiff_t count,
                                                                       std::ptrdiff_t bytes, COSMATI_SITE_) {
  cosmati_sim_mbarrier_expect_tx(b.handle(), static_cast<unsigned>(bytes), file, line);
  return b.arrive(count, file, line);
}
template <thread_scope scope>
void barrier_expect_tx(barrier<scope>& b, std::ptrdiff_t bytes, COSMATI_SITE_) {
  cosmati_sim_mbarrier_expect_tx(b.handle(), static_cast<unsigned>(bytes), file, line);
}
/// A bulk copy to shared memory. The barrier expects its bytes by barrier_arrive_tx or barrier_expect_tx.
template <class T, std::size_t Alignment, thread_scope scope>
void memcpy_async_tx(T* to, T const* from, aligned_size_t<Alignment> bytes, barrier<scope>& b, COSMATI_SITE_) {
  static_assert(Alignment >= 16, "cuda::device::memcpy_async_tx: the alignment is at least 16");
  cosmati_sim_bulk_load(to, from, static_cast<unsigned>(bytes.value), b.handle(), file, line);
}
}  // namespace device

/// How a copy of memcpy_async was made.
enum class async_contract_fulfillment { none, async };

namespace detail {
template <thread_scope scope>
async_contract_fulfillment copy_with(barrier<scope>& b, void* to, void const* from, std::size_t bytes, std::size_t rank,
                                     std::size_t threads, char const* file, int line) {
  if (!cosmati_cuda::copy_share(to, from, bytes, rank, threads, file, line)) return async_contract_fulfillment::none;
  if (b.is_mbarrier()) {
    cosmati_sim_cp_async_mbarrier_arrive(b.handle(), 0, file, line);
  } else {
    cosmati_sim_cp_async_wait(-1, file, line);
  }
  return async_contract_fulfillment::async;
}
}  // namespace detail

/// @name Copies that complete before the barrier's running phase
/// The bytes are a number, or an aligned_size_t. With a group, all its threads call the function.
/// @{
template <class T, class S, thread_scope scope>
async_contract_fulfillment memcpy_async(T* to, S const* from, std::size_t bytes, barrier<scope>& b, COSMATI_SITE_) {
  return detail::copy_with(b, to, from, bytes, 0, 1, file, line);
}
template <class T, class S, std::size_t Alignment, thread_scope scope>
async_contract_fulfillment memcpy_async(T* to, S const* from, aligned_size_t<Alignment> bytes, barrier<scope>& b,
                                        COSMATI_SITE_) {
  cosmati_cuda::check_promise(to, from, Alignment, file, line);
  return detail::copy_with(b, to, from, bytes.value, 0, 1, file, line);
}
template <class Group, class T, class S, thread_scope scope>
async_contract_fulfillment memcpy_async(Group const& g, T* to, S const* from, std::size_t bytes, barrier<scope>& b,
                                        COSMATI_SITE_) {
  return detail::copy_with(b, to, from, bytes, g.thread_rank(), g.size(), file, line);
}
template <class Group, class T, class S, std::size_t Alignment, thread_scope scope>
async_contract_fulfillment memcpy_async(Group const& g, T* to, S const* from, aligned_size_t<Alignment> bytes,
                                        barrier<scope>& b, COSMATI_SITE_) {
  cosmati_cuda::check_promise(to, from, Alignment, file, line);
  return detail::copy_with(b, to, from, bytes.value, g.thread_rank(), g.size(), file, line);
}
/// @}

namespace device::experimental {

/// @name Bulk copies, and their fence
/// @{
template <thread_scope scope>
void cp_async_bulk_global_to_shared(void* to, void const* from, std::uint32_t bytes, barrier<scope>& b, COSMATI_SITE_) {
  cosmati_sim_bulk_load(to, from, bytes, b.handle(), file, line);
}
inline void cp_async_bulk_shared_to_global(void* to, void const* from, std::uint32_t bytes, COSMATI_SITE_) {
  cosmati_sim_bulk_store(to, from, bytes, file, line);
}
inline void cp_async_bulk_commit_group(COSMATI_SITE_) { cosmati_sim_bulk_commit(file, line); }
/// Waits until all groups but the `newest` last ones have read their sources.
template <int newest>
void cp_async_bulk_wait_group_read(COSMATI_SITE_) {
  cosmati_sim_bulk_wait(newest, 1, file, line);
}
inline void fence_proxy_async_shared_cta(COSMATI_SITE_) { cosmati_sim_fence_proxy_async(1, file, line); }
/// @}

}  // namespace device::experimental

}  // namespace cuda

#undef COSMATI_SITE_

#endif

#include <cosmati/core/macros_end.hpp>
