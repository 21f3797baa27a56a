// SPDX-License-Identifier: Apache-2.0
#include <cosmati/number/uint128.hpp>

#include <gtest/gtest.h>

#include <random>

namespace {

using cosmati::uint128_t;
using cosmati::uint256_t;
__extension__ typedef unsigned __int128 native;

native native_of(uint128_t x) { return native{x.hi} << 64 | x.lo; }

TEST(uint128, computes_as_the_compiler_s_own) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 100000; ++i) {
    uint128_t const a(random() >> (i % 64), random() >> (i / 64 % 64));
    uint128_t const b(i % 3 == 0 ? a.lo : random(), i % 2 == 0 ? a.hi : random());
    native const x = native_of(a), y = native_of(b);
    ASSERT_TRUE(native_of(a + b) == x + y);
    ASSERT_TRUE(native_of(a - b) == x - y);
    ASSERT_TRUE(native_of(-a) == -x);
    ASSERT_TRUE(native_of(~a) == ~x);
    ASSERT_TRUE(native_of(a & b) == (x & y));
    ASSERT_TRUE(native_of(a | b) == (x | y));
    ASSERT_TRUE(native_of(a ^ b) == (x ^ y));
    unsigned const n = static_cast<unsigned>(i) % 128;
    ASSERT_TRUE(native_of(a << n) == x << n) << n;
    ASSERT_TRUE(native_of(a >> n) == x >> n) << n;
    ASSERT_EQ(a < b, x < y);
    ASSERT_EQ(a <= b, x <= y);
    ASSERT_EQ(a > b, x > y);
    ASSERT_EQ(a >= b, x >= y);
    ASSERT_EQ(a == b, x == y);
    ASSERT_EQ(a != b, x != y);
    uint128_t c = a;
    c += b;
    c -= a;
    c ^= a;
    c |= b;
    c &= b;
    c <<= 1;
    c >>= 1;
    ASSERT_TRUE(native_of(c) == (y << 1) >> 1);
  }
}

TEST(uint128, conversions) {
  static_assert(uint128_t(-1) == ~uint128_t(0) && uint128_t(~0u).hi == 0 && uint128_t(-1LL).hi == ~0ull);
  static_assert(static_cast<int>(uint128_t(7, 9)) == 7 && static_cast<bool>(uint128_t(0, 1)) && !uint128_t(0));
  static_assert(uint128_t(true) + 1 == 2 && uint128_t(~0ull) + 1 == uint128_t(0, 1));
  static_assert((uint128_t(1) << 128) == 0 && (uint128_t(1, 1) >> 200) == 0);
}

TEST(uint128, is_moved_as_one_word) {
  static_assert(sizeof(uint128_t) == 16 && alignof(uint128_t) == 16 && std::is_trivial_v<uint128_t>);
  static_assert(sizeof(uint256_t) == 32 && alignof(uint256_t) == 32 && std::is_trivial_v<uint256_t>);
  uint256_t const a{1, 2}, b{1, 3};
  EXPECT_TRUE(a == a);
  EXPECT_TRUE(a != b);
}

}  // namespace
