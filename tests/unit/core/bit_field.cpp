// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/bit_field.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>

namespace {

using namespace cosmati;

/// Bit i of the memory, counted from the lowest bit of the first byte.
bool bit_of(unsigned char const* memory, unsigned i) { return (memory[i / 8] >> (i % 8) & 1) != 0; }

/// Writes random values among random bits, and compares every bit of the memory.
template <unsigned start, unsigned bits>
void check_field() {
  using Field = bit_field<start, bits>;
  std::mt19937_64 random(start * 100 + bits);
  for (int round = 0; round < 20; ++round) {
    union {
      unsigned char memory[16];
      Field field;
    };
    unsigned char before[16];
    for (unsigned char& x : before) x = static_cast<unsigned char>(random());
    std::memcpy(memory, before, sizeof before);
    auto const value = static_cast<typename Field::value_type>(random());
    field = value;
    for (unsigned i = 0; i < 128; ++i) {
      bool const expected =
          i >= start && i < start + bits ? (std::uint64_t{value} >> (i - start) & 1) != 0 : bit_of(before, i);
      ASSERT_EQ(bit_of(memory, i), expected) << start << '+' << bits << " bit " << i;
    }
    std::uint64_t const kept = bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
    ASSERT_EQ(field, kept);
  }
}

TEST(bit_field, changes_its_own_bits_only) {
  check_field<0, 1>();
  check_field<5, 9>();
  check_field<7, 1>();
  check_field<3, 8>();
  check_field<14, 2>();
  check_field<16, 14>();
  check_field<31, 2>();
  check_field<30, 33>();
  check_field<0, 64>();
  check_field<49, 15>();
  check_field<60, 8>();
  check_field<33, 31>();
  check_field<1, 63>();
  check_field<10, 60>();
}

TEST(bit_field, takes_the_narrowest_words) {
  static_assert(sizeof(bit_field<0, 3>) == 1 && sizeof(bit_field<5, 9>) == 2 && sizeof(bit_field<16, 14>) == 4);
  static_assert(std::is_same_v<bit_field<5, 9>::value_type, std::uint16_t> &&
                std::is_same_v<bit_field<5, 3>::value_type, std::uint8_t>);
}

TEST(bit_field, as_another_type) {
  bit_field<4, 32, float> field{};
  field = 1.5f;
  EXPECT_EQ(static_cast<float>(field), 1.5f);
  EXPECT_EQ(field.get(), std::bit_cast<std::uint32_t>(1.5f));
}

}  // namespace
