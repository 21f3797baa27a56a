// SPDX-License-Identifier: Apache-2.0
// Products of doubles since Hopper: extents, types and architecture are those of the names.
#include <gtest/gtest.h>
#include <cosmati/atom/mma_sm90.hpp>

#include "unit/atom/mma_name.hpp"

using namespace cosmati;

namespace {

TEST(MmaSm90, RowsAreWhatTheNamesSay) {
  EXPECT_WHAT_THE_NAME_SAYS(SM90_16x8x4_F64F64F64F64_TN);
  EXPECT_WHAT_THE_NAME_SAYS(SM90_16x8x8_F64F64F64F64_TN);
  EXPECT_WHAT_THE_NAME_SAYS(SM90_16x8x16_F64F64F64F64_TN);
}

// Registers of 64 bits: 2, 4, 8 of A; 1, 2, 4 of B; 4 sums.
template <class Op, int a, int b>
inline constexpr bool has_registers = sizeof(typename Op::ARegisters) == 8 * a &&
                                      sizeof(typename Op::BRegisters) == 8 * b &&
                                      sizeof(typename Op::CRegisters) == 32 && sizeof(typename Op::DRegisters) == 32;
static_assert(has_registers<SM90_16x8x4_F64F64F64F64_TN, 2, 1>);
static_assert(has_registers<SM90_16x8x8_F64F64F64F64_TN, 4, 2>);
static_assert(has_registers<SM90_16x8x16_F64F64F64F64_TN, 8, 4>);

}  // namespace
