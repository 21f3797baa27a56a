// SPDX-License-Identifier: Apache-2.0
/// @file
/// An independent implementation of narrow floating-point formats, slow and simple. It builds a table of all values
/// from the definition. It rounds by comparison with the midpoints of neighbours, in `long double`.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace rounding_oracle {

enum class top { infinity_and_nans, one_nan, numbers };  // meaning of the largest exponent

struct format {
  int exponent_bits, mantissa_bits, bias;
  top highest;
  bool saturates = false;
  bool ties_away = false;
  bool is_signed = true;
};

inline float float_of(std::uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
inline std::uint32_t bits_of(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline double double_of(std::uint64_t bits) {
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

class oracle {
 public:
  explicit oracle(format f) : format_(f) {
    int const exponents = 1 << f.exponent_bits, mantissas = 1 << f.mantissa_bits;
    for (int e = 0; e < exponents; ++e) {
      for (int m = 0; m < mantissas; ++m) {
        long double const fraction = static_cast<long double>(m) / mantissas;
        value_.push_back(e == 0 ? std::ldexp(fraction, 1 - f.bias) : std::ldexp(1 + fraction, e - f.bias));
      }
    }
    // Overflow begins at the midpoint with the next code, even if that code is not a number.
    finite_ = f.highest == top::infinity_and_nans ? (exponents - 1) * mantissas
              : f.highest == top::one_nan         ? exponents * mantissas - 1
                                                  : exponents * mantissas;
    value_.push_back(std::ldexp(1.0L, exponents - f.bias));
  }

  std::uint32_t finite_codes() const { return static_cast<std::uint32_t>(finite_); }  // numbers of one sign
  std::uint32_t sign() const { return format_.is_signed ? 1u << (format_.exponent_bits + format_.mantissa_bits) : 0; }
  long double value(std::uint32_t code) const { return value_[code]; }

  /// Rounds a number or an infinity to its code.
  std::uint32_t round(long double x) const {
    std::uint32_t const sign_bit = std::signbit(x) ? sign() : 0;
    long double const magnitude = std::fabs(x);
    std::uint32_t const largest = static_cast<std::uint32_t>(finite_ - 1);
    auto const above = std::upper_bound(value_.begin(), value_.begin() + finite_ + 1, magnitude);
    std::uint32_t code = static_cast<std::uint32_t>(above - value_.begin()) - 1;  // the largest code whose value is not
                                                                                  // above x
    if (code <= largest) {
      long double const midpoint = (value_[code] + value_[code + 1]) / 2;
      if (magnitude > midpoint || (magnitude == midpoint && (format_.ties_away || code % 2 == 1))) ++code;
    }
    if (code > largest) code = format_.saturates ? largest : static_cast<std::uint32_t>(finite_);
    return sign_bit | code;
  }

 private:
  format format_;
  std::vector<long double> value_;
  int finite_;
};

/// Reads every code back. Rounds every number, every midpoint and their neighbours, of both signs, from `float` and
/// from `double`; then random bits.
template <class Number>
void check_conversions(oracle const& expected) {
  for (std::uint32_t code = 0; code < expected.finite_codes(); ++code) {
    ASSERT_EQ(float(Number::from_code(code)), expected.value(code)) << std::hex << code;
    ASSERT_FALSE(std::signbit(float(Number::from_code(code))));
    if (expected.sign() != 0) {
      float const negative = float(Number::from_code(code | expected.sign()));
      ASSERT_EQ(negative, -expected.value(code)) << std::hex << code;
      ASSERT_TRUE(std::signbit(negative));
    }
  }
  auto const check = [&](double x) {
    for (double const y : {x, -x}) {
      ASSERT_EQ(Number(y).code(), expected.round(y)) << std::hexfloat << y;
      float const z = static_cast<float>(y);
      if (std::isinf(z) && !std::isinf(y)) continue;
      ASSERT_EQ(Number(z).code(), expected.round(z)) << std::hexfloat << z;
    }
  };
  double const infinity = std::numeric_limits<double>::infinity();
  for (std::uint32_t code = 0; code < expected.finite_codes(); ++code) {
    double const value = static_cast<double>(expected.value(code));
    double const middle = static_cast<double>((expected.value(code) + expected.value(code + 1)) / 2);
    for (double const x : {value, middle}) {
      check(x);
      check(std::nextafter(x, infinity));
      if (x > 0) check(std::nextafter(x, 0.0));
      float const y = static_cast<float>(x);
      if (std::isinf(y)) continue;
      check(std::nextafter(y, std::numeric_limits<float>::infinity()));
      if (y > 0) check(std::nextafter(y, 0.0f));
    }
    if (testing::Test::HasFatalFailure()) return;
  }
  for (double const x : {0.0, infinity, std::numeric_limits<double>::max(), std::numeric_limits<double>::min(),
                         std::numeric_limits<double>::denorm_min(), double{std::numeric_limits<float>::max()},
                         double{std::numeric_limits<float>::min()}, double{std::numeric_limits<float>::denorm_min()}}) {
    check(x);
  }
  std::mt19937_64 random(17);
  for (int i = 0; i < 500000; ++i) {
    std::uint64_t const bits = random();
    float const x = float_of(static_cast<std::uint32_t>(bits));
    if (!std::isnan(x)) {
      ASSERT_EQ(Number(x).code(), expected.round(x)) << std::hexfloat << x;
    }
    double const y = double_of(bits);
    if (!std::isnan(y)) {
      ASSERT_EQ(Number(y).code(), expected.round(y)) << std::hexfloat << y;
    }
    double const z = std::ldexp(static_cast<double>(bits), -64 - 40 + static_cast<int>(bits % 80));
    ASSERT_EQ(Number(z).code(), expected.round(z)) << std::hexfloat << z;
  }
}

/// Integers of every width are rounded once.
template <class Number>
void check_integers(oracle const& expected) {
  std::mt19937_64 random(18);
  auto const check = [&](auto x) { ASSERT_EQ(Number(x).code(), expected.round(static_cast<long double>(x))) << x; };
  for (int i = 0; i < 200000; ++i) {
    std::uint64_t const bits = random() >> (i % 64);
    // Near a midpoint: a few high bits, then a long run of zeros or ones.
    std::uint64_t const near = ((bits | 1) << (i % 60)) + static_cast<std::uint64_t>(i % 3) - 1;
    for (std::uint64_t const x : {bits, near}) {
      check(x);
      check(static_cast<std::int64_t>(x));
      check(static_cast<std::uint32_t>(x));
      check(static_cast<std::int32_t>(x));
      check(static_cast<std::int16_t>(x));
      check(static_cast<std::uint8_t>(x));
      check(static_cast<long long>(x));
    }
    if (testing::Test::HasFatalFailure()) return;
  }
  for (int high = 2; high < 64; ++high) {  // a tie, and one low bit that decides it
    for (int tie = 1; tie < high; ++tie) {
      for (int low = 0; low < tie; ++low) {
        std::uint64_t const x = std::uint64_t{1} << high | std::uint64_t{1} << tie | std::uint64_t{1} << low;
        check(x);
        check(static_cast<std::int64_t>(x));
      }
    }
  }
  check(std::numeric_limits<std::int64_t>::min());
  check(std::numeric_limits<std::uint64_t>::max());
  check(true);
}

/// Samples codes densely near special values and sparsely elsewhere, with infinities and a NaN where the format has
/// them.
template <class Number>
std::vector<Number> sample_codes(std::uint32_t magnitudes, std::uint32_t sign, std::uint32_t stride) {
  std::vector<Number> result;
  for (std::uint32_t code = 0; code < magnitudes; code += (code < 8 || magnitudes - code < 8 ? 1 : stride)) {
    result.push_back(Number::from_code(code));
    result.push_back(Number::from_code(code | sign));
  }
  return result;
}

}  // namespace rounding_oracle
