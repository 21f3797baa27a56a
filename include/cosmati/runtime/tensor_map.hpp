// SPDX-License-Identifier: Apache-2.0
/// @file
/// Makes the descriptors of tensor copies (arch/tensor_copy.hpp) on the host.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/tensor_copy.hpp>
#include <cosmati/core/error.hpp>
#include <cosmati/runtime/stream.hpp>

namespace COSMATI_NAMESPACE {

/// Whether the current device has tensor copies: sm_90 and newer, and the simulated device.
inline bool device_has_tensor_copies() {
#if defined(COSMATI_SIMULATED)
  return true;
#else
  int id = 0, major = 0;
  detail::check_cuda(cudaGetDevice(&id), "finding the current GPU");
  detail::check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, id),
                     "reading a GPU's properties");
  return major >= 9;
#endif
}

/// The parameters of a descriptor. Modes from `rank` on are ignored.
struct tensor_map_config {
  void const* data = nullptr;                       ///< the address in global memory, aligned to 16 bytes
  tensor_map_type type = tensor_map_type::by_size;  ///< the type of the elements
  int element_bytes = 0;                            ///< 1, 2, 4 or 8; not needed if `type` is given
  int rank = 4;                                     ///< the number of modes, 1 to 5
  std::int64_t extent[5] = {1, 1, 1, 1, 1};         ///< the extents in elements, 1 to 2^32
  /// The strides in elements. The first is 1; in bytes the others are multiples of 16 from 16 to 2^40 - 16.
  std::int64_t stride[5] = {1, 16, 16, 16, 16};
  /// The extents of the box in elements, 1 to 256. A row along mode 0 is a multiple of 16 bytes.
  int box[5] = {1, 1, 1, 1, 1};
  /// The step from one element of the box to the next along each mode, 1 to 8; along mode 0 it is 1.
  int step[5] = {1, 1, 1, 1, 1};
  TMA::SmemSwizzleBits swizzle = TMA::SmemSwizzleBits::B128;  ///< a row of the box is at most as wide as its span
  TMA::L2Promotion promotion = TMA::L2Promotion::B128;        ///< how much L2 fetches at least
  TMA::OOBFill fill = TMA::OOBFill::ZEROS;                    ///< what a load brings from outside the tensor
  /// Whether channels lie in slices of 16 or 32 bytes, for 3 to 5 modes. The modes are then width, height, depth (as
  /// many as there are), slices of channels, and images, and the coordinates and extents of slices count slices. Mode 0
  /// has the pixels of a row, one slice after the other; a copy moves one slice of each. B32 needs the swizzle B32, and
  /// an address and strides that are multiples of 32.
  TMA::Interleave interleave = TMA::Interleave::DISABLE;
};

namespace detail {

/// Each rule of interleaved channels that concerns the whole of a descriptor. Throws `error`.
inline void check_interleave(tensor_map_config const& c) {
  if (c.interleave == TMA::Interleave::DISABLE) return;
  if (c.interleave != TMA::Interleave::B16 && c.interleave != TMA::Interleave::B32)
    throw error("make_tma_descriptor: interleave %d is none of TMA::Interleave", static_cast<int>(c.interleave));
  if (c.rank < 3)
    throw error("make_tma_descriptor: rank is %d; interleaved channels need a tensor of 3 to 5 modes", c.rank);
  if (c.interleave != TMA::Interleave::B32) return;
  if (reinterpret_cast<std::uintptr_t>(c.data) % 32 != 0)
    throw error(
        "make_tma_descriptor: the tensor begins at %p, which is no multiple of 32, as channels in slices of 32 bytes "
        "need",
        c.data);
  if (c.swizzle != TMA::SmemSwizzleBits::B32)
    throw error(
        "make_tma_descriptor: channels in slices of 32 bytes need the swizzle B32, and it is %d; set `swizzle` to "
        "TMA::SmemSwizzleBits::B32",
        static_cast<int>(c.swizzle));
}

/// Throws `error` if a choice is none of its enumeration.
inline void check_choices(tensor_map_config const& c) {
  auto const check = [](char const* name, char const* type, int value, int last) {
    if (value < 0 || value > last) throw error("make_tma_descriptor: %s %d is none of TMA::%s", name, value, type);
  };
  check("swizzle", "SmemSwizzleBits", static_cast<int>(c.swizzle), static_cast<int>(TMA::SmemSwizzleBits::B128));
  check("promotion", "L2Promotion", static_cast<int>(c.promotion), static_cast<int>(TMA::L2Promotion::B256));
  check("fill", "OOBFill", static_cast<int>(c.fill), static_cast<int>(TMA::OOBFill::CONSTANT));
}

/// Each rule of a descriptor that concerns the whole of it. Throws `error`. @return the elements' type
inline tensor_map_type check_tensor(tensor_map_config const& c) {
  if (c.data == nullptr)
    throw error("make_tma_descriptor: data is null; give the address of the tensor's first element in global memory");
  if (reinterpret_cast<std::uintptr_t>(c.data) % 16 != 0)
    throw error(
        "make_tma_descriptor: the tensor begins at %p, which is no multiple of 16; describe it from such an address "
        "on, and add the rest to the coordinates",
        c.data);
  if (c.rank < 1 || c.rank > tensor_map_max_rank)
    throw error(
        "make_tma_descriptor: rank is %d; tensors of 1 to 5 modes are possible; merge modes that follow each other "
        "without a gap, or copy once for each index of one",
        c.rank);
  check_interleave(c);
  check_choices(c);
  tensor_map_type type = c.type;
  if (type == tensor_map_type::by_size) {
    type = c.element_bytes == 1   ? tensor_map_type::u8
           : c.element_bytes == 2 ? tensor_map_type::u16
           : c.element_bytes == 4 ? tensor_map_type::u32
                                  : tensor_map_type::u64;
  }
  if (type < tensor_map_type::u8 || type > tensor_map_type::tf32_ftz)
    throw error("make_tma_descriptor: type %d is none of tensor_map_type", static_cast<int>(type));
  if (bytes_of(type) != c.element_bytes && (c.type == tensor_map_type::by_size || c.element_bytes != 0))
    throw error("make_tma_descriptor: element_bytes is %d; elements of %s", c.element_bytes,
                c.type == tensor_map_type::by_size ? "1, 2, 4 or 8 bytes are possible" : "this type have another size");
  if (c.fill == TMA::OOBFill::CONSTANT && !is_floating_point(type))
    throw error("make_tma_descriptor: OOBFill::CONSTANT is a NaN; give a `type` of floating point, or fill with ZEROS");
  return type;
}

/// What to do about a stride that no descriptor has.
inline char const* remedy_of_stride(std::int64_t bytes) {
  return bytes == 0  ? "leave out a mode whose indices all have the same elements"
         : bytes < 0 ? "describe the tensor from its other end"
                     : "pad the rows";
}
/// Each rule of a descriptor that concerns mode `i`. Throws `error`.
inline void check_mode(tensor_map_config const& c, int i, int element_bytes) {
  if (c.extent[i] < 1 || c.extent[i] > std::int64_t{1} << 32)
    throw error("make_tma_descriptor: mode %d has %lld elements; 1 to 2^32 are possible", i,
                static_cast<long long>(c.extent[i]));
  if (c.box[i] < 1 || c.box[i] > 256)
    throw error(
        "make_tma_descriptor: the box has %d elements of mode %d; 1 to 256 are possible; move more by several copies",
        c.box[i], i);
  bool const sliced = c.interleave != TMA::Interleave::DISABLE;  // mode 0 are pixels
  if (c.step[i] < 1 || c.step[i] > 8 || (i == 0 && !sliced && c.step[i] != 1))
    throw error("make_tma_descriptor: step %d along mode %d; %s", c.step[i], i,
                i == 0 && !sliced ? "mode 0 is taken whole, with step 1" : "1 to 8 are possible");
  if (i == 0) {
    if (c.stride[0] != 1)
      throw error("make_tma_descriptor: mode 0 has stride %lld; it is contiguous, stride 1",
                  static_cast<long long>(c.stride[0]));
    int const bytes = c.box[0] * element_bytes, span = span_of(c.swizzle);
    if (bytes % 16 != 0)
      throw error("make_tma_descriptor: the box has %d bytes of mode 0; multiples of 16 are possible", bytes);
    if (!sliced && c.swizzle != TMA::SmemSwizzleBits::DISABLE && bytes > span)
      throw error(
          "make_tma_descriptor: the box has %d bytes of mode 0, and the swizzle exchanges chunks within rows of %d; "
          "take "
          "a smaller box, or a wider swizzle or none",
          bytes, span);
    return;
  }
  constexpr std::int64_t most = std::int64_t{1} << 40;  // bytes
  if (c.stride[i] >= most || c.stride[i] <= -most)      // the bytes might not fit 64 bits
    throw error(
        "make_tma_descriptor: mode %d has a stride of %lld elements; multiples of 16 bytes below 2^40 are possible", i,
        static_cast<long long>(c.stride[i]));
  std::int64_t const bytes = c.stride[i] * element_bytes;
  if (c.interleave == TMA::Interleave::B32 && bytes % 32 != 0)
    throw error(
        "make_tma_descriptor: mode %d has a stride of %lld bytes; channels in slices of 32 bytes need multiples of 32",
        i, static_cast<long long>(bytes));
  if (bytes < 16 || bytes % 16 != 0 || bytes >= most)
    throw error("make_tma_descriptor: mode %d has a stride of %lld bytes; multiples of 16 below 2^40 are possible; %s",
                i, static_cast<long long>(bytes), remedy_of_stride(bytes));
}

/// A store writes whole chunks of 16 bytes, also at the end of a row. Throws `error` where that end is inside a chunk.
/// @param mode its number in the tensor
inline void check_stored_rows(std::int64_t extent, int element_bytes, int mode = 0) {
  if (extent * element_bytes % 16 == 0) return;
  throw error(
      "make_tma_copy: mode %d has %lld elements of %d bytes, and a store writes whole chunks of 16 bytes: it would "
      "write %lld bytes behind each row; let mode %d have a multiple of %d elements, or store with `copy`",
      mode, static_cast<long long>(extent), element_bytes, static_cast<long long>(16 - extent * element_bytes % 16),
      mode, 16 / element_bytes);
}

#if defined(COSMATI_SIMULATED)
/// What descriptors of both modes have in common.
inline void simulate_tensor_map(TmaDescriptor& made, tensor_map_config const& c, tensor_map_type type) {
  made.data = static_cast<unsigned char*>(const_cast<void*>(c.data));
  for (int i = 0; i < c.rank; ++i) {
    made.last[i] = static_cast<std::uint32_t>(c.extent[i] - 1);
    made.stride[i] = c.stride[i] * bytes_of(type);
    made.step[i] = static_cast<std::uint8_t>(c.step[i]);
    made.box[i] = static_cast<std::uint16_t>(c.box[i]);
  }
  made.rank = static_cast<std::uint8_t>(c.rank);
  made.element_bytes = static_cast<std::uint8_t>(bytes_of(type));
  made.type = static_cast<std::uint8_t>(type);
  made.swizzle = static_cast<std::uint8_t>(c.swizzle);
  made.interleave = static_cast<std::uint8_t>(c.interleave);
  made.fill = static_cast<std::uint8_t>(c.fill);
}
#else
/// Functions of the driver, asked of the runtime so that programs need not link its library. Numbers in place of
/// cuda.h's enumerations, which are part of its binary interface.
using tensor_map_encoder = int (*)(void* map, int type, unsigned rank, void const* address,
                                   std::uint64_t const* extents, std::uint64_t const* strides, unsigned const* box,
                                   unsigned const* element_strides, int interleave, int swizzle, int promotion,
                                   int fill);
template <class Function>
Function find_driver_function(char const* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result;
  check_cuda(cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result), name);
  if (found == nullptr) throw error("make_tma_descriptor: the driver has no %s", name);
  return reinterpret_cast<Function>(found);
}

/// What the driver's functions take of a configuration that was checked.
struct encoded_modes {
  std::uint64_t extents[5] = {}, strides[5] = {};
  unsigned box[5] = {}, steps[5] = {};
  encoded_modes(tensor_map_config const& c, tensor_map_type type) {
    for (int i = 0; i < c.rank; ++i) {
      extents[i] = static_cast<std::uint64_t>(c.extent[i]);
      box[i] = static_cast<unsigned>(c.box[i]);
      steps[i] = static_cast<unsigned>(c.step[i]);
      if (i > 0) strides[i - 1] = static_cast<std::uint64_t>(c.stride[i] * bytes_of(type));
    }
  }
};
/// Calls the driver's function. @param name its name, @param give calls it and returns its status
template <class Give>
void encode_by_driver(char const* name, tensor_map_config const& c, tensor_map_type type, Give const& give) {
  constexpr int no_context = 201;
  int status = give();
  // The driver's function needs a context in this thread, which the runtime makes at its first call.
  if (status == no_context) {
    check_cuda(cudaFree(nullptr), "making the device's context");
    status = give();
  }
  if (status != 0)
    throw error("make_tma_descriptor: %s gives %d for (%lld, %lld, %lld, %lld, %lld) elements of %d bytes", name,
                status, static_cast<long long>(c.extent[0]), static_cast<long long>(c.extent[1]),
                static_cast<long long>(c.extent[2]), static_cast<long long>(c.extent[3]),
                static_cast<long long>(c.extent[4]), bytes_of(type));
}

/// A configuration that was checked, as the driver encodes it.
inline void encode_tensor_map(TmaDescriptor& made, tensor_map_config const& c, tensor_map_type type) {
  static auto const encode = find_driver_function<tensor_map_encoder>("cuTensorMapEncodeTiled");
  encoded_modes const m(c, type);
  encode_by_driver("cuTensorMapEncodeTiled", c, type, [&] {
    return encode(&made, static_cast<int>(type), static_cast<unsigned>(c.rank), c.data, m.extents, m.strides, m.box,
                  m.steps, static_cast<int>(c.interleave), static_cast<int>(c.swizzle), static_cast<int>(c.promotion),
                  static_cast<int>(c.fill));
  });
}
#endif

}  // namespace detail

/// A descriptor of a tensor and the box of it that a copy moves. Throws `error` where no tensor copy can do it: the
/// message names the rule, the mode and the value.
inline TmaDescriptor make_tma_descriptor(tensor_map_config const& c) {
  tensor_map_type const type = detail::check_tensor(c);
  for (int i = 0; i < c.rank; ++i) detail::check_mode(c, i, detail::bytes_of(type));
  TmaDescriptor made = {};
#if defined(COSMATI_SIMULATED)
  detail::simulate_tensor_map(made, c, type);
#else
  detail::encode_tensor_map(made, c, type);
#endif
  return made;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
