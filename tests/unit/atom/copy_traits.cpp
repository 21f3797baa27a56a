// SPDX-License-Identifier: Apache-2.0
// Traits of the copies that need no architecture: bits of one thread, in order; and which copy may be how wide.
#include <gtest/gtest.h>
#include <cosmati/atom/copy_traits.hpp>

#include "unit/atom/bits.hpp"

using namespace cosmati;

namespace {

template <class S>
void expect_bits_in_order(int bits) {
  using Traits = Copy_Traits<UniversalCopy<S>>;
  static_assert(size(typename Traits::ThrID{}) == 1);
  EXPECT_EQ(times_named(typename Traits::SrcLayout{}, 1, bits, bits),
            std::vector<int>(static_cast<std::size_t>(bits), 1));
  for (int b = 0; b < bits; ++b) EXPECT_EQ(bit(typename Traits::RefLayout{}, 0, b), b);
  static_assert(std::is_same_v<typename Traits::SrcLayout, typename Traits::DstLayout>);
}
TEST(CopyTraits, UniversalCopyMovesItsBitsInOrder) {
  expect_bits_in_order<std::uint8_t>(8);
  expect_bits_in_order<half_t>(16);
  expect_bits_in_order<double>(64);
  expect_bits_in_order<uint128_t>(128);
}

TEST(CopyTraits, UniversalCopyConvertsWhereTheTypesDiffer) {
  std::int32_t const from = -7;
  float to = 0;
  UniversalCopy<std::int32_t, float>::copy(from, to);
  EXPECT_EQ(to, -7.f);
}

static_assert(detail::auto_vector_bits<DefaultCopy> == 8 && detail::auto_vector_bits<AutoVectorizingCopy> == 128);
static_assert(detail::auto_vector_bits<UniversalCopy<float>> == 0);
static_assert(detail::is_universal_copy<UniversalCopy<float, int>> && !detail::is_universal_copy<DefaultCopy>);
// Its registers are as wide as its accesses may be.
static_assert(sizeof(AutoVectorizingCopyWithAssumedAlignment<64>::SRegisters) == 8);
static_assert(size(Copy_Traits<AutoVectorizingCopy>::RefLayout{}) == 1, "one value at a time: copy joins them");

}  // namespace
