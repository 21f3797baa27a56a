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
#include <cosmati/core/integer_sequence.hpp>

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

namespace detail {

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define COSMATI_REPLACE_(text, bits, constraint, value)                                                     \
  asm volatile("tensormap.replace.tile." text ".b1024." bits " [%0], %1;" ::"l"(&tensor), constraint(value) \
               : "memor"                                                                                    \
                 "y")
#define COSMATI_REPLACE_MODE_(text, bits, constraint)                                                    \
  asm volatile("tensormap.replace.tile." text ".b1024." bits " [%0], %1, %2;" ::"l"(&tensor), "n"(mode), \
               constraint(value)                                                                         \
               : "memory")
/// The instruction for one field. @tparam mode of the tensor as the instruction counts it
template <tensor_map_field field, int mode, class Value>
__device__ void replace_field(TmaDescriptor& tensor, Value value) {
  if constexpr (field == tensor_map_field::global_address)
    COSMATI_REPLACE_("global_address", "b64", "l", value);
  else if constexpr (field == tensor_map_field::rank)
    COSMATI_REPLACE_("rank", "b32", "r", value);
  else if constexpr (field == tensor_map_field::global_dim)
    COSMATI_REPLACE_MODE_("global_dim", "b32", "r");
  else if constexpr (field == tensor_map_field::global_stride)
    COSMATI_REPLACE_MODE_("global_stride", "b64", "l");
  else if constexpr (field == tensor_map_field::box_dim)
    COSMATI_REPLACE_MODE_("box_dim", "b32", "r");
  else
    COSMATI_REPLACE_MODE_("element_stride", "b32", "r");
}
/// The same for the fields whose values are constants of the instruction.
template <tensor_map_field field, int value>
__device__ void replace_constant(TmaDescriptor& tensor) {
  if constexpr (field == tensor_map_field::element_type)
    COSMATI_REPLACE_("elemtype", "b32", "n", value);
  else if constexpr (field == tensor_map_field::swizzle)
    COSMATI_REPLACE_("swizzle_mode", "b32", "n", value);
  else if constexpr (field == tensor_map_field::interleave)
    COSMATI_REPLACE_("interleave_layout", "b32", "n", value);
  else
    COSMATI_REPLACE_("fill_mode", "b32", "n", value);
}
#undef COSMATI_REPLACE_
#undef COSMATI_REPLACE_MODE_
#endif

/// Changes one field. @tparam first the mode that the instruction counts as 0
template <tensor_map_field field, int mode, int first, int dependent, class Value>
COSMATI_HD inline void change_field([[maybe_unused]] TmaDescriptor& tensor,
                                    [[maybe_unused]] Value value COSMATI_AND_CALLER_PARAMETERS_) {
  static_assert(target_changes_no_descriptors<COSMATI_TARGET_SM + 0 * dependent>::ok);
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  replace_field<field, mode - first>(tensor, value);
#elif defined(__CUDA_ARCH__)
  stop_without_tensormap_replace();
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_tensor_map_replace(&tensor, static_cast<int>(field), mode - first, value, file, line);
  store_tensor_map_field(tensor, field, mode - first, value);
#endif
}
/// Changes a field whose value is a constant. @tparam ptx the value as the instruction counts it
template <tensor_map_field field, int value, int ptx, int dependent>
COSMATI_HD inline void change_constant([[maybe_unused]] TmaDescriptor& tensor COSMATI_AND_CALLER_PARAMETERS_) {
  static_assert(target_changes_no_descriptors<COSMATI_TARGET_SM + 0 * dependent>::ok);
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  replace_constant<field, ptx>(tensor);
#elif defined(__CUDA_ARCH__)
  stop_without_tensormap_replace();
#elif defined(COSMATI_SIMULATED)
  cosmati_sim_tensor_map_replace(&tensor, static_cast<int>(field), 0, static_cast<std::uint64_t>(value), file, line);
  store_tensor_map_field(tensor, field, 0, static_cast<std::uint64_t>(value));
#endif
}

}  // namespace detail

/// @name One field of a descriptor in shared or global memory; by one thread
/// @tparam mode of the tensor, 0 to 4
/// @{

/// The address of the tensor's first element, a multiple of 16.
template <int dependent = 0>
COSMATI_HD inline void tensor_map_set_address(TmaDescriptor& tensor, void const* data COSMATI_AND_CALLER_PARAMETERS_) {
  detail::change_field<tensor_map_field::global_address, 0, 0, dependent>(
      tensor, reinterpret_cast<std::uint64_t>(data) COSMATI_AND_CALLER_);
}
/// The number of modes, 1 to 5.
template <int dependent = 0>
COSMATI_HD inline void tensor_map_set_rank(TmaDescriptor& tensor, std::uint32_t rank COSMATI_AND_CALLER_PARAMETERS_) {
  detail::change_field<tensor_map_field::rank, 0, 0, dependent>(tensor, rank - 1 COSMATI_AND_CALLER_);
}
/// The tensor's extent along a mode, in elements.
template <int mode, int dependent = 0>
COSMATI_HD inline void tensor_map_set_extent(TmaDescriptor& tensor,
                                             std::uint32_t extent COSMATI_AND_CALLER_PARAMETERS_) {
  static_assert(mode >= 0 && mode < 5, "tensor_map_set_extent<MODE>: 0 to 4");
  detail::change_field<tensor_map_field::global_dim, mode, 0, dependent>(tensor, extent COSMATI_AND_CALLER_);
}
/// The tensor's stride along a mode behind the first, in bytes: a multiple of 16, below 2^40.
template <int mode, int dependent = 0>
COSMATI_HD inline void tensor_map_set_stride(TmaDescriptor& tensor,
                                             std::uint64_t bytes COSMATI_AND_CALLER_PARAMETERS_) {
  static_assert(mode >= 1 && mode < 5, "tensor_map_set_stride<MODE>: 1 to 4; mode 0 is contiguous");
  detail::change_field<tensor_map_field::global_stride, mode, 1, dependent>(tensor, bytes COSMATI_AND_CALLER_);
}
/// The box's extent along a mode, 1 to 256 elements.
template <int mode, int dependent = 0>
COSMATI_HD inline void tensor_map_set_box(TmaDescriptor& tensor, std::uint32_t extent COSMATI_AND_CALLER_PARAMETERS_) {
  static_assert(mode >= 0 && mode < 5, "tensor_map_set_box<MODE>: 0 to 4");
  detail::change_field<tensor_map_field::box_dim, mode, 0, dependent>(tensor, extent COSMATI_AND_CALLER_);
}
/// The step from one element of the box to the next along a mode, 1 to 8.
template <int mode, int dependent = 0>
COSMATI_HD inline void tensor_map_set_step(TmaDescriptor& tensor, std::uint32_t step COSMATI_AND_CALLER_PARAMETERS_) {
  static_assert(mode >= 0 && mode < 5, "tensor_map_set_step<MODE>: 0 to 4");
  detail::change_field<tensor_map_field::element_stride, mode, 0, dependent>(tensor, step COSMATI_AND_CALLER_);
}
/// The field whose words the constant is one of: `tensor_map_type`, `TMA::SmemSwizzleBits`, `TMA::Interleave`,
/// `TMA::OOBFill`.
template <auto word, int dependent = 0>
COSMATI_HD inline void tensor_map_set(TmaDescriptor& tensor COSMATI_AND_CALLER_PARAMETERS_) {
  using Word = std::remove_const_t<decltype(word)>;
  constexpr bool is_type = std::is_same_v<Word, tensor_map_type>, is_fill = std::is_same_v<Word, TMA::OOBFill>,
                 is_swizzle = std::is_same_v<Word, TMA::SmemSwizzleBits>,
                 is_interleave = std::is_same_v<Word, TMA::Interleave>;
  static_assert(is_type || is_fill || is_swizzle || is_interleave,
                "tensor_map_set<WORD>: a word of tensor_map_type, TMA::SmemSwizzleBits, TMA::Interleave or "
                "TMA::OOBFill; other fields have functions of their own");
  constexpr int value = static_cast<int>(word);
  static_assert(value >= 0, "tensor_map_set: name the type of the elements");
  constexpr tensor_map_field field = is_type         ? tensor_map_field::element_type
                                     : is_swizzle    ? tensor_map_field::swizzle
                                     : is_interleave ? tensor_map_field::interleave
                                                     : tensor_map_field::fill;
  constexpr int ptx = is_type ? detail::ptx_number_of(static_cast<tensor_map_type>(value)) : value;
  detail::change_constant<field, value, ptx, dependent>(tensor COSMATI_AND_CALLER_);
}
/// @}

namespace detail {
template <int dependent, std::size_t modes, int... i>
COSMATI_HD inline void set_modes_behind_first(TmaDescriptor& tensor, array<std::uint32_t, modes> const& extents,
                                              array<std::uint64_t, modes> const& strides,
                                              seq<i...> COSMATI_AND_CALLER_PARAMETERS_) {
  (tensor_map_set_extent<i + 1, dependent>(tensor, extents[std::size_t{i + 1}] COSMATI_AND_CALLER_), ...);
  (tensor_map_set_stride<i + 1, dependent>(tensor, strides[std::size_t{i + 1}] COSMATI_AND_CALLER_), ...);
}
}  // namespace detail

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
/// The extents in elements and the strides in bytes of the first three modes, or of all five. The first stride is not
/// used: mode 0 is contiguous.
template <int dependent = 0, std::size_t modes>
requires(modes == 3 || modes == 5) COSMATI_HD inline void tma_descriptor_replace_dims_strides_in_shared_mem(
    TmaDescriptor& tensor, array<std::uint32_t, modes> const& extents,
    array<std::uint64_t, modes> const& strides COSMATI_AND_CALLER_PARAMETERS_) {
  tensor_map_set_extent<0, dependent>(tensor, extents[0] COSMATI_AND_CALLER_);
  detail::set_modes_behind_first<dependent>(
      tensor, extents, strides, make_seq<modes - 1> {} COSMATI_AND_CALLER_);
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

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
