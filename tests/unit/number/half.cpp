// SPDX-License-Identifier: Apache-2.0
#include <cosmati/number/half.hpp>

#include "rounding_oracle.hpp"

namespace {

using cosmati::half_t;
using rounding_oracle::oracle;
using rounding_oracle::top;

oracle const& binary16() {
  static oracle const instance({5, 10, 15, top::infinity_and_nans});
  return instance;
}

TEST(half, conversions_round_to_nearest_even) { rounding_oracle::check_conversions<half_t>(binary16()); }
TEST(half, integers_round_once) { rounding_oracle::check_integers<half_t>(binary16()); }

TEST(half, every_pattern_survives_a_round_trip) {
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    half_t const x = half_t::bitcast(static_cast<std::uint16_t>(code));
    bool const nan = (code & 0x7fff) > 0x7c00;
    ASSERT_EQ(isnan(x), nan);
    ASSERT_EQ(half_t(float(x)).raw(), nan ? 0x7fff : code);
    ASSERT_EQ(half_t(double(x)).raw(), nan ? 0x7fff : code);
    ASSERT_EQ((-x).raw(), nan ? 0x7fff : code ^ 0x8000);
    ASSERT_EQ(x == x, !nan);
    if (nan) {
      ASSERT_EQ(rounding_oracle::bits_of(float(x)), 0x7fffffffu);
    }
  }
  EXPECT_EQ(float(half_t::bitcast(0x7c00)), std::numeric_limits<float>::infinity());
  EXPECT_EQ(float(half_t::bitcast(0xfc00)), -std::numeric_limits<float>::infinity());
}

TEST(half, a_double_is_not_rounded_twice) {
  // Just above the midpoint of 1 and 1 + 2^-10. Rounding to `float` first would give the midpoint, and then 1.
  double const x = 1.0 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40);
  EXPECT_EQ(half_t(x).raw(), 0x3c01);
  EXPECT_EQ(half_t(static_cast<float>(x)).raw(), 0x3c00);
}

TEST(half, every_nan_becomes_the_same) {
  for (std::uint32_t const bits : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xffffffffu}) {
    EXPECT_EQ(half_t(rounding_oracle::float_of(bits)).raw(), 0x7fff);
  }
  EXPECT_EQ(half_t(rounding_oracle::double_of(0xfff8000000000000u)).raw(), 0x7fff);
}

TEST(half, arithmetic_is_correctly_rounded) {
  // Sums, differences and products of halves are exact in long double. Quotients are far from ties.
  auto const all = rounding_oracle::sample_codes<half_t>(0x7c01, 0x8000, 37);
  auto const check = [](half_t a, half_t b) {
    long double const x = float(a), y = float(b);
    auto const expect = [&](half_t actual, long double exact, char operation) {
      ASSERT_EQ(actual.raw(), std::isnan(exact) ? 0x7fff : binary16().round(exact)) << a << operation << b;
    };
    expect(a + b, x + y, '+');
    expect(a - b, x - y, '-');
    expect(a * b, x * y, '*');
    expect(a / b, x / y, '/');
    ASSERT_EQ(a < b, x < y);
    ASSERT_EQ(a <= b, x <= y);
    ASSERT_EQ(a > b, x > y);
    ASSERT_EQ(a >= b, x >= y);
    ASSERT_EQ(a == b, x == y);
    ASSERT_EQ(a != b, x != y);
  };
  for (half_t const a : all) {
    for (half_t const b : all) check(a, b);
    if (HasFatalFailure()) return;
  }
  std::mt19937 random(3);
  for (int i = 0; i < 1000000; ++i) {
    std::uint32_t const bits = random();
    check(half_t::bitcast(static_cast<std::uint16_t>(bits)), half_t::bitcast(static_cast<std::uint16_t>(bits >> 16)));
    if (HasFatalFailure()) return;
  }
}

TEST(half, assignment_forms_and_steps) {
  half_t x(1.5f);
  x += half_t(2);
  x -= half_t(1);
  x *= half_t(4);
  x /= half_t(2);
  EXPECT_EQ(x, half_t(5));
  EXPECT_EQ(x++, half_t(5));
  EXPECT_EQ(--x, half_t(5));
  EXPECT_EQ(++x, half_t(6));
  EXPECT_EQ(x--, half_t(6));
  EXPECT_EQ(+x, half_t(5));
}

TEST(half, is_used_as_cutlass_half_is) {
  half_t const x = half_t(3);
  half_t const y = static_cast<half_t>(2.0);
  EXPECT_EQ(x + y, half_t(5));
  EXPECT_EQ(x * 0.5f, 1.5f);  // the result with a float is a float
  EXPECT_EQ(static_cast<double>(x), 3.0);
  EXPECT_EQ(static_cast<int>(half_t(-2.75)), -2);
  EXPECT_TRUE(y ? true : false);
  EXPECT_FALSE(half_t(0) ? true : false);
  static_assert(!std::is_convertible_v<float, half_t> && std::is_convertible_v<half_t, float>);
  static_assert(std::is_trivial_v<half_t> && std::is_standard_layout_v<half_t> && sizeof(half_t) == 2);
  using namespace cosmati::literals;
  static_assert(1.5_hf == half_t(1.5) && 3_hf == half_t(3));
  static_assert(half_t(0.1).raw() == 0x2e66 && half_t(65520.f).raw() == 0x7c00 && half_t(65519.f).raw() == 0x7bff);
}

TEST(half, parts_and_classes) {
  half_t const x(-6.5);
  EXPECT_TRUE(signbit(x) && x.signbit());
  EXPECT_EQ(x.exponent(), 2);
  EXPECT_EQ(x.exponent_biased(), 17);
  EXPECT_EQ(x.mantissa(), 0x280);
  EXPECT_EQ(abs(x), half_t(6.5));
  EXPECT_TRUE(isfinite(x));
  EXPECT_TRUE(isinf(half_t(1e9)));
  EXPECT_FALSE(isfinite(half_t(1e9)));
  EXPECT_FALSE(isinf(half_t::bitcast(0x7fff)));
}

TEST(half, limits) {
  using limits = std::numeric_limits<half_t>;
  EXPECT_EQ(float(limits::max()), 65504.f);
  EXPECT_EQ(float(limits::lowest()), -65504.f);
  EXPECT_EQ(float(limits::min()), std::ldexp(1.f, -14));
  EXPECT_EQ(float(limits::denorm_min()), std::ldexp(1.f, -24));
  EXPECT_EQ(float(limits::epsilon()), std::ldexp(1.f, -10));
  EXPECT_TRUE(isinf(limits::infinity()) && isnan(limits::quiet_NaN()));
  EXPECT_EQ(limits::digits, 11);
  EXPECT_EQ(limits::digits10, 3);
  EXPECT_EQ(limits::max_digits10, 5);
  EXPECT_EQ(limits::max_exponent, 16);
  EXPECT_EQ(limits::min_exponent, -13);
  EXPECT_EQ(limits::max_exponent10, 4);
  EXPECT_EQ(limits::min_exponent10, -4);
}

}  // namespace
