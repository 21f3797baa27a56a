// SPDX-License-Identifier: Apache-2.0
// Tensor copies of interleaved channels at random, both ways and by im2col: slices of 16 and 32 bytes, every rank, type
// and exchange, inside the tensor and over its edges. No document says where the slices lie. The expectation is what an
// H100 did (bench/notes/interleaved-tensor-copies.md), so that this test fails on a GPU that does something else.
#include <gtest/gtest.h>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/arch/tensor_copy_im2col.hpp>
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

/// Brings one box or some pixels and gives shared memory's bytes. `out[shared_bytes]` says whether they arrived.
template <int rank, bool im2col>
__global__ void load_slices(TmaDescriptor const __grid_constant__ tensor, beginning where, std::uint8_t* out,
                            int copied_bytes, int shared_bytes) {
  __shared__ std::uint64_t full;
  auto* const tile = dynamic_shared<std::uint8_t>();
  if (threadIdx.x != 0) return;
  initialize_barrier(full, 1);
  fence_barrier_init();
  for (int i = 0; i < shared_bytes; ++i) tile[i] = 0xee;  // the exchange may leave gaps at the end
  fence_proxy_async_shared();
  int first[std::size_t{rank}], offsets[std::size_t{rank - 2}];
  for (int i = 0; i < rank; ++i) first[i] = where.first[i];
  for (int i = 0; i < rank - 2; ++i) offsets[i] = where.offsets[i];
  std::uint64_t const state = arrive_and_expect_bytes(full, static_cast<std::uint32_t>(copied_bytes));
  if constexpr (im2col)
    tensor_copy_im2col_g2s(tile, tensor, first, offsets, full);
  else
    tensor_copy_g2s(tile, tensor, first, full);
  bool arrived = false;
  for (int tries = 0; tries < 1 << 20 && !arrived; ++tries) arrived = test_barrier(full, state);
  out[shared_bytes] = arrived ? 1 : 0;
  for (int i = 0; arrived && i < shared_bytes; ++i) out[i] = tile[i];
}

template <int rank, bool im2col>
__global__ void store_slices(TmaDescriptor const __grid_constant__ tensor, beginning where, std::uint8_t const* in,
                             int shared_bytes) {
  auto* const tile = dynamic_shared<std::uint8_t>();
  if (threadIdx.x != 0) return;
  for (int i = 0; i < shared_bytes; ++i) tile[i] = in[i];
  fence_proxy_async_shared();
  int first[std::size_t{rank}];
  for (int i = 0; i < rank; ++i) first[i] = where.first[i];
  if constexpr (im2col)
    tensor_copy_im2col_s2g(tensor, tile, first);
  else
    tensor_copy_s2g(tensor, tile, first);
  tma_store_arrive();
  bulk_store_wait<0>();
}

std::mt19937 engine(20261127);
int between(int low, int high) { return low + static_cast<int>(engine() % static_cast<unsigned>(high - low + 1)); }

/// A tensor of modes width, height, depth, slices, images, and what a copy moves of it.
struct problem {
  tensor_map_config tile;
  tensor_map_im2col_config im2col;
  bool pixels = false;
  beginning at = {};
  int rank = 0, slice = 0, element = 0;  // the last two in bytes
  int extent[5] = {1, 1, 1, 1, 1};
  std::int64_t stride[5] = {};  // bytes
  int tensor_bytes = 0;

  int taken(int mode) const { return (tile.box[mode] + tile.step[mode] - 1) / tile.step[mode]; }
  int count() const {
    if (pixels) return im2col.pixels;
    int n = 1;
    for (int i = 0; i < rank; ++i) n *= i == rank - 2 ? 1 : taken(i);
    return n;
  }
  int copied_bytes() const { return count() * slice; }
  /// Whole periods of the widest exchange.
  int shared_bytes() const { return (copied_bytes() + 1023) / 1024 * 1024; }
  int highest(int i) const { return extent[i] - 1 + im2col.upper[i]; }
};

problem random_problem(int rank, tensor_map_type type, TMA::Interleave interleave, TMA::SmemSwizzleBits swizzle,
                       bool pixels, bool moves_out) {
  problem p;
  p.rank = rank;
  p.pixels = pixels;
  p.slice = 16 * static_cast<int>(interleave);
  p.element = detail::bytes_of(type);
  std::int64_t next = p.slice;
  for (int i = 0; i < rank; ++i) {
    p.extent[i] = i == 0 ? between(3, 40) : between(i < rank - 2 ? 3 : 1, 6);
    p.stride[i] = next;
    next = (next * p.extent[i] + between(0, 1) * p.slice);
    p.at.first[i] = between(0, 2) == 0 && !moves_out ? between(-2, p.extent[i]) : between(0, p.extent[i] - 1);
  }
  p.tensor_bytes = static_cast<int>(next);
  auto const fill_in = [&](auto& c) {
    c.type = type;
    c.rank = rank;
    c.swizzle = swizzle;
    c.interleave = interleave;
    for (int i = 0; i < rank; ++i) {
      c.extent[i] = p.extent[i];
      c.stride[i] = i == 0 ? 1 : p.stride[i] / p.element;
    }
  };
  fill_in(p.tile);
  fill_in(p.im2col);
  for (int i = 0; i < rank; ++i) {
    p.tile.box[i] = i == 0 ? 16 / p.element * between(1, p.element == 1 ? 2 : 4) : i == rank - 2 ? 1 : between(1, 3);
    if (i != rank - 2) p.tile.step[i] = between(0, 3) == 0 ? 2 : 1;
  }
  if (!pixels) return p;
  p.im2col.channels = p.slice / p.element;
  p.im2col.pixels = between(1, 40);
  for (int i = 0; i < rank - 2; ++i) {
    p.im2col.lower[i] = moves_out ? 0 : between(-1, 1);
    p.im2col.upper[i] = moves_out ? 0 : between(-1, 1);
    p.at.first[i] = between(p.im2col.lower[i], p.highest(i));
    p.at.offsets[i] = moves_out ? 0 : between(0, 2);
  }
  p.at.first[rank - 1] = between(0, p.extent[rank - 1] - 1);
  return p;
}

/// The byte of the tensor at which a slice begins; -1: it is outside.
int place(problem const& p, int const* x) {
  std::int64_t at = 0;
  for (int i = 0; i < p.rank; ++i) {
    if (x[i] < 0 || x[i] >= p.extent[i]) return -1;
    at += x[i] * p.stride[i];
  }
  return static_cast<int>(at);
}

/// Calls each(number of the slice in shared memory, byte of the tensor or -1).
template <class Each>
void for_each_slice(problem const& p, Each const& each) {
  int const last = p.rank - 1;
  int at[5];
  for (int i = 0; i < p.rank; ++i) at[i] = p.at.first[i];
  for (int number = 0; number < p.count(); ++number) {
    int x[5];
    if (p.pixels) {
      for (int i = 0; i < p.rank; ++i) x[i] = at[i] + (i < p.rank - 2 ? p.at.offsets[i] : 0);
      each(number, place(p, x));
      int i = 0;
      for (; i < p.rank - 2; ++i) {
        if (++at[i] <= p.highest(i)) break;
        at[i] = p.im2col.lower[i];
      }
      if (i == p.rank - 2) ++at[last];
    } else {
      int rest = number;
      for (int i = 0; i < p.rank; ++i) {
        int const n = i == p.rank - 2 ? 1 : p.taken(i);
        x[i] = p.at.first[i] + rest % n * p.tile.step[i];
        rest /= n;
      }
      each(number, place(p, x));
    }
  }
}
/// Where byte i of shared memory goes by the exchange.
std::size_t exchanged(problem const& p, int i) {
  int const mask = ((1 << static_cast<int>(p.tile.swizzle)) - 1) << 4;
  return static_cast<std::size_t>(i ^ (i >> 3 & mask));
}

bytes random_bytes(int n) {
  bytes all(static_cast<std::size_t>(n));
  for (auto& b : all) b = static_cast<std::uint8_t>(engine() >> 11);
  return all;
}
TmaDescriptor descriptor_of(problem p, void* data) {
  p.tile.data = p.im2col.data = data;
  return p.pixels ? make_im2col_descriptor(p.im2col) : make_tma_descriptor(p.tile);
}
std::string text_of(problem const& p) {
  std::string text = "rank " + std::to_string(p.rank) + " slice " + std::to_string(p.slice) + " element " +
                     std::to_string(p.element) + " swizzle " + std::to_string(static_cast<int>(p.tile.swizzle)) +
                     (p.pixels ? " pixels " + std::to_string(p.im2col.pixels) : "");
  for (int i = 0; i < p.rank; ++i)
    text += " | " + std::to_string(p.extent[i]) + " box " + std::to_string(p.tile.box[i]) + " step " +
            std::to_string(p.tile.step[i]) + " at " + std::to_string(p.at.first[i]);
  return text;
}

template <int rank, bool im2col>
void expect_load(problem const& p) {
  SCOPED_TRACE(text_of(p));
  bytes const tensor = random_bytes(p.tensor_bytes);
  device_buffer<std::uint8_t> in(tensor);
  int const n = p.shared_bytes();
  device_buffer<std::uint8_t> out(static_cast<std::size_t>(n + 1));
  launch(load_slices<rank, im2col>, {.grid = 1, .block = 32, .shared_bytes = static_cast<std::size_t>(n)},
         descriptor_of(p, in.data()), p.at, out.data(), p.copied_bytes(), n);
  bytes const got = out.download();
  ASSERT_EQ(got.back(), 1) << "the copy did not arrive";
  int wrong = 0;
  for_each_slice(p, [&](int number, int from) {
    for (int b = 0; b < p.slice; ++b) {
      int const expected = from < 0 ? 0 : tensor[static_cast<std::size_t>(from + b)];
      wrong += got[exchanged(p, number * p.slice + b)] != expected;
    }
  });
  EXPECT_EQ(wrong, 0);
}
template <int rank, bool im2col>
void expect_store(problem const& p) {
  SCOPED_TRACE(text_of(p));
  bytes expected = random_bytes(p.tensor_bytes);
  int const n = p.shared_bytes();
  bytes const tile = random_bytes(n);
  device_buffer<std::uint8_t> out(expected);
  device_buffer<std::uint8_t> const in(tile);
  launch(store_slices<rank, im2col>, {.grid = 1, .block = 32, .shared_bytes = static_cast<std::size_t>(n)},
         descriptor_of(p, out.data()), p.at, in.data(), n);
  for_each_slice(p, [&](int number, int to) {
    for (int b = 0; to >= 0 && b < p.slice; ++b)
      expected[static_cast<std::size_t>(to + b)] = tile[exchanged(p, number * p.slice + b)];
  });
  EXPECT_EQ(out.download(), expected);
}

template <int rank, bool im2col>
void expect_slices() {
  COSMATI_REQUIRE_DEVICE();
  if (!device_has_tensor_copies()) GTEST_SKIP() << "the GPU has no tensor copies";
  using enum TMA::SmemSwizzleBits;
  for (tensor_map_type const type :
       {tensor_map_type::u8, tensor_map_type::f16, tensor_map_type::f32, tensor_map_type::u64}) {
    for (TMA::SmemSwizzleBits const swizzle : {DISABLE, B32, B64, B128}) {
      expect_load<rank, im2col>(random_problem(rank, type, TMA::Interleave::B16, swizzle, im2col, false));
      expect_store<rank, im2col>(random_problem(rank, type, TMA::Interleave::B16, swizzle, im2col, true));
    }
    expect_load<rank, im2col>(random_problem(rank, type, TMA::Interleave::B32, B32, im2col, false));
    expect_store<rank, im2col>(random_problem(rank, type, TMA::Interleave::B32, B32, im2col, true));
  }
}

TEST(InterleavedTensors, Rows) { expect_slices<3, false>(); }
TEST(InterleavedTensors, Images) { expect_slices<4, false>(); }
TEST(InterleavedTensors, Volumes) { expect_slices<5, false>(); }
TEST(InterleavedTensors, PixelsOfRows) { expect_slices<3, true>(); }
TEST(InterleavedTensors, PixelsOfImages) { expect_slices<4, true>(); }
TEST(InterleavedTensors, PixelsOfVolumes) { expect_slices<5, true>(); }

/// The example of the documents, NC/8HWC8: 32 x 8 pixels of 16 channels, two slices of eight halves, one image.
TEST(InterleavedTensors, EightChannelsASlice) {
  COSMATI_REQUIRE_DEVICE();
  if (!device_has_tensor_copies()) GTEST_SKIP() << "the GPU has no tensor copies";
  problem p;
  p.rank = 4, p.slice = 16, p.element = 2;
  p.tensor_bytes = 2 * 8 * 32 * 16;
  int const extents[] = {32, 8, 2, 1};
  std::int64_t const strides[] = {16, 512, 4096, 8192};
  p.tile = {.type = tensor_map_type::f16,
            .rank = 4,
            .extent = {32, 8, 2, 1},
            .stride = {1, 256, 2048, 4096},
            .box = {32, 8, 1, 1},
            .swizzle = TMA::SmemSwizzleBits::DISABLE,
            .interleave = TMA::Interleave::B16};
  for (int i = 0; i < 4; ++i) p.extent[i] = extents[i], p.stride[i] = strides[i];
  p.at.first[2] = 1;
  expect_load<4, false>(p);
}

}  // namespace
