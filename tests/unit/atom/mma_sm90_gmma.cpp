// SPDX-License-Identifier: Apache-2.0
// Warpgroup matrix instructions by CuTe's names: a name says shape, types, and where A comes from.
#include <cosmati/atom/mma_sm90_gmma.hpp>

#include <gtest/gtest.h>

using namespace cosmati;
using GMMA::Major;

namespace {

template <class Op, int n, int k, class D, class A, class B, detail::wgmma_source from>
constexpr bool is = Op::N == n&& Op::K ==
                    k&& std::is_same_v<typename Op::ValTypeD, D>&& std::is_same_v<typename Op::ValTypeA, A>&&
                        std::is_same_v<typename Op::ValTypeB, B>&& Op::source_of_A == from;

TEST(MmaSm90Gmma, NamesSayWhatIsMultiplied) {
  constexpr auto shared = detail::wgmma_source::shared, registers = detail::wgmma_source::registers;
  EXPECT_TRUE((is<SM90_64x8x16_F16F16F16_SS<Major::K, Major::K>, 8, 16, half_t, half_t, half_t, shared>));
  EXPECT_TRUE(
      (is<SM90_64x256x16_F32BF16BF16_RS<Major::K, Major::MN>, 256, 16, float, bfloat16_t, bfloat16_t, registers>));
  EXPECT_TRUE((is<SM90_64x128x8_F32TF32TF32_SS_TN<>, 128, 8, float, tfloat32_t, tfloat32_t, shared>));
  EXPECT_TRUE((is<SM90_64x64x32_F16E4M3E5M2_RS_TN<>, 64, 32, half_t, float_e4m3_t, float_e5m2_t, registers>));
  EXPECT_TRUE((is<SM90_64x96x32_S32U8S8_SS_TN, 96, 32, std::int32_t, std::uint8_t, std::int8_t, shared>));
  EXPECT_EQ((SM90_64x96x32_S32U8S8_RS_TN_SATURATE::variant), mma_variant::saturate);
  EXPECT_EQ((SM90_64x64x16_F32F16F16_SS<Major::MN, Major::K>::major_A), Major::MN);
  EXPECT_EQ((SM90_64x64x16_F32F16F16_SS<Major::K, Major::K, GMMA::ScaleIn::Neg>::scale_A), GMMA::ScaleIn::Neg);
}

}  // namespace
