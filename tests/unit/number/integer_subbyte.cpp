// SPDX-License-Identifier: Apache-2.0
#include <cosmati/number/integer_subbyte.hpp>

#include <gtest/gtest.h>

namespace {

using namespace cosmati;

template <class Number, int Bits, bool Signed>
void check() {
  int const range = 1 << Bits;
  for (int x = -300; x < 300; ++x) {
    int wrapped = ((x % range) + range) % range;
    if (Signed && wrapped >= range / 2) wrapped -= range;
    ASSERT_EQ(int(Number(x)), wrapped) << x;
    ASSERT_EQ(int(Number(static_cast<std::int64_t>(x))), wrapped);
    ASSERT_EQ(int(Number(static_cast<std::uint8_t>(x))), wrapped);
    ASSERT_EQ(Number(x).raw(), static_cast<unsigned>(x) % static_cast<unsigned>(range));
    ASSERT_EQ(Number::bitcast(static_cast<std::uint8_t>(x)), Number(x));
    Number y = Number(x);
    y += 3;
    y -= 1;
    ++y;
    ASSERT_EQ(y, Number(x + 3));
    --y;
    y *= Number(3);
    ASSERT_EQ(y, Number(3 * (x + 2)));
  }
  static_assert(sizeof_bits_v<Number> == Bits && is_subbyte_v<Number> && sizeof(Number) == 1);
  static_assert(std::is_trivial_v<Number>);
  using limits = std::numeric_limits<Number>;
  static_assert(limits::is_signed == Signed && limits::is_integer && limits::is_specialized);
  EXPECT_EQ(int(limits::min()), Signed ? -range / 2 : 0);
  EXPECT_EQ(int(limits::max()), Signed ? range / 2 - 1 : range - 1);
}

TEST(integer_subbyte, wraps_and_widens_at_every_width) {
  check<int2_t, 2, true>();
  check<int4_t, 4, true>();
  check<int6_t, 6, true>();
  check<uint1_t, 1, false>();
  check<uint2_t, 2, false>();
  check<uint4_t, 4, false>();
  check<uint6_t, 6, false>();
}

TEST(integer_subbyte, is_an_int_in_expressions) {
  int4_t const a = 7, b = -8;
  EXPECT_EQ(a + b, -1);
  EXPECT_EQ(a * b, -56);
  EXPECT_LT(b, a);
  int4_t const c = a + 1;  // wraps
  EXPECT_EQ(c, -8);
  EXPECT_EQ(int4_t(2.9f), 2);
  EXPECT_EQ(int4_t(-2.9), -2);
  EXPECT_EQ(uint4_t(15), 15);
  static_assert(std::is_same_v<decltype(a + b), int>);
}

TEST(integer_subbyte, integers_by_width) {
  static_assert(std::is_same_v<int_bit_t<4>, int4_t> && std::is_same_v<int_bit_t<64>, std::int64_t>);
  static_assert(std::is_same_v<uint_bit_t<1>, uint1_t> && std::is_same_v<uint_bit_t<16>, std::uint16_t>);
  static_assert(std::is_same_v<uint_byte_t<16>, uint128_t> && std::is_same_v<uint_byte_t<32>, uint256_t>);
  static_assert(std::is_same_v<uint_byte_t<4>, std::uint32_t> && std::is_same_v<int_byte_t<1>, std::int8_t>);
  static_assert(std::is_same_v<int4b_t, int4_t> && std::is_same_v<uint1b_t, bin1_t>);
  static_assert(sizeof_bits_v<uint128_t> == 128 && sizeof_bits_v<uint256_t> == 256);
}

}  // namespace
