// SPDX-License-Identifier: Apache-2.0
// Boxes of tensor copies at random, both ways: every rank, type, exchange and fill, inside the tensor and over its
// edges. The expectation goes element by element through the rules of the PTX ISA.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/runtime/tensor_map.hpp>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

using bytes = std::vector<std::uint8_t>;

struct coordinates {
  int at[5];
};

template <std::size_t rank>
__device__ void take(int (&first)[rank], coordinates const& all) {
  for (std::size_t i = 0; i < rank; ++i) first[i] = all.at[i];
}

/// Brings one box and gives shared memory's bytes. `out[shared_bytes]` says whether the box arrived.
template <int rank>
__global__ void load_box(TmaDescriptor const __grid_constant__ tensor, coordinates where, std::uint8_t* out,
                         int box_bytes, int shared_bytes) {
  __shared__ std::uint64_t full;
  auto* const box = dynamic_shared<std::uint8_t>();
  if (threadIdx.x == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
    for (int i = 0; i < shared_bytes; ++i) box[i] = 0xee;  // gaps between rows stay
    fence_proxy_async_shared();
    int first[std::size_t{rank}];
    take(first, where);
    std::uint64_t const state = arrive_and_expect_bytes(full, static_cast<std::uint32_t>(box_bytes));
    tensor_copy_g2s(box, tensor, first, full);
    bool arrived = false;
    for (int tries = 0; tries < 1 << 20 && !arrived; ++tries) arrived = test_barrier(full, state);
    out[shared_bytes] = arrived ? 1 : 0;
    for (int i = 0; arrived && i < shared_bytes; ++i) out[i] = box[i];
  }
}

template <int rank>
__global__ void store_box(TmaDescriptor const __grid_constant__ tensor, coordinates where, std::uint8_t const* in,
                          int box_bytes) {
  auto* const box = dynamic_shared<std::uint8_t>();
  if (threadIdx.x == 0) {
    for (int i = 0; i < box_bytes; ++i) box[i] = in[i];
    fence_proxy_async_shared();
    int first[std::size_t{rank}];
    take(first, where);
    tensor_copy_s2g(tensor, box, first);
    tma_store_arrive();
    bulk_store_wait<0>();
  }
}

std::mt19937 engine(20261127);
int between(int low, int high) { return low + static_cast<int>(engine() % static_cast<unsigned>(high - low + 1)); }

struct problem {
  tensor_map_config config;
  coordinates first = {};
  int element = 0;  // bytes
  int tensor_bytes = 0;

  int taken(int mode) const { return (config.box[mode] + config.step[mode] - 1) / config.step[mode]; }
  int box_elements() const {
    int n = 1;
    for (int i = 0; i < config.rank; ++i) n *= taken(i);
    return n;
  }
  int box_bytes() const { return box_elements() * element; }
  /// From one row to the next in shared memory: with a swizzle, the bytes within which it exchanges chunks.
  int row_bytes() const {
    return config.swizzle == TMA::SmemSwizzleBits::DISABLE ? taken(0) * element
                                                           : 16 << static_cast<int>(config.swizzle);
  }
  int shared_bytes() const { return box_elements() / taken(0) * row_bytes(); }
};

problem random_problem(int rank, tensor_map_type type, TMA::SmemSwizzleBits swizzle, bool steps) {
  problem p;
  p.config.rank = rank;
  p.config.type = type;
  p.config.swizzle = swizzle;
  p.element = detail::bytes_of(type);
  int const vector = 16 / p.element;
  int const span = swizzle == TMA::SmemSwizzleBits::DISABLE ? 256 : 16 << static_cast<int>(swizzle);
  std::int64_t stride = 1;
  for (int i = 0; i < rank; ++i) {
    p.config.extent[i] = i == 0 ? between(1, 3 * span / p.element) : between(1, 9);
    p.config.stride[i] = stride;
    std::int64_t const next = stride * p.config.extent[i];
    stride = (next + vector - 1) / vector * vector + (between(0, 2) == 0 ? vector : 0);
    p.config.box[i] = i == 0 ? std::min(256 / vector, between(1, span / 16)) * vector : between(1, 5);
    if (steps && i > 0) p.config.step[i] = between(1, 3);
    p.first.at[i] = between(0, 2) == 0 ? between(-p.config.box[i], static_cast<int>(p.config.extent[i]) + 1)
                                       : between(0, static_cast<int>(p.config.extent[i]) - 1);
    if (i == 0) p.first.at[i] = p.first.at[i] / vector * vector;  // GPUs take multiples of 16 bytes
  }
  p.tensor_bytes = static_cast<int>(stride) * p.element;
  return p;
}

/// Calls each(byte of the box in shared memory, byte of the tensor or -1), an element after the other.
template <class Each>
void for_each_element(problem const& p, Each const& each) {
  for (int linear = 0; linear < p.box_elements(); ++linear) {
    std::int64_t at = 0;
    bool inside = true;
    for (int i = 0, rest = linear; i < p.config.rank; rest /= p.taken(i), ++i) {
      std::int64_t const x = p.first.at[i] + rest % p.taken(i) * p.config.step[i];
      inside = inside && x >= 0 && x < p.config.extent[i];
      at += x * p.config.stride[i];
    }
    int shared = linear / p.taken(0) * p.row_bytes() + linear % p.taken(0) * p.element;
    int const mask = p.config.swizzle == TMA::SmemSwizzleBits::B128  ? 0x70
                     : p.config.swizzle == TMA::SmemSwizzleBits::B64 ? 0x30
                     : p.config.swizzle == TMA::SmemSwizzleBits::B32 ? 0x10
                                                                     : 0;
    shared ^= shared >> 3 & mask;
    each(shared, inside ? static_cast<int>(at) * p.element : -1);
  }
}

/// What a load makes of an element: TF32 is rounded to even, and all its NaNs become one.
void change(tensor_map_type type, std::uint8_t* at) {
  if (type != tensor_map_type::tf32 && type != tensor_map_type::tf32_ftz) return;
  std::uint32_t bits;
  std::memcpy(&bits, at, 4);
  std::uint32_t const magnitude = bits & 0x7fffffffu, rest = bits % 0x2000u;
  if (magnitude > 0x7f800000u)
    bits = 0x7fffe000u;
  else
    bits = bits - rest + (rest > 0x1000u || (rest == 0x1000u && (bits & 0x2000u) != 0) ? 0x2000u : 0);
  std::memcpy(at, &bits, 4);
}

std::string text_of(problem const& p) {
  std::string text = "rank " + std::to_string(p.config.rank) + " type " +
                     std::to_string(static_cast<int>(p.config.type)) + " swizzle " +
                     std::to_string(static_cast<int>(p.config.swizzle));
  for (int i = 0; i < p.config.rank; ++i)
    text += " | " + std::to_string(p.config.extent[i]) + ":" + std::to_string(p.config.stride[i]) + " box " +
            std::to_string(p.config.box[i]) + "/" + std::to_string(p.config.step[i]) + " at " +
            std::to_string(p.first.at[i]);
  return text;
}

bytes random_bytes(int n, tensor_map_type type) {
  bytes all(static_cast<std::size_t>(n));
  for (auto& b : all) b = static_cast<std::uint8_t>(engine() >> 11);
  for (std::size_t i = 3; type >= tensor_map_type::f32_ftz && i < all.size(); i += 4) {
    auto const chance = engine() % 8;
    if (chance == 0) all[i] &= 0x80u, all[i - 1] &= 0x7fu;  // subnormal numbers
    if (chance == 1) all[i] |= 0x7fu, all[i - 1] |= 0x80u;  // NaNs, and infinities
    if (chance >= 6) all[i - 3] = 0, all[i - 2] = static_cast<std::uint8_t>((all[i - 2] & 0xe0u) | 0x10u);  // ties
  }
  return all;
}

template <int rank>
void expect_load(problem p) {
  SCOPED_TRACE(text_of(p));
  bytes const tensor = random_bytes(p.tensor_bytes, p.config.type);
  device_buffer<std::uint8_t> const in(tensor);
  device_buffer<std::uint8_t> out(static_cast<std::size_t>(p.shared_bytes() + 1));
  p.config.data = in.data();
  launch(load_box<rank>, {.grid = 1, .block = 32, .shared_bytes = static_cast<std::size_t>(p.shared_bytes())},
         make_tma_descriptor(p.config), p.first, out.data(), p.box_bytes(), p.shared_bytes());
  bytes const got = out.download();
  ASSERT_EQ(got.back(), 1) << "the box did not arrive";
  int wrong = 0;
  for_each_element(p, [&](int shared, int global) {
    std::uint8_t expected[8] = {};
    auto const n = static_cast<std::size_t>(p.element);
    if (global >= 0) {
      std::memcpy(expected, &tensor[static_cast<std::size_t>(global)], n);
      change(p.config.type, expected);
    } else if (p.config.fill == TMA::OOBFill::CONSTANT) {
      for (std::size_t i = 0; i < n; ++i) expected[i] = i % 2 == 0 ? 0xf7 : 0x7f;
    }
    wrong += std::memcmp(expected, &got[static_cast<std::size_t>(shared)], n) != 0;
  });
  EXPECT_EQ(wrong, 0);
}

/// GPUs store at no negative coordinate, and whole chunks of 16 bytes.
template <int rank>
void expect_store(problem p) {
  std::int64_t const vector = 16 / p.element;
  for (int& x : p.first.at) x = std::max(x, 0);
  p.config.extent[0] = (p.config.extent[0] + vector - 1) / vector * vector;
  SCOPED_TRACE(text_of(p));
  bytes expected = random_bytes(p.tensor_bytes, tensor_map_type::u8);
  bytes const box = random_bytes(p.shared_bytes(), tensor_map_type::u8);
  device_buffer<std::uint8_t> out(expected);
  device_buffer<std::uint8_t> const in(box);
  p.config.data = out.data();
  launch(store_box<rank>, {.grid = 1, .block = 32, .shared_bytes = static_cast<std::size_t>(p.shared_bytes())},
         make_tma_descriptor(p.config), p.first, in.data(), p.shared_bytes());
  for_each_element(p, [&](int shared, int global) {
    if (global >= 0)
      std::memcpy(&expected[static_cast<std::size_t>(global)], &box[static_cast<std::size_t>(shared)],
                  static_cast<std::size_t>(p.element));
  });
  EXPECT_EQ(out.download(), expected);
}

constexpr tensor_map_type types[] = {
    tensor_map_type::u8,  tensor_map_type::u16, tensor_map_type::u32, tensor_map_type::s32, tensor_map_type::u64,
    tensor_map_type::s64, tensor_map_type::f16, tensor_map_type::f32, tensor_map_type::f64, tensor_map_type::bf16};
constexpr TMA::SmemSwizzleBits swizzles[] = {TMA::SmemSwizzleBits::DISABLE, TMA::SmemSwizzleBits::B32,
                                             TMA::SmemSwizzleBits::B64, TMA::SmemSwizzleBits::B128};

/// Rows of the box are as wide as the swizzle's span; narrower ones have a test of their own.
void fill_span(problem& p) {
  if (p.config.swizzle != TMA::SmemSwizzleBits::DISABLE)
    p.config.box[0] = (16 << static_cast<int>(p.config.swizzle)) / p.element;
}

template <int rank>
void expect_every_type_and_swizzle() {
  COSMATI_REQUIRE_DEVICE();
  for (tensor_map_type const type : types) {
    for (TMA::SmemSwizzleBits const swizzle : swizzles) {
      problem p = random_problem(rank, type, swizzle, false);
      fill_span(p);
      expect_load<rank>(p);
      expect_store<rank>(p);
    }
  }
}

TEST(TensorBoxes, OfRank1) { expect_every_type_and_swizzle<1>(); }
TEST(TensorBoxes, OfRank2) { expect_every_type_and_swizzle<2>(); }
TEST(TensorBoxes, OfRank3) { expect_every_type_and_swizzle<3>(); }
TEST(TensorBoxes, OfRank4) { expect_every_type_and_swizzle<4>(); }
TEST(TensorBoxes, OfRank5) { expect_every_type_and_swizzle<5>(); }

TEST(TensorBoxes, EveryStepthElement) {
  COSMATI_REQUIRE_DEVICE();
  for (int k = 0; k < 24; ++k) {
    problem p = random_problem(3, types[between(0, 9)], swizzles[k % 4], true);
    fill_span(p);
    expect_load<3>(p);
    expect_store<3>(p);
  }
}

TEST(TensorBoxes, RowsNarrowerThanTheSwizzle) {
  COSMATI_REQUIRE_DEVICE();
  for (int k = 0; k < 12; ++k) {
    problem p = random_problem(2, tensor_map_type::u16, swizzles[1 + k % 3], false);
    p.config.box[0] = (8 << static_cast<int>(p.config.swizzle)) / 2;  // half of the span
    if (p.config.box[0] * 2 % 16 != 0) continue;
    expect_load<2>(p);
    expect_store<2>(p);
  }
}

TEST(TensorBoxes, NumbersFromOutside) {
  COSMATI_REQUIRE_DEVICE();
  for (tensor_map_type const type :
       {tensor_map_type::f16, tensor_map_type::bf16, tensor_map_type::f32, tensor_map_type::f64}) {
    problem p = random_problem(2, type, TMA::SmemSwizzleBits::DISABLE, false);
    p.config.fill = TMA::OOBFill::CONSTANT;
    int const vector = 16 / p.element;
    p.first.at[0] = (static_cast<int>(p.config.extent[0]) - 1) / vector * vector;
    p.first.at[1] = -1;
    expect_load<2>(p);
  }
}

TEST(TensorBoxes, LoadsThatChangeNumbers) {
  COSMATI_REQUIRE_DEVICE();
  for (tensor_map_type const type : {tensor_map_type::f32_ftz, tensor_map_type::tf32, tensor_map_type::tf32_ftz}) {
    for (int k = 0; k < 4; ++k) {
      problem p = random_problem(2, type, swizzles[k], false);
      fill_span(p);
      expect_load<2>(p);
    }
  }
}

}  // namespace
