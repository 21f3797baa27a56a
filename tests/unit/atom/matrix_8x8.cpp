// SPDX-License-Identifier: Apache-2.0
// ldmatrix, stmatrix and movmatrix: every (lane, register, half) against PTX's formula; every bit exactly once.
#include <gtest/gtest.h>

#include <cosmati/atom/copy_atom.hpp>
#include <cosmati/atom/ldmatrix.hpp>
#include <cosmati/atom/movmatrix.hpp>
#include <cosmati/atom/stmatrix.hpp>

#include "unit/atom/bits.hpp"

using namespace cosmati;

namespace {

/// Where element (row, column) of matrix j begins: rows of 128 bits, one behind the other.
int element(int j, int row, int column) { return 1024 * j + 128 * row + 16 * column; }

template <class L>
void expect_registers(L const& layout, int matrices, bool transposed) {
  ASSERT_EQ(static_cast<int>(size<0>(layout)), 32);
  ASSERT_EQ(static_cast<int>(size<1>(layout)), 32 * matrices);
  for (int lane = 0; lane < 32; ++lane) {
    for (int j = 0; j < matrices; ++j) {
      for (int e = 0; e < 2; ++e) {
        int const row = transposed ? 2 * (lane % 4) + e : lane / 4;
        int const column = transposed ? lane / 4 : 2 * (lane % 4) + e;
        for (int b = 0; b < 16; ++b) {
          ASSERT_EQ(bit(layout, lane, 32 * j + 16 * e + b), element(j, row, column) + b)
              << "lane " << lane << ", register " << j << ", half " << e;
        }
      }
    }
  }
  EXPECT_EQ(times_named(layout, 32, 32 * matrices, 1024 * matrices),
            std::vector<int>(static_cast<std::size_t>(1024 * matrices), 1));
}

template <class L>
void expect_rows(L const& layout, int matrices) {
  ASSERT_EQ(static_cast<int>(size<0>(layout)), 32);
  ASSERT_EQ(static_cast<int>(size<1>(layout)), 128);
  for (int lane = 0; lane < 8 * matrices; ++lane) {
    for (int b = 0; b < 128; ++b) ASSERT_EQ(bit(layout, lane, b), element(lane / 8, lane % 8, 0) + b) << lane;
  }
  EXPECT_EQ(times_named(layout, 8 * matrices, 128, 1024 * matrices),
            std::vector<int>(static_cast<std::size_t>(1024 * matrices), 1));
  // PTX ignores the other lanes' addresses: they repeat those of the first
  for (int lane = 8 * matrices; lane < 32; ++lane)
    EXPECT_EQ(bit(layout, lane, 5), bit(layout, lane % (8 * matrices), 5));
}

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

TEST(Ldmatrix, EveryLaneAndValue) {
  expect_load<SM75_U32x1_LDSM_N>(1, false, "ldmatrix.x1");
  expect_load<SM75_U32x2_LDSM_N>(2, false, "ldmatrix.x2");
  expect_load<SM75_U32x4_LDSM_N>(4, false, "ldmatrix.x4");
  expect_load<SM75_U16x2_LDSM_T>(1, true, "ldmatrix.x1.trans");
  expect_load<SM75_U16x4_LDSM_T>(2, true, "ldmatrix.x2.trans");
  expect_load<SM75_U16x8_LDSM_T>(4, true, "ldmatrix.x4.trans");
}

TEST(Stmatrix, EveryLaneAndValue) {
  expect_store<SM90_U32x1_STSM_N>(1, false, "stmatrix.x1");
  expect_store<SM90_U32x2_STSM_N>(2, false, "stmatrix.x2");
  expect_store<SM90_U32x4_STSM_N>(4, false, "stmatrix.x4");
  expect_store<SM90_U16x2_STSM_T>(1, true, "stmatrix.x1.trans");
  expect_store<SM90_U16x4_STSM_T>(2, true, "stmatrix.x2.trans");
  expect_store<SM90_U16x8_STSM_T>(4, true, "stmatrix.x4.trans");
}

TEST(Movmatrix, EveryLaneAndValue) {
  using Traits = Copy_Traits<SM75_U32x1_MOVM_T>;
  expect_registers(Traits::SrcLayout{}, 1, false);
  expect_registers(Traits::DstLayout{}, 1, true);
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
