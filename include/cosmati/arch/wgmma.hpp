// SPDX-License-Identifier: Apache-2.0
/// @file
/// How warpgroup matrix instructions are issued, grouped and waited for (`wgmma`, sm_90a).
///
/// Four warps execute each call together. The order: write the operands to shared memory, `fence_proxy_async_shared()`,
/// a barrier; then `warpgroup_arrive()`, `wgmma` once or several times, `warpgroup_commit_batch()`, and
/// `warpgroup_wait<0>()` before the sums are read or the operands overwritten.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/simulated.hpp>
#include <cosmati/arch/wgmma_asm.hpp>
#include <cosmati/arch/wgmma_simulated.hpp>
#include <cosmati/atom/wgmma_sparse_instruction.hpp>

namespace COSMATI_NAMESPACE {

namespace detail {
template <int target>
struct target_lacks_wgmma {
  static constexpr bool ok = target == 0 || target == 90;
  static_assert(ok,
                "the GPU that is compiled for lacks warpgroup matrix instructions, target_lacks_wgmma<TARGET>: they "
                "are sm_90a's alone, the target is sm_TARGET; compile with -arch=sm_90a");
};
#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
/// nvcc compiles for compute_90 beside sm_90a: the code must be there, and stops when it runs.
__device__ inline void stop_without_wgmma() {
  fail(
      "wgmma: the kernel was compiled for sm_90, which lacks warpgroup matrix instructions; compile with -arch=sm_90a");
}
#endif
}  // namespace detail

#define COSMATI_WGMMA_NEEDED_(dependent) \
  static_assert(detail::target_lacks_wgmma<COSMATI_TARGET_SM + 0 * (dependent)>::ok)

/// Registers and shared memory that the warpgroup has written may be used by the matrix instructions that follow.
template <int dependent = 0>
COSMATI_HD inline void warpgroup_arrive() {
  COSMATI_WGMMA_NEEDED_(dependent);
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_matrix_fence();
#endif
}
/// Ends the group of the matrix instructions that were issued since the last one.
template <int dependent = 0>
COSMATI_HD inline void warpgroup_commit_batch() {
  COSMATI_WGMMA_NEEDED_(dependent);
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_matrix_commit();
#endif
}
/// Returns when all but the `pending` newest groups are complete, 0 to 7.
template <int pending>
COSMATI_HD inline void warpgroup_wait() {
  static_assert(pending >= 0 && pending <= 7, "warpgroup_wait<N>: 0 to 7 groups may be pending");
  COSMATI_WGMMA_NEEDED_(pending);
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_matrix_wait(pending);
#endif
}
/// Keeps the compiler from moving uses of a register across this place.
COSMATI_HD inline void warpgroup_fence_operand([[maybe_unused]] std::uint32_t& held) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(held)::"memory");
#endif
}
COSMATI_HD inline void warpgroup_fence_operand([[maybe_unused]] std::int32_t& held) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(held)::"memory");
#endif
}
COSMATI_HD inline void warpgroup_fence_operand([[maybe_unused]] float& held) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+f"(held)::"memory");
#endif
}
namespace detail {
/// The same for 16 registers at once. One statement costs the compiler less than 16.
template <class T>
COSMATI_HD inline void fence_16_registers([[maybe_unused]] T* r) {
#if defined(__CUDA_ARCH__)
#define COSMATI_FENCED_(c)                                                                                           \
  asm volatile(""                                                                                                    \
               : c(r[0]), c(r[1]), c(r[2]), c(r[3]), c(r[4]), c(r[5]), c(r[6]), c(r[7]), c(r[8]), c(r[9]), c(r[10]), \
                 c(r[11]), c(r[12]), c(r[13]), c(r[14]), c(r[15])::"memory")
  if constexpr (std::is_same_v<T, float>)
    COSMATI_FENCED_("+f");
  else
    COSMATI_FENCED_("+r");
#undef COSMATI_FENCED_
#endif
}
}  // namespace detail

/// d = a b, added to d where `out` is ScaleOut::One; asynchronously, by the whole warpgroup.
/// @tparam Op a row of the table (atom/wgmma_instruction.hpp)
/// @param a a descriptor, or the thread's registers of A; @param b a descriptor
template <class Op>
requires(detail::wgmma_operation<Op>) COSMATI_HD
    inline void wgmma([[maybe_unused]] typename Op::DRegisters& d, [[maybe_unused]] typename Op::ARegisters const& a,
                      [[maybe_unused]] typename Op::BRegisters const& b,
                      [[maybe_unused]] GMMA::ScaleOut out = GMMA::ScaleOut::One COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_WGMMA_NEEDED_(Op::N);
#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
  detail::stop_without_wgmma();
#elif defined(__CUDA_ARCH__)
  detail::issue_wgmma<Op>(&d[0], &a[0], &b[0], static_cast<int>(out));
#elif defined(COSMATI_SIMULATED)
  detail::simulate_wgmma<Op>(&d[0], &a[0], &b[0], static_cast<int>(out), file, line);
#else
  fail("%s: the host has no matrix instructions; call it in a kernel, on a GPU or on the simulated device",
       detail::wgmma_mnemonic<Op>::value);
#endif
}

/// The same product with a sparse A, which is stored without half of its elements; asynchronously, by the whole
/// warpgroup. @tparam Op a row of the table (atom/wgmma_sparse_instruction.hpp)
/// @param a a descriptor of the stored (64, K / 2), or the thread's registers of it; @param b a descriptor of (N, K)
/// @param e the thread's metadata: the places of the stored elements
template <class Op>
requires(detail::wgmma_sparse_operation<Op>) COSMATI_HD
    inline void wgmma_sparse([[maybe_unused]] typename Op::DRegisters& d,
                             [[maybe_unused]] typename Op::ARegisters const& a,
                             [[maybe_unused]] typename Op::BRegisters const& b, [[maybe_unused]] std::uint32_t e,
                             [[maybe_unused]] GMMA::ScaleOut out = GMMA::ScaleOut::One COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_WGMMA_NEEDED_(Op::N);
#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
  detail::stop_without_wgmma();
#elif defined(__CUDA_ARCH__)
  detail::issue_wgmma<Op>(&d[0], &a[0], &b[0], static_cast<int>(out), e);
#elif defined(COSMATI_SIMULATED)
  detail::simulate_wgmma<Op>(&d[0], &a[0], &b[0], static_cast<int>(out), file, line, e);
#else
  fail("%s: the host has no matrix instructions; call it in a kernel, on a GPU or on the simulated device",
       detail::wgmma_mnemonic<Op>::value);
#endif
}

#undef COSMATI_WGMMA_NEEDED_

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
