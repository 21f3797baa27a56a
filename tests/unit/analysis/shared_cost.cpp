// SPDX-License-Identifier: Apache-2.0
// The counting rules of shared memory, case by case; the expected numbers are the hardware's (bench/results/counters).
#include <gtest/gtest.h>
#include <cosmati/analysis/shared_cost.hpp>

#include <algorithm>
#include <random>
#include <set>

#include "unit/analysis/warp_access.hpp"

using namespace cosmati;

namespace {

// In constants.
static_assert(shared_cost_of(load_shared(4), strided(4)).wavefronts == 1);
static_assert(shared_cost_of(load_shared(4), strided(128)).bank_conflicts == 31);
static_assert(shared_cost_of(load_shared(4), strided(132)).bank_conflicts == 0);
static_assert(shared_cost_of(load_global(4), strided(4)).wavefronts == 0);

TEST(SharedCost, WidthsUpTo4BytesAreWords) {
  for (int bytes : {1, 2, 4}) {
    EXPECT_EQ(shared_cost_of(load_shared(bytes), strided(bytes)).wavefronts, 1);
    EXPECT_EQ(shared_cost_of(store_shared(bytes), strided(0)).wavefronts, 1);
    EXPECT_EQ(shared_cost_of(store_shared(bytes), strided(8)).wavefronts, 2);
  }
}

TEST(SharedCost, WideAccessesGoInGroups) {
  shared_cost const eight = shared_cost_of(store_shared(8), strided(8));
  EXPECT_EQ(eight.wavefronts, 2);
  EXPECT_EQ(eight.floor, 2);
  EXPECT_EQ(eight.ideal, 2);
  EXPECT_EQ(eight.bank_conflicts, 0);
  shared_cost const sixteen = shared_cost_of(store_shared(16), strided(16));
  EXPECT_EQ(sixteen.wavefronts, 4);
  EXPECT_EQ(sixteen.floor, 4);
  EXPECT_EQ(sixteen.ideal, 4);
  // Rows of 128 bytes, 16 bytes each: the eight lanes of a quarter meet.
  EXPECT_EQ(shared_cost_of(load_shared(16), strided(128)).wavefronts, 32);
  EXPECT_EQ(shared_cost_of(load_shared(16), strided(128)).bank_conflicts, 28);
}

TEST(SharedCost, EachHalfOfAWideLoadMergesByItself) {
  // Rows of 16 bytes, of which there are fewer than lanes: the others ask for the first. The second half is one
  // broadcast; of the first, lane 15 meets lane 8 in its banks. As copy_windows<4, true> was counted.
  auto const rows = [](int l) { return l < 15 ? l : 0; };
  shared_cost const cost = shared_cost_of(load_shared(16), pattern(16, rows));
  EXPECT_EQ(cost.wavefronts, 1 + 2 + 1);
  EXPECT_TRUE(cost.exact);
  EXPECT_EQ(shared_cost_of(store_shared(16), pattern(16, rows)).wavefronts, 1 + 2 + 1 + 1);
  // An 8-byte load has one pair of groups, the whole warp.
  EXPECT_EQ(shared_cost_of(load_shared(8), pattern(8, [](int l) { return l < 16 ? l : 0; })).wavefronts, 2);
}

TEST(SharedCost, LoadsMergeStoresDoNot) {
  auto const pairs = [](int l) { return l / 2; };
  auto const pairs_apart = [](int l) { return (l & 1) | (l >> 2 << 1); };  // equal at l and l^2
  auto const halves = [](int l) { return l % 16; };                        // equal at l and l^16: not routable
  EXPECT_EQ(shared_cost_of(load_shared(8), pattern(8, pairs)).wavefronts, 1);
  EXPECT_EQ(shared_cost_of(load_shared(8), pattern(8, pairs)).bank_conflicts, 0);
  EXPECT_EQ(shared_cost_of(store_shared(8), pattern(8, pairs)).wavefronts, 2);
  EXPECT_EQ(shared_cost_of(load_shared(8), pattern(8, pairs_apart)).wavefronts, 1);
  EXPECT_EQ(shared_cost_of(load_shared(8), pattern(8, halves)).wavefronts, 2);
  EXPECT_EQ(shared_cost_of(load_shared(16), pattern(16, pairs)).wavefronts, 2);
  EXPECT_EQ(shared_cost_of(store_shared(16), pattern(16, pairs)).wavefronts, 4);
  EXPECT_EQ(shared_cost_of(load_shared(16), strided(0)).wavefronts, 2);
  EXPECT_EQ(shared_cost_of(load_shared(16), strided(0)).ideal, 1);
}

TEST(SharedCost, InactiveLanesTakeNoPart) {
  EXPECT_EQ(shared_cost_of(store_shared(16), strided(16, 0x000000ffu)).wavefronts, 1);
  EXPECT_EQ(shared_cost_of(store_shared(16), strided(16, 0x000000ffu)).floor, 1);
  EXPECT_EQ(shared_cost_of(store_shared(16), strided(16, 0x00010001u)).floor, 2);
  EXPECT_EQ(shared_cost_of(load_shared(4), strided(128, 0x0000000fu)).wavefronts, 4);
  EXPECT_EQ(shared_cost_of(load_shared(4), strided(128, 0)).wavefronts, 0);
  EXPECT_EQ(shared_cost_of(load_shared(4), strided(128, 0)).floor, 0);
}

// Rows of h200_partial_masks.csv.gz, whose names are those of the patterns here.
TEST(SharedCost, WideLoadsUnderMasks) {
  auto const at = [](int bytes, auto f, std::uint32_t active) {
    return shared_cost_of(load_shared(bytes), pattern(bytes, f, active));
  };
  auto const seq = [](int l) { return l; };
  auto const broadcast = [](int) { return 0; };
  auto const pair = [](int l) { return l / 2; };
  auto const xor2 = [](int l) { return (l & 1) | (l >> 2 << 1); };
  auto const mod8 = [](int l) { return l % 8; };
  auto const mod16 = [](int l) { return l % 16; };
  // 8 bytes: an inactive lane fits any partner, everywhere.
  for (std::uint32_t const mask : {0xaaaaaaaau, 0x66666666u, 0x9af8d89cu, 0xff00ff00u, 0x7fffffffu}) {
    EXPECT_EQ(at(8, pair, mask).wavefronts, 1);
    EXPECT_EQ(at(8, xor2, mask).wavefronts, 1);
  }
  EXPECT_EQ(at(8, mod16, 0x55555555u).wavefronts, 1);
  EXPECT_EQ(at(8, mod16, 0x00ff00ffu).wavefronts, 2);
  // 16 bytes: lane 31 and the lone lanes of the lower half.
  EXPECT_EQ(at(16, pair, 0xaaaaaaaau).wavefronts, 3);
  EXPECT_EQ(at(16, pair, 0x55555555u).wavefronts, 2);
  EXPECT_EQ(at(16, pair, 0xfffffffeu).wavefronts, 3);
  EXPECT_EQ(at(16, pair, 0x7fffffffu).wavefronts, 2);
  EXPECT_EQ(at(16, pair, 0xfffeffffu).wavefronts, 2);
  EXPECT_EQ(at(16, pair, 0xff00ff00u).wavefronts, 2);
  EXPECT_EQ(at(16, xor2, 0xaaaaaaaau).wavefronts, 2);
  EXPECT_EQ(at(16, xor2, 0xccccccccu).wavefronts, 3);
  EXPECT_EQ(at(16, mod8, 0x0000ffffu).wavefronts, 1);
  EXPECT_EQ(at(16, mod8, 0x0f0f0f0fu).wavefronts, 3);
  // One address: a wavefront for 16 lanes, of whichever half.
  EXPECT_EQ(at(16, broadcast, 0xfffffffeu).wavefronts, 2);
  EXPECT_EQ(at(16, broadcast, 0xff00ff00u).wavefronts, 1);
  EXPECT_EQ(at(16, broadcast, 0xb10877a9u).wavefronts, 1);
  EXPECT_EQ(at(16, broadcast, 0xfc27ed12u).wavefronts, 2);
  // Conflicts are counted of lanes that are served together.
  EXPECT_EQ(at(16, seq, 0x55555555u).wavefronts, 4);
  EXPECT_EQ(at(16, seq, 0x55555555u).bank_conflicts, 2);
  EXPECT_EQ(at(16, seq, 0xfffffffbu).bank_conflicts, 0);
  EXPECT_EQ(at(8, seq, 0xccccccccu).wavefronts, 2);
  EXPECT_EQ(at(8, seq, 0xccccccccu).bank_conflicts, 1);
  EXPECT_TRUE(at(16, seq, 0x55555555u).exact);
}

TEST(SharedCost, ConflictsOfLoadsAreThoseOfLanesServedTogether) {
  // Two lines, whose lanes alternate: each group meets itself, but two groups ask for the same words.
  auto const alternating = [](int n) { return [n](int l) { return (l & 1) * n; }; };
  shared_cost const sixteen = shared_cost_of(load_shared(16), pattern(16, alternating(8)));
  EXPECT_EQ(sixteen.wavefronts, 8);
  EXPECT_EQ(sixteen.bank_conflicts, 2);
  shared_cost const eight = shared_cost_of(load_shared(8), pattern(8, alternating(16)));
  EXPECT_EQ(eight.wavefronts, 4);
  EXPECT_EQ(eight.bank_conflicts, 1);
  // A line for each half of the warp, one word of it: no group meets itself.
  shared_cost const two = shared_cost_of(load_shared(8), pattern(8, [](int l) { return l < 16 ? 0 : 16; }));
  EXPECT_EQ(two.wavefronts, 2);
  EXPECT_EQ(two.bank_conflicts, 1);
  EXPECT_EQ(two.worst_bank, 0);
  EXPECT_EQ(two.worst_words, 2);
  EXPECT_EQ(two.worst_lanes, 0xffffffffu);
}

TEST(SharedCost, AsynchronousCopiesReadBanksToo) {
  auto const of = [](warp_access const& source) { return shared_cost_of(copy_async(16), strided(16), source); };
  EXPECT_EQ(of(strided(16)).wavefronts, 4);
  EXPECT_TRUE(of(strided(16)).exact);
  EXPECT_EQ(of(strided(128)).wavefronts, 32);  // one slot of eight lines
  EXPECT_EQ(of(strided(0)).wavefronts, 32);
  EXPECT_EQ(of(pattern(16, [](int l) { return l / 2; })).wavefronts, 8);
  EXPECT_EQ(of(pattern(16, [](int l) { return l / 2 * 64 + l % 2; })).wavefronts, 16);
  EXPECT_FALSE(of(strided(128)).exact);  // fewer conflicts are counted at times
  // The source adds none where it is read once, nor where lanes that meet there meet in the destination, too.
  EXPECT_EQ(shared_cost_of(copy_async(16), strided(128), strided(16)).wavefronts, 32);
  EXPECT_EQ(shared_cost_of(copy_async(16), strided(128), strided(128)).wavefronts, 32);
  EXPECT_FALSE(shared_cost_of(copy_async(16), strided(128), strided(128)).exact);  // both: not measured by itself
  // Of other instructions there is no source.
  EXPECT_EQ(shared_cost_of(load_shared(4), strided(4), strided(128)).wavefronts, 1);
}

TEST(SharedCost, AsynchronousCopiesDoNotMerge) {
  EXPECT_EQ(shared_cost_of(copy_async(4), strided(0)).wavefronts, 32);
  EXPECT_EQ(shared_cost_of(copy_async(8), strided(0)).wavefronts, 32);
  EXPECT_EQ(shared_cost_of(copy_async(8), strided(0)).bank_conflicts, 30);
  EXPECT_EQ(shared_cost_of(copy_async(16), strided(0)).bank_conflicts, 28);
  EXPECT_EQ(shared_cost_of(copy_async(16), strided(16)).bank_conflicts, 0);
}

TEST(SharedCost, MatricesAreGroupsOfEightRows) {
  EXPECT_EQ(shared_cost_of(load_matrix(4), strided(16)).wavefronts, 4);
  EXPECT_EQ(shared_cost_of(load_matrix(2), strided(16)).floor, 2);
  EXPECT_EQ(shared_cost_of(load_matrix(1), strided(128)).bank_conflicts, 7);
  EXPECT_EQ(shared_cost_of(load_matrix(4), strided(144)).bank_conflicts, 0);
  EXPECT_EQ(shared_cost_of(store_matrix(4), strided(64)).wavefronts, 16);
}

TEST(SharedCost, NamesTheWorstBankAndWhoMeetsThere) {
  // Lanes 3 and 7 read word 32 and word 64 + 0: bank 0, where lane 0 reads word 0.
  warp_access a = strided(4);
  a.offset[3] = 128;
  a.offset[7] = 256;
  shared_cost const cost = shared_cost_of(load_shared(4), a);
  EXPECT_EQ(cost.worst_bank, 0);
  EXPECT_EQ(cost.worst_words, 3);
  EXPECT_EQ(cost.worst_lanes, 1u | 1u << 3 | 1u << 7);
  EXPECT_EQ(shared_cost_of(load_shared(4), strided(4)).worst_bank, -1);
  EXPECT_EQ(shared_cost_of(load_shared(4), strided(4)).worst_lanes, 0u);
  // In the second quarter only: lanes 8 and 9 meet in banks 8 to 11.
  warp_access b = strided(16);
  b.offset[8] = 1024 + 32;
  b.offset[9] = 2048 + 32;
  shared_cost const wide = shared_cost_of(store_shared(16), b);
  EXPECT_EQ(wide.bank_conflicts, 2);
  EXPECT_EQ(wide.worst_bank, 8);
  EXPECT_EQ(wide.worst_lanes, 1u << 8 | 1u << 9 | 1u << 10);
}

/// The rules of stores written out: lanes in groups of at most 128 bytes, a pass for each distinct word of a bank.
int passes_of_stores(memory_instruction const& i, warp_access const& a) {
  int const group = i.bytes >= 16 ? 8 : i.bytes == 8 ? 16 : 32;
  int total = 0;
  for (int first = 0; first < 32; first += group) {
    std::set<std::int64_t> words[32];
    for (int l = first; l < first + group; ++l) {
      if (!a.takes_part(l)) continue;
      for (std::int64_t w = a.offset[l] / 4; w * 4 < a.offset[l] + i.bytes; ++w) words[w % 32].insert(w);
    }
    std::size_t busiest = 0;
    for (auto const& bank : words) busiest = std::max(busiest, bank.size());
    total += static_cast<int>(busiest);
  }
  return total;
}
TEST(SharedCost, OfStoresByTheRules) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    int const bytes = 1 << random() % 5;
    warp_access a;
    a.active = round % 3 == 0 ? 0xffffffffu : random();
    unsigned const places = 1u << (1 + random() % 8);
    for (auto& offset : a.offset) offset = bytes * static_cast<std::int64_t>(random() % places);
    shared_cost const cost = shared_cost_of(store_shared(bytes), a);
    EXPECT_EQ(cost.wavefronts, passes_of_stores(store_shared(bytes), a)) << round;
    EXPECT_EQ(cost.bank_conflicts, cost.wavefronts - cost.floor);
    EXPECT_TRUE(cost.exact);
  }
}

}  // namespace
