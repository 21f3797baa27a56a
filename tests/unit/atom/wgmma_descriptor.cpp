// SPDX-License-Identifier: Apache-2.0
// Descriptors of operands: the fields' bits, and where canonical layouts have an element.
#include <cosmati/atom/wgmma_descriptor.hpp>

#include <gtest/gtest.h>

using namespace cosmati;
using detail::wgmma_descriptor;
using GMMA::LayoutType;
using GMMA::Major;

namespace {

TEST(WgmmaDescriptor, FieldsStandWhereTheIsaHasThem) {
  // Address 0x12340, leading 0x80, stride 0x400 bytes, each by 16; base offset 5 at bit 49; 128 bytes is mode 1 at
  // bit 62.
  std::uint64_t const bits = detail::encoded({0x12340, 0x80, 0x400, 5, LayoutType::B128});
  EXPECT_EQ(bits, 0x1234ull | 0x8ull << 16 | 0x40ull << 32 | 5ull << 49 | 1ull << 62);
  wgmma_descriptor const back = detail::decoded(bits);
  EXPECT_EQ(back.address, 0x12340u);
  EXPECT_EQ(back.leading_bytes, 0x80u);
  EXPECT_EQ(back.stride_bytes, 0x400u);
  EXPECT_EQ(back.base_offset, 5u);
  EXPECT_EQ(back.layout, LayoutType::B128);
  // The address is its lowest 18 bits.
  EXPECT_EQ(detail::encoded({0x7fff0, 0, 0, 0, LayoutType::INTERLEAVE}), 0x3fffull);
}
TEST(WgmmaDescriptor, ElementsOfCanonicalLayouts) {
  // Halves, eight a chunk. Along K without exchange: ((8,m),(8,2)) : ((8,stride),(1,leading)).
  wgmma_descriptor const none{0, 128, 256, 0, LayoutType::INTERLEAVE};
  EXPECT_EQ(detail::operand_byte(none, Major::K, 2, 3, 5), 3u * 16 + 5 * 2);
  EXPECT_EQ(detail::operand_byte(none, Major::K, 2, 11, 9), 256u + 3 * 16 + 128 + 1 * 2);
  // In rows of 128 bytes: ((8,m),(8,2)) : ((64,stride),(1,8)).
  wgmma_descriptor const rows{0, 16, 1024, 0, LayoutType::B128};
  EXPECT_EQ(detail::operand_byte(rows, Major::K, 2, 11, 9), 1024u + 3 * 128 + 9 * 2);
  // Along MN in rows of 64 bytes: ((8,4,m),(8,k)) : ((1,8,leading),(32,stride)).
  wgmma_descriptor const columns{0, 512, 2048, 0, LayoutType::B64};
  EXPECT_EQ(detail::operand_byte(columns, Major::MN, 2, 33, 9), 512u + 1 * 2 + 2048 + 1 * 64);
  // Along MN without exchange: ((8,m),(8,k)) : ((1,stride),(8,leading)).
  EXPECT_EQ(detail::operand_byte(none, Major::MN, 2, 9, 9), 1u * 2 + 256 + 1 * 16 + 128);
}
TEST(WgmmaDescriptor, Exchanges) {
  // a ^= (a >> 3) & 0x70, 0x30, 0x10.
  EXPECT_EQ(detail::exchanged_address(0x3a0, LayoutType::B128), 0x3a0u ^ 0x70u);
  EXPECT_EQ(detail::exchanged_address(0x3a0, LayoutType::B64), 0x3a0u ^ 0x30u);
  EXPECT_EQ(detail::exchanged_address(0x3a0, LayoutType::B32), 0x3a0u ^ 0x10u);
  EXPECT_EQ(detail::exchanged_address(0x3a0, LayoutType::INTERLEAVE), 0x3a0u);
}

}  // namespace
