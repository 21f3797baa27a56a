// SPDX-License-Identifier: Apache-2.0
/// @file
/// `NamedBarrier`: one of a block's 16 hardware barriers, for some of its threads.
///
/// `__syncthreads` uses barrier 0. A warp arrives as a whole, by one instruction. The number of threads is therefore a
/// multiple of 32, and it must be the same in all calls until the barrier completes.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/simulated.hpp>
#include <cosmati/arch/target.hpp>

#if !defined(COSMATI_SIMULATED)
#define COSMATI_CALL_
#define COSMATI_CALL_PARAMETER_
#define COSMATI_AND_CALL_
#define COSMATI_PASS_CALL_ sync
#elif defined(__clang__)
#define COSMATI_PASS_CALL_ sync
#else
#define COSMATI_PASS_CALL_ sync<Call>
#endif

namespace COSMATI_NAMESPACE {

/// CuTe's class of this name: a barrier with an id, for a number of threads.
class NamedBarrier {
 public:
  /// @param threads the number of threads that arrive, including those that do not wait; a multiple of 32
  /// @param id 1 to 15
  COSMATI_HD NamedBarrier(int threads, int id) : threads_(threads), id_(id) {}

  /// Arrives, and waits for the others.
  COSMATI_CALL_ COSMATI_HD void arrive_and_wait(COSMATI_CALLER_PARAMETERS_ COSMATI_CALL_PARAMETER_) const {
    NamedBarrier::COSMATI_PASS_CALL_(threads_, id_ COSMATI_AND_CALLER_ COSMATI_AND_CALL_);
  }
  COSMATI_CALL_ COSMATI_HD void sync(COSMATI_CALLER_PARAMETERS_ COSMATI_CALL_PARAMETER_) const {
    NamedBarrier::COSMATI_PASS_CALL_(threads_, id_ COSMATI_AND_CALLER_ COSMATI_AND_CALL_);
  }
#if defined(COSMATI_SIMULATED) && !defined(__clang__)
  // In templates g++ 12 does not find members whose template parameter is a lambda's type by default. There it takes
  // these, which match less well. They do not tell calls on one line apart.
  void arrive_and_wait(COSMATI_CALLER_PARAMETERS_) const volatile { sync(COSMATI_CALLER_); }
  void sync(COSMATI_CALLER_PARAMETERS_) const volatile {
    cosmati_sim_barrier(id_, static_cast<unsigned>(threads_), 0, 0, "NamedBarrier", file, line, nullptr);
  }
  static void sync(long long threads, long long id COSMATI_AND_CALLER_PARAMETERS_) {
    cosmati_sim_barrier(static_cast<int>(id), static_cast<unsigned>(threads), 0, 0, "NamedBarrier", file, line,
                        nullptr);
  }
#endif
  /// Arrives without waiting.
  COSMATI_HD void arrive(COSMATI_CALLER_PARAMETERS_) const { arrive(threads_, id_ COSMATI_AND_CALLER_); }

  COSMATI_CALL_ COSMATI_HD static void sync(
      [[maybe_unused]] int threads, [[maybe_unused]] int id COSMATI_AND_CALLER_PARAMETERS_ COSMATI_CALL_PARAMETER_) {
#if defined(__CUDA_ARCH__)
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
#elif defined(COSMATI_SIMULATED)
    cosmati_sim_barrier(id, static_cast<unsigned>(threads), 0, 0, "NamedBarrier", file, line, COSMATI_PLACE_OF_CALL_);
#endif
  }
  COSMATI_HD static void arrive([[maybe_unused]] int threads, [[maybe_unused]] int id COSMATI_AND_CALLER_PARAMETERS_) {
#if defined(__CUDA_ARCH__)
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
#elif defined(COSMATI_SIMULATED)
    cosmati_sim_barrier_arrive(id, static_cast<unsigned>(threads), file, line);
#endif
  }

 private:
  int threads_, id_;
};

namespace detail {
/// `__syncthreads`, for headers below the one that defines that word.
COSMATI_HD inline void sync_block(COSMATI_CALLER_PARAMETERS_) {
#if defined(__CUDA_ARCH__)
  __syncthreads();
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_syncthreads("__syncthreads", file, line, nullptr);
#endif
}
/// `NamedBarrier::sync`, for classes that act for their caller.
COSMATI_HD inline void sync_named([[maybe_unused]] int threads,
                                  [[maybe_unused]] int id COSMATI_AND_CALLER_PARAMETERS_) {
#if defined(__CUDA_ARCH__)
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_barrier(id, static_cast<unsigned>(threads), 0, 0, "NamedBarrier", file, line, nullptr);
#endif
}
}  // namespace detail

}  // namespace COSMATI_NAMESPACE

#undef COSMATI_PASS_CALL_
#if !defined(COSMATI_SIMULATED)
#undef COSMATI_CALL_
#undef COSMATI_CALL_PARAMETER_
#undef COSMATI_AND_CALL_
#endif

#include <cosmati/core/macros_end.hpp>
