// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions that issue, group and wait for bulk copies (`cp.async.bulk`, one-dimensional), and the fences between them
/// and ordinary accesses.
///
/// Bulk copies use the *async proxy*. A bulk copy sees a thread's ordinary stores to shared memory only after
/// `fence_proxy_async_shared()`. The order is: stores, fence, barrier, copy.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/cluster.hpp>
#include <cosmati/arch/l2_hint.hpp>
#include <cosmati/arch/simulated.hpp>
#include <cosmati/arch/target.hpp>
#include <cosmati/atom/bulk_copy.hpp>

namespace COSMATI_NAMESPACE {

#define COSMATI_BULK_NEEDS_(what) \
  static_assert(detail::target_lacks_the_instruction<instruction::what, 90 + 0 * dependent, COSMATI_TARGET_SM>::ok)

/// @name Copies by one thread
/// Addresses and `bytes` are multiples of 16.
/// @{
/// Copies to shared memory. The mbarrier counts the bytes when they have arrived, so it must expect them.
template <int dependent = 0>
COSMATI_HD inline void bulk_copy_g2s([[maybe_unused]] void* shared, [[maybe_unused]] void const* global,
                                     [[maybe_unused]] std::uint32_t bytes,
                                     [[maybe_unused]] std::uint64_t& barrier COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_BULK_NEEDS_(cp_async_bulk);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   cast_smem_ptr_to_uint(shared)),
               "l"(__cvta_generic_to_global(global)), "r"(bytes), "r"(cast_smem_ptr_to_uint(&barrier))
               : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_bulk_load(shared, global, bytes, &barrier, file, line);
#endif
}
/// The load with a hint to L2 about the lines that it reads.
template <int dependent = 0>
COSMATI_HD inline void bulk_copy_g2s(void* shared, void const* global, std::uint32_t bytes, std::uint64_t& barrier,
                                     [[maybe_unused]] l2_hint hint COSMATI_AND_CALLER_PARAMETERS_) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  if (hint == l2_hint::evict_last) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], "
        "%4;" ::"r"(cast_smem_ptr_to_uint(shared)),
        "l"(__cvta_generic_to_global(global)), "r"(bytes), "r"(cast_smem_ptr_to_uint(&barrier)),
        "l"(detail::evict_last_policy())
        : "memory");
    return;
  }
#endif
  bulk_copy_g2s<dependent>(shared, global, bytes, barrier COSMATI_AND_CALLER_);
}
/// Copies to the shared memory of the block `rank` of the cluster, whose mbarrier counts the bytes.
/// @param there, barrier the places of the target and of the mbarrier, in the running block's shared memory
template <int dependent = 0>
COSMATI_HD inline void bulk_copy_s2s([[maybe_unused]] void* there, [[maybe_unused]] void const* shared,
                                     [[maybe_unused]] std::uint32_t bytes, [[maybe_unused]] std::uint64_t& barrier,
                                     [[maybe_unused]] unsigned rank COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_BULK_NEEDS_(cp_async_bulk);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   set_block_rank(cast_smem_ptr_to_uint(there), rank)),
               "r"(cast_smem_ptr_to_uint(shared)), "r"(bytes),
               "r"(set_block_rank(cast_smem_ptr_to_uint(&barrier), rank))
               : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_bulk_send(there, rank, shared, bytes, &barrier, file, line);
#endif
}
/// Copies to global memory, in the thread's open bulk group.
template <int dependent = 0>
COSMATI_HD inline void bulk_copy_s2g([[maybe_unused]] void* global, [[maybe_unused]] void const* shared,
                                     [[maybe_unused]] std::uint32_t bytes COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_BULK_NEEDS_(cp_async_bulk);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(global)),
               "r"(cast_smem_ptr_to_uint(shared)), "r"(bytes)
               : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_bulk_store(global, shared, bytes, file, line);
#endif
}
/// @}

/// @name Bulk groups: a thread's copies to global memory
/// @{
/// Ends the thread's bulk group.
template <int dependent = 0>
COSMATI_HD inline void tma_store_arrive(COSMATI_CALLER_PARAMETERS_) {
  COSMATI_BULK_NEEDS_(cp_async_bulk);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_bulk_commit(file, line);
#endif
}
/// Waits until all but the `pending` newest groups have *read* their sources. The sources may then be overwritten.
template <int pending>
COSMATI_HD inline void tma_store_wait(COSMATI_CALLER_PARAMETERS_) {
  static_assert(pending >= 0, "tma_store_wait<N>: N is the number of groups that may stay in flight");
  constexpr int dependent = pending;
  COSMATI_BULK_NEEDS_(cp_async_bulk);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_bulk_wait(pending, 1, file, line);
#endif
}
/// Waits until all but the `pending` newest groups are complete. The thread then sees their writes.
template <int pending>
COSMATI_HD inline void bulk_store_wait(COSMATI_CALLER_PARAMETERS_) {
  static_assert(pending >= 0, "bulk_store_wait<N>: N is the number of groups that may stay in flight");
  constexpr int dependent = pending;
  COSMATI_BULK_NEEDS_(cp_async_bulk);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(pending) : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_bulk_wait(pending, 0, file, line);
#endif
}
/// @}

/// @name Fences between ordinary accesses and asynchronous ones
/// A fence orders accesses of one proxy before it with accesses of the other after it.
/// @{
#define COSMATI_FENCE_(function, text, space)                   \
  template <int dependent = 0>                                  \
  COSMATI_HD inline void function(COSMATI_CALLER_PARAMETERS_) { \
    COSMATI_BULK_NEEDS_(fence_proxy_async);                     \
    COSMATI_FENCE_BODY_(text, space)                            \
  }
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define COSMATI_FENCE_BODY_(text, space) asm volatile(text ::: "memory");
#elif defined(COSMATI_SIMULATED)
#define COSMATI_FENCE_BODY_(text, space) cosmati_sim_fence_proxy_async(space, file, line);
#else
#define COSMATI_FENCE_BODY_(text, space)
#endif
/// For all memory.
COSMATI_FENCE_(fence_proxy_async, "fence.proxy.async;", 0)
/// For shared memory.
COSMATI_FENCE_(fence_proxy_async_shared, "fence.proxy.async.shared::cta;", 1)
/// For global memory.
COSMATI_FENCE_(fence_proxy_async_global, "fence.proxy.async.global;", 2)
/// For shared memory, by CuTe's name: before a copy from it.
COSMATI_FENCE_(tma_store_fence, "fence.proxy.async.shared::cta;", 1)
#undef COSMATI_FENCE_
#undef COSMATI_FENCE_BODY_
#undef COSMATI_BULK_NEEDS_
/// @}

template <class>
COSMATI_HD void SM90_BULK_COPY_G2S::copy(void const* global, std::uint64_t* barrier, void* shared, std::int32_t bytes) {
#if defined(COSMATI_SIMULATED)
  bulk_copy_g2s(shared, global, static_cast<std::uint32_t>(bytes), *barrier, nullptr, 0);
#else
  bulk_copy_g2s(shared, global, static_cast<std::uint32_t>(bytes), *barrier);
#endif
}
template <class>
COSMATI_HD void SM90_BULK_COPY_S2G::copy(void const* shared, void* global, std::int32_t bytes) {
#if defined(COSMATI_SIMULATED)
  bulk_copy_s2g(global, shared, static_cast<std::uint32_t>(bytes), nullptr, 0);
#else
  bulk_copy_s2g(global, shared, static_cast<std::uint32_t>(bytes));
#endif
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
