// SPDX-License-Identifier: Apache-2.0
#include <cosmati/number/float_subbyte.hpp>

#include "rounding_oracle.hpp"

namespace {

using cosmati::float_e2m1_t;
using cosmati::float_e2m3_t;
using cosmati::float_e3m2_t;
using rounding_oracle::oracle;
using rounding_oracle::top;

template <class Number>
void check(oracle const& expected, float largest) {
  rounding_oracle::check_conversions<Number>(expected);
  rounding_oracle::check_integers<Number>(expected);
  EXPECT_EQ(float(std::numeric_limits<Number>::max()), largest);
  EXPECT_EQ(float(Number(1e9f)), largest);
  EXPECT_EQ(float(Number(-INFINITY)), -largest);
  EXPECT_EQ(float(Number(std::copysign(std::nanf(""), -1.f))), largest);
  EXPECT_EQ(float(Number(std::copysign(std::nan(""), -1.0))), largest);
  EXPECT_FALSE(isnan(Number(std::nanf(""))));
  EXPECT_TRUE(isfinite(Number(1e9f)));
  EXPECT_EQ(-Number(1), Number(-1));
}

TEST(float_subbyte, e2m1) { check<float_e2m1_t>(oracle({2, 1, 1, top::numbers, true}), 6.f); }
TEST(float_subbyte, e2m3) { check<float_e2m3_t>(oracle({2, 3, 1, top::numbers, true}), 7.5f); }
TEST(float_subbyte, e3m2) { check<float_e3m2_t>(oracle({3, 2, 3, top::numbers, true}), 28.f); }

TEST(float_subbyte, sizes) {
  static_assert(cosmati::sizeof_bits_v<float_e2m1_t> == 4 && cosmati::is_subbyte_v<float_e2m1_t>);
  static_assert(cosmati::sizeof_bits_v<float_e2m3_t> == 6 && cosmati::sizeof_bits_v<float_e3m2_t> == 6);
  static_assert(sizeof(float_e2m1_t) == 1 && std::is_trivial_v<float_e3m2_t>);
}

}  // namespace
