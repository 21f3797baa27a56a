// SPDX-License-Identifier: Apache-2.0
/// @file
/// The mbarrier: a 64-bit barrier in shared memory that counts arrivals of threads and bytes of asynchronous copies.
///
/// A phase completes when as many arrivals came as `initialize_barrier` said, and no more bytes are expected. The next
/// phase begins automatically. Phases have the parities 0, 1, 0, ... A waiting thread passes the parity of the phase
/// that must be complete, and may not be two phases late. The count (1 to 2^20 - 1) is that of *arrivals*. One thread
/// initialises the barrier, then calls `fence_barrier_init()`; a barrier of the block must follow before any use.
///
/// Arrivals release and waits acquire: a waiting thread sees everything that a thread did before its arrival. The
/// barrier exists on sm_80, the bytes on sm_90.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/simulated.hpp>
#include <cosmati/arch/target.hpp>

namespace COSMATI_NAMESPACE {

#define COSMATI_MBARRIER_NEEDS_(sm) \
  static_assert(                    \
      detail::target_lacks_the_instruction<instruction::mbarrier, (sm) + 0 * dependent, COSMATI_TARGET_SM>::ok)

/// @name Functions by CuTe's names
/// Each takes the barrier, which is in shared memory and aligned to 8 bytes.
/// @{
/// Initialises the barrier. Each phase waits for `count` arrivals. One thread calls it.
template <int dependent = 0>
COSMATI_HD inline void initialize_barrier([[maybe_unused]] std::uint64_t& barrier,
                                          [[maybe_unused]] int arrivals = 1 COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_MBARRIER_NEEDS_(80);
#if defined(__CUDA_ARCH__)
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(cast_smem_ptr_to_uint(&barrier)), "r"(arrivals) : "memory");
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_mbarrier_init(&barrier, static_cast<unsigned>(arrivals), file, line);
#endif
}
/// Ends the barrier. Its 8 bytes may be used for something else afterwards.
template <int dependent = 0>
COSMATI_HD inline void invalidate_barrier([[maybe_unused]] std::uint64_t& barrier COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_MBARRIER_NEEDS_(80);
#if defined(__CUDA_ARCH__)
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(cast_smem_ptr_to_uint(&barrier)) : "memory");
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_mbarrier_inval(&barrier, file, line);
#endif
}
/// Makes initialised barriers visible to asynchronous copies. A barrier of the block makes them visible to its threads.
template <int dependent = 0>
COSMATI_HD inline void fence_barrier_init(COSMATI_CALLER_PARAMETERS_) {
  COSMATI_MBARRIER_NEEDS_(90);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_fence_mbarrier_init(file, line);
#endif
}
/// One arrival. @return the state of the phase, for `test_barrier`
template <int dependent = 0>
COSMATI_HD inline std::uint64_t arrive_barrier([[maybe_unused]] std::uint64_t& barrier COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_MBARRIER_NEEDS_(80);
#if defined(__CUDA_ARCH__)
  std::uint64_t state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(cast_smem_ptr_to_uint(&barrier)) : "memory");
  return state;
#elif defined(COSMATI_SIMULATED)
  return cosmati_sim_mbarrier_arrive(&barrier, 1, file, line);
#else
  return 0;
#endif
}
/// One arrival at a phase that also waits for `bytes` bytes of asynchronous copies (below 2^20).
template <int dependent = 0>
COSMATI_HD inline std::uint64_t arrive_and_expect_bytes(
    [[maybe_unused]] std::uint64_t& barrier, [[maybe_unused]] std::uint32_t bytes COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_MBARRIER_NEEDS_(90);
#if defined(__CUDA_ARCH__)
  std::uint64_t state = 0;
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], %2;"
               : "=l"(state)
               : "r"(cast_smem_ptr_to_uint(&barrier)), "r"(bytes)
               : "memory");
#endif
  return state;
#elif defined(COSMATI_SIMULATED)
  return cosmati_sim_mbarrier_arrive_expect_tx(&barrier, bytes, file, line);
#else
  return 0;
#endif
}
/// CuTe's other name of the same function.
template <int dependent = 0>
COSMATI_HD inline void set_barrier_transaction_bytes(std::uint64_t& barrier,
                                                     std::uint32_t bytes COSMATI_AND_CALLER_PARAMETERS_) {
  arrive_and_expect_bytes<dependent>(barrier, bytes COSMATI_AND_CALLER_);
}
/// Makes the running phase wait for `bytes` more bytes. It is no arrival.
template <int dependent = 0>
COSMATI_HD inline void expect_bytes([[maybe_unused]] std::uint64_t& barrier,
                                    [[maybe_unused]] std::uint32_t bytes COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_MBARRIER_NEEDS_(90);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], %1;" ::"r"(cast_smem_ptr_to_uint(&barrier)), "r"(bytes)
               : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_mbarrier_expect_tx(&barrier, bytes, file, line);
#endif
}
/// True if the phase that an arrival returned as `state` is complete.
template <int dependent = 0>
COSMATI_HD inline bool test_barrier([[maybe_unused]] std::uint64_t& barrier,
                                    [[maybe_unused]] std::uint64_t state COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_MBARRIER_NEEDS_(80);
#if defined(__CUDA_ARCH__)
  std::uint32_t over;
  asm volatile("{\n.reg .pred over;\nmbarrier.test_wait.shared.b64 over, [%1], %2;\nselp.u32 %0, 1, 0, over;\n}"
               : "=r"(over)
               : "r"(cast_smem_ptr_to_uint(&barrier)), "l"(state)
               : "memory");
  return over != 0;
#elif defined(COSMATI_SIMULATED)
  return cosmati_sim_mbarrier_test_wait(&barrier, state, file, line) != 0;
#else
  return true;
#endif
}
/// True if the phase of this parity is complete. The call may wait a while for it.
template <int dependent = 0>
COSMATI_HD inline bool try_wait_barrier([[maybe_unused]] std::uint64_t& barrier,
                                        [[maybe_unused]] int parity COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_MBARRIER_NEEDS_(80);
#if defined(__CUDA_ARCH__)
  std::uint32_t over;
#if __CUDA_ARCH__ >= 900
  asm volatile("{\n.reg .pred over;\nmbarrier.try_wait.parity.shared.b64 over, [%1], %2;\nselp.u32 %0, 1, 0, over;\n}"
               : "=r"(over)
               : "r"(cast_smem_ptr_to_uint(&barrier)), "r"(parity)
               : "memory");
#else
  asm volatile("{\n.reg .pred over;\nmbarrier.test_wait.parity.shared.b64 over, [%1], %2;\nselp.u32 %0, 1, 0, over;\n}"
               : "=r"(over)
               : "r"(cast_smem_ptr_to_uint(&barrier)), "r"(parity)
               : "memory");
#endif
  return over != 0;
#elif defined(COSMATI_SIMULATED)
  return cosmati_sim_mbarrier_try_wait_parity(&barrier, static_cast<unsigned>(parity), file, line) != 0;
#else
  return true;
#endif
}
/// Waits until the phase of this parity (0 for the first) is complete. Parity 1 on a new barrier returns at once.
template <int dependent = 0>
COSMATI_HD inline void wait_barrier(std::uint64_t& barrier, int parity COSMATI_AND_CALLER_PARAMETERS_) {
#if defined(COSMATI_SIMULATED)
  cosmati_sim_mbarrier_wait_parity(&barrier, static_cast<unsigned>(parity), file, line);
#else
  while (!try_wait_barrier<dependent>(barrier, parity)) {
  }
#endif
}
/// @}
#undef COSMATI_MBARRIER_NEEDS_

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
