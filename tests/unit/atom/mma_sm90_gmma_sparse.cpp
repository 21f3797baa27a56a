// SPDX-License-Identifier: Apache-2.0
// Sparse warpgroup matrix instructions by CuTe's names: a name says shape, types, and where A comes from.
#include <cosmati/atom/mma_sm90_gmma_sparse.hpp>

#include <gtest/gtest.h>

using namespace cosmati;
using GMMA::Major;
using GMMA::ScaleIn;
using GMMA::SparseSel;
using namespace GMMA::SPARSE;

namespace {

template <class Op, int n, int k, class D, class A, class B, detail::wgmma_source from>
constexpr bool is = Op::N == n&& Op::K ==
                    k&& std::is_same_v<typename Op::ValTypeD, D>&& std::is_same_v<typename Op::ValTypeA, A>&&
                        std::is_same_v<typename Op::ValTypeB, B>&& Op::source_of_A == from;

TEST(MmaSm90GmmaSparse, NamesSayWhatIsMultiplied) {
  constexpr auto shared = detail::wgmma_source::shared, registers = detail::wgmma_source::registers;
  EXPECT_TRUE((is<GMMA_64x8x32_F16F16F16_SS<Major::K, Major::K>, 8, 32, half_t, half_t, half_t, shared>));
  EXPECT_TRUE(
      (is<GMMA_64x256x32_F32BF16BF16_RS<Major::K, Major::MN>, 256, 32, float, bfloat16_t, bfloat16_t, registers>));
  EXPECT_TRUE((is<GMMA_64x128x16_F32TF32TF32_SS_TN<>, 128, 16, float, tfloat32_t, tfloat32_t, shared>));
  EXPECT_TRUE((is<GMMA_64x64x64_F16E4M3E5M2_RS_TN<>, 64, 64, half_t, float_e4m3_t, float_e5m2_t, registers>));
  EXPECT_TRUE((is<GMMA_64x96x64_S32U8S8_SS_TN<>, 96, 64, std::int32_t, std::uint8_t, std::int8_t, shared>));
  EXPECT_EQ((GMMA_64x96x64_S32U8S8_RS_TN_SATURATE<>::variant), mma_variant::saturate);
  using Selected = GMMA_64x64x32_F32F16F16_SS<Major::MN, Major::K, ScaleIn::Neg, ScaleIn::One, SparseSel::One>;
  EXPECT_EQ(Selected::major_A, Major::MN);
  EXPECT_EQ(Selected::scale_A, ScaleIn::Neg);
  EXPECT_EQ(Selected::selector, SparseSel::One);
}

}  // namespace
