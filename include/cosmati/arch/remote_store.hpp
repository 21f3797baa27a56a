// SPDX-License-Identifier: Apache-2.0
/// @file
/// Stores to the shared memory of other blocks of the cluster that an mbarrier there counts (`st.async`, sm_90).
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/cluster.hpp>
#include <cosmati/arch/target.hpp>

namespace COSMATI_NAMESPACE {

/// Stores 32 bits in the shared memory of the block `rank` of the cluster. The mbarrier there counts 4 bytes when they
/// have arrived; a thread of that block waits for it. CuTe's name and arguments.
/// @param address, barrier the places of the value and of the mbarrier in the running block's shared memory, as
///   `cast_smem_ptr_to_uint` gives them
template <int dependent = 0>
COSMATI_HD inline void store_shared_remote([[maybe_unused]] std::uint32_t value, [[maybe_unused]] std::uint32_t address,
                                           [[maybe_unused]] std::uint32_t barrier,
                                           [[maybe_unused]] std::uint32_t rank COSMATI_AND_CALLER_PARAMETERS_) {
  static_assert(detail::target_lacks_the_instruction<instruction::mbarrier, 90 + 0 * dependent, COSMATI_TARGET_SM>::ok);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(set_block_rank(address, rank)),
      "r"(value), "r"(set_block_rank(barrier, rank))
      : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_store_remote(cosmati_sim_shared_of(address), rank, value,
                           static_cast<std::uint64_t*>(cosmati_sim_shared_of(barrier)), file, line);
#endif
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
