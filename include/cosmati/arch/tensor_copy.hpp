// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tensor copies (`cp.async.bulk.tensor`, TMA): one thread brings a box of a tensor of one to five modes to shared
/// memory or back.
///
/// In shared memory the box stands row after row of mode 0, and the descriptor says how chunks of 16 bytes are
/// exchanged (`TMA::SmemSwizzleBits`). A box may leave its tensor on any side: a load brings zeros from there, or NaNs
/// (`TMA::OOBFill`), and a store writes nothing there. arch/tensor_map.hpp has the descriptor.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/target.hpp>
#include <cosmati/arch/tensor_map.hpp>
#include <cosmati/atom/tma.hpp>

namespace COSMATI_NAMESPACE {

namespace TMA {

/// What L2 is told of the lines of a tensor copy: the policy operand of PTX's `.L2::cache_hint`.
enum class CacheHintSm90 : std::uint64_t {
  EVICT_NORMAL = 0x1000000000000000,
  EVICT_FIRST = 0x12F0000000000000,  ///< the lines go before others
  EVICT_LAST = 0x14F0000000000000    ///< the lines stay while others can go
};

}  // namespace TMA

#define COSMATI_TENSOR_COPY_NEEDS_(rank)                                                                    \
  static_assert((rank) >= 1 && (rank) <= 5,                                                                 \
                "tensor copies take one to five coordinates, one for each mode of the "                     \
                "descriptor");                                                                              \
  static_assert(detail::target_lacks_the_instruction<instruction::cp_async_bulk_tensor, 90 + 0 * dependent, \
                                                     COSMATI_TARGET_SM>::ok)

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
/// The instruction with `rank` coordinates behind the operands %0 to %(n - 1): `before` ends where the coordinates
/// begin. One statement for each rank, since operands cannot be packs.
#define COSMATI_TENSOR_COPY_ASM_(before_1, c1, c2, c3, c4, c5, after, ...)                                         \
  if constexpr (rank == 1)                                                                                         \
    asm volatile(before_1("1") "{%" c1 "}" after ::__VA_ARGS__, "r"(first[0]) : "memory");                         \
  else if constexpr (rank == 2)                                                                                    \
    asm volatile(before_1("2") "{%" c1 ", %" c2 "}" after ::__VA_ARGS__, "r"(first[0]), "r"(first[1]) : "memory"); \
  else if constexpr (rank == 3)                                                                                    \
    asm volatile(before_1("3") "{%" c1 ", %" c2 ", %" c3 "}" after ::__VA_ARGS__, "r"(first[0]), "r"(first[1]),    \
                 "r"(first[2])                                                                                     \
                 : "memory");                                                                                      \
  else if constexpr (rank == 4)                                                                                    \
    asm volatile(before_1("4") "{%" c1 ", %" c2 ", %" c3 ", %" c4 "}" after ::__VA_ARGS__, "r"(first[0]),          \
                 "r"(first[1]), "r"(first[2]), "r"(first[3])                                                       \
                 : "memory");                                                                                      \
  else                                                                                                             \
    asm volatile(before_1("5") "{%" c1 ", %" c2 ", %" c3 ", %" c4 ", %" c5 "}" after ::__VA_ARGS__, "r"(first[0]), \
                 "r"(first[1]), "r"(first[2]), "r"(first[3]), "r"(first[4])                                        \
                 : "memory")
#endif

/// Brings the box that begins at the coordinates `first`; the mbarrier counts the bytes of the whole box when they have
/// arrived, those from outside the tensor too. By one thread.
/// @param shared aligned to 128 bytes, with an exchange to 8 of its rows (256, 512 or 1024)
/// @param first one coordinate a mode of the descriptor, in elements; negative ones are possible
template <int dependent = 0, std::size_t rank>
COSMATI_HD inline void tensor_copy_g2s([[maybe_unused]] void* shared, [[maybe_unused]] TmaDescriptor const& tensor,
                                       [[maybe_unused]] int const (&first)[rank],
                                       [[maybe_unused]] std::uint64_t& barrier COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_TENSOR_COPY_NEEDS_(rank);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
#define COSMATI_BEFORE_(n) "cp.async.bulk.tensor." n "d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, "
  COSMATI_TENSOR_COPY_ASM_(COSMATI_BEFORE_, "3", "4", "5", "6", "7", "], [%2];", "r"(cast_smem_ptr_to_uint(shared)),
                           "l"(&tensor), "r"(cast_smem_ptr_to_uint(&barrier)));
#undef COSMATI_BEFORE_
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_tensor_load(shared, &tensor, static_cast<int>(rank), first, &barrier, file, line);
#endif
}
/// The same, and what L2 is told of the lines that are read.
template <int dependent = 0, std::size_t rank>
COSMATI_HD inline void tensor_copy_g2s([[maybe_unused]] void* shared, [[maybe_unused]] TmaDescriptor const& tensor,
                                       [[maybe_unused]] int const (&first)[rank],
                                       [[maybe_unused]] std::uint64_t& barrier,
                                       [[maybe_unused]] TMA::CacheHintSm90 hint COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_TENSOR_COPY_NEEDS_(rank);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
#define COSMATI_BEFORE_(n) \
  "cp.async.bulk.tensor." n "d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, "
  COSMATI_TENSOR_COPY_ASM_(COSMATI_BEFORE_, "4", "5", "6", "7", "8", "], [%2], %3;", "r"(cast_smem_ptr_to_uint(shared)),
                           "l"(&tensor), "r"(cast_smem_ptr_to_uint(&barrier)), "l"(static_cast<std::uint64_t>(hint)));
#undef COSMATI_BEFORE_
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_tensor_load(shared, &tensor, static_cast<int>(rank), first, &barrier, file, line);
#endif
}

/// Brings the box to the same place in the shared memory of each block of the cluster whose bit is in `mask`. There the
/// mbarrier at the place of `barrier` counts the bytes of the whole box.
/// @param mask bit r is that of the block with rank r; at least one, @param hint what L2 is told of the lines
template <int dependent = 0, std::size_t rank>
COSMATI_HD inline void tensor_copy_multicast(
    [[maybe_unused]] void* shared, [[maybe_unused]] TmaDescriptor const& tensor,
    [[maybe_unused]] int const (&first)[rank], [[maybe_unused]] std::uint64_t& barrier,
    [[maybe_unused]] std::uint16_t mask,
    [[maybe_unused]] TMA::CacheHintSm90 hint = TMA::CacheHintSm90::EVICT_NORMAL COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_TENSOR_COPY_NEEDS_(rank);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
#define COSMATI_BEFORE_(n)                                                                   \
  "cp.async.bulk.tensor." n                                                                  \
  "d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint " \
  "[%0], [%1, "
  COSMATI_TENSOR_COPY_ASM_(COSMATI_BEFORE_, "5", "6", "7", "8", "9", "], [%2], %3, %4;",
                           "r"(cast_smem_ptr_to_uint(shared)), "l"(&tensor), "r"(cast_smem_ptr_to_uint(&barrier)),
                           "h"(mask), "l"(static_cast<std::uint64_t>(hint)));
#undef COSMATI_BEFORE_
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_tensor_load_multicast(shared, &tensor, static_cast<int>(rank), first, &barrier, mask, file, line);
#endif
}

/// Stores the part of the box at the coordinates `first` that lies in the tensor, in the thread's open bulk group
/// (`tma_store_arrive`, `tma_store_wait`). By one thread, behind `fence_proxy_async_shared()` by those that wrote it.
/// @param shared aligned as for `tensor_copy_g2s`
template <int dependent = 0, std::size_t rank>
COSMATI_HD inline void tensor_copy_s2g([[maybe_unused]] TmaDescriptor const& tensor,
                                       [[maybe_unused]] void const* shared,
                                       [[maybe_unused]] int const (&first)[rank] COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_TENSOR_COPY_NEEDS_(rank);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
#define COSMATI_BEFORE_(n) "cp.async.bulk.tensor." n "d.global.shared::cta.bulk_group [%0, "
  COSMATI_TENSOR_COPY_ASM_(COSMATI_BEFORE_, "2", "3", "4", "5", "6", "], [%1];", "l"(&tensor),
                           "r"(cast_smem_ptr_to_uint(shared)));
#undef COSMATI_BEFORE_
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_tensor_store(&tensor, shared, static_cast<int>(rank), first, file, line);
#endif
}

/// Changes the elements of the tensor that lie in the box by those in shared memory (`tma_reduction`), as atomics do.
/// By one thread, in its open bulk group. The elements' type is the descriptor's.
template <tma_reduction operation, int dependent = 0, std::size_t rank>
COSMATI_HD inline void tensor_reduce_s2g([[maybe_unused]] TmaDescriptor const& tensor,
                                         [[maybe_unused]] void const* shared,
                                         [[maybe_unused]] int const (&first)[rank] COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_TENSOR_COPY_NEEDS_(rank);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
#define COSMATI_BEFORE_ADD_(n) "cp.reduce.async.bulk.tensor." n "d.global.shared::cta.add.tile.bulk_group [%0, "
#define COSMATI_BEFORE_MIN_(n) "cp.reduce.async.bulk.tensor." n "d.global.shared::cta.min.tile.bulk_group [%0, "
#define COSMATI_BEFORE_MAX_(n) "cp.reduce.async.bulk.tensor." n "d.global.shared::cta.max.tile.bulk_group [%0, "
#define COSMATI_BEFORE_INC_(n) "cp.reduce.async.bulk.tensor." n "d.global.shared::cta.inc.tile.bulk_group [%0, "
#define COSMATI_BEFORE_DEC_(n) "cp.reduce.async.bulk.tensor." n "d.global.shared::cta.dec.tile.bulk_group [%0, "
#define COSMATI_BEFORE_AND_(n) "cp.reduce.async.bulk.tensor." n "d.global.shared::cta.and.tile.bulk_group [%0, "
#define COSMATI_BEFORE_OR_(n) "cp.reduce.async.bulk.tensor." n "d.global.shared::cta.or.tile.bulk_group [%0, "
#define COSMATI_BEFORE_XOR_(n) "cp.reduce.async.bulk.tensor." n "d.global.shared::cta.xor.tile.bulk_group [%0, "
#define COSMATI_REDUCE_(which, before)                                                  \
  if constexpr (operation == tma_reduction::which) {                                    \
    COSMATI_TENSOR_COPY_ASM_(before, "2", "3", "4", "5", "6", "], [%1];", "l"(&tensor), \
                             "r"(cast_smem_ptr_to_uint(shared)));                       \
  }
  COSMATI_REDUCE_(add, COSMATI_BEFORE_ADD_)
  COSMATI_REDUCE_(min, COSMATI_BEFORE_MIN_)
  COSMATI_REDUCE_(max, COSMATI_BEFORE_MAX_)
  COSMATI_REDUCE_(inc, COSMATI_BEFORE_INC_)
  COSMATI_REDUCE_(dec, COSMATI_BEFORE_DEC_)
  COSMATI_REDUCE_(bit_and, COSMATI_BEFORE_AND_)
  COSMATI_REDUCE_(bit_or, COSMATI_BEFORE_OR_)
  COSMATI_REDUCE_(bit_xor, COSMATI_BEFORE_XOR_)
#undef COSMATI_REDUCE_
#undef COSMATI_BEFORE_ADD_
#undef COSMATI_BEFORE_MIN_
#undef COSMATI_BEFORE_MAX_
#undef COSMATI_BEFORE_INC_
#undef COSMATI_BEFORE_DEC_
#undef COSMATI_BEFORE_AND_
#undef COSMATI_BEFORE_OR_
#undef COSMATI_BEFORE_XOR_
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_tensor_reduce(&tensor, shared, static_cast<int>(rank), first, static_cast<int>(operation), file, line);
#endif
}

/// Brings the box at the coordinates `first` into the L2 cache. By one thread.
template <int dependent = 0, std::size_t rank>
COSMATI_HD inline void tensor_prefetch_l2([[maybe_unused]] TmaDescriptor const& tensor,
                                          [[maybe_unused]] int const (&first)[rank] COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_TENSOR_COPY_NEEDS_(rank);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
#define COSMATI_BEFORE_(n) "cp.async.bulk.prefetch.tensor." n "d.L2.global [%0, "
  COSMATI_TENSOR_COPY_ASM_(COSMATI_BEFORE_, "1", "2", "3", "4", "5", "];", "l"(&tensor));
#undef COSMATI_BEFORE_
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_tensor_prefetch(&tensor, static_cast<int>(rank), first, nullptr, file, line);
#endif
}

/// Brings the descriptor itself into the cache from which tensor copies read it, so that the first copy does not wait.
template <int dependent = 0>
COSMATI_HD inline void prefetch_tma_descriptor([[maybe_unused]] TmaDescriptor const* tensor) {
  COSMATI_TENSOR_COPY_NEEDS_(1);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("prefetch.tensormap [%0];" ::"l"(tensor) : "memory");
#endif
}

#undef COSMATI_TENSOR_COPY_ASM_
#undef COSMATI_TENSOR_COPY_NEEDS_

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
