// SPDX-License-Identifier: Apache-2.0
// Sparse warpgroup matrix instructions of the N that only `mma_sm90_gmma_sparse_ext.hpp` names.
#include <cosmati/atom/mma_sm90_gmma_sparse_ext.hpp>

#include <gtest/gtest.h>

using namespace cosmati;
using GMMA::Major;
using namespace GMMA::SPARSE;

namespace {

TEST(MmaSm90GmmaSparseExt, NamesSayWhatIsMultiplied) {
  EXPECT_EQ((GMMA_64x24x32_F16F16F16_SS<Major::K, Major::K>::N), 24);
  EXPECT_EQ((GMMA_64x248x32_F32BF16BF16_RS<Major::K, Major::MN>::N), 248);
  EXPECT_EQ((GMMA_64x104x16_F32TF32TF32_SS_TN<>::N), 104);
  EXPECT_EQ((GMMA_64x240x64_S32U8S8_SS_TN<>::N), 240);
  EXPECT_EQ((GMMA_64x64x32_F32F16F16_SS<Major::K, Major::K>::N), 64);  // the names of the other header, too
}

}  // namespace
