// SPDX-License-Identifier: Apache-2.0
// Rows of the table of sparse warpgroup matrix instructions: PTX's text, the registers, and the places of metadata.
#include <cosmati/atom/wgmma_sparse_instruction.hpp>

#include <gtest/gtest.h>

#include <cosmati/arch/wgmma_sparse_traits.hpp>
#include <set>
#include <string>
#include <utility>

using namespace cosmati;
using detail::wgmma_source;
using detail::wgmma_sparse_async;
using GMMA::Major;
using GMMA::ScaleIn;
using GMMA::SparseSel;

namespace {

template <class Op>
std::string text() {
  return std::string(detail::wgmma_mnemonic<Op>::value) + detail::wgmma_immediates<Op>::value;
}

using Halves = wgmma_sparse_async<64, float, half_t, half_t, wgmma_source::shared, Major::K, Major::MN, ScaleIn::One,
                                  ScaleIn::Neg, SparseSel::One>;
using Tf32 = wgmma_sparse_async<32, float, tfloat32_t, tfloat32_t, wgmma_source::registers>;
using Bytes = wgmma_sparse_async<96, std::int32_t, std::int8_t, std::uint8_t, wgmma_source::shared, Major::K, Major::K,
                                 ScaleIn::One, ScaleIn::One, SparseSel::Zero, mma_variant::saturate>;

TEST(WgmmaSparseInstruction, Text) {
  EXPECT_EQ(text<Halves>(), "wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16, 1, p, 1, -1, 0, 1");
  EXPECT_EQ(text<Tf32>(), "wgmma.mma_async.sp.sync.aligned.m64n32k16.f32.tf32.tf32, 0, p, 1, 1");
  EXPECT_EQ(text<Bytes>(), "wgmma.mma_async.sp.sync.aligned.m64n96k64.satfinite.s32.s8.u8, 0, p");
  static_assert(Halves::K == 32 && Halves::packed_K == 16 && Tf32::K == 16 && Bytes::K == 64);
  static_assert(!detail::wgmma_operation<Halves> && detail::wgmma_sparse_operation<Halves>);
}

/// Every four bits of every giving thread are the place of one group of elements, and the layout of the traits agrees.
template <class Op>
void expect_metadata_layout() {
  using Traits = MMA_Traits<Op>;
  using L = typename Traits::ELayout;
  std::set<std::pair<int, int>> places;
  for (int m = 0; m < 64; ++m) {
    for (int k = 0; k < Op::K; k += Op::chunk) {
      auto const at = detail::place_of_metadata<Op>(m, k);
      EXPECT_TRUE(places.emplace(at.thread, at.shift).second);
      // Four bits concern `chunk` elements, so that the element's index in the thread is the shift times chunk / 4.
      EXPECT_EQ(static_cast<int>(L{}(at.thread, at.shift * Op::chunk / 4)), m + 64 * k) << m << ", " << k;
    }
  }
  EXPECT_EQ(places.size(), static_cast<std::size_t>(64 * Op::K / Op::chunk));
}
TEST(WgmmaSparseInstruction, PlacesOfMetadata) {
  expect_metadata_layout<Halves>();
  expect_metadata_layout<Tf32>();
  expect_metadata_layout<Bytes>();
  // The selector One moves the metadata from lanes 0 and 1 of each four to 2 and 3.
  EXPECT_EQ(detail::place_of_metadata<Halves>(9, 20).thread, 4 * 1 + 2 + 1);
  EXPECT_EQ(detail::place_of_metadata<Halves>(9, 20).shift, 16 + 4);
  EXPECT_EQ(detail::place_of_metadata<Bytes>(25, 36).thread, 32 + 4 * 1 + 2 + 1);
  EXPECT_EQ(detail::place_of_metadata<Bytes>(25, 36).shift, 4);
}
TEST(WgmmaSparseInstruction, PlacesInAGroup) {
  EXPECT_EQ(detail::place_in_chunk<Halves>(0b1101, 0), 1);
  EXPECT_EQ(detail::place_in_chunk<Halves>(0b1101, 1), 3);
  for (std::uint32_t const bits : {0x0u, 0x5u, 0xau, 0xfu}) EXPECT_EQ(detail::place_in_chunk<Halves>(bits, 0), -1);
  EXPECT_EQ(detail::place_in_chunk<Tf32>(0b1110, 0), 1);
  EXPECT_EQ(detail::place_in_chunk<Tf32>(0b0100, 0), 0);
  EXPECT_EQ(detail::place_in_chunk<Tf32>(0b0110, 0), -1);
}

}  // namespace
