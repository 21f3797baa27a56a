// SPDX-License-Identifier: Apache-2.0
/// @file
/// What a tensor copy (arch/tensor_copy.hpp) knows of its tensor: the descriptor, and the words that it is made of.
///
/// runtime/tensor_map.hpp makes descriptors on the host. A kernel takes one as `TmaDescriptor const
/// __grid_constant__`.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/simulated.hpp>
#include <cosmati/core/config.hpp>
#include <cstdint>

namespace COSMATI_NAMESPACE {

/// The words of a descriptor, as CuTe calls them. The values are those of the driver's enumerations.
namespace TMA {

/// How the 16-byte chunks of a box are exchanged in shared memory: none, or within rows of 32, 64 or 128 bytes.
/// The byte at address `a` goes to `Swizzle<b, 4, 3>{}(a)` with b = 1, 2, 3.
enum class SmemSwizzleBits : std::uint8_t { DISABLE = 0, B32 = 1, B64 = 2, B128 = 3 };

/// The least number of bytes that L2 fetches when a load misses it.
enum class L2Promotion : std::uint8_t { DISABLE = 0, B64 = 1, B128 = 2, B256 = 3 };

/// What a load puts where the box leaves the tensor. `CONSTANT` is a NaN, 0x7ff7 in each 2 bytes, and needs a type of
/// floating point. CuTe calls zeros `ZERO`.
enum class OOBFill : std::uint8_t { ZEROS = 0, ZERO = 0, CONSTANT = 1 };

/// Whether channels lie in slices of 16 or 32 bytes (NC/8HWC8, NC/16HWC16). Tensors of three to five modes.
enum class Interleave : std::uint8_t { DISABLE = 0, B16 = 1, B32 = 2 };

}  // namespace TMA

/// The type of a descriptor's elements. Loads of `tf32` and `tf32_ftz` round to even and make all NaNs 0x7fffe000. The
/// others only move bits, so that types of one byte (fp8, int8) are `u8`.
enum class tensor_map_type : std::int8_t {
  by_size = -1,  ///< the unsigned integer of `element_bytes`
  u8 = 0,
  u16 = 1,
  u32 = 2,
  s32 = 3,
  u64 = 4,
  s64 = 5,
  f16 = 6,
  f32 = 7,
  f64 = 8,
  bf16 = 9,
  f32_ftz = 10,
  tf32 = 11,
  tf32_ftz = 12
};

namespace detail {

/// The largest number of modes of a descriptor's tensor.
inline constexpr int tensor_map_max_rank = 5;

/// Bytes of an element.
COSMATI_HD constexpr int bytes_of(tensor_map_type type) {
  switch (type) {
    case tensor_map_type::u8:
      return 1;
    case tensor_map_type::u16:
    case tensor_map_type::f16:
    case tensor_map_type::bf16:
      return 2;
    case tensor_map_type::u64:
    case tensor_map_type::s64:
    case tensor_map_type::f64:
      return 8;
    case tensor_map_type::by_size:
      return 0;
    default:
      return 4;
  }
}

/// Whether elements of this type can be filled with OOBFill::CONSTANT.
COSMATI_HD constexpr bool is_floating_point(tensor_map_type type) { return type >= tensor_map_type::f16; }

/// Bytes of a row within which chunks are exchanged; 16 without an exchange.
COSMATI_HD constexpr int span_of(TMA::SmemSwizzleBits swizzle) { return 16 << static_cast<int>(swizzle); }

/// The alignment of a box in shared memory, in bytes. The exchange repeats after that many bytes, and the instruction
/// asks for at least 128.
COSMATI_HD constexpr int box_alignment_of(TMA::SmemSwizzleBits swizzle) {
  return swizzle == TMA::SmemSwizzleBits::DISABLE ? 128 : 8 * span_of(swizzle);
}

}  // namespace detail

#if defined(COSMATI_SIMULATED)
/// A tensor of one to five modes in global memory, and the box of it that one copy moves. The simulated device reads
/// the members; a GPU's descriptor is opaque.
struct TmaDescriptor : cosmati_sim_tensor_map {};
#else
/// A tensor of one to five modes in global memory, and the box of it that one copy moves; opaque.
struct alignas(64) TmaDescriptor {
  std::uint64_t words[16];
};
#endif
static_assert(sizeof(TmaDescriptor) == 128);
/// CuTe's name of a descriptor of the mode im2col.
using Im2ColTmaDescriptor = TmaDescriptor;

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
