// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/bits.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <random>

namespace {

using namespace cosmati;

template <class T>
bool agrees_with_std(T x) {
  bool ok = has_single_bit(x) == std::has_single_bit(x) && bit_width(x) == static_cast<int>(std::bit_width(x)) &&
            bit_floor(x) == std::bit_floor(x) && countl_zero(x) == std::countl_zero(x) &&
            countl_one(x) == std::countl_one(x) && countr_zero(x) == std::countr_zero(x) &&
            countr_one(x) == std::countr_one(x) && popcount(x) == std::popcount(x);
  if (x <= std::numeric_limits<T>::max() / 2) ok = ok && bit_ceil(x) == std::bit_ceil(x);
  for (int s = -70; s <= 70; s += 7) ok = ok && rotl(x, s) == std::rotl(x, s) && rotr(x, s) == std::rotr(x, s);
  return ok;
}

TEST(bits, agree_with_the_standard_library) {
  for (unsigned x = 0; x < 0x10000; ++x) {
    ASSERT_TRUE(agrees_with_std(static_cast<std::uint16_t>(x))) << x;
    ASSERT_TRUE(agrees_with_std(static_cast<std::uint8_t>(x))) << x;
  }
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    std::uint64_t const x = random() >> (random() % 64);
    ASSERT_TRUE(agrees_with_std(x)) << x;
    ASSERT_TRUE(agrees_with_std(static_cast<std::uint32_t>(x))) << x;
  }
}

TEST(bits, of_signed_integers_are_those_of_the_unsigned) {
  static_assert(bit_width(-1) == 32 && popcount(-1) == 32 && countl_zero(-1) == 0 && countr_zero(-8) == 3);
  static_assert(rotl(-2, 1) == -3 && rotr(1, 1) == std::numeric_limits<int>::min());
  static_assert(bit_ceil(5) == 8 && bit_ceil(0) == 1 && bit_floor(5) == 4 && bit_floor(0) == 0);
}

TEST(bits, of_static_integers_are_static) {
  static_assert(std::is_same_v<decltype(bit_width(_8{})), _4> && std::is_same_v<decltype(bit_ceil(_9{})), _16>);
  static_assert(std::is_same_v<decltype(has_single_bit(_8{})), true_type>);
  static_assert(std::is_same_v<decltype(log_2(_1024{})), _10> && std::is_same_v<decltype(rotl(_1{}, _4{})), _16>);
  static_assert(std::is_same_v<decltype(shiftl(_1{}, _4{})), _16> && shiftl(_1{}, 4) == 16);
}

TEST(bits, shifts_by_a_negative_number_go_the_other_way) {
  static_assert(shiftl(3, 2) == 12 && shiftl(12, -2) == 3 && shiftr(12, 2) == 3 && shiftr(3, -2) == 12);
}

TEST(bits, log_2_rounds_down_and_refuses_zero) {
  static_assert(log_2(1) == 0 && log_2(1023u) == 9 && log_2(std::uint64_t{1} << 63) == 63);
  int zero = 0;
  EXPECT_THROW(log_2(zero), error);
  EXPECT_THROW(log_2(zero - 5), error);
}

}  // namespace
