// SPDX-License-Identifier: Apache-2.0
// Descriptors of tensor copies: each rule of the driver is checked on the host, by a message that names rule, mode and
// value.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cosmati/runtime/tensor_map.hpp>
#include <cstdint>
#include <string>

using namespace cosmati;

namespace {

template <class Call>
std::string refusal(Call const& call) {
  try {
    call();
  } catch (error const& e) {
    return e.what();
  }
  return "";
}

TEST(TensorMap, RefusesWhatNoTensorCopyCanDo) {
  alignas(16) static float memory[64 * 64];
  tensor_map_config const good{
      .data = memory, .element_bytes = 4, .extent = {32, 64, 2, 1}, .stride = {1, 64, 32, 32}, .box = {32, 8, 1, 1}};
  auto const refused = [&](auto const& change) {
    tensor_map_config c = good;
    change(c);
    return refusal([&] { make_tma_descriptor(c); });
  };
  auto const says = [](std::string const& text, char const* what) { return text.find(what) != std::string::npos; };
  EXPECT_TRUE(says(refused([](auto& c) { c.data = memory + 1; }), "no multiple of 16"));
  EXPECT_TRUE(says(refused([](auto& c) { c.data = nullptr; }), "data is null"));
  EXPECT_TRUE(says(refused([](auto& c) { c.element_bytes = 0; }), "element_bytes is 0"));
  EXPECT_TRUE(says(refused([](auto& c) { c.element_bytes = 3; }), "element_bytes is 3"));
  EXPECT_TRUE(says(refused([](auto& c) { c.element_bytes = 16, c.box[0] = 8; }), "element_bytes is 16"));
  EXPECT_TRUE(says(refused([](auto& c) { c.box[0] = 0x40000020; }), "1073741856 elements of mode 0"));
  EXPECT_TRUE(says(refused([](auto& c) { c.box[0] = -32; }), "-32 elements of mode 0"));
  EXPECT_TRUE(
      says(refused([](auto& c) { c.stride[1] = std::int64_t{1} << 38; }), "mode 1 has a stride of 1099511627776"));
  EXPECT_TRUE(
      says(refused([](auto& c) { c.stride[2] = INT64_MAX - 15; }), "mode 2 has a stride of 9223372036854775792"));
  EXPECT_TRUE(says(refused([](auto& c) { c.extent[1] = -5; }), "mode 1 has -5 elements"));
  EXPECT_EQ(refused([](auto& c) { c.stride[1] = (std::int64_t{1} << 38) - 4; }), "");
  EXPECT_TRUE(says(refused([](auto& c) { c.box[0] = 3; }), "12 bytes of mode 0; multiples of 16"));
  EXPECT_TRUE(says(refused([](auto& c) { c.box[0] = 64; }),
                   "256 bytes of mode 0, and the swizzle exchanges chunks within rows of 128"));
  EXPECT_TRUE(says(refused([](auto& c) { c.swizzle = TMA::SmemSwizzleBits::B32; }), "within rows of 32"));
  EXPECT_EQ(refused([](auto& c) { c.box[0] = 64, c.swizzle = TMA::SmemSwizzleBits::DISABLE; }), "");
  EXPECT_TRUE(says(refused([](auto& c) { c.stride[0] = 2; }), "mode 0 has stride 2"));
  EXPECT_TRUE(says(refused([](auto& c) { c.stride[1] = 33; }), "mode 1 has a stride of 132 bytes"));
  EXPECT_TRUE(says(refused([](auto& c) { c.stride[2] = -32; }), "mode 2 has a stride of -128 bytes"));
  EXPECT_TRUE(says(refused([](auto& c) { c.box[1] = 257; }), "the box has 257 elements of mode 1"));
  EXPECT_TRUE(says(refused([](auto& c) { c.extent[3] = 0; }), "mode 3 has 0 elements"));
  EXPECT_TRUE(
      says(refused([](auto& c) { c.extent[1] = (std::int64_t{1} << 32) + 1; }), "mode 1 has 4294967297 elements"));
  EXPECT_EQ(refused([](auto& c) { c.extent[1] = std::int64_t{1} << 32; }), "");
  EXPECT_TRUE(says(refused([](auto& c) { c.rank = 0; }), "rank is 0"));
  EXPECT_TRUE(says(refused([](auto& c) { c.rank = 6; }), "rank is 6"));
  EXPECT_TRUE(says(refused([](auto& c) { c.rank = 6; }), "merge modes that follow each other"));
  EXPECT_TRUE(says(refused([](auto& c) { c.swizzle = static_cast<TMA::SmemSwizzleBits>(7); }), "swizzle 7 is none of"));
  EXPECT_TRUE(says(refused([](auto& c) { c.promotion = static_cast<TMA::L2Promotion>(4); }), "promotion 4 is none of"));
  EXPECT_TRUE(says(refused([](auto& c) { c.fill = static_cast<TMA::OOBFill>(2); }), "fill 2 is none of"));
  EXPECT_TRUE(says(refused([](auto& c) { c.stride[2] = 0; }), "leave out a mode"));
  EXPECT_TRUE(says(refused([](auto& c) { c.step[1] = 9; }), "step 9 along mode 1; 1 to 8"));
  EXPECT_TRUE(says(refused([](auto& c) { c.step[0] = 2; }), "step 2 along mode 0; mode 0 is taken whole"));
  EXPECT_TRUE(says(refused([](auto& c) { c.fill = TMA::OOBFill::CONSTANT; }), "give a `type` of floating point"));
  EXPECT_EQ(refused([](auto& c) { c.fill = TMA::OOBFill::CONSTANT, c.type = tensor_map_type::f32; }), "");
  EXPECT_EQ(refused([](auto& c) { c.element_bytes = 0, c.type = tensor_map_type::f32; }), "");
  EXPECT_TRUE(
      says(refused([](auto& c) { c.type = tensor_map_type::f16; }), "element_bytes is 4; elements of this type"));
}

TEST(TensorMap, InterleavedChannels) {
  alignas(32) static std::uint16_t memory[64 * 64];
  tensor_map_config const good{.data = memory,
                               .element_bytes = 2,
                               .rank = 3,
                               .extent = {16, 8, 4},
                               .stride = {1, 16, 128},
                               .box = {16, 4, 2},
                               .swizzle = TMA::SmemSwizzleBits::B32,
                               .interleave = TMA::Interleave::B32};
  auto const refused = [&](auto const& change) {
    tensor_map_config c = good;
    change(c);
    return refusal([&] { make_tma_descriptor(c); });
  };
  auto const says = [](std::string const& text, char const* what) { return text.find(what) != std::string::npos; };
#if defined(COSMATI_SIMULATED)  // a GPU's driver is not asked here
  EXPECT_EQ(refused([](auto&) {}), "");
  EXPECT_EQ(refused([](auto& c) { c.interleave = TMA::Interleave::B16, c.swizzle = TMA::SmemSwizzleBits::B128; }), "");
  EXPECT_EQ(refused([](auto& c) { c.interleave = TMA::Interleave::B16, c.box[0] = 24, c.step[0] = 2; }), "");
#endif
  EXPECT_TRUE(says(refused([](auto& c) { c.interleave = TMA::Interleave::B16, c.box[0] = 3; }),
                   "the box has 6 bytes of mode 0; multiples of 16"));
  EXPECT_TRUE(says(refused([](auto& c) { c.rank = 2; }), "rank is 2; interleaved channels need a tensor of 3 to 5"));
  EXPECT_TRUE(says(refused([](auto& c) { c.data = memory + 8; }), "no multiple of 32, as channels in slices of 32"));
  EXPECT_TRUE(says(refused([](auto& c) { c.swizzle = TMA::SmemSwizzleBits::B64; }),
                   "channels in slices of 32 bytes need the swizzle B32, and it is 2"));
  EXPECT_TRUE(says(refused([](auto& c) { c.stride[1] = 24; }),
                   "mode 1 has a stride of 48 bytes; channels in slices of 32 bytes need multiples of 32"));
  EXPECT_TRUE(says(refused([](auto& c) { c.interleave = static_cast<TMA::Interleave>(3); }), "interleave 3 is none"));
  EXPECT_TRUE(says(refused([](auto& c) { c.interleave = TMA::Interleave::DISABLE, c.step[0] = 2; }),
                   "step 2 along mode 0; mode 0 is taken whole"));
}

}  // namespace
