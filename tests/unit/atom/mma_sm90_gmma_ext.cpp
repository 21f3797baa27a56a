// SPDX-License-Identifier: Apache-2.0
// Warpgroup matrix instructions of the N that only `mma_sm90_gmma_ext.hpp` names.
#include <cosmati/atom/mma_sm90_gmma_ext.hpp>

#include <gtest/gtest.h>

using namespace cosmati;
using GMMA::Major;

namespace {

template <class Op, int n, int k, class D, class A, class B>
constexpr bool is = Op::N == n&& Op::K ==
                    k&& std::is_same_v<typename Op::ValTypeD, D>&& std::is_same_v<typename Op::ValTypeA, A>&&
                        std::is_same_v<typename Op::ValTypeB, B>;

TEST(MmaSm90GmmaExt, NamesSayWhatIsMultiplied) {
  EXPECT_TRUE((is<SM90_64x24x16_F16F16F16_SS<Major::K, Major::K>, 24, 16, half_t, half_t, half_t>));
  EXPECT_TRUE((is<SM90_64x248x16_F32BF16BF16_RS<Major::K, Major::MN>, 248, 16, float, bfloat16_t, bfloat16_t>));
  EXPECT_TRUE((is<SM90_64x104x8_F32TF32TF32_SS_TN<>, 104, 8, float, tfloat32_t, tfloat32_t>));
  EXPECT_TRUE((is<SM90_64x240x32_S32U8S8_SS_TN, 240, 32, std::int32_t, std::uint8_t, std::int8_t>));
}
// The header brings the names of the other N, too.
TEST(MmaSm90GmmaExt, EveryMultipleOf8) {
  EXPECT_EQ((SM90_64x256x16_F32F16F16_SS<Major::K, Major::K>::N), 256);
  EXPECT_EQ((SM90_64x40x16_F32F16F16_SS<Major::K, Major::K>::N), 40);
}

}  // namespace
