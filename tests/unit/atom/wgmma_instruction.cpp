// SPDX-License-Identifier: Apache-2.0
// Rows of the table of warpgroup matrix instructions: PTX's text and the registers.
#include <cosmati/atom/wgmma_instruction.hpp>

#include <gtest/gtest.h>

#include <string>

using namespace cosmati;
using detail::wgmma_async;
using detail::wgmma_source;
using GMMA::Major;
using GMMA::ScaleIn;

namespace {

template <class Op>
std::string text() {
  return std::string(detail::wgmma_mnemonic<Op>::value) + detail::wgmma_immediates<Op>::value;
}

TEST(WgmmaInstruction, Text) {
  EXPECT_EQ((text<wgmma_async<128, float, half_t, half_t, wgmma_source::shared>>()),
            "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16, 1, 1, 0, 0");
  EXPECT_EQ(
      (text<
          wgmma_async<8, float, bfloat16_t, bfloat16_t, wgmma_source::registers, Major::K, Major::MN, ScaleIn::Neg>>()),
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16, -1, 1, 1");
  EXPECT_EQ((text<wgmma_async<256, float, tfloat32_t, tfloat32_t, wgmma_source::shared>>()),
            "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32, 1, 1");
  EXPECT_EQ((text<wgmma_async<96, std::int32_t, std::int8_t, std::uint8_t, wgmma_source::shared, Major::K, Major::K,
                              ScaleIn::One, ScaleIn::One, mma_variant::saturate>>()),
            "wgmma.mma_async.sync.aligned.m64n96k32.satfinite.s32.s8.u8");
  EXPECT_EQ((text<wgmma_async<16, std::int32_t, uint1_t, uint1_t, wgmma_source::shared, Major::K, Major::K,
                              ScaleIn::One, ScaleIn::One, mma_variant::and_popc>>()),
            "wgmma.mma_async.sync.aligned.m64n16k256.s32.b1.b1.and.popc");
}
TEST(WgmmaInstruction, Registers) {
  // A thread holds 64 N / 128 sums, two halves a register.
  using Float = wgmma_async<104, float, half_t, half_t, wgmma_source::shared>;
  using Half = wgmma_async<104, half_t, half_t, half_t, wgmma_source::registers>;
  static_assert(std::is_same_v<Float::DRegisters, float[52]> && std::is_same_v<Float::ARegisters, std::uint64_t[1]>);
  static_assert(std::is_same_v<Half::DRegisters, std::uint32_t[26]> &&
                std::is_same_v<Half::ARegisters, std::uint32_t[4]>);
  EXPECT_EQ(Half::K, 16);
}

}  // namespace
