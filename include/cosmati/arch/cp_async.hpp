// SPDX-License-Identifier: Apache-2.0
/// @file
/// Functions that issue, group and wait for `cp.async`.
///
/// The copies that a thread started since its last `cp_async_fence()` form one group. Groups complete in order.
/// `cp_async_wait<N>()` returns when at most the N newest groups are incomplete. Then the *calling thread* sees its
/// copies; other threads need a barrier after it.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/simulated.hpp>
#include <cosmati/arch/target.hpp>
#include <cosmati/atom/cp_async.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

/// A report without tensors. Other reports tell the simulated device which tensor elements a copy's two addresses
/// belong to.
struct copy_of_no_tensors {
#if defined(COSMATI_SIMULATED)
  char const* file = nullptr;
  int line = 0;
  void issue(void* shared, void const* global, unsigned bytes, unsigned source_bytes, cache_level level) const {
    cosmati_sim_cp_async(shared, global, bytes, source_bytes, static_cast<int>(level), nullptr, nullptr, nullptr,
                         nullptr, nullptr, nullptr, file, line);
  }
#endif
};

template <int bytes, cache_level level>
struct cp_async_width {
  static_assert(bytes == 4 || bytes == 8 || bytes == 16,
                "cp_async<BYTES>: it moves 4, 8 or 16 bytes (cp_async_width<BYTES, ...>)");
  static_assert(level == cache_level::ca || bytes == 16,
                "cp_async<BYTES, cache_level::cg>: cp.async.cg moves 16 bytes");
};
/// One cp.async of a valid width. @tparam fills whether source_bytes come from memory and the other bytes are zero
template <int bytes, cache_level level, bool fills, class Report>
COSMATI_HD inline void issue_cp_async([[maybe_unused]] void* shared, [[maybe_unused]] void const* global,
                                      [[maybe_unused]] unsigned source_bytes, [[maybe_unused]] Report const& report) {
  static_assert(target_lacks_the_instruction<instruction::cp_async, 80 + 0 * bytes, COSMATI_TARGET_SM>::ok);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 800
  std::uint32_t const to = cast_smem_ptr_to_uint(shared);
  auto const from = __cvta_generic_to_global(global);
  if constexpr (fills && level == cache_level::cg)
    asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(bytes), "r"(source_bytes)
                 : "memory");
  else if constexpr (fills)
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(bytes), "r"(source_bytes)
                 : "memory");
  else if constexpr (level == cache_level::cg)
    asm volatile("cp.async.cg.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(bytes) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(bytes) : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  report.issue(shared, global, bytes, fills ? source_bytes : static_cast<unsigned>(bytes), level);
#endif
}

template <class S, class D, cache_level level_, bool fills_>
template <class To>
COSMATI_HD void cp_async_operation<S, D, level_, fills_>::copy(S const& source, To& destination, bool predicate) {
  if constexpr (fills_)
    issue_cp_async<static_cast<int>(sizeof(S)), level_, true>(&destination, &source, predicate ? sizeof(S) : 0,
                                                              copy_of_no_tensors{});
  else if (predicate)
    issue_cp_async<static_cast<int>(sizeof(S)), level_, false>(&destination, &source, 0, copy_of_no_tensors{});
}

}  // namespace detail

/// Copies `bytes` (4, 8 or 16) from global to shared memory, without waiting. Both addresses are multiples of `bytes`.
/// @tparam level `.cg` bypasses the L1 cache and moves 16 bytes only
template <int bytes, cache_level level = bytes == 16 ? cache_level::cg : cache_level::ca>
COSMATI_HD inline void cp_async(void* shared, void const* global COSMATI_AND_CALLER_PARAMETERS_) {
  static_assert(sizeof(detail::cp_async_width<bytes, level>) != 0);
  detail::issue_cp_async<bytes, level, false>(shared, global, 0, detail::copy_of_no_tensors{COSMATI_CALLER_});
}
/// As `cp_async`, but only the first `source_bytes` come from global memory; the others become zero. 0 reads nothing.
template <int bytes, cache_level level = bytes == 16 ? cache_level::cg : cache_level::ca>
COSMATI_HD inline void cp_async_zfill(void* shared, void const* global,
                                      unsigned source_bytes COSMATI_AND_CALLER_PARAMETERS_) {
  static_assert(sizeof(detail::cp_async_width<bytes, level>) != 0);
  detail::issue_cp_async<bytes, level, true>(shared, global, source_bytes, detail::copy_of_no_tensors{COSMATI_CALLER_});
}

/// Ends a group, which consists of the thread's copies since the last one. A group may be empty.
template <int dependent = 0>
COSMATI_HD inline void cp_async_fence(COSMATI_CALLER_PARAMETERS_) {
  static_assert(detail::target_lacks_the_instruction<instruction::cp_async, 80 + dependent, COSMATI_TARGET_SM>::ok);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_cp_async_commit(file, line);
#endif
}
/// Waits until at most `pending` of the thread's newest groups are incomplete. As in CuTe, `cp_async_wait<0>()` waits
/// for all copies, also those of an open group.
template <int pending>
COSMATI_HD inline void cp_async_wait(COSMATI_CALLER_PARAMETERS_) {
  static_assert(pending >= 0, "cp_async_wait<N>: N is the number of groups that may stay in flight");
  static_assert(detail::target_lacks_the_instruction<instruction::cp_async, 80 + 0 * pending, COSMATI_TARGET_SM>::ok);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 800
  if constexpr (pending == 0)
    asm volatile("cp.async.wait_all;" ::: "memory");
  else
    asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_cp_async_wait(pending == 0 ? -1 : pending, file, line);
#endif
}
template <int pending>
COSMATI_HD inline void cp_async_wait(C<pending> COSMATI_AND_CALLER_PARAMETERS_) {
  cp_async_wait<pending>(COSMATI_CALLER_);
}
/// Waits until all asynchronous copies of the thread are complete, also those of an open group.
template <int dependent = 0>
COSMATI_HD inline void cp_async_wait_all(COSMATI_CALLER_PARAMETERS_) {
  cp_async_wait<0 * dependent>(COSMATI_CALLER_);
}

/// Makes the mbarrier receive an arrival when all earlier copies of this thread are complete. The mbarrier's pending
/// count grows by one for it, so the count at initialisation need not include the arrival.
template <int dependent = 0>
COSMATI_HD inline void cp_async_mbarrier_arrive(
    [[maybe_unused]] std::uint64_t& barrier COSMATI_AND_CALLER_PARAMETERS_) {
  static_assert(detail::target_lacks_the_instruction<instruction::cp_async, 80 + dependent, COSMATI_TARGET_SM>::ok);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(cast_smem_ptr_to_uint(&barrier)) : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_cp_async_mbarrier_arrive(&barrier, 0, file, line);
#endif
}
/// As `cp_async_mbarrier_arrive`, but the barrier's initial count must include the arrival.
template <int dependent = 0>
COSMATI_HD inline void cp_async_mbarrier_arrive_noinc(
    [[maybe_unused]] std::uint64_t& barrier COSMATI_AND_CALLER_PARAMETERS_) {
  static_assert(detail::target_lacks_the_instruction<instruction::cp_async, 80 + dependent, COSMATI_TARGET_SM>::ok);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(cast_smem_ptr_to_uint(&barrier)) : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_cp_async_mbarrier_arrive(&barrier, 1, file, line);
#endif
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
