// SPDX-License-Identifier: Apache-2.0
#include <cosmati/number/float8.hpp>

#include "rounding_oracle.hpp"

namespace {

using cosmati::float_e4m3_t;
using cosmati::float_e5m2_t;
using cosmati::float_ue4m3_t;
using cosmati::float_ue8m0_t;
using rounding_oracle::double_of;
using rounding_oracle::float_of;
using rounding_oracle::oracle;
using rounding_oracle::top;

TEST(float8, e4m3) {
  oracle const expected({4, 3, 7, top::one_nan, true});
  rounding_oracle::check_conversions<float_e4m3_t>(expected);
  rounding_oracle::check_integers<float_e4m3_t>(expected);
  EXPECT_EQ(float_e4m3_t(464.f).raw(), 0x7e);
  EXPECT_EQ(float_e4m3_t(-std::numeric_limits<float>::infinity()).raw(), 0xfe);
  for (int code = 0; code < 256; ++code) {
    float_e4m3_t const x = float_e4m3_t::bitcast(static_cast<std::uint8_t>(code));
    ASSERT_EQ(isnan(x), (code & 0x7f) == 0x7f);
    ASSERT_EQ(float_e4m3_t(float(x)).raw(), isnan(x) ? 0x7f : code);
    ASSERT_FALSE(isinf(x));
  }
}

TEST(float8, e5m2) {
  oracle const expected({5, 2, 15, top::infinity_and_nans, true});
  rounding_oracle::check_conversions<float_e5m2_t>(expected);
  rounding_oracle::check_integers<float_e5m2_t>(expected);
  EXPECT_EQ(float_e5m2_t(1e9f).raw(), 0x7b);
  EXPECT_EQ(float_e5m2_t(std::numeric_limits<float>::infinity()).raw(), 0x7b);  // the conversion saturates, although
                                                                                // the format has an infinity
  EXPECT_EQ(float(float_e5m2_t::bitcast(0xfc)), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(isinf(float_e5m2_t::bitcast(0x7c)) && isnan(float_e5m2_t::bitcast(0x7d)));
}

TEST(float8, nans_are_cuda_s) {
  for (std::uint32_t const bits : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xffffffffu}) {
    EXPECT_EQ(float_e4m3_t(float_of(bits)).raw(), 0x7f);
    EXPECT_EQ(float_e5m2_t(float_of(bits)).raw(), 0x7f);
  }
  // From double, CUDA's conversion keeps the sign and, in e5m2, the high bits.
  EXPECT_EQ(float_e4m3_t(double_of(0x7ff8000000000000u)).raw(), 0x7f);
  EXPECT_EQ(float_e4m3_t(double_of(0xfff8000000000000u)).raw(), 0xff);
  EXPECT_EQ(float_e5m2_t(double_of(0x7ff8000000000000u)).raw(), 0x7e);
  EXPECT_EQ(float_e5m2_t(double_of(0xfffc000000000000u)).raw(), 0xff);
  EXPECT_EQ(rounding_oracle::bits_of(float_e4m3_t::bitcast(0xff)), 0x7fffffffu);
  EXPECT_EQ(rounding_oracle::bits_of(float_e5m2_t::bitcast(0xfd)), 0x7fffffffu);
  EXPECT_FALSE(float_e4m3_t::bitcast(0x7f) == float_e4m3_t::bitcast(0x7f));
}

TEST(float8, all_pairs_add_and_multiply_as_floats_rounded) {
  oracle const e4m3({4, 3, 7, top::one_nan, true});
  oracle const e5m2({5, 2, 15, top::infinity_and_nans, true});
  auto const check = [](auto a, auto b, oracle const& expected) {
    float const x = a, y = b;
    auto const expect = [&](auto actual, float exact) {
      ASSERT_EQ(actual.raw(), std::isnan(exact) ? 0x7f : expected.round(exact)) << x << ' ' << y;
    };
    expect(a + b, x + y);
    expect(a - b, x - y);
    expect(a * b, x * y);
    expect(a / b, x / y);
  };
  for (int i = 0; i < 0x10000; ++i) {
    auto const low = static_cast<std::uint8_t>(i), high = static_cast<std::uint8_t>(i >> 8);
    check(float_e4m3_t::bitcast(low), float_e4m3_t::bitcast(high), e4m3);
    check(float_e5m2_t::bitcast(low), float_e5m2_t::bitcast(high), e5m2);
    if (HasFatalFailure()) return;
  }
}

TEST(float8, ue4m3_drops_the_sign) {
  oracle const expected({4, 3, 7, top::one_nan, true, false, false});
  rounding_oracle::check_conversions<float_ue4m3_t>(expected);
  EXPECT_EQ(float(float_ue4m3_t(-2.f)), 2.f);
  EXPECT_EQ(float_ue4m3_t(1e9f).raw(), 0x7e);
  EXPECT_EQ(float_ue4m3_t(std::nanf("")).raw(), 0x7f);
}

TEST(float8, ue8m0_rounds_up_to_a_power_of_two) {
  for (int code = 0; code < 255; ++code) {
    double const power = std::ldexp(1.0, code - 127);
    ASSERT_EQ(float(float_ue8m0_t::bitcast(static_cast<std::uint8_t>(code))), power);
    float const x = static_cast<float>(power);
    ASSERT_EQ(float_ue8m0_t(x).raw(), code);
    ASSERT_EQ(float_ue8m0_t(-x).raw(), code);
    ASSERT_EQ(float_ue8m0_t(power).raw(), code);
    int const next = std::min(code + 1, 254);
    ASSERT_EQ(float_ue8m0_t(std::nextafter(x, INFINITY)).raw(), next);
    ASSERT_EQ(float_ue8m0_t(std::nextafter(power, 1e300)).raw(), next);
    ASSERT_EQ(float_ue8m0_t(power * 1.5).raw(), next);
    ASSERT_EQ(float_ue8m0_t(std::nextafter(x, 0.f)).raw(), code);
  }
  EXPECT_EQ(float_ue8m0_t(0.f).raw(), 0);
  EXPECT_EQ(float_ue8m0_t(0.0).raw(), 0);
  EXPECT_EQ(float_ue8m0_t(1e-300).raw(), 0);
  EXPECT_EQ(float_ue8m0_t(1e300).raw(), 254);
  EXPECT_EQ(float_ue8m0_t(std::numeric_limits<float>::infinity()).raw(), 254);
  EXPECT_EQ(float_ue8m0_t(std::nanf("")).raw(), 255);
  EXPECT_EQ(float_ue8m0_t(std::nan("")).raw(), 255);
  EXPECT_EQ(rounding_oracle::bits_of(float_ue8m0_t::bitcast(255)), 0x7fff0000u);
  EXPECT_EQ(float(float_ue8m0_t(3)), 4.f);
}

TEST(float8, limits) {
  EXPECT_EQ(float(std::numeric_limits<float_e4m3_t>::max()), 448.f);
  EXPECT_EQ(float(std::numeric_limits<float_e4m3_t>::min()), std::ldexp(1.f, -6));
  EXPECT_EQ(float(std::numeric_limits<float_e4m3_t>::denorm_min()), std::ldexp(1.f, -9));
  EXPECT_EQ(std::numeric_limits<float_e4m3_t>::max_exponent, 9);
  EXPECT_EQ(float(std::numeric_limits<float_e5m2_t>::max()), 57344.f);
  EXPECT_EQ(float(std::numeric_limits<float_e5m2_t>::lowest()), -57344.f);
  EXPECT_EQ(float(std::numeric_limits<float_ue8m0_t>::max()), std::ldexp(1.f, 127));
  EXPECT_EQ(float(std::numeric_limits<float_ue8m0_t>::min()), std::ldexp(1.f, -127));
  EXPECT_EQ(float(std::numeric_limits<float_ue4m3_t>::lowest()), 0.f);
}

}  // namespace
