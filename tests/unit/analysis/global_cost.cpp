// SPDX-License-Identifier: Apache-2.0
// The counting rules of global memory: cases, and sectors and bytes counted one by one.
#include <gtest/gtest.h>
#include <cosmati/analysis/global_cost.hpp>

#include <random>
#include <set>

#include "unit/analysis/warp_access.hpp"

using namespace cosmati;

namespace {

static_assert(global_cost_of(load_global(4), strided(4)).sectors == 4);
static_assert(global_cost_of(load_shared(4), strided(4)).requests == 0);

TEST(GlobalCost, SectorsLinesAndBytes) {
  global_cost const half_used = global_cost_of(load_global(2), strided(8));
  EXPECT_EQ(half_used.requests, 1);
  EXPECT_EQ(half_used.sectors, 8);
  EXPECT_EQ(half_used.ideal_sectors, 2);
  EXPECT_EQ(half_used.lines, 2);
  EXPECT_EQ(half_used.ideal_lines, 1);
  EXPECT_EQ(half_used.bytes_used, 64);
  EXPECT_EQ(half_used.bytes_moved, 256);
  EXPECT_EQ(global_cost_of(store_global(16), strided(16)).sectors, 16);
  EXPECT_EQ(global_cost_of(store_global(16), strided(16)).lines, 4);
  EXPECT_EQ(global_cost_of(store_global(16), strided(4096)).sectors, 32);
  EXPECT_EQ(global_cost_of(store_global(16), strided(4096)).lines, 32);
}

TEST(GlobalCost, BytesReadTwiceAreUsedOnce) {
  global_cost const broadcast = global_cost_of(load_global(8), strided(0));
  EXPECT_EQ(broadcast.sectors, 1);
  EXPECT_EQ(broadcast.bytes_used, 8);
  EXPECT_EQ(broadcast.ideal_sectors, 1);
}

TEST(GlobalCost, AddressesMayBeNegativeOrMisaligned) {
  warp_access a = strided(0, 1u);
  a.offset[0] = -4;
  EXPECT_EQ(global_cost_of(load_global(4), a).sectors, 1);
  a.offset[0] = -8;
  EXPECT_EQ(global_cost_of(load_global(16), a).sectors, 2);
  EXPECT_EQ(global_cost_of(load_global(16), a).lines, 2);
  EXPECT_EQ(global_cost_of(load_global(16), a).bytes_used, 16);
}

TEST(GlobalCost, EachByteCountedByItself) {
  std::mt19937 random(6);
  for (int round = 0; round < 1000; ++round) {
    int const bytes = 1 << random() % 5;
    warp_access a;
    a.active = round % 2 == 0 ? 0xffffffffu : random();
    unsigned const places = 1u << (2 + random() % 12);
    for (auto& offset : a.offset) offset = static_cast<std::int64_t>(random() % places) - 100;  // misaligned, too
    std::set<std::int64_t> used, sectors, lines;
    for (int l = 0; l < 32; ++l) {
      for (int b = 0; b < bytes && a.takes_part(l); ++b) {
        std::int64_t const at = a.offset[l] + b;
        used.insert(at);
        sectors.insert(at >> 5);
        lines.insert(at >> 7);
      }
    }
    global_cost const cost = global_cost_of(load_global(bytes), a);
    auto const n = static_cast<int>(used.size());
    EXPECT_EQ(cost.requests, a.active != 0);
    EXPECT_EQ(cost.bytes_used, n);
    EXPECT_EQ(cost.sectors, static_cast<int>(sectors.size()));
    EXPECT_EQ(cost.lines, static_cast<int>(lines.size()));
    EXPECT_EQ(cost.bytes_moved, 32 * cost.sectors);
    EXPECT_EQ(cost.ideal_sectors, (n + 31) / 32);
    EXPECT_EQ(cost.ideal_lines, (n + 127) / 128);
  }
}

}  // namespace
