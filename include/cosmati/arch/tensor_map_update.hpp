// SPDX-License-Identifier: Apache-2.0
/// @file
/// Changes of a tensor copy's descriptor in a kernel (`tensormap.replace`, sm_90a), and the fences behind which tensor
/// copies use it.
///
/// The order: one thread changes the fields of a descriptor in shared memory, then the whole warp calls
/// `tma_descriptor_cp_fence_release`, which copies it to global memory; the threads that copy with it call
/// `tma_descriptor_fence_acquire` before. A descriptor in global memory may be changed in place: then the thread calls
/// `tma_descriptor_fence_release` in the place of the copy. Copies in flight still read the old descriptor, so that
/// they must be complete before it changes.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/exchange.hpp>
#include <cosmati/arch/target.hpp>
#include <cosmati/arch/tensor_map.hpp>
#include <cosmati/arch/warp.hpp>
#include <cosmati/core/array.hpp>

namespace COSMATI_NAMESPACE {

/// The fields of a descriptor that a kernel can change.
enum class tensor_map_field : std::uint8_t {
  global_address,
  rank,
  box_dim,
  global_dim,
  global_stride,
  element_stride,
  element_type,
  interleave,
  swizzle,
  fill
};

namespace detail {

template <int target>
struct target_changes_no_descriptors {
  static constexpr bool ok = target == 0 || target == 90;
  static_assert(ok,
                "the GPU that is compiled for has no tensormap.replace, target_changes_no_descriptors<TARGET>: it is "
                "sm_90a's, the target is sm_TARGET; compile with -arch=sm_90a");
};
#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
/// nvcc compiles for compute_90 beside sm_90a: the code must be there, and stops when it runs.
__device__ inline void stop_without_tensormap_replace() {
  fail(
      "tensormap.replace: the kernel was compiled for sm_90, which cannot change descriptors; compile with "
      "-arch=sm_90a");
}
#endif
/// PTX's number of an element type, which differs from the driver's.
COSMATI_HD constexpr int ptx_number_of(tensor_map_type type) {
  switch (type) {
    case tensor_map_type::f32_ftz:
      return 8;
    case tensor_map_type::f64:
      return 9;
    case tensor_map_type::bf16:
      return 10;
    default:
      return static_cast<int>(type);
  }
}

#if defined(COSMATI_SIMULATED)
/// Stores one field, whose value the simulated device has checked.
inline void store_tensor_map_field(TmaDescriptor& t, tensor_map_field field, int mode, std::uint64_t value) {
  switch (field) {
    case tensor_map_field::global_address:
      t.data = reinterpret_cast<unsigned char*>(value);
      break;
    case tensor_map_field::rank:
      t.rank = static_cast<std::uint8_t>(value + 1);
      break;
    case tensor_map_field::box_dim:
      t.box[mode] = static_cast<std::uint16_t>(value);
      break;
    case tensor_map_field::global_dim:
      t.last[mode] = static_cast<std::uint32_t>(value) - 1;
      break;
    case tensor_map_field::global_stride:
      t.stride[mode + 1] = static_cast<std::int64_t>(value);
      break;
    case tensor_map_field::element_stride:
      t.step[mode] = static_cast<std::uint8_t>(value);
      break;
    case tensor_map_field::element_type:
      t.type = static_cast<std::uint8_t>(value);
      t.element_bytes = static_cast<std::uint8_t>(bytes_of(static_cast<tensor_map_type>(value)));
      t.stride[0] = t.element_bytes;
      break;
    case tensor_map_field::interleave:
      t.interleave = static_cast<std::uint8_t>(value);
      break;
    case tensor_map_field::swizzle:
      t.swizzle = static_cast<std::uint8_t>(value);
      break;
    case tensor_map_field::fill:
      t.fill = static_cast<std::uint8_t>(value);
      break;
  }
}
#endif

}  // namespace detail

#define COSMATI_TENSOR_MAP_CHANGES_ \
  static_assert(detail::target_changes_no_descriptors<COSMATI_TARGET_SM + 0 * dependent>::ok)
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define COSMATI_REPLACE_(text, bits, constraint, value)                                                     \
  asm volatile("tensormap.replace.tile." text ".b1024." bits " [%0], %1;" ::"l"(&tensor), constraint(value) \
               : "memor"                                                                                    \
                 "y")
#define COSMATI_REPLACE_MODE_(text, bits, mode, constraint, value)                                       \
  asm volatile("tensormap.replace.tile." text ".b1024." bits " [%0], %1, %2;" ::"l"(&tensor), "n"(mode), \
               constraint(value)                                                                         \
               : "memory")
#elif defined(__CUDA_ARCH__)
#define COSMATI_REPLACE_(text, bits, constraint, value) detail::stop_without_tensormap_replace()
#define COSMATI_REPLACE_MODE_(text, bits, mode, constraint, value) detail::stop_without_tensormap_replace()
#elif defined(COSMATI_SIMULATED)
#define COSMATI_REPLACE_SIMULATED_(field, mode, value)                                                         \
  cosmati_sim_tensor_map_replace(&tensor, static_cast<int>(tensor_map_field::field), mode, value, file, line); \
  detail::store_tensor_map_field(tensor, tensor_map_field::field, mode, value)
#endif

/// @name One field of a descriptor in shared or global memory; by one thread
/// @tparam mode of the tensor, 0 to 4
/// @{

/// The address of the tensor's first element, a multiple of 16.
template <int dependent = 0>
COSMATI_HD inline void tensor_map_set_address([[maybe_unused]] TmaDescriptor& tensor,
                                              [[maybe_unused]] void const* data COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_TENSOR_MAP_CHANGES_;
#if defined(__CUDA_ARCH__)
  COSMATI_REPLACE_("global_address", "b64", "l", data);
#elif defined(COSMATI_SIMULATED)
  COSMATI_REPLACE_SIMULATED_(global_address, 0, reinterpret_cast<std::uint64_t>(data));
#endif
}
/// The number of modes, 1 to 5.
template <int dependent = 0>
COSMATI_HD inline void tensor_map_set_rank([[maybe_unused]] TmaDescriptor& tensor,
                                           [[maybe_unused]] std::uint32_t rank COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_TENSOR_MAP_CHANGES_;
#if defined(__CUDA_ARCH__)
  COSMATI_REPLACE_("rank", "b32", "r", rank - 1);
#elif defined(COSMATI_SIMULATED)
  COSMATI_REPLACE_SIMULATED_(rank, 0, std::uint64_t{rank} - 1);
#endif
}
/// The tensor's extent along a mode, in elements.
template <int mode, int dependent = 0>
COSMATI_HD inline void tensor_map_set_extent([[maybe_unused]] TmaDescriptor& tensor,
                                             [[maybe_unused]] std::uint32_t extent COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_TENSOR_MAP_CHANGES_;
  static_assert(mode >= 0 && mode < 5, "tensor_map_set_extent<MODE>: 0 to 4");
#if defined(__CUDA_ARCH__)
  COSMATI_REPLACE_MODE_("global_dim", "b32", mode, "r", extent);
#elif defined(COSMATI_SIMULATED)
  COSMATI_REPLACE_SIMULATED_(global_dim, mode, extent);
#endif
}
/// The tensor's stride along a mode behind the first, in bytes: a multiple of 16, below 2^40.
template <int mode, int dependent = 0>
COSMATI_HD inline void tensor_map_set_stride([[maybe_unused]] TmaDescriptor& tensor,
                                             [[maybe_unused]] std::uint64_t bytes COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_TENSOR_MAP_CHANGES_;
  static_assert(mode >= 1 && mode < 5, "tensor_map_set_stride<MODE>: 1 to 4; mode 0 is contiguous");
#if defined(__CUDA_ARCH__)
  COSMATI_REPLACE_MODE_("global_stride", "b64", mode - 1, "l", bytes);
#elif defined(COSMATI_SIMULATED)
  COSMATI_REPLACE_SIMULATED_(global_stride, mode - 1, bytes);
#endif
}
/// The box's extent along a mode, 1 to 256 elements.
template <int mode, int dependent = 0>
COSMATI_HD inline void tensor_map_set_box([[maybe_unused]] TmaDescriptor& tensor,
                                          [[maybe_unused]] std::uint32_t extent COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_TENSOR_MAP_CHANGES_;
  static_assert(mode >= 0 && mode < 5, "tensor_map_set_box<MODE>: 0 to 4");
#if defined(__CUDA_ARCH__)
  COSMATI_REPLACE_MODE_("box_dim", "b32", mode, "r", extent);
#elif defined(COSMATI_SIMULATED)
  COSMATI_REPLACE_SIMULATED_(box_dim, mode, extent);
#endif
}
/// The step from one element of the box to the next along a mode, 1 to 8.
template <int mode, int dependent = 0>
COSMATI_HD inline void tensor_map_set_step([[maybe_unused]] TmaDescriptor& tensor,
                                           [[maybe_unused]] std::uint32_t step COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_TENSOR_MAP_CHANGES_;
  static_assert(mode >= 0 && mode < 5, "tensor_map_set_step<MODE>: 0 to 4");
#if defined(__CUDA_ARCH__)
  COSMATI_REPLACE_MODE_("element_stride", "b32", mode, "r", step);
#elif defined(COSMATI_SIMULATED)
  COSMATI_REPLACE_SIMULATED_(element_stride, mode, step);
#endif
}
/// The field whose words the constant is one of: `tensor_map_type`, `TMA::SmemSwizzleBits`, `TMA::Interleave`,
/// `TMA::OOBFill`.
template <auto word, int dependent = 0>
COSMATI_HD inline void tensor_map_set([[maybe_unused]] TmaDescriptor& tensor COSMATI_AND_CALLER_PARAMETERS_) {
  COSMATI_TENSOR_MAP_CHANGES_;
  using Word = std::remove_const_t<decltype(word)>;
  constexpr bool is_type = std::is_same_v<Word, tensor_map_type>, is_fill = std::is_same_v<Word, TMA::OOBFill>,
                 is_swizzle = std::is_same_v<Word, TMA::SmemSwizzleBits>,
                 is_interleave = std::is_same_v<Word, TMA::Interleave>;
  static_assert(is_type || is_fill || is_swizzle || is_interleave,
                "tensor_map_set<WORD>: a word of tensor_map_type, TMA::SmemSwizzleBits, TMA::Interleave or "
                "TMA::OOBFill; other fields have functions of their own");
#if defined(__CUDA_ARCH__)
  if constexpr (is_type) {
    static_assert(static_cast<int>(word) >= 0, "tensor_map_set: name the type of the elements");
    COSMATI_REPLACE_("elemtype", "b32", "n", detail::ptx_number_of(static_cast<tensor_map_type>(word)));
  } else if constexpr (is_swizzle) {
    COSMATI_REPLACE_("swizzle_mode", "b32", "n", static_cast<int>(word));
  } else if constexpr (is_interleave) {
    COSMATI_REPLACE_("interleave_layout", "b32", "n", static_cast<int>(word));
  } else {
    COSMATI_REPLACE_("fill_mode", "b32", "n", static_cast<int>(word));
  }
#elif defined(COSMATI_SIMULATED)
  auto const value = static_cast<std::uint64_t>(word);
  if constexpr (is_type) {
    COSMATI_REPLACE_SIMULATED_(element_type, 0, value);
  } else if constexpr (is_swizzle) {
    COSMATI_REPLACE_SIMULATED_(swizzle, 0, value);
  } else if constexpr (is_interleave) {
    COSMATI_REPLACE_SIMULATED_(interleave, 0, value);
  } else {
    COSMATI_REPLACE_SIMULATED_(fill, 0, value);
  }
#endif
}
/// @}

/// @name CuTe's names of the same, and fences
/// @{

/// Ends the thread's group of bulk copies: those that still read a descriptor which is about to change.
template <int dependent = 0>
COSMATI_HD inline void tma_desc_commit_group(COSMATI_CALLER_PARAMETERS_) {
  tma_store_arrive<dependent>(COSMATI_CALLER_);
}
/// Returns when all but the `pending` newest of these groups have read their sources.
template <int pending = 0>
COSMATI_HD inline void tma_desc_wait_group(COSMATI_CALLER_PARAMETERS_) {
  tma_store_wait<pending>(COSMATI_CALLER_);
}

/// The address of a descriptor in global memory. CuTe's signature takes it as constant.
template <int dependent = 0>
COSMATI_HD inline void tma_descriptor_replace_addr_in_global_mem(TmaDescriptor const* tensor,
                                                                 void const* data COSMATI_AND_CALLER_PARAMETERS_) {
  tensor_map_set_address<dependent>(*const_cast<TmaDescriptor*>(tensor), data COSMATI_AND_CALLER_);
}
/// The address of a descriptor in shared memory.
template <int dependent = 0>
COSMATI_HD inline void tma_descriptor_replace_addr_in_shared_mem(TmaDescriptor& tensor,
                                                                 void const* data COSMATI_AND_CALLER_PARAMETERS_) {
  tensor_map_set_address<dependent>(tensor, data COSMATI_AND_CALLER_);
}
/// The extents in elements and the strides in bytes of the first three modes. The first stride is not used: mode 0 is
/// contiguous.
template <int dependent = 0>
COSMATI_HD inline void tma_descriptor_replace_dims_strides_in_shared_mem(
    TmaDescriptor& tensor, array<std::uint32_t, 3> const& extents,
    array<std::uint64_t, 3> const& strides COSMATI_AND_CALLER_PARAMETERS_) {
  tensor_map_set_extent<0, dependent>(tensor, extents[0] COSMATI_AND_CALLER_);
  tensor_map_set_extent<1, dependent>(tensor, extents[1] COSMATI_AND_CALLER_);
  tensor_map_set_extent<2, dependent>(tensor, extents[2] COSMATI_AND_CALLER_);
  tensor_map_set_stride<1, dependent>(tensor, strides[1] COSMATI_AND_CALLER_);
  tensor_map_set_stride<2, dependent>(tensor, strides[2] COSMATI_AND_CALLER_);
}
/// The same for all five modes.
template <int dependent = 0>
COSMATI_HD inline void tma_descriptor_replace_dims_strides_in_shared_mem(
    TmaDescriptor& tensor, array<std::uint32_t, 5> const& extents,
    array<std::uint64_t, 5> const& strides COSMATI_AND_CALLER_PARAMETERS_) {
  tensor_map_set_extent<0, dependent>(tensor, extents[0] COSMATI_AND_CALLER_);
  tensor_map_set_extent<1, dependent>(tensor, extents[1] COSMATI_AND_CALLER_);
  tensor_map_set_extent<2, dependent>(tensor, extents[2] COSMATI_AND_CALLER_);
  tensor_map_set_extent<3, dependent>(tensor, extents[3] COSMATI_AND_CALLER_);
  tensor_map_set_extent<4, dependent>(tensor, extents[4] COSMATI_AND_CALLER_);
  tensor_map_set_stride<1, dependent>(tensor, strides[1] COSMATI_AND_CALLER_);
  tensor_map_set_stride<2, dependent>(tensor, strides[2] COSMATI_AND_CALLER_);
  tensor_map_set_stride<3, dependent>(tensor, strides[3] COSMATI_AND_CALLER_);
  tensor_map_set_stride<4, dependent>(tensor, strides[4] COSMATI_AND_CALLER_);
}

/// Copies a descriptor from shared to global memory and releases it to the tensormap proxy. By all threads of the warp,
/// behind `__syncwarp` where one of them has changed it.
template <int dependent = 0>
COSMATI_HD inline void tma_descriptor_cp_fence_release([[maybe_unused]] TmaDescriptor const* global,
                                                       [[maybe_unused]] TmaDescriptor& shared
                                                           COSMATI_AND_CALLER_PARAMETERS_) {
  static_assert(detail::target_lacks_the_instruction<instruction::cp_async_bulk_tensor, 90 + 0 * dependent,
                                                     COSMATI_TARGET_SM>::ok);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile(
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(
          __cvta_generic_to_global(global)),
      "r"(cast_smem_ptr_to_uint(&shared))
      : "memory");
#elif defined(COSMATI_SIMULATED)
  char const* const name = "tensormap.cp_fenceproxy";
  unsigned met = 0;
  cosmati_sim_meet(
      0xffffffffu, &met,
      [](void* const* arguments, unsigned lanes) {
        for (int lane = 0; lane < 32; ++lane) {
          if (arguments[lane] != nullptr) *static_cast<unsigned*>(arguments[lane]) = lanes;
        }
      },
      name, file, line);
  if (met != 0xffffffffu) detail::lanes_are_missing(met, name);
  cosmati_sim_tensor_map_copied(global, &shared, file, line);
  unsigned const lane = cosmati_sim_lane();  // each lane copies four bytes
  auto* const to = const_cast<std::uint32_t*>(reinterpret_cast<std::uint32_t const*>(global));
  to[lane] = reinterpret_cast<std::uint32_t const*>(&shared)[lane];
  detail::sync_warp(file, line);
#endif
}
/// What the thread has changed of descriptors in global memory is released to the tensormap proxy.
template <int dependent = 0>
COSMATI_HD inline void tma_descriptor_fence_release(COSMATI_CALLER_PARAMETERS_) {
  static_assert(detail::target_lacks_the_instruction<instruction::cp_async_bulk_tensor, 90 + 0 * dependent,
                                                     COSMATI_TARGET_SM>::ok);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_tensor_map_release(file, line);
#endif
}
/// Tensor copies of the thread use the descriptor as it was released: before the first that follows a change.
template <int dependent = 0>
COSMATI_HD inline void tma_descriptor_fence_acquire(
    [[maybe_unused]] TmaDescriptor const* tensor COSMATI_AND_CALLER_PARAMETERS_) {
  static_assert(detail::target_lacks_the_instruction<instruction::cp_async_bulk_tensor, 90 + 0 * dependent,
                                                     COSMATI_TARGET_SM>::ok);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(tensor) : "memory");
#elif defined(COSMATI_SIMULATED)
  auto const* const bytes = reinterpret_cast<unsigned char const*>(tensor);
  for (int i = 0; i < 128; i += 16) note_access(access_kind::load, bytes + i, 16, 16);
  cosmati_sim_tensor_map_acquire(tensor, file, line);
#endif
}
/// @}

#undef COSMATI_TENSOR_MAP_CHANGES_
#undef COSMATI_REPLACE_
#undef COSMATI_REPLACE_MODE_
#undef COSMATI_REPLACE_SIMULATED_

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
