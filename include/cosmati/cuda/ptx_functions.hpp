// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUDA's header cuda/ptx provides: instructions for mbarriers, bulk copies, fences, clusters, special registers.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <cosmati/cuda/barrier.hpp>
#include <cosmati/cuda/cluster_group.hpp>
#include <cstdint>
#include <type_traits>

#define COSMATI_SITE_ char const *file = __builtin_FILE(), int line = __builtin_LINE()

namespace cuda::ptx {

/// @name Words of instructions: the order, the scope, the space, a number that is a constant
/// @{
inline constexpr struct sem_acquire_t {
} sem_acquire;
inline constexpr struct sem_release_t {
} sem_release;
inline constexpr struct sem_acq_rel_t {
} sem_acq_rel;
inline constexpr struct sem_relaxed_t {
} sem_relaxed;
inline constexpr struct sem_sc_t {
} sem_sc;
inline constexpr struct scope_cta_t {
} scope_cta;
inline constexpr struct scope_cluster_t {
} scope_cluster;
inline constexpr struct scope_gpu_t {
} scope_gpu;
inline constexpr struct scope_sys_t {
} scope_sys;
inline constexpr struct space_global_t {
} space_global;
inline constexpr struct space_shared_t {
} space_shared;
inline constexpr struct space_cluster_t {
} space_cluster;
template <int n>
using n32_t = ::std::integral_constant<int, n>;
template <int n>
inline constexpr n32_t<n> n32{};
/// @}

/// @name mbarriers of the block
/// The state is what an arrival returns.
/// @{
inline void mbarrier_init(::std::uint64_t* barrier, ::std::uint32_t count, COSMATI_SITE_) {
  cosmati_sim_mbarrier_init(barrier, count, file, line);
}
inline void mbarrier_inval(::std::uint64_t* barrier, COSMATI_SITE_) { cosmati_sim_mbarrier_inval(barrier, file, line); }
inline ::std::uint64_t mbarrier_arrive(::std::uint64_t* barrier, ::std::uint32_t count = 1, COSMATI_SITE_) {
  return cosmati_sim_mbarrier_arrive(barrier, count, file, line);
}
template <class Order, class Scope>
requires(std::is_empty_v<Order>)::std::uint64_t
    mbarrier_arrive(Order, Scope, space_shared_t, ::std::uint64_t* barrier, ::std::uint32_t count = 1, COSMATI_SITE_) {
  return cosmati_sim_mbarrier_arrive(barrier, count, file, line);
}
template <class Order, class Scope>
::std::uint64_t mbarrier_arrive_expect_tx(Order, Scope, space_shared_t, ::std::uint64_t* barrier, ::std::uint32_t bytes,
                                          COSMATI_SITE_) {
  return cosmati_sim_mbarrier_arrive_expect_tx(barrier, bytes, file, line);
}
template <class Scope>
void mbarrier_expect_tx(sem_relaxed_t, Scope, space_shared_t, ::std::uint64_t* barrier, ::std::uint32_t bytes,
                        COSMATI_SITE_) {
  cosmati_sim_mbarrier_expect_tx(barrier, bytes, file, line);
}
#define COSMATI_WAIT_(name)                                                                                           \
  inline bool mbarrier_##name##_wait(::std::uint64_t* barrier, ::std::uint64_t const& state, COSMATI_SITE_) {         \
    return cosmati_sim_mbarrier_test_wait(barrier, state, file, line) != 0;                                           \
  }                                                                                                                   \
  template <class Order, class Scope>                                                                                 \
  requires(std::is_empty_v<Order>) bool mbarrier_##name##_wait(Order, Scope, ::std::uint64_t* barrier,                \
                                                               ::std::uint64_t const& state, COSMATI_SITE_) {         \
    return cosmati_sim_mbarrier_test_wait(barrier, state, file, line) != 0;                                           \
  }                                                                                                                   \
  inline bool mbarrier_##name##_wait_parity(::std::uint64_t* barrier, ::std::uint32_t const& parity, COSMATI_SITE_) { \
    return cosmati_sim_mbarrier_try_wait_parity(barrier, parity, file, line) != 0;                                    \
  }                                                                                                                   \
  template <class Order, class Scope>                                                                                 \
  requires(std::is_empty_v<Order>) bool mbarrier_##name##_wait_parity(Order, Scope, ::std::uint64_t* barrier,         \
                                                                      ::std::uint32_t const& parity, COSMATI_SITE_) { \
    return cosmati_sim_mbarrier_try_wait_parity(barrier, parity, file, line) != 0;                                    \
  }
COSMATI_WAIT_(test)
COSMATI_WAIT_(try)
#undef COSMATI_WAIT_
/// @}

/// @name Asynchronous copies and their groups
/// @{
template <class Space>
void cp_async_bulk(Space, space_global_t, void* to, void const* from, ::std::uint32_t const& bytes,
                   ::std::uint64_t* barrier, COSMATI_SITE_) {
  static_assert(std::is_same_v<Space, space_cluster_t> || std::is_same_v<Space, space_shared_t>,
                "cuda::ptx::cp_async_bulk: the target of a copy from global memory is space_cluster or space_shared");
  cosmati_sim_bulk_load(to, from, bytes, barrier, file, line);
}
inline void cp_async_bulk(space_global_t, space_shared_t, void* to, void const* from, ::std::uint32_t const& bytes,
                          COSMATI_SITE_) {
  cosmati_sim_bulk_store(to, from, bytes, file, line);
}
inline void cp_async_bulk_commit_group(COSMATI_SITE_) { cosmati_sim_bulk_commit(file, line); }
template <int newest>
void cp_async_bulk_wait_group(n32_t<newest>, COSMATI_SITE_) {
  cosmati_sim_bulk_wait(newest, 0, file, line);
}
template <int newest>
void cp_async_bulk_wait_group_read(n32_t<newest>, COSMATI_SITE_) {
  cosmati_sim_bulk_wait(newest, 1, file, line);
}
inline void cp_async_mbarrier_arrive(::std::uint64_t* barrier, COSMATI_SITE_) {
  cosmati_sim_cp_async_mbarrier_arrive(barrier, 0, file, line);
}
inline void cp_async_mbarrier_arrive_noinc(::std::uint64_t* barrier, COSMATI_SITE_) {
  cosmati_sim_cp_async_mbarrier_arrive(barrier, 1, file, line);
}
/// @}

/// @name Fences
/// @{
inline void fence_proxy_async(COSMATI_SITE_) { cosmati_sim_fence_proxy_async(0, file, line); }
inline void fence_proxy_async(space_shared_t, COSMATI_SITE_) { cosmati_sim_fence_proxy_async(1, file, line); }
inline void fence_proxy_async(space_global_t, COSMATI_SITE_) { cosmati_sim_fence_proxy_async(2, file, line); }
inline void fence_mbarrier_init(sem_release_t, scope_cluster_t, COSMATI_SITE_) {
  cosmati_sim_fence_mbarrier_init(file, line);
}
template <class Order, class Scope>
void fence(Order, Scope) {
  cosmati_sim_thread_fence(std::is_same_v<Scope, scope_cta_t> ? 0 : 1);
}
/// @}

/// @name Clusters
/// @{
inline void barrier_cluster_arrive(COSMATI_SITE_) { cosmati_cuda::cluster_arrive(0, file, line); }
inline void barrier_cluster_arrive(sem_release_t, COSMATI_SITE_) { cosmati_cuda::cluster_arrive(0, file, line); }
inline void barrier_cluster_arrive(sem_relaxed_t, COSMATI_SITE_) { cosmati_cuda::cluster_arrive(1, file, line); }
inline void barrier_cluster_wait(COSMATI_SITE_) { cosmati_cuda::cluster_wait(file, line); }
inline void barrier_cluster_wait(sem_acquire_t, COSMATI_SITE_) { cosmati_cuda::cluster_wait(file, line); }
template <class T>
T* mapa(space_cluster_t, T* own, ::std::uint32_t rank, COSMATI_SITE_) {
  return static_cast<T*>(cosmati_sim_map_shared_rank(own, rank, file, line));
}
inline ::std::uint32_t getctarank(space_cluster_t, void const* address) {
  return cosmati_sim_query_shared_rank(address);
}
/// @}

/// True in one lane of the mask, the lowest.
inline bool elect_sync(::std::uint32_t const& mask, COSMATI_SITE_) {
  __syncwarp(mask, file, line);
  return cosmati_sim_lane() == static_cast<unsigned>(__ffs(static_cast<int>(mask)) - 1);
}

/// @name Special registers
/// @{
#define COSMATI_SREG_(name, value) \
  inline ::std::uint32_t get_sreg_##name() { return value; }
#define COSMATI_SREG_3_(name, value) \
  COSMATI_SREG_(name##_x, value.x)   \
  COSMATI_SREG_(name##_y, value.y)   \
  COSMATI_SREG_(name##_z, value.z)
COSMATI_SREG_3_(tid, threadIdx)
COSMATI_SREG_3_(ntid, blockDim)
COSMATI_SREG_3_(ctaid, blockIdx)
COSMATI_SREG_3_(nctaid, gridDim)
COSMATI_SREG_3_(cluster_nctaid, cosmati_cuda::cluster_place(0))
COSMATI_SREG_3_(cluster_ctaid, cosmati_cuda::cluster_place(3))
COSMATI_SREG_3_(clusterid, cosmati_cuda::cluster_place(6))
COSMATI_SREG_3_(nclusterid, cosmati_cuda::cluster_place(9))
COSMATI_SREG_(laneid, cosmati_sim_lane())
COSMATI_SREG_(warpid, cosmati_sim_warp())
COSMATI_SREG_(cluster_ctarank, cosmati_sim_cluster_rank())
COSMATI_SREG_(cluster_nctarank, cosmati_sim_cluster_blocks())
COSMATI_SREG_(lanemask_eq, 1u << cosmati_sim_lane())
COSMATI_SREG_(lanemask_lt, (1u << cosmati_sim_lane()) - 1u)
COSMATI_SREG_(lanemask_le, (2u << cosmati_sim_lane()) - 1u)
COSMATI_SREG_(lanemask_gt, ~((2u << cosmati_sim_lane()) - 1u))
COSMATI_SREG_(lanemask_ge, ~((1u << cosmati_sim_lane()) - 1u))
#undef COSMATI_SREG_3_
#undef COSMATI_SREG_
inline ::std::uint64_t get_sreg_clock64() { return static_cast<::std::uint64_t>(clock64()); }
inline ::std::uint64_t get_sreg_globaltimer() { return globaltimer(); }
/// @}

}  // namespace cuda::ptx

#undef COSMATI_SITE_

#endif

#include <cosmati/core/macros_end.hpp>
