// SPDX-License-Identifier: Apache-2.0
// ldmatrix: every (lane, register, half) against PTX's formula; every bit exactly once.
#include <gtest/gtest.h>

#include <cosmati/atom/copy_atom.hpp>
#include <cosmati/atom/ldmatrix.hpp>

#include "unit/atom/matrix_8x8.hpp"

using namespace cosmati;

namespace {

template <class Op>
void expect_load(int matrices, bool transposed, std::string const& name) {
  using Traits = Copy_Traits<Op>;
  expect_rows(typename Traits::SrcLayout{}, matrices);
  expect_registers(typename Traits::DstLayout{}, matrices, transposed);
  static_assert(std::is_same_v<typename Traits::RefLayout, typename Traits::DstLayout>);
  static_assert(size(typename Traits::ThrID{}) == 32);
  EXPECT_EQ(Op::instruction.name, name);
  static_assert(Op::instruction.source == memory_space::smem && Op::instruction.destination == memory_space::rmem);
}
TEST(Ldmatrix, EveryLaneAndValue) {
  expect_load<SM75_U32x1_LDSM_N>(1, false, "ldmatrix.x1");
  expect_load<SM75_U32x2_LDSM_N>(2, false, "ldmatrix.x2");
  expect_load<SM75_U32x4_LDSM_N>(4, false, "ldmatrix.x4");
  expect_load<SM75_U16x2_LDSM_T>(1, true, "ldmatrix.x1.trans");
  expect_load<SM75_U16x4_LDSM_T>(2, true, "ldmatrix.x2.trans");
  expect_load<SM75_U16x8_LDSM_T>(4, true, "ldmatrix.x4.trans");
}

TEST(Ldmatrix, ValuesOfTypes) {
  using Halves = Copy_Atom<SM75_U32x4_LDSM_N, half_t>;
  static_assert(Halves::NumValSrc::value == 8 && Halves::NumValDst::value == 8 && Halves::NumThr::value == 32);
  using Bytes = Copy_Atom<SM75_U32x2_LDSM_N, std::int8_t>;
  static_assert(Bytes::NumValSrc::value == 16 && Bytes::NumValDst::value == 8);
  using Words = Copy_Atom<SM75_U32x1_LDSM_N, float>;
  static_assert(Words::NumValSrc::value == 4 && Words::NumValDst::value == 1);
}

}  // namespace
