// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tensor copies (`cp.async.bulk.tensor`, TMA): one thread copies a box of a matrix to shared memory or back. The box
/// has rows of 128 bytes in shared memory. Their 16-byte chunks are permuted by `Swizzle<3, 4, 3>` of the byte address.
///
/// runtime/tensor_map.hpp makes the descriptor on the host. A kernel takes it as `TmaDescriptor const
/// __grid_constant__`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/simulated.hpp>
#include <cosmati/arch/target.hpp>

namespace COSMATI_NAMESPACE {

/// A tensor of up to four modes in global memory, and the box of it that one copy moves. Mode 0 is contiguous; a box
/// has 128 bytes along it.
#if defined(COSMATI_SIMULATED)
struct TmaDescriptor {
  unsigned char* data;
  std::int64_t stride[4];  ///< the strides in bytes
  int extent[4];           ///< the extents in elements
  int box[4];              ///< the box in elements
  int element_bytes;
};
#else
struct alignas(64) TmaDescriptor {
  std::uint64_t words[16];  ///< the descriptor in the GPU's format
};
#endif

#if defined(COSMATI_SIMULATED)
namespace detail {

/// Calls each(address in shared memory, address in the tensor) for each chunk of 16 bytes of the box that begins at
/// `first`.
template <class Each>
void for_each_tensor_chunk(char const* name, void* shared, TmaDescriptor const& tensor, int const (&first)[4],
                           Each const& each) {
  for (int i = 0; i < 4; ++i) {
    if (first[i] < 0 || first[i] > tensor.extent[i] - tensor.box[i])
      fail_as("out_of_bounds",
              "%s: a box of %d elements that begins at %d leaves the tensor along mode %d, which has %d", name,
              tensor.box[i], first[i], i, tensor.extent[i]);
  }
  if (cast_smem_ptr_to_uint(shared) % 1024 != 0)
    fail_as("misaligned", "%s: the box is at shared address %u, which is no multiple of 1024", name,
            cast_smem_ptr_to_uint(shared));
  auto* const box = static_cast<unsigned char*>(shared);
  cosmati_sim_tensor_copy(1);
  int row = 0;
  for (int i3 = 0; i3 < tensor.box[3]; ++i3) {
    for (int i2 = 0; i2 < tensor.box[2]; ++i2) {
      for (int i1 = 0; i1 < tensor.box[1]; ++i1, ++row) {
        unsigned char* const at = tensor.data + first[0] * tensor.stride[0] + (first[1] + i1) * tensor.stride[1] +
                                  (first[2] + i2) * tensor.stride[2] + (first[3] + i3) * tensor.stride[3];
        for (int chunk = 0; chunk < 8; ++chunk) each(box + 128 * row + 16 * (chunk ^ row % 8), at + 16 * chunk);
      }
    }
  }
  cosmati_sim_tensor_copy(0);
}

}  // namespace detail
#endif

/// Copies the box that begins at (x0, x1, x2, x3) to shared memory, in rows of 128 bytes. The mbarrier counts its bytes
/// when they have arrived. One thread calls it. On a GPU, elements outside the tensor arrive as zeros; the simulated
/// device refuses such boxes.
/// @param shared aligned to 1024 bytes
template <int dependent = 0>
COSMATI_HD inline void tensor_copy_g2s([[maybe_unused]] void* shared, [[maybe_unused]] TmaDescriptor const& tensor,
                                       [[maybe_unused]] int x0, [[maybe_unused]] int x1, [[maybe_unused]] int x2,
                                       [[maybe_unused]] int x3,
                                       [[maybe_unused]] std::uint64_t& barrier COSMATI_AND_CALLER_PARAMETERS_) {
  static_assert(detail::target_lacks_the_instruction<instruction::cp_async_bulk_tensor, 90 + 0 * dependent,
                                                     COSMATI_TARGET_SM>::ok);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], "
      "[%6];" ::"r"(cast_smem_ptr_to_uint(shared)),
      "l"(&tensor), "r"(x0), "r"(x1), "r"(x2), "r"(x3), "r"(cast_smem_ptr_to_uint(&barrier))
      : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  detail::for_each_tensor_chunk(
      "tensor_copy_g2s", shared, tensor, {x0, x1, x2, x3},
      [&](auto* in_shared, auto* in_tensor) { cosmati_sim_bulk_load(in_shared, in_tensor, 16, &barrier, file, line); });
#endif
}

/// Stores the box that begins at (x0, x1, x2, x3), in the thread's open bulk group (`tma_store_arrive`,
/// `tma_store_wait`). One thread calls it, after the threads that wrote the box have called
/// `fence_proxy_async_shared()`.
/// @param shared aligned to 1024 bytes
template <int dependent = 0>
COSMATI_HD inline void tensor_copy_s2g([[maybe_unused]] TmaDescriptor const& tensor, [[maybe_unused]] void* shared,
                                       [[maybe_unused]] int x0, [[maybe_unused]] int x1, [[maybe_unused]] int x2,
                                       [[maybe_unused]] int x3 COSMATI_AND_CALLER_PARAMETERS_) {
  static_assert(detail::target_lacks_the_instruction<instruction::cp_async_bulk_tensor, 90 + 0 * dependent,
                                                     COSMATI_TARGET_SM>::ok);
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.bulk_group [%0, {%1, %2, %3, %4}], [%5];" ::"l"(&tensor),
               "r"(x0), "r"(x1), "r"(x2), "r"(x3), "r"(cast_smem_ptr_to_uint(shared))
               : "memory");
#endif
#elif defined(COSMATI_SIMULATED)
  detail::for_each_tensor_chunk(
      "tensor_copy_s2g", shared, tensor, {x0, x1, x2, x3},
      [&](auto* in_shared, auto* in_tensor) { cosmati_sim_bulk_store(in_tensor, in_shared, 16, file, line); });
#endif
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
