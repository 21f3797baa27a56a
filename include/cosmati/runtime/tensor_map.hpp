// SPDX-License-Identifier: Apache-2.0
/// @file
/// Descriptors of tensor copies (arch/tensor_copy.hpp), made on the host.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/tensor_copy.hpp>
#include <cosmati/core/error.hpp>
#include <cosmati/runtime/stream.hpp>

namespace COSMATI_NAMESPACE {

/// The current device has tensor copies: sm_90 and newer, and the simulated device.
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

/// What a descriptor is made of. Modes that a tensor does not have keep extent and box 1.
struct tensor_map_config {
  void const* data = nullptr;                ///< in global memory, a multiple of 16
  int element_bytes = 1;                     ///< 1, 2, 4 or 8
  int extent[4] = {1, 1, 1, 1};              ///< elements
  std::int64_t stride[4] = {1, 16, 16, 16};  ///< elements; the first is 1, the others in bytes 16 to 2^40 - 16 by 16
  int box[4] = {1, 1, 1, 1};                 ///< elements: 128 bytes of mode 0, up to 256 of the others
};

namespace detail {

/// Throws `error` where a tensor copy cannot do it.
inline void expect_tensor_map(tensor_map_config const& c) {
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
    std::int64_t const stride = c.stride[i] * c.element_bytes;  // bytes
    if (i > 0 && (stride < 16 || stride % 16 != 0 || stride >= most))
      throw error("make_tma_descriptor: mode %d has a stride of %lld bytes; multiples of 16 below 2^40 are possible", i,
                  static_cast<long long>(stride));
  }
}

#if !defined(COSMATI_SIMULATED)
/// The driver's descriptor. cuTensorMapEncodeTiled is asked of the runtime, so that programs need not link the driver's
/// library. Numbers stand in place of cuda.h's enumerations, which are part of its binary interface.
inline TmaDescriptor encode_tensor_map(tensor_map_config const& c) {
  TmaDescriptor made = {};
  using encode = int (*)(void* map, int type, unsigned rank, void const* address, std::uint64_t const* extents,
                         std::uint64_t const* strides, unsigned const* box, unsigned const* element_strides,
                         int interleave, int swizzle, int promotion, int fill);
  static encode const function = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result;
    check_cuda(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result),
               "finding cuTensorMapEncodeTiled");
    if (found == nullptr) throw error("make_tma_descriptor: the driver has no cuTensorMapEncodeTiled");
    return reinterpret_cast<encode>(found);
  }();
  std::uint64_t extents[4], strides[3];
  unsigned box[4];
  for (int i = 0; i < 4; ++i) {
    extents[i] = static_cast<std::uint64_t>(c.extent[i]);
    box[i] = static_cast<unsigned>(c.box[i]);
    if (i > 0) strides[i - 1] = static_cast<std::uint64_t>(c.stride[i] * c.element_bytes);
  }
  unsigned const each[4] = {1, 1, 1, 1};
  int const unsigned_type = c.element_bytes == 1 ? 0 : c.element_bytes == 2 ? 1 : c.element_bytes == 4 ? 2 : 4;
  constexpr int not_interleaved = 0, swizzle_128_bytes = 3, promotion_128_bytes = 2, fill_with_zeros = 0;
  if (int const status = function(&made, unsigned_type, 4, c.data, extents, strides, box, each, not_interleaved,
                                  swizzle_128_bytes, promotion_128_bytes, fill_with_zeros);
      status != 0)
    throw error("make_tma_descriptor: cuTensorMapEncodeTiled gives %d for (%d, %d, %d, %d) elements of %d bytes",
                status, c.extent[0], c.extent[1], c.extent[2], c.extent[3], c.element_bytes);
  return made;
}
#endif

}  // namespace detail

/// Throws `error` where a tensor copy cannot do it.
inline TmaDescriptor make_tma_descriptor(tensor_map_config const& c) {
  detail::expect_tensor_map(c);
#if defined(COSMATI_SIMULATED)
  TmaDescriptor made = {};
  made.data = static_cast<unsigned char*>(const_cast<void*>(c.data));
  made.element_bytes = c.element_bytes;
  for (int i = 0; i < 4; ++i) {
    made.stride[i] = c.stride[i] * c.element_bytes;
    made.extent[i] = c.extent[i];
    made.box[i] = c.box[i];
  }
  return made;
#else
  return detail::encode_tensor_map(c);
#endif
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
