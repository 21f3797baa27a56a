// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cosmati/render/colors.hpp>

namespace {

using namespace cosmati;

TEST(ColorScale, ThreadsOfAWarpAreGroupedAndWarpsAreNamed) {
  struct {
    std::int64_t threads;
    char const* meaning;
    std::size_t keys;
    char const* last;
  } const wanted[] = {{1, "thread", 1, "0"},
                      {8, "thread", 8, "7"},
                      {32, "group of 4 threads", 8, "28-31"},
                      {64, "warp", 2, "1"},
                      {256, "warp", 8, "7"},
                      {1024, "group of 4 warps", 8, "28-31"},
                      {288, "group of 2 warps", 5, "8"}};
  for (auto const& w : wanted) {
    figure f;
    color_scale const s = detail::scale_of_threads(w.threads);
    s.explain(f, w.threads);
    EXPECT_EQ(f.color_is, w.meaning) << w.threads;
    ASSERT_EQ(f.key.size(), w.keys) << w.threads;
    EXPECT_EQ(f.key.back().text, w.last) << w.threads;
    int before = -1;
    for (figure_key const& k : f.key) {
      EXPECT_GT(k.color, before) << w.threads;  // colours follow the palette's order without repetition
      before = k.color;
    }
  }
}
TEST(ColorScale, AThreadHasTheColourOfItsKey) {
  color_scale const s = detail::scale_of_threads(256);
  for (int t = 0; t < 256; ++t) EXPECT_EQ(s.color(t), t / 32);
  color_scale const two = detail::scale_of_threads(64);
  EXPECT_EQ(two.color(31), 0);
  EXPECT_EQ(two.color(32), 7);  // two colours are the ends of the palette
}
TEST(ColorScale, OffsetsMayBeNegative) {
  figure f;
  color_scale const s = detail::scale_of_offsets(-9, 0);
  s.explain(f, 1);
  EXPECT_EQ(f.key.front().text, "-9 to -8");
  EXPECT_EQ(f.key.back().text, "-1-0");
  EXPECT_EQ(s.color(-9), 0);
  EXPECT_EQ(s.color(0), 7);
}

}  // namespace
