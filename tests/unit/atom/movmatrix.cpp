// SPDX-License-Identifier: Apache-2.0
// movmatrix: registers of an 8x8 matrix, and of its transpose, against PTX's formula.
#include <gtest/gtest.h>

#include <cosmati/atom/movmatrix.hpp>

#include "unit/atom/matrix_8x8.hpp"

using namespace cosmati;

namespace {

TEST(Movmatrix, EveryLaneAndValue) {
  using Traits = Copy_Traits<SM75_U32x1_MOVM_T>;
  expect_registers(Traits::SrcLayout{}, 1, false);
  expect_registers(Traits::DstLayout{}, 1, true);
}

static_assert(SM75_U32x1_MOVM_T::instruction.source == memory_space::rmem &&
              SM75_U32x1_MOVM_T::instruction.destination == memory_space::rmem);
static_assert(SM75_U32x1_MOVM_T::instruction.lanes == 32 && SM75_U32x1_MOVM_T::instruction.lowest_sm == 75);

// Twice transposed is as it was: what one lane receives is what the other gives.
TEST(Movmatrix, IsItsOwnInverse) {
  using Traits = Copy_Traits<SM75_U32x1_MOVM_T>;
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 8; ++column) {
      int const given_by = 4 * row + column / 2, received_by = 4 * column + row / 2;
      EXPECT_EQ(bit(Traits::SrcLayout{}, given_by, 16 * (column % 2)),
                bit(Traits::DstLayout{}, received_by, 16 * (row % 2)));
    }
  }
}

}  // namespace
