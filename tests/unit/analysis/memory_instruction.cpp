// SPDX-License-Identifier: Apache-2.0
// Memory instructions: which memory they touch, how many lanes share a pass, and who takes part.
#include <gtest/gtest.h>
#include <cosmati/analysis/memory_instruction.hpp>

using namespace cosmati;

namespace {

static_assert(load_shared(4).touches_shared() && !load_shared(4).touches_global());
static_assert(!store_global(4).touches_shared() && store_global(4).touches_global());
static_assert(copy_async(16).touches_shared() && copy_async(16).touches_global(), "from the one to the other");
static_assert(load_matrix(2).touches_shared() && !load_matrix(2).touches_global() && load_matrix(2).moves_matrices());
static_assert(!load_shared(16).moves_matrices() && store_matrix(1).moves_matrices());
static_assert(load_global(8) == load_global(8) && !(load_global(8) == store_global(8)));
static_assert(!(load_matrix(2) == load_matrix(4)));

// Rows of 16 bytes: 8 lanes give the addresses of a matrix.
static_assert(load_matrix(1).lanes == 8 && store_matrix(4).lanes == 32 && load_matrix(4).bytes == 16);

TEST(MemoryInstruction, NeighbouringLanesShareAPassOf128Bytes) {
  for (int const bytes : {1, 2, 4, 8, 16}) {
    int const lanes = load_shared(bytes).lanes_a_group();
    EXPECT_EQ(lanes, bytes <= 4 ? 32 : 128 / bytes) << bytes;
    EXPECT_EQ(copy_async(bytes).lanes_a_group(), lanes);
  }
  EXPECT_EQ(load_matrix(4).lanes_a_group(), 8);
}

TEST(MemoryInstruction, LanesTakePartUnlessTheyAreMaskedOut) {
  warp_access a;
  for (int l = 0; l < 32; ++l) EXPECT_TRUE(a.takes_part(l));
  a.active = 0x80000001u;
  for (int l = 0; l < 32; ++l) EXPECT_EQ(a.takes_part(l), l == 0 || l == 31);
}

}  // namespace
