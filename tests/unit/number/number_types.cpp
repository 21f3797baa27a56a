// SPDX-License-Identifier: Apache-2.0
#include <cosmati/number/number_types.hpp>

#include <gtest/gtest.h>

namespace {

using namespace cosmati;

TEST(number_types, convert_into_one_another) {
  half_t const h(2.5f);
  EXPECT_EQ(bfloat16_t(h), 2.5f);
  EXPECT_EQ(float_e4m3_t(h), 2.5f);
  EXPECT_EQ(half_t(float_e5m2_t(3)), half_t(3));
  EXPECT_EQ(tfloat32_t(bfloat16_t(-1)), -1.f);
  EXPECT_EQ(float_e2m1_t(half_t(100)), 6.f);
  EXPECT_EQ(int4_t(h), 2);
  EXPECT_EQ(half_t(int4_t(-3)), half_t(-3));
  EXPECT_EQ(static_cast<half_t>(uint1_t(1)), half_t(1));
  EXPECT_EQ(float_e4m3_t(complex<float>(1, 2).imag()), 2.f);
}

TEST(number_types, all_are_trivial_and_of_the_size_they_name) {
  static_assert(std::is_trivial_v<half_t> && std::is_trivial_v<int4_t> && std::is_trivial_v<uint128_t> &&
                std::is_trivial_v<complex<half_t>> && std::is_trivial_v<float_e4m3_t>);
  struct mixed {  // an empty base class takes no space, next to another one or nested
    half_t a, b[3];
    float_e4m3_t c, d;
  };
  static_assert(sizeof(mixed) == 10 && sizeof(complex<half_t>) == 4);
}

}  // namespace
