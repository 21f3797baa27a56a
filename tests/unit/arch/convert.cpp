// SPDX-License-Identifier: Apache-2.0
// Two numbers side by side are converted as two casts are, for every pair of types and every word of the narrow ones.
#include <gtest/gtest.h>
#include <cosmati/arch/convert.hpp>
#include <cosmati/number/number_types.hpp>

#include <cstring>

using namespace cosmati;

namespace {

template <class T>
register_words<2 * sizeof(T)> words_of(T const& low, T const& high) {
  T const both[2] = {low, high};
  register_words<2 * sizeof(T)> words = {};
  std::memcpy(words.word, both, sizeof both);
  return words;
}
template <class From, class To>
void expect_as_casts(From const& low, From const& high) {
  register_words<2 * sizeof(To)> const got = convert_two<From, To>(words_of(low, high));
  To const wanted[2] = {static_cast<To>(low), static_cast<To>(high)};
  EXPECT_EQ(std::memcmp(got.word, wanted, sizeof wanted), 0);
}
template <class From, class To>
void expect_every_16_bits() {
  for (unsigned x = 0; x < 0x10000; x += 7) {
    auto const low = static_cast<std::uint16_t>(x), high = static_cast<std::uint16_t>(~x);
    expect_as_casts<From, To>(From::bitcast(low), From::bitcast(high));
  }
}

TEST(ConvertTwo, NarrowNumbers) {
  expect_every_16_bits<half_t, float>();
  expect_every_16_bits<half_t, bfloat16_t>();
  expect_every_16_bits<bfloat16_t, half_t>();
  expect_every_16_bits<half_t, float_e4m3_t>();
  for (unsigned x = 0; x < 256; ++x) {
    auto const e4m3 = float_e4m3_t::bitcast(static_cast<std::uint8_t>(x));
    auto const e5m2 = float_e5m2_t::bitcast(static_cast<std::uint8_t>(x));
    expect_as_casts<float_e4m3_t, half_t>(e4m3, float_e4m3_t(1.f));
    expect_as_casts<float_e4m3_t, float>(float_e4m3_t(-2.f), e4m3);
    expect_as_casts<float_e5m2_t, float_e4m3_t>(e5m2, e5m2);
  }
}

TEST(ConvertTwo, WideNumbersAndIntegers) {
  expect_as_casts<float, double>(1.5f, -3e30f);
  expect_as_casts<double, float>(1e-50, 0x1p-24 + 1);
  expect_as_casts<std::int64_t, std::int8_t>(-5, 300);
  expect_as_casts<std::int8_t, float>(-128, 127);
}

// The first number has the low bits, in a word and among words.
TEST(ConvertTwo, KeepsTheirOrder) {
  EXPECT_EQ((convert_two<float, half_t>(words_of(1.f, -2.f)).word[0]), 0xc0003c00u);
  EXPECT_EQ((convert_two<half_t, std::uint8_t>(words_of(half_t(3.f), half_t(4.f))).word[0]), 0x0403u);
}

}  // namespace
