// SPDX-License-Identifier: Apache-2.0
// Tensor copies of the mode im2col at random, both ways: batches of images of one to three dimensions, every exchange,
// corners, steps, offsets, and pixels behind the last image. The expectation numbers the pixels of the box, as section
// 5.5.4 of the PTX ISA describes it, and goes through them element by element.
#include <cosmati/arch/tensor_copy_im2col.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/runtime/tensor_map_im2col.hpp>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

using bytes = std::vector<std::uint8_t>;

struct beginning {
  int first[5];
  int offsets[3];
};

/// Brings the pixels and gives shared memory's bytes. `out[shared_bytes]` says whether they arrived.
template <int rank>
__global__ void load_pixels(TmaDescriptor const __grid_constant__ tensor, beginning where, std::uint8_t* out,
                            int copied_bytes, int shared_bytes) {
  __shared__ std::uint64_t full;
  auto* const tile = dynamic_shared<std::uint8_t>();
  if (threadIdx.x != 0) return;
  initialize_barrier(full, 1);
  fence_barrier_init();
  for (int i = 0; i < shared_bytes; ++i) tile[i] = 0xee;  // gaps between rows stay
  fence_proxy_async_shared();
  int first[std::size_t{rank}], offsets[std::size_t{rank - 2}];
  for (int i = 0; i < rank; ++i) first[i] = where.first[i];
  for (int i = 0; i < rank - 2; ++i) offsets[i] = where.offsets[i];
  std::uint64_t const state = arrive_and_expect_bytes(full, static_cast<std::uint32_t>(copied_bytes));
  tensor_prefetch_im2col_l2(tensor, first, offsets);
  tensor_copy_im2col_g2s(tile, tensor, first, offsets, full);
  bool arrived = false;
  for (int tries = 0; tries < 1 << 20 && !arrived; ++tries) arrived = test_barrier(full, state);
  out[shared_bytes] = arrived ? 1 : 0;
  for (int i = 0; arrived && i < shared_bytes; ++i) out[i] = tile[i];
}

/// @tparam adds: the pixels are added to the tensor
template <int rank, bool adds>
__global__ void store_pixels(TmaDescriptor const __grid_constant__ tensor, beginning where, std::uint8_t const* in,
                             int shared_bytes) {
  auto* const tile = dynamic_shared<std::uint8_t>();
  if (threadIdx.x != 0) return;
  for (int i = 0; i < shared_bytes; ++i) tile[i] = in[i];
  fence_proxy_async_shared();
  int first[std::size_t{rank}];
  for (int i = 0; i < rank; ++i) first[i] = where.first[i];
  if constexpr (adds)
    tensor_reduce_im2col_s2g<tma_reduction::add>(tensor, tile, first);
  else
    tensor_copy_im2col_s2g(tensor, tile, first);
  tma_store_arrive();
  bulk_store_wait<0>();
}

std::mt19937 engine(20261127);
int between(int low, int high) { return low + static_cast<int>(engine() % static_cast<unsigned>(high - low + 1)); }

struct problem {
  tensor_map_im2col_config config;
  beginning at = {};
  int element = 0;  // bytes
  int tensor_bytes = 0;

  int row_bytes() const { return config.channels * element; }
  /// From one pixel to the next in shared memory.
  int pitch() const {
    return config.swizzle == TMA::SmemSwizzleBits::DISABLE ? row_bytes() : 16 << static_cast<int>(config.swizzle);
  }
  int copied_bytes() const { return config.pixels * row_bytes(); }
  int shared_bytes() const { return config.pixels * pitch(); }
  /// Pixels of the box along mode i + 1.
  int pixels_along(int i) const {
    return (static_cast<int>(config.extent[i + 1]) - 1 + config.upper[i] - config.lower[i]) / config.step[i + 1] + 1;
  }
};

problem random_problem(int rank, tensor_map_type type, TMA::SmemSwizzleBits swizzle, bool moves_out) {
  problem p;
  auto& c = p.config;
  c.rank = rank;
  c.type = type;
  c.swizzle = swizzle;
  p.element = detail::bytes_of(type);
  int const vector = 16 / p.element;
  int const span = swizzle == TMA::SmemSwizzleBits::DISABLE ? 128 : 16 << static_cast<int>(swizzle);
  c.channels = swizzle == TMA::SmemSwizzleBits::DISABLE ? between(1, span / 16) * vector : span / p.element;
  std::int64_t stride = 1;
  for (int i = 0; i < rank; ++i) {
    c.extent[i] = i == 0 ? c.channels * between(1, 3) : i == rank - 1 ? between(1, 3) : between(3, 7);
    if (i == 0 && !moves_out) c.extent[0] += between(0, vector - 1);
    c.stride[i] = stride;
    stride = (stride * c.extent[i] + vector - 1) / vector * vector;
  }
  for (int i = 0; i < rank - 2; ++i) {
    c.lower[i] = moves_out ? 0 : between(-2, 1);
    c.upper[i] = moves_out ? between(-1, 0) : between(-1, 1);
    c.step[i + 1] = between(1, 2);
    p.at.first[i + 1] = c.lower[i] + c.step[i + 1] * between(0, p.pixels_along(i) - 1);
    p.at.offsets[i] = moves_out ? 0 : between(0, 2);
  }
  p.at.first[0] = between(0, static_cast<int>(c.extent[0]) / vector - 1) * vector;
  p.at.first[rank - 1] = between(0, static_cast<int>(c.extent[rank - 1]) - 1);
  c.pixels = between(1, 64);
  p.tensor_bytes = static_cast<int>(stride) * p.element;
  return p;
}

/// Calls each(byte in shared memory, byte of the tensor or -1), an element after the other.
template <class Each>
void for_each_element(problem const& p, Each const& each) {
  auto const& c = p.config;
  int const spatial = c.rank - 2;
  std::int64_t begin = p.at.first[c.rank - 1];  // the first pixel's number in the box, over all images
  for (int i = spatial - 1; i >= 0; --i)
    begin = begin * p.pixels_along(i) + (p.at.first[i + 1] - c.lower[i]) / c.step[i + 1];
  for (int pixel = 0; pixel < c.pixels; ++pixel) {
    std::int64_t rest = begin + pixel, at = 0;
    bool inside = true;
    for (int i = 0; i < spatial; rest /= p.pixels_along(i), ++i) {
      std::int64_t const x = c.lower[i] + rest % p.pixels_along(i) * c.step[i + 1] + p.at.offsets[i];
      inside = inside && x >= 0 && x < c.extent[i + 1];
      at += x * c.stride[i + 1];
    }
    inside = inside && rest < c.extent[c.rank - 1];
    at += rest * c.stride[c.rank - 1];
    for (int k = 0; k < c.channels; ++k) {
      std::int64_t const channel = p.at.first[0] + k;
      int const mask = c.swizzle == TMA::SmemSwizzleBits::B128  ? 0x70
                       : c.swizzle == TMA::SmemSwizzleBits::B64 ? 0x30
                       : c.swizzle == TMA::SmemSwizzleBits::B32 ? 0x10
                                                                : 0;
      int shared = pixel * p.pitch() + k * p.element;
      shared ^= shared >> 3 & mask;
      each(shared, inside && channel < c.extent[0] ? static_cast<int>((at + channel) * p.element) : -1);
    }
  }
}

std::string text_of(problem const& p) {
  auto const& c = p.config;
  std::string text = "rank " + std::to_string(c.rank) + " swizzle " + std::to_string(static_cast<int>(c.swizzle)) +
                     " channels " + std::to_string(c.channels) + " pixels " + std::to_string(c.pixels);
  for (int i = 0; i < c.rank; ++i)
    text += " | " + std::to_string(c.extent[i]) + ":" + std::to_string(c.stride[i]) + " step " +
            std::to_string(c.step[i]) + " at " + std::to_string(p.at.first[i]);
  for (int i = 0; i < c.rank - 2; ++i)
    text += " | corners " + std::to_string(c.lower[i]) + ", " + std::to_string(c.upper[i]) + " offset " +
            std::to_string(p.at.offsets[i]);
  return text;
}

bytes random_bytes(int n) {
  bytes all(static_cast<std::size_t>(n));
  for (auto& b : all) b = static_cast<std::uint8_t>(engine() >> 11);
  return all;
}

template <int rank>
void expect_load(problem p) {
  SCOPED_TRACE(text_of(p));
  bytes const tensor = random_bytes(p.tensor_bytes);
  device_buffer<std::uint8_t> const in(tensor);
  device_buffer<std::uint8_t> out(static_cast<std::size_t>(p.shared_bytes() + 1));
  p.config.data = in.data();
  launch(load_pixels<rank>, {.grid = 1, .block = 32, .shared_bytes = static_cast<std::size_t>(p.shared_bytes())},
         make_im2col_descriptor(p.config), p.at, out.data(), p.copied_bytes(), p.shared_bytes());
  bytes const got = out.download();
  ASSERT_EQ(got.back(), 1) << "the pixels did not arrive";
  int wrong = 0;
  for_each_element(p, [&](int shared, int global) {
    std::uint8_t expected[8] = {};
    auto const n = static_cast<std::size_t>(p.element);
    if (global >= 0) std::memcpy(expected, &tensor[static_cast<std::size_t>(global)], n);
    wrong += std::memcmp(expected, &got[static_cast<std::size_t>(shared)], n) != 0;
  });
  EXPECT_EQ(wrong, 0);
}

template <int rank, bool adds>
void expect_store(problem p) {
  SCOPED_TRACE(text_of(p));
  bytes expected = random_bytes(p.tensor_bytes);
  bytes const tile = random_bytes(p.shared_bytes());
  device_buffer<std::uint8_t> out(expected);
  device_buffer<std::uint8_t> const in(tile);
  p.config.data = out.data();
  launch(store_pixels<rank, adds>, {.grid = 1, .block = 32, .shared_bytes = static_cast<std::size_t>(p.shared_bytes())},
         make_im2col_descriptor(p.config), p.at, in.data(), p.shared_bytes());
  for_each_element(p, [&](int shared, int global) {
    if (global < 0) return;
    if constexpr (adds) {
      std::uint32_t sum, x;
      std::memcpy(&sum, &expected[static_cast<std::size_t>(global)], 4);
      std::memcpy(&x, &tile[static_cast<std::size_t>(shared)], 4);
      sum += x;
      std::memcpy(&expected[static_cast<std::size_t>(global)], &sum, 4);
    } else {
      std::memcpy(&expected[static_cast<std::size_t>(global)], &tile[static_cast<std::size_t>(shared)],
                  static_cast<std::size_t>(p.element));
    }
  });
  EXPECT_EQ(out.download(), expected);
}

constexpr tensor_map_type types[] = {tensor_map_type::u8, tensor_map_type::f16, tensor_map_type::f32,
                                     tensor_map_type::u64};
constexpr TMA::SmemSwizzleBits swizzles[] = {TMA::SmemSwizzleBits::DISABLE, TMA::SmemSwizzleBits::B32,
                                             TMA::SmemSwizzleBits::B64, TMA::SmemSwizzleBits::B128};

template <int rank>
void expect_every_type_and_swizzle() {
  COSMATI_REQUIRE_DEVICE();
  for (tensor_map_type const type : types) {
    for (TMA::SmemSwizzleBits const swizzle : swizzles) {
      expect_load<rank>(random_problem(rank, type, swizzle, false));
      expect_load<rank>(random_problem(rank, type, swizzle, false));
      expect_store<rank, false>(random_problem(rank, type, swizzle, true));
    }
  }
}

TEST(TensorCopyIm2col, ImagesOfOneDimension) { expect_every_type_and_swizzle<3>(); }
TEST(TensorCopyIm2col, ImagesOfTwoDimensions) { expect_every_type_and_swizzle<4>(); }
TEST(TensorCopyIm2col, ImagesOfThreeDimensions) { expect_every_type_and_swizzle<5>(); }

/// Example 2 of section 5.5.4.1 of the PTX ISA, in small: a box from 0 to the third-last pixel, and offsets of 2.
template <int rank>
void expect_sums() {
  COSMATI_REQUIRE_DEVICE();
  if (!device_has_tensor_copies()) GTEST_SKIP() << "the GPU has no tensor copies";
  for (TMA::SmemSwizzleBits const swizzle : swizzles)
    expect_store<rank, true>(random_problem(rank, tensor_map_type::u32, swizzle, true));
}
TEST(TensorCopyIm2col, SumsOfPixels) {
  expect_sums<3>();
  expect_sums<4>();
  expect_sums<5>();
}

TEST(TensorCopyIm2col, TheCornersAreNotAlike) {
  COSMATI_REQUIRE_DEVICE();
  problem p;
  p.config.rank = 4;
  p.config.type = tensor_map_type::f16;
  p.element = 2;
  p.config.swizzle = TMA::SmemSwizzleBits::DISABLE;
  p.config.channels = 8;
  p.config.pixels = 40;
  std::int64_t const extent[] = {8, 9, 7, 2}, stride[] = {1, 8, 72, 504};
  for (int i = 0; i < 4; ++i) p.config.extent[i] = extent[i], p.config.stride[i] = stride[i];
  p.config.lower[0] = 0, p.config.upper[0] = -2;  // along the width
  p.config.lower[1] = -1, p.config.upper[1] = 1;  // along the height
  p.at.first[1] = 6, p.at.first[2] = -1;
  p.at.offsets[0] = 2, p.at.offsets[1] = 1;
  p.tensor_bytes = 1008 * 2;
  expect_load<4>(p);
}

}  // namespace
