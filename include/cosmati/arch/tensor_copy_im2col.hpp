// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tensor copies in the mode im2col (`cp.async.bulk.tensor....im2col`, TMA): one thread moves a number of pixels, each
/// with some of its channels, from a batch of images to the rows of a tile in shared memory, or back.
///
/// Pixels follow each other within the descriptor's box of pixels (runtime/tensor_map_im2col.hpp), along the width
/// first, from image to image. The offsets of a load, a position in the filter of a convolution, are added to each
/// pixel's coordinates. Channels and pixels from outside of the tensor are filled, as those of other tensor copies.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/target.hpp>
#include <cosmati/arch/tensor_copy.hpp>
#include <cosmati/arch/tensor_map.hpp>

namespace COSMATI_NAMESPACE {

#define COSMATI_IM2COL_NEEDS_(rank)                                                                         \
  static_assert((rank) >= 3 && (rank) <= 5,                                                                 \
                "tensor copies of the mode im2col take three to five coordinates: channel, the pixel's "    \
                "one to three, image");                                                                     \
  static_assert(detail::target_lacks_the_instruction<instruction::cp_async_bulk_tensor, 90 + 0 * dependent, \
                                                     COSMATI_TARGET_SM>::ok)

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define COSMATI_LOAD_PIXELS_(ending, c1, c2, c3, c4, c5, c6, c7, c8, after, ...)                                    \
  if constexpr (rank == 3)                                                                                          \
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes" ending        \
                 " [%0], [%1, {%" c1 ", %" c2 ", %" c3 "}], [%2], {%" c4 "}" after ::__VA_ARGS__,                   \
                 "r"(first[0]), "r"(first[1]), "r"(first[2]), "h"(static_cast<std::uint16_t>(offsets[0]))           \
                 : "memory");                                                                                       \
  else if constexpr (rank == 4)                                                                                     \
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes" ending        \
                 " [%0], [%1, {%" c1 ", %" c2 ", %" c3 ", %" c4 "}], [%2], {%" c5 ", %" c6 "}" after ::__VA_ARGS__, \
                 "r"(first[0]), "r"(first[1]), "r"(first[2]), "r"(first[3]),                                        \
                 "h"(static_cast<std::uint16_t>(offsets[0])), "h"(static_cast<std::uint16_t>(offsets[1]))           \
                 : "memory");                                                                                       \
  else                                                                                                              \
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes" ending        \
                 " [%0], [%1, {%" c1 ", %" c2 ", %" c3 ", %" c4 ", %" c5 "}], [%2], {%" c6 ", %" c7 ", %" c8        \
                 "}" after ::__VA_ARGS__,                                                                           \
                 "r"(first[0]), "r"(first[1]), "r"(first[2]), "r"(first[3]), "r"(first[4]),                         \
                 "h"(static_cast<std::uint16_t>(offsets[0])), "h"(static_cast<std::uint16_t>(offsets[1])),          \
                 "h"(static_cast<std::uint16_t>(offsets[2]))                                                        \
                 : "memory")
#endif

/// Brings the pixels that begin at `first`; the mbarrier counts the bytes of all of them, those from outside the tensor
/// too. By one thread.
/// @param shared aligned as for `tensor_copy_g2s`
/// @param first the first channel, the first pixel's coordinates in the box of pixels, and the image
/// @param offsets added to the pixels' coordinates along width, height, depth: 0 to 65535 with three modes, to 255 with
///   four, to 31 with five
template <int dependent = 0, std::size_t rank>
COSMATI_HD inline void tensor_copy_im2col_g2s([[maybe_unused]] void* shared,
                                              [[maybe_unused]] TmaDescriptor const& tensor,
                                              [[maybe_unused]] int const (&first)[rank],
                                              [[maybe_unused]] int const (&offsets)[rank - 2],
                                              [[maybe_unused]] std::uint64_t& barrier COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_IM2COL_NEEDS_(rank);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  COSMATI_LOAD_PIXELS_("", "3", "4", "5", "6", "7", "8", "9", "10", ";", "r"(cast_smem_ptr_to_uint(shared)),
                       "l"(&tensor), "r"(cast_smem_ptr_to_uint(&barrier)));
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_tensor_load_im2col(shared, &tensor, static_cast<int>(rank), first, offsets, &barrier, -1, file, line);
#endif
}

/// Brings the pixels to the same place in the shared memory of each block of the cluster whose bit is in `mask`, as
/// `tensor_copy_multicast` does.
template <int dependent = 0, std::size_t rank>
COSMATI_HD inline void tensor_copy_im2col_multicast(
    [[maybe_unused]] void* shared, [[maybe_unused]] TmaDescriptor const& tensor,
    [[maybe_unused]] int const (&first)[rank], [[maybe_unused]] int const (&offsets)[rank - 2],
    [[maybe_unused]] std::uint64_t& barrier, [[maybe_unused]] std::uint16_t mask COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_IM2COL_NEEDS_(rank);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  COSMATI_LOAD_PIXELS_(".multicast::cluster", "4", "5", "6", "7", "8", "9", "10", "11", ", %3;",
                       "r"(cast_smem_ptr_to_uint(shared)), "l"(&tensor), "r"(cast_smem_ptr_to_uint(&barrier)),
                       "h"(mask));
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_tensor_load_im2col(shared, &tensor, static_cast<int>(rank), first, offsets, &barrier, mask, file, line);
#endif
}

/// Stores the pixels that begin at `first`, without offsets (`im2col_no_offs`), in the thread's open bulk group. What
/// lies outside of the tensor is not stored.
template <int dependent = 0, std::size_t rank>
COSMATI_HD inline void tensor_copy_im2col_s2g(
    [[maybe_unused]] TmaDescriptor const& tensor, [[maybe_unused]] void const* shared,
    [[maybe_unused]] int const (&first)[rank] COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_IM2COL_NEEDS_(rank);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  if constexpr (rank == 3)
    asm volatile(
        "cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(&tensor),
        "r"(cast_smem_ptr_to_uint(shared)), "r"(first[0]), "r"(first[1]), "r"(first[2])
        : "memory");
  else if constexpr (rank == 4)
    asm volatile(
        "cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(
            &tensor),
        "r"(cast_smem_ptr_to_uint(shared)), "r"(first[0]), "r"(first[1]), "r"(first[2]), "r"(first[3])
        : "memory");
  else
    asm volatile(
        "cp.async.bulk.tensor.5d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];" ::"l"(
            &tensor),
        "r"(cast_smem_ptr_to_uint(shared)), "r"(first[0]), "r"(first[1]), "r"(first[2]), "r"(first[3]), "r"(first[4])
        : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_tensor_store_im2col(&tensor, shared, static_cast<int>(rank), first, file, line);
#endif
}

namespace detail {
/// An operation's word in the instruction.
template <tma_reduction operation>
struct reduction_word {
  static constexpr char value[] = {"addminmaxincdecandor\0xor"[3 * static_cast<int>(operation)],
                                   "addminmaxincdecandor\0xor"[3 * static_cast<int>(operation) + 1],
                                   "addminmaxincdecandor\0xor"[3 * static_cast<int>(operation) + 2], 0};
};
}  // namespace detail

/// Changes the elements of the pixels that begin at `first` by those in shared memory, as by atomics, in the thread's
/// open bulk group. What lies outside of the tensor is not changed.
template <tma_reduction operation, int dependent = 0, std::size_t rank>
COSMATI_HD inline void tensor_reduce_im2col_s2g(
    [[maybe_unused]] TmaDescriptor const& tensor, [[maybe_unused]] void const* shared,
    [[maybe_unused]] int const (&first)[rank] COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_IM2COL_NEEDS_(rank);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
#define COSMATI_REDUCE_PIXELS_(n, word, coordinates, ...)                                                     \
  asm volatile("cp.reduce.async.bulk.tensor." n "d.global.shared::cta.%" word                                 \
               ".im2col_no_offs.bulk_group [%0, {" coordinates "}], [%1];" ::"l"(&tensor),                    \
               "r"(cast_smem_ptr_to_uint(shared)), __VA_ARGS__, "C"(detail::reduction_word<operation>::value) \
               : "memory")
  if constexpr (rank == 3)
    COSMATI_REDUCE_PIXELS_("3", "5", "%2, %3, %4", "r"(first[0]), "r"(first[1]), "r"(first[2]));
  else if constexpr (rank == 4)
    COSMATI_REDUCE_PIXELS_("4", "6", "%2, %3, %4, %5", "r"(first[0]), "r"(first[1]), "r"(first[2]), "r"(first[3]));
  else
    COSMATI_REDUCE_PIXELS_("5", "7", "%2, %3, %4, %5, %6", "r"(first[0]), "r"(first[1]), "r"(first[2]), "r"(first[3]),
                           "r"(first[4]));
#undef COSMATI_REDUCE_PIXELS_
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_tensor_reduce_im2col(&tensor, shared, static_cast<int>(rank), first, static_cast<int>(operation), file,
                                   line);
#endif
}

/// Brings the pixels that begin at `first` into the L2 cache. By one thread. Arguments as for a load.
template <int dependent = 0, std::size_t rank>
COSMATI_HD inline void tensor_prefetch_im2col_l2(
    [[maybe_unused]] TmaDescriptor const& tensor, [[maybe_unused]] int const (&first)[rank],
    [[maybe_unused]] int const (&offsets)[rank - 2] COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_IM2COL_NEEDS_(rank);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  [[maybe_unused]] auto const offset = [&](int i) { return static_cast<std::uint16_t>(offsets[i]); };
  if constexpr (rank == 3)
    asm volatile("cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [%0, {%1, %2, %3}], {%4};" ::"l"(&tensor),
                 "r"(first[0]), "r"(first[1]), "r"(first[2]), "h"(offset(0))
                 : "memory");
  else if constexpr (rank == 4)
    asm volatile("cp.async.bulk.prefetch.tensor.4d.L2.global.im2col [%0, {%1, %2, %3, %4}], {%5, %6};" ::"l"(&tensor),
                 "r"(first[0]), "r"(first[1]), "r"(first[2]), "r"(first[3]), "h"(offset(0)), "h"(offset(1))
                 : "memory");
  else
    asm volatile(
        "cp.async.bulk.prefetch.tensor.5d.L2.global.im2col [%0, {%1, %2, %3, %4, %5}], {%6, %7, %8};" ::"l"(&tensor),
        "r"(first[0]), "r"(first[1]), "r"(first[2]), "r"(first[3]), "r"(first[4]), "h"(offset(0)), "h"(offset(1)),
        "h"(offset(2))
        : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_tensor_prefetch(&tensor, static_cast<int>(rank), first, offsets, file, line);
#endif
}

#undef COSMATI_LOAD_PIXELS_
#undef COSMATI_IM2COL_NEEDS_

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
