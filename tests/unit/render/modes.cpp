// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cosmati/layout/parse.hpp>
#include <cosmati/render/modes.hpp>

namespace {

using namespace cosmati;

TEST(PictureOfModes, AComplementTakesTheDigitsThatAreLeft) {
  // 4:2 counts the digits from 2 to 8. Its complement in 32 counts the digits from 1 to 2 and from 8 to 32.
  AnyLayout const l = parse_layout("4:2");
  figure const f = picture_modes("complement(4:2, 32)", {{"argument", l}, {"result", complement(l, 32)}});
  ASSERT_EQ(f.grid.size(), 2u);
  figure_grid const &argument = f.grid[0], &result = f.grid[1];
  EXPECT_EQ(argument.column_label, (std::vector<std::string>{"1", "2", "8"}));
  EXPECT_EQ(argument.at(0, 0).text, "");
  EXPECT_EQ(argument.at(0, 1).text, "4");
  EXPECT_EQ(argument.at(0, 2).text, "");
  ASSERT_EQ(result.rows, 2);
  EXPECT_EQ(result.at(0, 0).text, "2");
  EXPECT_EQ(result.at(1, 2).text, "4");
  int cells = 0;
  for (figure_cell const& c : result.cell) cells += c.text.empty() ? 0 : 1;
  EXPECT_EQ(cells, 2);
}
TEST(PictureOfModes, OneModeMayCountSeveralDigits) {
  figure const f = picture_modes("", {{"a", parse_layout("(8,2):(2,1)")}, {"b", parse_layout("(2,2):(4,0)")}});
  // The ruler is 1, 2, 4, 8, 16. Mode 0 of a counts from 2 to 16, in three digits; mode 1 of b counts none.
  EXPECT_EQ(f.grid[0].columns, 4);
  EXPECT_EQ(f.grid[0].at(0, 1).text + f.grid[0].at(0, 2).text + f.grid[0].at(0, 3).text, "222");
  EXPECT_EQ(f.grid[0].at(1, 0).text, "2");
  for (int d = 0; d < 4; ++d) EXPECT_EQ(f.grid[1].at(1, d).text, "");
  EXPECT_EQ(f.grid[1].at(0, 2).text, "2");
  EXPECT_EQ(f.grid[1].row_label[0], "0  2:4");
}
TEST(PictureOfModes, DigitsThatDoNotDivideAreRanges) {
  figure const f = picture_modes("", {{"a", parse_layout("(3,4):(1,5)")}});
  EXPECT_EQ(f.grid[0].at(0, 0).text, "3");
  EXPECT_EQ(f.grid[0].at(1, 1).text, "");  // the gap from 3 to 5
  EXPECT_EQ(f.grid[0].at(1, 2).text, "4");
}

}  // namespace
