// SPDX-License-Identifier: Apache-2.0
// The matrix instructions of Turing have the extents, types and architecture that their names say.
#include <gtest/gtest.h>
#include <cosmati/atom/mma_sm75.hpp>

#include "unit/atom/mma_name.hpp"

using namespace cosmati;

namespace {

TEST(MmaSm75, RowsAreWhatTheNamesSay) {
  EXPECT_WHAT_THE_NAME_SAYS(SM75_16x8x8_F32F16F16F32_TN);
  EXPECT_WHAT_THE_NAME_SAYS(SM75_16x8x8_F16F16F16F16_TN);
  EXPECT_WHAT_THE_NAME_SAYS(SM75_8x8x16_S32S8S8S32_TN);
  static_assert(SM75_8x8x16_S32S8S8S32_TN::variant == mma_variant::plain, "it wraps");
}

}  // namespace
