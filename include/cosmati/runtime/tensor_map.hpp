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

/// The parameters of a descriptor. Modes that a tensor does not have keep extent and box 1.
struct tensor_map_config {
  void const* data = nullptr;                ///< the address in global memory, aligned to 16 bytes
  int element_bytes = 1;                     ///< 1, 2, 4 or 8
  int extent[4] = {1, 1, 1, 1};              ///< the extents in elements
  std::int64_t stride[4] = {1, 16, 16, 16};  ///< the strides in elements; the first is 1, the others are multiples of
                                             ///< 16 bytes, from 16 to 2^40 - 16
  int box[4] = {1, 1, 1, 1};                 ///< the box in elements: 128 bytes along mode 0, up to 256 elements along
                                             ///< the others
};

/// Makes the descriptor. Throws `error` if a tensor copy cannot have these parameters.
inline TmaDescriptor make_tma_descriptor(tensor_map_config const& c) {
  if (c.data == nullptr)
    throw error("make_tma_descriptor: data is null; give the address of the tensor's first element in global memory");
  if (reinterpret_cast<std::uintptr_t>(c.data) % 16 != 0)
    throw error("make_tma_descriptor: the tensor begins at %p, which is no multiple of 16", c.data);
  if (c.element_bytes != 1 && c.element_bytes != 2 && c.element_bytes != 4 && c.element_bytes != 8)
    throw error("make_tma_descriptor: element_bytes is %d; elements of 1, 2, 4 or 8 bytes are possible",
                c.element_bytes);
  if (c.stride[0] != 1 || c.box[0] != 128 / c.element_bytes)
    throw error(
        "make_tma_descriptor: mode 0 has stride %lld and boxes of %lld bytes; it is contiguous, in boxes of 128",
        static_cast<long long>(c.stride[0]), static_cast<long long>(c.box[0]) * c.element_bytes);
  std::int64_t stride[4];  // bytes
  for (int i = 0; i < 4; ++i) {
    if (c.extent[i] < 1 || c.box[i] < 1 || c.box[i] > 256)
      throw error("make_tma_descriptor: mode %d has %d elements in boxes of %d; 1 or more in boxes of 1 to 256", i,
                  c.extent[i], c.box[i]);
    constexpr std::int64_t most = std::int64_t{1} << 40;  // bytes
    if (c.stride[i] >= most || c.stride[i] <= -most)      // the bytes might not fit 64 bits
      throw error(
          "make_tma_descriptor: mode %d has a stride of %lld elements; multiples of 16 bytes below 2^40 are "
          "possible",
          i, static_cast<long long>(c.stride[i]));
    stride[i] = c.stride[i] * c.element_bytes;
    if (i > 0 && (stride[i] < 16 || stride[i] % 16 != 0 || stride[i] >= most))
      throw error("make_tma_descriptor: mode %d has a stride of %lld bytes; multiples of 16 below 2^40 are possible", i,
                  static_cast<long long>(stride[i]));
  }
  TmaDescriptor made = {};
#if defined(COSMATI_SIMULATED)
  made.data = static_cast<unsigned char*>(const_cast<void*>(c.data));
  made.element_bytes = c.element_bytes;
  for (int i = 0; i < 4; ++i) {
    made.stride[i] = stride[i];
    made.extent[i] = c.extent[i];
    made.box[i] = c.box[i];
  }
#else
  // cuTensorMapEncodeTiled, asked of the runtime so that programs need not link the driver's library. Numbers in place
  // of cuda.h's enumerations, which are part of its binary interface.
  using encode = int (*)(void* map, int type, unsigned rank, void const* address, std::uint64_t const* extents,
                         std::uint64_t const* strides, unsigned const* box, unsigned const* element_strides,
                         int interleave, int swizzle, int promotion, int fill);
  static encode const function = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result;
    detail::check_cuda(
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result),
        "finding cuTensorMapEncodeTiled");
    if (found == nullptr) throw error("make_tma_descriptor: the driver has no cuTensorMapEncodeTiled");
    return reinterpret_cast<encode>(found);
  }();
  std::uint64_t extents[4], strides[3];
  unsigned box[4];
  for (int i = 0; i < 4; ++i) {
    extents[i] = static_cast<std::uint64_t>(c.extent[i]);
    box[i] = static_cast<unsigned>(c.box[i]);
    if (i > 0) strides[i - 1] = static_cast<std::uint64_t>(stride[i]);
  }
  unsigned const each[4] = {1, 1, 1, 1};
  int const unsigned_type = c.element_bytes == 1 ? 0 : c.element_bytes == 2 ? 1 : c.element_bytes == 4 ? 2 : 4;
  constexpr int not_interleaved = 0, swizzle_128_bytes = 3, promotion_128_bytes = 2, fill_with_zeros = 0;
  if (int const status = function(&made, unsigned_type, 4, c.data, extents, strides, box, each, not_interleaved,
                                  swizzle_128_bytes, promotion_128_bytes, fill_with_zeros);
      status != 0)
    throw error("make_tma_descriptor: cuTensorMapEncodeTiled gives %d for (%d, %d, %d, %d) elements of %d bytes",
                status, c.extent[0], c.extent[1], c.extent[2], c.extent[3], c.element_bytes);
#endif
  return made;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
