// SPDX-License-Identifier: Apache-2.0
/// @file
/// Arrivals at mbarriers of other blocks of the cluster (sm_90).
///
/// Each block has the barrier at the same place in its shared memory. Before the first arrival every block has
/// initialised its own, called `fence_barrier_init()`, and come to `cluster_sync()`. Only threads of a barrier's own
/// block wait for it. They then see what the other block's thread did before its arrival.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/cluster.hpp>
#include <cosmati/arch/mbarrier.hpp>

namespace COSMATI_NAMESPACE {

#define COSMATI_REMOTE_MBARRIER_NEEDS_ \
  static_assert(detail::target_lacks_the_instruction<instruction::mbarrier, 90 + 0 * dependent, COSMATI_TARGET_SM>::ok)

/// One arrival at the barrier of the block `rank` of the cluster, this one's too.
/// @param barrier the same barrier of the running block
template <int dependent = 0>
COSMATI_HD inline void arrive_remote_barrier([[maybe_unused]] std::uint64_t& barrier,
                                             [[maybe_unused]] unsigned rank COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_REMOTE_MBARRIER_NEEDS_;
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                   set_block_rank(cast_smem_ptr_to_uint(&barrier), rank))
               : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_mbarrier_arrive_remote(&barrier, rank, 0, 0, file, line);
#endif
}
/// One arrival that does not wait for the thread's own memory accesses: for a block whose next step there is an
/// asynchronous copy into what only such copies or warpgroup matrix instructions have used. The form above costs a
/// MEMBAR.ALL.GPU each time.
template <int dependent = 0>
COSMATI_HD inline void arrive_remote_barrier_unfenced([[maybe_unused]] std::uint64_t& barrier,
                                                      [[maybe_unused]] unsigned rank COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_REMOTE_MBARRIER_NEEDS_;
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(set_block_rank(cast_smem_ptr_to_uint(&barrier), rank))
      : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_mbarrier_arrive_remote(&barrier, rank, 0, 0, file, line);
#endif
}
/// One arrival there, at a phase that also waits for `bytes` bytes of asynchronous copies (below 2^20).
template <int dependent = 0>
COSMATI_HD inline void arrive_remote_and_expect_bytes([[maybe_unused]] std::uint64_t& barrier,
                                                      [[maybe_unused]] std::uint32_t bytes,
                                                      [[maybe_unused]] unsigned rank COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_REMOTE_MBARRIER_NEEDS_;
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], %1;" ::"r"(
                   set_block_rank(cast_smem_ptr_to_uint(&barrier), rank)),
               "r"(bytes)
               : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_mbarrier_arrive_remote(&barrier, rank, 1, bytes, file, line);
#endif
}
/// The barrier there waits for `bytes` fewer bytes, as if a copy had brought them. It is no arrival.
template <int dependent = 0>
COSMATI_HD inline void complete_remote_bytes([[maybe_unused]] std::uint64_t& barrier,
                                             [[maybe_unused]] std::uint32_t bytes,
                                             [[maybe_unused]] unsigned rank COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_REMOTE_MBARRIER_NEEDS_;
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;" ::"r"(
                   set_block_rank(cast_smem_ptr_to_uint(&barrier), rank)),
               "r"(bytes)
               : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_mbarrier_complete_tx(&barrier, rank, bytes, file, line);
#endif
}
/// Waits until the phase of this parity is complete, and sees what arriving threads of all blocks of the cluster did
/// before. `wait_barrier` is enough where all who arrive are of the own block.
template <int dependent = 0>
COSMATI_HD inline void wait_cluster_barrier(std::uint64_t& barrier, int parity COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_REMOTE_MBARRIER_NEEDS_;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  std::uint32_t over = 0;
  while (over == 0) {
    asm volatile(
        "{\n.reg .pred over;\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 over, [%1], %2;\n"
        "selp.u32 %0, 1, 0, over;\n}"
        : "=r"(over)
        : "r"(cast_smem_ptr_to_uint(&barrier)), "r"(parity)
        : "memory");
  }
#else
  wait_barrier<dependent>(barrier, parity COSMATI_AND_CALLER_);
#endif
}

#undef COSMATI_REMOTE_MBARRIER_NEEDS_

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
