// SPDX-License-Identifier: Apache-2.0
// Multiply-adds of one thread: rounded once, in the type that C++ computes in; traits of the table's rows.
#include <gtest/gtest.h>
#include <cosmati/atom/mma_traits.hpp>
#include <cosmati/layout/operations.hpp>

#include "unit/atom/mma_name.hpp"

using namespace cosmati;

namespace {

// (1 + 2^-12)^2 - 1 = 2^-11 + 2^-24, whose last bit a product in float would lose.
TEST(MmaTraits, FloatAndDoubleAreRoundedOnce) {
  float d = 0;
  float const a = 1.f + 0x1p-12f;
  UniversalFMA<float>::fma(d, a, a, -1.f);
  EXPECT_EQ(d, 0x1p-11f + 0x1p-24f);
  double e = 0;
  double const b = 1 + 0x1p-30;
  UniversalFMA<double>::fma(e, b, b, -1.0);
  EXPECT_EQ(e, 0x1p-29 + 0x1p-60);
}

// 1 + 2^-10 is half's first number above 1; its square less 1 is 2^-9 + 2^-20, which half rounds to 2^-9.
TEST(MmaTraits, HalfIsComputedInFloatAndRoundedOnceMore) {
  half_t d;
  half_t const a(1.f + 0x1p-10f);
  UniversalFMA<half_t>::fma(d, a, a, half_t(-1.f));
  EXPECT_EQ(float(d), float(half_t(0x1p-9f + 0x1p-20f)));
  float sum = 0;
  UniversalFMA<float, half_t, half_t, float>::fma(sum, a, a, -1.f);
  EXPECT_EQ(sum, 0x1p-9f + 0x1p-20f) << "a sum in float keeps it";
}

TEST(MmaTraits, IntegersOfMixedTypes) {
  std::int64_t d = 0;
  UniversalFMA<std::int64_t, std::int8_t, std::int16_t, std::int64_t>::fma(d, -128, 32767, std::int64_t{1} << 40);
  EXPECT_EQ(d, (std::int64_t{1} << 40) - 128 * 32767);
}

using row = detail::mma_sync<80, 16, 8, 16, float, half_t, bfloat16_t, float>;
struct named_row : row {};
static_assert(std::is_same_v<MMA_Traits<named_row>::Shape_MNK, Shape<_16, _8, _16>>);
static_assert(std::is_same_v<MMA_Traits<named_row>::ValTypeB, bfloat16_t>);
static_assert(size(MMA_Traits<named_row>::ThrID{}) == 32);

}  // namespace
