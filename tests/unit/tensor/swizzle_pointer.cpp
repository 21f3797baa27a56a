// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cosmati/layout/swizzle.hpp>
#include <cosmati/number/integer_subbyte.hpp>
#include <cosmati/number/uint128.hpp>
#include <cosmati/tensor/swizzle_pointer.hpp>
#include <cstring>

namespace {
using namespace cosmati;

/// Eight rows of 128 bytes. The 16-byte chunks of row r are exchanged by r, as the hardware's 128-byte swizzle
/// exchanges them.
using rows = Swizzle<3, 4, 3>;
std::size_t where(std::size_t byte) { return byte ^ ((byte >> 7 & 7) << 4); }

struct alignas(1024) tile {
  std::uint8_t byte[1024] = {};
};

template <class T>
void every_element_lies_where_the_formula_says() {
  tile memory;
  auto p = make_smem_ptr<T>(static_cast<void*>(memory.byte), rows{});
  constexpr int n = 1024 / static_cast<int>(sizeof(T));
  for (int i = 0; i < n; ++i) p[i] = static_cast<T>(i + 1);
  for (int i = 0; i < n; ++i) {
    T expected = static_cast<T>(i + 1), found;
    std::memcpy(&found, memory.byte + where(static_cast<std::size_t>(i) * sizeof(T)), sizeof(T));
    ASSERT_TRUE(found == expected) << i;
    ASSERT_TRUE(*(p + i) == expected) << i;
    ASSERT_TRUE((p + 3)[i - 3] == expected) << i;
  }
}
TEST(SwizzlePtr, EveryElementLiesWhereTheFormulaSays) {
  every_element_lies_where_the_formula_says<std::uint8_t>();
  every_element_lies_where_the_formula_says<std::uint16_t>();
  every_element_lies_where_the_formula_says<float>();
  every_element_lies_where_the_formula_says<double>();
  every_element_lies_where_the_formula_says<uint128_t>();
}

TEST(SwizzlePtr, PackedElements) {
  tile memory;
  auto p = make_smem_ptr(reinterpret_cast<uint4_t*>(memory.byte), rows{});
  static_assert(std::is_same_v<decltype(p), smem_ptr<swizzle_ptr<rows, subbyte_iterator<uint4_t>>>>);
  for (int i = 0; i < 2048; ++i) p[i] = uint4_t(i * 7);
  for (int i = 0; i < 2048; ++i) {
    int const byte = memory.byte[where(static_cast<std::size_t>(i) / 2)];
    ASSERT_EQ(byte >> 4 * (i % 2) & 15, i * 7 & 15) << i;
    ASSERT_EQ(int(p[i].get()), i * 7 & 15);
  }
}

TEST(SwizzlePtr, RecastsSeeTheSameBytes) {
  tile memory;
  for (int i = 0; i < 1024; ++i) memory.byte[i] = static_cast<std::uint8_t>(i * 37 >> 2);
  auto words = make_smem_ptr<std::uint32_t>(static_cast<void*>(memory.byte), rows{});
  auto bytes = recast_ptr<std::uint8_t>(words);
  auto nibbles = recast_ptr<uint4_t>(words);
  static_assert(is_smem_v<decltype(bytes)> && std::is_same_v<pointer_swizzle_t<decltype(nibbles)>, rows>);
  for (int i = 0; i < 1024; ++i) {
    ASSERT_EQ(bytes[i], words[i / 4] >> 8 * (i % 4) & 255) << i;
    ASSERT_EQ(int(nibbles[2 * i].get()), bytes[i] & 15);
    ASSERT_EQ(int(nibbles[2 * i + 1].get()), bytes[i] >> 4);
  }
  EXPECT_TRUE(recast_ptr<std::uint32_t>(bytes + 8) == words + 2);
  EXPECT_EQ(raw_pointer_cast(words + 40), reinterpret_cast<std::uint32_t*>(memory.byte + 160));
  EXPECT_EQ((words + 40).get().apply(), reinterpret_cast<std::uint32_t*>(memory.byte + where(160)));
}

TEST(SwizzlePtr, IsAlignedAsFarAsTheSwizzleKeepsBytesTogether) {
  tile memory;
  auto p = make_smem_ptr(memory.byte);
  static_assert(pointer_alignment_v<decltype(make_swizzle_ptr(assume_aligned<128>(p), rows{}))> == 16);
  static_assert(pointer_alignment_v<decltype(assume_aligned<128>(make_swizzle_ptr(p, Swizzle<2, 3, 4>{})))> == 8);
  static_assert(pointer_alignment_v<decltype(make_swizzle_ptr(p, rows{}))> == 1);
  auto q = assume_aligned<16>(make_swizzle_ptr(p, rows{}));
  static_assert(pointer_alignment_v<decltype(q + C<16>{})> == 16 && pointer_alignment_v<decltype(q + 16)> == 1);
  static_assert(pointer_alignment_v<decltype(advance_by<32>(q, 64))> == 16);
  EXPECT_TRUE(advance_by<32>(q, 64) == q + 64);
  q[128] = 5;
  EXPECT_EQ(memory.byte[where(128)], 5);
}

TEST(SwizzlePtr, ASwizzleOfNothingIsLeftOut) {
  float x[4] = {};
  static_assert(std::is_same_v<decltype(make_smem_ptr(x, Swizzle<0, 4, 3>{})), smem_ptr<float*>>);
  static_assert(std::is_same_v<pointer_swizzle_t<smem_ptr<float*>>, void>);
  static_assert(std::is_same_v<decltype(make_swizzle_ptr(&x[0], rows{})), swizzle_ptr<rows, float*>>);
}

struct flips_bit_three {
  std::uintptr_t operator()(std::uintptr_t address) const { return address ^ 8; }
};
TEST(SwizzlePtr, TakesAnyFunctionOfAddresses) {
  alignas(16) float x[4] = {0, 1, 2, 3};
  auto p = make_swizzle_ptr(&x[0], flips_bit_three{});
  EXPECT_EQ(*p, 2);
  EXPECT_EQ(p[3], 1);
  EXPECT_EQ((p + 3) - p, 3);
}

}  // namespace
