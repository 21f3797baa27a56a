// SPDX-License-Identifier: Apache-2.0
#include <cosmati/number/bfloat16.hpp>

#include "rounding_oracle.hpp"

namespace {

using cosmati::bfloat16_t;
using rounding_oracle::oracle;
using rounding_oracle::top;

oracle const& brain16() {
  static oracle const instance({8, 7, 127, top::infinity_and_nans});
  return instance;
}

TEST(bfloat16, conversions_round_to_nearest_even) { rounding_oracle::check_conversions<bfloat16_t>(brain16()); }
TEST(bfloat16, integers_round_once) { rounding_oracle::check_integers<bfloat16_t>(brain16()); }

TEST(bfloat16, every_pattern_survives_a_round_trip) {
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    bfloat16_t const x = bfloat16_t::bitcast(static_cast<std::uint16_t>(code));
    bool const nan = (code & 0x7fff) > 0x7f80;
    ASSERT_EQ(isnan(x), nan);
    ASSERT_EQ(rounding_oracle::bits_of(x), code << 16);  // NaNs keep their payload on the way to float
    ASSERT_EQ(bfloat16_t(float(x)).raw(), nan ? 0x7fff : code);
    ASSERT_EQ((-x).raw(), nan ? 0x7fff : code ^ 0x8000);
  }
}

TEST(bfloat16, arithmetic_is_that_of_float_rounded) {
  auto const all = rounding_oracle::sample_codes<bfloat16_t>(0x7f81, 0x8000, 41);
  auto const check = [](bfloat16_t a, bfloat16_t b) {
    float const x = a, y = b;
    auto const expect = [&](bfloat16_t actual, float exact, char operation) {
      ASSERT_EQ(actual.raw(), std::isnan(exact) ? 0x7fff : brain16().round(exact)) << a << operation << b;
    };
    expect(a + b, x + y, '+');
    expect(a - b, x - y, '-');
    expect(a * b, x * y, '*');
    expect(a / b, x / y, '/');
    ASSERT_EQ(a < b, x < y);
    ASSERT_EQ(a == b, x == y);
  };
  for (bfloat16_t const a : all) {
    for (bfloat16_t const b : all) check(a, b);
    if (HasFatalFailure()) return;
  }
  std::mt19937 random(4);
  for (int i = 0; i < 1000000; ++i) {
    std::uint32_t const bits = random();
    check(bfloat16_t::bitcast(static_cast<std::uint16_t>(bits)),
          bfloat16_t::bitcast(static_cast<std::uint16_t>(bits >> 16)));
    if (HasFatalFailure()) return;
  }
}

TEST(bfloat16, neither_a_double_nor_an_integer_is_rounded_twice) {
  double const x = 1.0 + std::ldexp(1.0, -8) + std::ldexp(1.0, -40);
  EXPECT_EQ(bfloat16_t(x).raw(), 0x3f81);
  EXPECT_EQ(bfloat16_t(static_cast<float>(x)).raw(), 0x3f80);
  std::int64_t const n = (std::int64_t{1} << 62) + (std::int64_t{1} << 54) + 1;
  EXPECT_EQ(bfloat16_t(n).raw(), 0x5e81);
  EXPECT_EQ(bfloat16_t(n - 1).raw(), 0x5e80);
  EXPECT_EQ(bfloat16_t(-n).raw(), 0xde81);
}

TEST(bfloat16, is_used_as_cutlass_bfloat16_is) {
  static_assert(!std::is_convertible_v<float, bfloat16_t> && std::is_convertible_v<bfloat16_t, float>);
  static_assert(std::is_trivial_v<bfloat16_t> && sizeof(bfloat16_t) == 2);
  using namespace cosmati::literals;
  static_assert(1.5_bf16 == bfloat16_t(1.5f) && 2_bf16 == bfloat16_t(2));
  EXPECT_EQ(float(std::numeric_limits<bfloat16_t>::max()), rounding_oracle::float_of(0x7f7f0000));
  EXPECT_EQ(std::numeric_limits<bfloat16_t>::max_exponent, std::numeric_limits<float>::max_exponent);
  EXPECT_EQ(std::numeric_limits<bfloat16_t>::min_exponent, std::numeric_limits<float>::min_exponent);
  EXPECT_EQ(std::numeric_limits<bfloat16_t>::max_exponent10, 38);
  EXPECT_EQ(std::numeric_limits<bfloat16_t>::min_exponent10, -37);
  EXPECT_EQ(std::numeric_limits<bfloat16_t>::digits, 8);
}

}  // namespace
