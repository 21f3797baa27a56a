// SPDX-License-Identifier: Apache-2.0
// stmatrix: every (lane, register, half) against PTX's formula; every bit exactly once.
#include <gtest/gtest.h>

#include <cosmati/atom/stmatrix.hpp>

#include "unit/atom/matrix_8x8.hpp"

using namespace cosmati;

namespace {

template <class Op>
void expect_store(int matrices, bool transposed, std::string const& name) {
  using Traits = Copy_Traits<Op>;
  expect_registers(typename Traits::SrcLayout{}, matrices, transposed);
  expect_rows(typename Traits::DstLayout{}, matrices);
  static_assert(std::is_same_v<typename Traits::RefLayout, typename Traits::SrcLayout>);
  static_assert(size(typename Traits::ThrID{}) == 32);
  EXPECT_EQ(Op::instruction.name, name);
  static_assert(Op::instruction.source == memory_space::rmem && Op::instruction.destination == memory_space::smem);
}

TEST(Stmatrix, EveryLaneAndValue) {
  expect_store<SM90_U32x1_STSM_N>(1, false, "stmatrix.x1");
  expect_store<SM90_U32x2_STSM_N>(2, false, "stmatrix.x2");
  expect_store<SM90_U32x4_STSM_N>(4, false, "stmatrix.x4");
  expect_store<SM90_U16x2_STSM_T>(1, true, "stmatrix.x1.trans");
  expect_store<SM90_U16x4_STSM_T>(2, true, "stmatrix.x2.trans");
  expect_store<SM90_U16x8_STSM_T>(4, true, "stmatrix.x4.trans");
}

static_assert(SM90_U32x4_STSM_N::instruction.lanes == 32 && SM90_U32x4_STSM_N::instruction.lowest_sm == 90);
static_assert(detail::stmatrix_atom<SM90_U16x2_STSM_T> && !detail::stmatrix_atom<UniversalCopy<float>>);

}  // namespace
