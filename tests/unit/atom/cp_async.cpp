// SPDX-License-Identifier: Apache-2.0
// cp.async: widths, caches, and the predicate that makes an atom fill with zeros.
#include <gtest/gtest.h>

#include <cosmati/atom/copy_atom.hpp>
#include <cosmati/atom/cp_async.hpp>

#include "unit/atom/bits.hpp"

using namespace cosmati;

namespace {

template <class Op, int bits>
void expect_identity() {
  using Traits = Copy_Traits<Op>;
  static_assert(size(typename Traits::ThrID{}) == 1);
  for (int b = 0; b < bits; ++b) {
    EXPECT_EQ(bit(typename Traits::SrcLayout{}, 0, b), b);
    EXPECT_EQ(bit(typename Traits::DstLayout{}, 0, b), b);
    EXPECT_EQ(bit(typename Traits::RefLayout{}, 0, b), b);
  }
  EXPECT_EQ(static_cast<int>(size(typename Traits::RefLayout{})), bits);
}

TEST(CpAsync, Widths) {
  expect_identity<SM80_CP_ASYNC_CACHEALWAYS<float>, 32>();
  expect_identity<SM80_CP_ASYNC_CACHEALWAYS<std::uint64_t>, 64>();
  expect_identity<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, 128>();
  expect_identity<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, 128>();
  expect_identity<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<double>, 64>();
  expect_identity<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, 128>();
}

TEST(CpAsync, Names) {
  EXPECT_STREQ((SM80_CP_ASYNC_CACHEALWAYS<float>::instruction.name), "cp.async.ca.4");
  EXPECT_STREQ((SM80_CP_ASYNC_CACHEALWAYS<double>::instruction.name), "cp.async.ca.8");
  EXPECT_STREQ((SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint128_t>::instruction.name), "cp.async.ca.16");
  EXPECT_STREQ((SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>::instruction.name), "cp.async.cg.16");
}

TEST(CpAsync, APredicateMakesItFill) {
  Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<float>, float> const plain{};
  static_assert(std::is_empty_v<decltype(plain)>);
  auto const no = plain.with(false);
  static_assert(std::is_same_v<typename decltype(no)::Traits, Copy_Traits<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<float>>>);
  EXPECT_FALSE(no.pred);
  EXPECT_TRUE(plain.with(true).pred);
  EXPECT_TRUE(no.with(true).pred);
  Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, half_t> const fills{};
  EXPECT_TRUE(fills.pred);  // CuTe's is false, and then fills everything
  EXPECT_FALSE(fills.with(false).pred);
}

}  // namespace
