// SPDX-License-Identifier: Apache-2.0
// The cost of an instruction in both memories: cp.async has a side in each.
#include <gtest/gtest.h>
#include <cosmati/analysis/warp_cost.hpp>

#include "unit/analysis/warp_access.hpp"

using namespace cosmati;

namespace {

TEST(WarpCost, ACopyHasTwoSides) {
  EXPECT_EQ(warp_cost_of(copy_async(16), strided(16), strided(128)).shared.wavefronts, 32);
  warp_cost const both = warp_cost_of(copy_async(16), strided(128), strided(16));
  EXPECT_EQ(both.shared.wavefronts, 32);
  EXPECT_EQ(both.global.sectors, 16);
  // Without a source it is contiguous; inactive lanes leave holes in it.
  EXPECT_EQ(warp_cost_of(copy_async(16), strided(128)).global.sectors, 16);
  EXPECT_EQ(warp_cost_of(copy_async(16), strided(128, 0x01010101u)).global.sectors, 4);
}

TEST(WarpCost, OneMemoryCostsNothingInTheOther) {
  EXPECT_EQ(warp_cost_of(load_shared(4), strided(4)).global.requests, 0);
  EXPECT_EQ(warp_cost_of(store_global(4), strided(4)).shared.wavefronts, 0);
  EXPECT_EQ(warp_cost_of(load_shared(4), strided(128)).shared.bank_conflicts, 31);
}

}  // namespace
