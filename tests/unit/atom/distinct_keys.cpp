// SPDX-License-Identifier: Apache-2.0
#include <cosmati/atom/distinct_keys.hpp>

#include <gtest/gtest.h>
#include <algorithm>
#include <vector>

using namespace cosmati;

namespace {

TEST(DistinctKeys, NumbersEachKeyOnce) {
  detail::distinct_keys keys;
  std::vector<std::int64_t> seen;
  for (std::int64_t k : {0, 32, 64, 0, 5, -1, 32, 31, -1, 5 + (1 << 20), 64}) {
    auto const place = std::find(seen.begin(), seen.end(), k) - seen.begin();
    if (place == static_cast<std::ptrdiff_t>(seen.size())) seen.push_back(k);
    EXPECT_EQ(keys.insert(k), place) << k;
  }
  EXPECT_EQ(keys.count, static_cast<int>(seen.size()));
}
TEST(DistinctKeys, TakesAWarpOfFourWordsALane) {
  detail::distinct_keys keys;
  for (int k = 0; k < 128; ++k) EXPECT_EQ(keys.insert(3 * k), k);
  for (int k = 0; k < 128; ++k) EXPECT_EQ(keys.insert(3 * k), k);
  EXPECT_EQ(keys.count, 128);
}

}  // namespace
