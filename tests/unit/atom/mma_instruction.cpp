// SPDX-License-Identifier: Apache-2.0
// Rows of the table of matrix instructions: mnemonics and registers against a list that the assembler accepted, and the
// mnemonic of every other row against its name.
#include <cosmati/atom/mma_instruction.hpp>

#include <gtest/gtest.h>

#include <cosmati/atom/mma_operations.hpp>
#include <string>
#include <vector>

#include "unit/atom/mma_name.hpp"

using namespace cosmati;
using namespace cosmati::mma_operations;

namespace {

struct expected_row {
  std::string expected, registers, made, made_registers;
  int sm, lowest_sm;
};
template <class Op>
expected_row moye_row(char const* ptx, char const* registers, int sm) {
  auto const n = [](std::size_t x) { return std::to_string(x); };
  return {ptx,
          registers,
          detail::mma_mnemonic<Op>::value,
          n(std::extent_v<typename Op::ARegisters>) + "/" + n(std::extent_v<typename Op::BRegisters>) + "/" +
              n(std::extent_v<typename Op::CRegisters>) + "/" + n(std::extent_v<typename Op::DRegisters>),
          sm,
          Op::lowest_sm < 75 ? 75 : Op::lowest_sm};
}

TEST(MmaRows, MnemonicsThatTheAssemblerAccepted) {
  std::vector<expected_row> const rows = {
      moye_row<SM80_8x8x4_F64F64F64F64_TN>("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "1/1/2/2", 80),
      moye_row<SM80_16x8x4_F32TF32TF32F32_TN>("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", "2/1/4/4", 80),
      moye_row<SM80_16x8x8_F32TF32TF32F32_TN>("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "4/2/4/4", 80),
      moye_row<SM80_16x8x16_F32BF16BF16F32_TN>("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "4/2/4/4", 80),
      moye_row<SM80_16x8x8_F32BF16BF16F32_TN>("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", "2/1/4/4", 80),
      moye_row<SM70_8x8x4_F16F16F16F16_TT>("mma.sync.aligned.m8n8k4.row.row.f16.f16.f16.f16", "2/2/4/4", 75),
      moye_row<SM70_8x8x4_F16F16F16F16_NT>("mma.sync.aligned.m8n8k4.col.row.f16.f16.f16.f16", "2/2/4/4", 75),
      moye_row<SM70_8x8x4_F16F16F16F16_TN>("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16", "2/2/4/4", 75),
      moye_row<SM70_8x8x4_F16F16F16F16_NN>("mma.sync.aligned.m8n8k4.col.col.f16.f16.f16.f16", "2/2/4/4", 75),
      moye_row<SM70_8x8x4_F32F16F16F16_TT>("mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f16", "2/2/4/8", 75),
      moye_row<SM70_8x8x4_F32F16F16F16_NT>("mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f16", "2/2/4/8", 75),
      moye_row<SM70_8x8x4_F32F16F16F16_TN>("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16", "2/2/4/8", 75),
      moye_row<SM70_8x8x4_F32F16F16F16_NN>("mma.sync.aligned.m8n8k4.col.col.f32.f16.f16.f16", "2/2/4/8", 75),
      moye_row<SM80_16x8x8_F16F16F16F16_TN>("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", "2/1/2/2", 75),
      moye_row<SM80_16x8x16_F16F16F16F16_TN>("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "4/2/2/2", 80),
      moye_row<SM70_8x8x4_F32F16F16F32_TT>("mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f32", "2/2/8/8", 75),
      moye_row<SM70_8x8x4_F32F16F16F32_NT>("mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32", "2/2/8/8", 75),
      moye_row<SM70_8x8x4_F32F16F16F32_TN>("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", "2/2/8/8", 75),
      moye_row<SM70_8x8x4_F32F16F16F32_NN>("mma.sync.aligned.m8n8k4.col.col.f32.f16.f16.f32", "2/2/8/8", 75),
      moye_row<SM80_16x8x8_F32F16F16F32_TN>("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", "2/1/4/4", 75),
      moye_row<SM80_16x8x16_F32F16F16F32_TN>("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "4/2/4/4", 80),
      moye_row<SM80_8x8x16_S32S8S8S32_TN>("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", "1/1/2/2", 75),
      moye_row<SM80_8x8x16_S32S8S8S32_TN_SATURATE>("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32",
                                                   "1/1/2/2", 75),
      moye_row<SM80_8x8x16_S32S8U8S32_TN>("mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32", "1/1/2/2", 75),
      moye_row<SM80_8x8x16_S32S8U8S32_TN_SATURATE>("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.u8.s32",
                                                   "1/1/2/2", 75),
      moye_row<SM80_16x8x16_S32S8S8S32_TN>("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32", "2/1/4/4", 80),
      moye_row<SM80_16x8x16_S32S8S8S32_TN_SATURATE>("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32",
                                                    "2/1/4/4", 80),
      moye_row<SM80_16x8x16_S32S8U8S32_TN>("mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32", "2/1/4/4", 80),
      moye_row<SM80_16x8x16_S32S8U8S32_TN_SATURATE>("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.u8.s32",
                                                    "2/1/4/4", 80),
      moye_row<SM80_16x8x32_S32S8S8S32_TN>("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "4/2/4/4", 80),
      moye_row<SM80_16x8x32_S32S8S8S32_TN_SATURATE>("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32",
                                                    "4/2/4/4", 80),
      moye_row<SM80_16x8x32_S32S8U8S32_TN>("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32", "4/2/4/4", 80),
      moye_row<SM80_16x8x32_S32S8U8S32_TN_SATURATE>("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32",
                                                    "4/2/4/4", 80),
      moye_row<SM80_8x8x16_S32U8S8S32_TN>("mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32", "1/1/2/2", 75),
      moye_row<SM80_8x8x16_S32U8S8S32_TN_SATURATE>("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.u8.s8.s32",
                                                   "1/1/2/2", 75),
      moye_row<SM80_8x8x16_S32U8U8S32_TN>("mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32", "1/1/2/2", 75),
      moye_row<SM80_8x8x16_S32U8U8S32_TN_SATURATE>("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.u8.u8.s32",
                                                   "1/1/2/2", 75),
      moye_row<SM80_16x8x16_S32U8S8S32_TN>("mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32", "2/1/4/4", 80),
      moye_row<SM80_16x8x16_S32U8S8S32_TN_SATURATE>("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.u8.s8.s32",
                                                    "2/1/4/4", 80),
      moye_row<SM80_16x8x16_S32U8U8S32_TN>("mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32", "2/1/4/4", 80),
      moye_row<SM80_16x8x16_S32U8U8S32_TN_SATURATE>("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.u8.u8.s32",
                                                    "2/1/4/4", 80),
      moye_row<SM80_16x8x32_S32U8S8S32_TN>("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32", "4/2/4/4", 80),
      moye_row<SM80_16x8x32_S32U8S8S32_TN_SATURATE>("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32",
                                                    "4/2/4/4", 80),
      moye_row<SM80_16x8x32_S32U8U8S32_TN>("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32", "4/2/4/4", 80),
      moye_row<SM80_16x8x32_S32U8U8S32_TN_SATURATE>("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32",
                                                    "4/2/4/4", 80),
      moye_row<SM80_8x8x128_S32B1B1S32_TN_XORPOPC>("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc",
                                                   "1/1/2/2", 75),
      moye_row<SM80_8x8x128_S32B1B1S32_TN_ANDPOPC>("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc",
                                                   "1/1/2/2", 80),
      moye_row<SM80_16x8x128_S32B1B1S32_TN_XORPOPC>("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.xor.popc",
                                                    "2/1/4/4", 80),
      moye_row<SM80_16x8x128_S32B1B1S32_TN_ANDPOPC>("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc",
                                                    "2/1/4/4", 80),
      moye_row<SM80_16x8x256_S32B1B1S32_TN_XORPOPC>("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc",
                                                    "4/2/4/4", 80),
      moye_row<SM80_16x8x256_S32B1B1S32_TN_ANDPOPC>("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc",
                                                    "4/2/4/4", 80),
  };
  ASSERT_EQ(rows.size(), 51u);
  for (auto const& row : rows) {
    EXPECT_EQ(row.made, row.expected);
    EXPECT_EQ(row.made_registers, row.registers) << row.expected;
    EXPECT_EQ(row.lowest_sm, row.sm) << row.expected;
  }
}

TEST(MmaRows, MnemonicsOfTheOthers) {
  EXPECT_STREQ((detail::mma_mnemonic<SM80_16x8x64_S32S4U4S32_TN_SATURATE>::value),
               "mma.sync.aligned.m16n8k64.row.col.satfinite.s32.s4.u4.s32");
  EXPECT_STREQ((detail::mma_mnemonic<SM89_16x8x32_F16E4M3E5M2F16_TN>::value),
               "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e5m2.f16");
  EXPECT_STREQ((detail::mma_mnemonic<SM90_16x8x16_F64F64F64F64_TN>::value),
               "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64");
}

TEST(MmaRows, EveryMnemonicIsWhatTheNameSays) {
  for_each_operation([]<class Op>(named<Op> const& op) {
    if constexpr (detail::mma_sync_operation<Op>) {
      EXPECT_EQ(detail::mma_mnemonic<Op>::value, mma_name(op.name).mnemonic()) << op.name;
    }
  });
}

// A register of 32 bits holds several narrow values, as an integer; float and double have their own.
static_assert(std::is_same_v<detail::mma_register<half_t>, std::uint32_t> && detail::values_per_register<half_t> == 2);
static_assert(std::is_same_v<detail::mma_register<tfloat32_t>, std::uint32_t>);
static_assert(detail::values_per_register<uint1_t> == 32 && detail::values_per_register<int4_t> == 8);
static_assert(std::is_same_v<detail::mma_register<float>, float> && detail::values_per_register<double> == 1);
static_assert(std::is_same_v<detail::mma_register<std::int32_t>, std::uint32_t>);

}  // namespace
