// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cosmati/layout/parse.hpp>
#include <cosmati/render/pictures.hpp>
#include <cosmati/render/places.hpp>

namespace {

using namespace cosmati;
using detail::figure_places;

TEST(Places, AVectorsLabelSharesTheWidthOfItsCells) {
  AnyLayout const tv = parse_layout("(4,8):(1,4)");  // thread t: row t
  figure const f = picture_copy("", {tv, 8}, {tv, 8}, {4, 8});
  figure_places const at(f, 12, true, 1200);
  // "T0 V0-7" in one line: 7 letters of 7.32 pixels and 4 around them, over eight cells.
  EXPECT_EQ(at.cell_width[0], 7);
  EXPECT_EQ(at.cell_height[0], 19);
  figure_places const two_lines(f, 12, false, 1200);
  EXPECT_EQ(two_lines.cell_width[0], 5);  // "V0-7"
  EXPECT_EQ(two_lines.cell_height[0], 32);
}
TEST(Places, HeadingsAreThinnedByTheirNumbers) {
  EXPECT_EQ(detail::heading_step(20, 5), 4);
  EXPECT_EQ(detail::heading_step(20, 30), 1);
  EXPECT_TRUE(figure_places::is_written("8", 4));
  EXPECT_FALSE(figure_places::is_written("9", 4));
  EXPECT_TRUE(figure_places::is_written("lanes 0-31", 4));
}
TEST(Places, LongLinesOfWordsAreWrapped) {
  figure f = picture(parse_layout("4:1"));
  f.words.push_back(std::string(100, 'a') + ", " + std::string(100, 'b') + ", " + std::string(100, 'c'));
  figure_places const at(f, 12, true, 1200);
  EXPECT_EQ(at.words.size(), 3u);
  EXPECT_LE(at.width, 1200);
  std::string all;
  for (std::string const& s : at.words) all += s;
  for (char const c : {'a', 'b', 'c'}) EXPECT_EQ(std::count(all.begin(), all.end(), c), 100);
}
TEST(Places, TextsAreMeasuredInLetters) {
  EXPECT_EQ(detail::text_extent("T0\nV0-7").letters, 4);
  EXPECT_EQ(detail::text_extent("T0\nV0-7").lines, 2);
  EXPECT_EQ(detail::text_extent("T0\nV0-7", true).letters, 7);
}
TEST(Places, StackedGridsKeepTheirOrder) {
  figure f;
  f.grid = {figure_grid("b", 1, 1), figure_grid("a", 1, 1), figure_grid("c", 1, 1)};
  f.grid[0].right = 1;
  f.grid[2].down = 1;
  figure const s = detail::stacked(f);
  EXPECT_EQ(s.grid[1].down, 0);
  EXPECT_EQ(s.grid[0].down, 1);
  EXPECT_EQ(s.grid[2].down, 2);
  EXPECT_EQ(s.columns_of_grids(), 1);
}

}  // namespace
