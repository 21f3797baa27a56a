// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cosmati/layout/parse.hpp>
#include <cosmati/render/cut.hpp>
#include <cosmati/render/pictures.hpp>

namespace {

using namespace cosmati;

figure copy_of(char const* layout_tv, std::int64_t at_once, std::vector<std::int64_t> const& tile) {
  AnyLayout const tv = parse_layout(layout_tv);
  return picture_copy("copy", {tv, at_once}, {tv, at_once}, tile);
}
/// Expects that every text lies within its cell, and everything within the page.
void expect_legible(figure const& f, picture_size size = {}) {
  fitted_figure const drawn = fitted(f, size);
  EXPECT_LE(drawn.at.width, size.width) << f.title;
  EXPECT_LE(drawn.at.height, size.height) << f.title;
  EXPECT_GE(drawn.at.font, 9) << f.title;
  for (figure_grid const& g : drawn.what.grid) {
    int const w = drawn.at.cell_width[static_cast<std::size_t>(g.right)];
    int const h = drawn.at.cell_height[static_cast<std::size_t>(g.down)];
    std::vector<int> const by = g.labelled_by();
    for (std::size_t i = 0; i < g.cell.size(); ++i) {
      if (by[i] >= 0) continue;
      detail::text_extent const e(g.cell[i].text);
      EXPECT_LE(e.letters * drawn.at.font * 0.61, w) << f.title << g.cell[i].text;
      EXPECT_LE(e.lines * drawn.at.font, h) << f.title << g.cell[i].text;
    }
    for (figure_outline const& o : g.outline) {
      detail::text_extent const e(drawn.at.label_of(o));
      EXPECT_LE(e.letters * drawn.at.font * 0.61, o.columns * w) << f.title << o.text;
      EXPECT_LE(e.lines * drawn.at.font, o.rows * h) << f.title << o.text;
    }
  }
}
TEST(Fitted, OrdinaryPicturesFitAPageAndAreLegible) {
  expect_legible(copy_of("((8,32),(8,1)):((256,1),(32,0))", 8, {32, 64}));  // 32 x 8 threads, eight halves of a row
  expect_legible(copy_of("((32,8),(4,1)):((4,128),(1,0))", 4, {128, 8}));   // 32 x 8 threads, four floats of a column
  expect_legible(copy_of("((16,16),(8,8)):((1024,8),(128,1))", 8, {128, 128}));
  expect_legible(picture(parse_layout("(256,256):(256,1)")));
  expect_legible(picture(parse_layout("(64,64,4):(1,64,4096)")));
  expect_legible(picture(AnyComposedLayout{AnySwizzle(3, 3, 3), 0, parse_layout("(8,64):(64,1)")}));
  expect_legible(picture(AnyComposedLayout{AnySwizzle(3, 4, 3), 0, parse_layout("(128,128):(128,1)")}));
  expect_legible(picture(parse_layout("(300,7):(1,1000000)")), {700, 500});
}
TEST(Fitted, WhatRepeatsIsCutAndSaidSo) {
  figure const f = picture(parse_layout("(2,1024):(1,3)"));
  fitted_figure const drawn = fitted(f);
  figure_grid const& g = drawn.what.grid[0];
  EXPECT_LT(g.columns, 100);
  EXPECT_EQ(g.column_heading(0), "0");
  EXPECT_EQ(g.column_heading(g.columns - 1), "1023");
  EXPECT_EQ(g.at(1, g.columns - 1).text, "3070");
  EXPECT_EQ(g.outline.back().text, "...");
  ASSERT_EQ(drawn.what.note.size(), 1u);
  std::string const first = g.column_heading(g.outline.back().column - 1);
  EXPECT_EQ(drawn.what.note[0], "... stands for columns " + std::to_string(std::stoi(first) + 1) +
                                    " to 1021, which go on like those before them.");
}
TEST(Fitted, WhatDoesNotRepeatIsNotSaidTo) {
  // A third row that is elsewhere: no row follows from the rows before it.
  figure f = picture(parse_layout("(1024,2):(1,5000)"));
  f.grid[0].at(700, 0).offset += 1;
  std::string const note = fitted(f).what.note.back();
  EXPECT_NE(note.find("which a higher picture shows"), std::string::npos) << note;
}
TEST(Fitted, AllIsShownToThoseWhoAsk) {
  figure const f = picture(parse_layout("(2,1024):(1,3)"));
  fitted_figure const drawn = fitted(f, {0, 0});
  EXPECT_EQ(drawn.what.grid[0].columns, 1024);
  EXPECT_GT(drawn.at.width, 20000);
  EXPECT_TRUE(drawn.what.note.empty());
}
TEST(Fitted, SharedColumnsAreCutAlike) {
  AnyLayout const a = parse_layout("(1,8):(0,1)"), b = parse_layout("(1,600):(0,1)"),
                  c = parse_layout("(1,1200):(0,1)");
  figure const f = picture_mma("", a, b, c, 4, 300, 2);
  fitted_figure const drawn = fitted(f);
  figure_grid const &above = drawn.what.grid[0], &sums = drawn.what.grid[2];
  ASSERT_EQ(above.columns, sums.columns);
  EXPECT_LT(sums.columns, 100);
  for (int i = 0; i < sums.columns; ++i) EXPECT_EQ(above.column_heading(i), sums.column_heading(i));
}
TEST(Fitted, VectorsAreNotCutApart) {
  fitted_figure const drawn = fitted(copy_of("(1,1024):(0,1)", 8, {1, 1024}), {600, 600});
  figure_grid const& g = drawn.what.grid[0];
  for (figure_outline const& o : g.outline) {
    EXPECT_EQ(o.text == "..." ? 8 : o.columns, 8);
  }
  EXPECT_EQ(g.at(0, g.columns - 1).value, 1023);
}
TEST(Repeats, EmptyCellsSayNothing) {
  figure_grid g("", 2, 4);
  for (int c = 0; c < 4; ++c) g.at(0, c).thread = g.at(0, c).value = c;
  EXPECT_TRUE(detail::repeats(g, 1));
  g.at(1, 2).thread = 0;  // a cell that the column before does not have
  EXPECT_FALSE(detail::repeats(g, 1));
}
TEST(Repeats, NeedsTheSameStepEverywhere) {
  figure const rows = picture(parse_layout("(4,(2,8)):(16,(1,2))"));
  EXPECT_TRUE(detail::repeats(rows.grid[0], 1));
  figure const pairs = picture(parse_layout("(4,(2,8)):(16,(100,2))"));
  EXPECT_FALSE(detail::repeats(pairs.grid[0], 1));
  EXPECT_TRUE(detail::repeats(pairs.grid[0], 2));
}

}  // namespace
