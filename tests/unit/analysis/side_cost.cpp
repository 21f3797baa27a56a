// SPDX-License-Identifier: Apache-2.0
// Sums by residue, compared with every warp instruction evaluated alone.
#include <cosmati/analysis/side_cost.hpp>

#include <gtest/gtest.h>

#include <random>

using namespace cosmati;

namespace {

std::mt19937 engine(11);
int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }

side_cost one_by_one(side_access const& side, memory_instruction const& i, accessed_memory memory) {
  side_cost total;
  std::int64_t const threads = side.thread_count();
  for (std::int64_t step = 0; step < side.steps.size(); ++step) {
    for (std::int64_t first = 0; first < threads; first += 32) {
      warp_access a;
      a.active = 0;
      for (std::int64_t l = 0; l < 32 && first + l < threads; ++l) {
        a.active |= 1u << l;
        a.offset[l] = side.bytes_at(side.threads(first + l) + side.steps(step));
      }
      warp_cost c;
      if (memory == accessed_memory::global)
        c.global = global_cost_of(i, a);
      else
        c.shared = shared_cost_of(i, a);
      total.add(c, 1, static_cast<int>(first / 32));
    }
  }
  return total;
}

TEST(SideCost, EqualsEveryInstructionByItself) {
  for (int round = 0; round < 200; ++round) {
    side_access side;
    int const bytes = 1 << below(5);
    side.value_bits = 8 << below(3);
    int const values = 8 * bytes >= side.value_bits ? 8 * bytes / side.value_bits : 1;
    int const shapes[][3] = {{32, 1, 1}, {8, 16, 1}, {4, 8, 2}, {48, 1, 1}, {3, 16, 1}, {7, 1, 1}, {64, 3, 1}};
    int const* const shape = shapes[below(7)];
    for (int m = 0; m < 3; ++m) side.threads.add(shape[m], std::int64_t{values} * (1 + below(70)));
    for (int m = 0; m < 3; ++m) side.steps.add(1 + below(4), std::int64_t{values} * below(600));
    if (below(3) == 0) side.swizzle = AnySwizzle(1 + below(3), 4, 3 + below(3));
    if (below(6) == 0) side.address_swizzle = AnySwizzle(3, 4, 3);
    if (round % 50 == 49) {  // more residues than the list holds
      side.steps.add(300, std::int64_t{values} * 9);
      side.swizzle = AnySwizzle(3, 4, 5);
    }
    side.offset = std::int64_t{values} * below(5);
    bool const global = below(2) == 0;
    accessed_memory const memory = global ? accessed_memory::global : accessed_memory::shared;
    int const width = values * side.value_bits / 8;
    memory_instruction const i = global ? load_global(width) : below(2) == 0 ? load_shared(width) : store_shared(width);
    side_cost const a = side_cost_of(side, i, memory), b = one_by_one(side, i, memory);
    ASSERT_EQ(a.instructions, b.instructions);
    ASSERT_EQ(a.requests, b.requests);
    ASSERT_EQ(a.sectors, b.sectors);
    ASSERT_EQ(a.ideal_sectors, b.ideal_sectors);
    ASSERT_EQ(a.lines, b.lines);
    ASSERT_EQ(a.ideal_lines, b.ideal_lines);
    ASSERT_EQ(a.bytes_used, b.bytes_used);
    ASSERT_EQ(a.bytes_moved, b.bytes_moved);
    ASSERT_EQ(a.wavefronts, b.wavefronts);
    ASSERT_EQ(a.wavefronts_floor, b.wavefronts_floor);
    ASSERT_EQ(a.wavefronts_ideal, b.wavefronts_ideal);
    ASSERT_EQ(a.bank_conflicts, b.bank_conflicts);
    ASSERT_EQ(a.worst_words, b.worst_words);
    ASSERT_EQ(a.exact, b.exact);
  }
}

TEST(SideCost, NothingMoves) {
  side_access side;
  side.threads.add(32, 1);
  side.steps.add(0, 1);
  EXPECT_EQ(side_cost_of(side, load_global(4), accessed_memory::global).instructions, 0);
  EXPECT_EQ(side_cost{}.sector_ratio(), 1.0);
  EXPECT_EQ(side_cost{}.efficiency(), 1.0);
}

}  // namespace
