// SPDX-License-Identifier: Apache-2.0
#include <cosmati/number/tfloat32.hpp>

#include "rounding_oracle.hpp"

namespace {

using cosmati::tfloat32_t;
using rounding_oracle::top;

TEST(tfloat32, conversions_round_ties_away) {
  rounding_oracle::oracle const expected({8, 10, 127, top::infinity_and_nans, false, true});
  rounding_oracle::check_conversions<tfloat32_t>(expected);
  rounding_oracle::check_integers<tfloat32_t>(expected);
}

TEST(tfloat32, holds_a_float_s_upper_bits_and_ignores_the_rest) {
  EXPECT_EQ(tfloat32_t(1.5f).raw(), 0x3fc00000u);
  EXPECT_EQ(tfloat32_t(rounding_oracle::float_of(0x3f801000)).raw(), 0x3f802000u);  // a tie
  EXPECT_EQ(tfloat32_t(rounding_oracle::float_of(0x3f800fff)).raw(), 0x3f800000u);
  EXPECT_EQ(float(tfloat32_t::bitcast(0x3f801fff)), 1.0f);
  EXPECT_EQ(tfloat32_t(rounding_oracle::float_of(0x7f800001)).raw(), 0x7fffe000u);
  EXPECT_TRUE(std::isnan(float(tfloat32_t(rounding_oracle::float_of(0xffc00001)))));
  static_assert(sizeof(tfloat32_t) == 4 && cosmati::sizeof_bits_v<tfloat32_t> == 32);
  EXPECT_EQ(tfloat32_t(1) + tfloat32_t(std::ldexp(1.0, -11)), tfloat32_t(1 + std::ldexp(1.0, -10)));
  using namespace cosmati::literals;
  static_assert(2.5_tf32 == 2.5f && 2_tf32 == 2.f);
}

}  // namespace
