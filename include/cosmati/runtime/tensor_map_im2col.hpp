// SPDX-License-Identifier: Apache-2.0
/// @file
/// Makes the descriptors of tensor copies in the mode im2col (arch/tensor_copy_im2col.hpp) on the host.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/runtime/tensor_map.hpp>

namespace COSMATI_NAMESPACE {

/// The parameters of a descriptor of the mode im2col. The tensor is a batch of images: mode 0 are the channels, modes 1
/// to 3 the width, height and depth, and the last mode are the images.
///
/// One copy moves `pixels` pixels, one after the other within the box of pixels: from coordinate `lower[i]` to
/// `extent[i + 1] - 1 + upper[i]` along mode i + 1. A 3x3 convolution with a padding of 1 has lower and upper -1.
struct tensor_map_im2col_config {
  void const* data = nullptr;                       ///< the address in global memory, aligned to 16 bytes
  tensor_map_type type = tensor_map_type::by_size;  ///< the type of the elements
  int element_bytes = 0;                            ///< 1, 2, 4 or 8; not needed if `type` is given
  int rank = 4;                                     ///< the number of modes, 3 to 5
  std::int64_t extent[5] = {1, 1, 1, 1, 1};         ///< the extents in elements, 1 to 2^32
  /// The strides in elements. The first is 1; in bytes the others are multiples of 16 from 16 to 2^40 - 16.
  std::int64_t stride[5] = {1, 16, 16, 16, 16};
  /// The corners of the box of pixels along width, height, depth. With 3 modes they have 16 bits, with 4 modes 8 bits
  /// (-128 to 127), with 5 modes 5 bits (-16 to 15).
  int lower[3] = {0, 0, 0};
  int upper[3] = {0, 0, 0};       ///< relative to the last pixel
  int channels = 16;              ///< of each pixel, 1 to 256; a multiple of 16 bytes
  int pixels = 1;                 ///< that one copy moves, 1 to 1024
  int step[5] = {1, 1, 1, 1, 1};  ///< from one pixel to the next along width, height, depth, 1 to 8
  TMA::SmemSwizzleBits swizzle = TMA::SmemSwizzleBits::B128;  ///< the channels of a pixel are at most as wide
  TMA::L2Promotion promotion = TMA::L2Promotion::B128;        ///< how much L2 fetches at least
  TMA::OOBFill fill = TMA::OOBFill::ZEROS;                    ///< what a load brings from outside the tensor
  /// Whether channels lie in slices of 16 or 32 bytes. The modes are then width, height, depth, slices of channels, and
  /// images (see tensor_map_config), and a copy moves one slice of each pixel.
  TMA::Interleave interleave = TMA::Interleave::DISABLE;
};

namespace detail {

/// The parameters that descriptors of both modes have.
inline tensor_map_config common_parameters(tensor_map_im2col_config const& c) {
  tensor_map_config t;
  t.data = c.data;
  t.type = c.type;
  t.element_bytes = c.element_bytes;
  t.rank = c.rank;
  for (int i = 0; i < 5; ++i) {
    t.extent[i] = c.extent[i];
    t.stride[i] = c.stride[i];
    t.step[i] = c.step[i];
  }
  t.box[0] = c.channels;
  t.swizzle = c.swizzle;
  t.promotion = c.promotion;
  t.fill = c.fill;
  t.interleave = c.interleave;
  return t;
}

/// Each rule of the box of pixels. Throws `error`.
inline void check_pixels(tensor_map_im2col_config const& c) {
  if (c.rank < 3 || c.rank > tensor_map_max_rank)
    throw error("make_im2col_descriptor: rank is %d; batches of images have 3 to 5 modes", c.rank);
  if (c.pixels < 1 || c.pixels > 1024)
    throw error("make_im2col_descriptor: a copy moves %d pixels; 1 to 1024 are possible", c.pixels);
  int const bits = c.rank == 3 ? 16 : c.rank == 4 ? 8 : 5, least = -(1 << (bits - 1)), most = -least - 1;
  for (int i = 0; i < c.rank - 2; ++i) {
    if (c.lower[i] < least || c.lower[i] > most)
      throw error("make_im2col_descriptor: lower corner %d along mode %d; %d to %d are possible with %d modes",
                  c.lower[i], i + 1, least, most, c.rank);
    if (c.upper[i] < least || c.upper[i] > most)
      throw error("make_im2col_descriptor: upper corner %d along mode %d; %d to %d are possible with %d modes",
                  c.upper[i], i + 1, least, most, c.rank);
    int const mode = c.interleave == TMA::Interleave::DISABLE ? i + 1 : i;
    if (c.lower[i] > c.extent[mode] - 1 + c.upper[i])
      throw error(
          "make_im2col_descriptor: the box of pixels is empty along mode %d: it goes from %d to %lld (%lld elements, "
          "upper corner %d)",
          mode, c.lower[i], static_cast<long long>(c.extent[mode] - 1 + c.upper[i]),
          static_cast<long long>(c.extent[mode]), c.upper[i]);
  }
}

#if !defined(COSMATI_SIMULATED)
/// cuTensorMapEncodeIm2col
using tensor_map_im2col_encoder = int (*)(void* map, int type, unsigned rank, void const* address,
                                          std::uint64_t const* extents, std::uint64_t const* strides, int const* lower,
                                          int const* upper, unsigned channels, unsigned pixels,
                                          unsigned const* element_strides, int interleave, int swizzle, int promotion,
                                          int fill);
#endif

}  // namespace detail

/// A descriptor of a batch of images and the pixels of it that a copy moves. Throws `error` where no tensor copy can do
/// it: the message names the rule, the mode and the value.
inline Im2ColTmaDescriptor make_im2col_descriptor(tensor_map_im2col_config const& c) {
  detail::check_pixels(c);
  tensor_map_config const common = detail::common_parameters(c);
  tensor_map_type const type = detail::check_tensor(common);
  for (int i = 0; i < c.rank; ++i) detail::check_mode(common, i, detail::bytes_of(type));
  Im2ColTmaDescriptor made = {};
#if defined(COSMATI_SIMULATED)
  detail::simulate_tensor_map(made, common, type);
  made.pixels = static_cast<std::uint16_t>(c.pixels);
  for (int i = 0; i < c.rank - 2; ++i) {
    made.lower[i] = static_cast<std::int16_t>(c.lower[i]);
    made.upper[i] = static_cast<std::int16_t>(c.upper[i]);
  }
#else
  static auto const encode = detail::find_driver_function<detail::tensor_map_im2col_encoder>("cuTensorMapEncodeIm2col");
  detail::encoded_modes const m(common, type);
  // The driver takes the corners in the order of its modes, width first.
  detail::encode_by_driver("cuTensorMapEncodeIm2col", common, type, [&] {
    return encode(&made, static_cast<int>(type), static_cast<unsigned>(c.rank), c.data, m.extents, m.strides, c.lower,
                  c.upper, static_cast<unsigned>(c.channels), static_cast<unsigned>(c.pixels), m.steps,
                  static_cast<int>(c.interleave), static_cast<int>(c.swizzle), static_cast<int>(c.promotion),
                  static_cast<int>(c.fill));
  });
#endif
  return made;
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
