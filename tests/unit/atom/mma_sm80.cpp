// SPDX-License-Identifier: Apache-2.0
// The matrix instructions of Ampere have the extents, types, variants and architectures that their names say.
#include <gtest/gtest.h>
#include <cosmati/atom/mma_sm80.hpp>

#include "unit/atom/mma_name.hpp"

using namespace cosmati;

namespace {

TEST(MmaSm80, FloatingPoint) {
  EXPECT_WHAT_THE_NAME_SAYS(SM80_16x8x8_F16F16F16F16_TN);
  EXPECT_WHAT_THE_NAME_SAYS(SM80_16x8x16_F16F16F16F16_TN);
  EXPECT_WHAT_THE_NAME_SAYS(SM80_16x8x8_F32F16F16F32_TN);
  EXPECT_WHAT_THE_NAME_SAYS(SM80_16x8x16_F32F16F16F32_TN);
  EXPECT_WHAT_THE_NAME_SAYS(SM80_16x8x8_F32BF16BF16F32_TN);
  EXPECT_WHAT_THE_NAME_SAYS(SM80_16x8x16_F32BF16BF16F32_TN);
  EXPECT_WHAT_THE_NAME_SAYS(SM80_16x8x4_F32TF32TF32F32_TN);
  EXPECT_WHAT_THE_NAME_SAYS(SM80_16x8x8_F32TF32TF32F32_TN);
  EXPECT_WHAT_THE_NAME_SAYS(SM80_8x8x4_F64F64F64F64_TN);
}

TEST(MmaSm80, IntegersOfEachSign) {
#define EXPECT_SIGNS(extents, s, u)                                                 \
  EXPECT_WHAT_THE_NAME_SAYS(SM80_##extents##_S32##s##s##S32_TN);                    \
  EXPECT_WHAT_THE_NAME_SAYS(SM80_##extents##_S32##s##u##S32_TN);                    \
  EXPECT_WHAT_THE_NAME_SAYS(SM80_##extents##_S32##u##s##S32_TN_SATURATE);           \
  EXPECT_WHAT_THE_NAME_SAYS(SM80_##extents##_S32##u##u##S32_TN_SATURATE);           \
  static_assert(SM80_##extents##_S32##u##s##S32_TN::variant == mma_variant::plain); \
  static_assert(SM80_##extents##_S32##s##u##S32_TN_SATURATE::variant == mma_variant::saturate)
  EXPECT_SIGNS(8x8x16, S8, U8);
  EXPECT_SIGNS(16x8x16, S8, U8);
  EXPECT_SIGNS(16x8x32, S8, U8);
  EXPECT_SIGNS(8x8x32, S4, U4);
  EXPECT_SIGNS(16x8x32, S4, U4);
  EXPECT_SIGNS(16x8x64, S4, U4);
#undef EXPECT_SIGNS
}

TEST(MmaSm80, SingleBits) {
#define EXPECT_BITS(extents)                                                               \
  EXPECT_WHAT_THE_NAME_SAYS(SM80_##extents##_S32U1U1S32_TN_XORPOPC);                       \
  EXPECT_WHAT_THE_NAME_SAYS(SM80_##extents##_S32U1U1S32_TN_ANDPOPC);                       \
  static_assert(SM80_##extents##_S32U1U1S32_TN_XORPOPC::variant == mma_variant::xor_popc); \
  static_assert(SM80_##extents##_S32U1U1S32_TN_ANDPOPC::variant == mma_variant::and_popc); \
  static_assert(std::is_same_v<SM80_##extents##_S32B1B1S32_TN_XORPOPC, SM80_##extents##_S32U1U1S32_TN_XORPOPC>)
  EXPECT_BITS(8x8x128);
  EXPECT_BITS(16x8x128);
  EXPECT_BITS(16x8x256);
#undef EXPECT_BITS
}

}  // namespace
