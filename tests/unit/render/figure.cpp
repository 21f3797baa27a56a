// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cosmati/render/figure.hpp>
#include <string>

namespace {

using namespace cosmati;
using color = std::array<double, 3>;

color linear(char const* hex) {
  color c;
  for (std::size_t i = 0; i < 3; ++i) {
    double const x = std::stoi(std::string(hex + 1 + 2 * i, 2), nullptr, 16) / 255.0;
    c[i] = x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  }
  return c;
}
color lab(color const& c) {
  double const x = 0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2];
  double const y = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
  double const z = 0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2];
  auto const f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  double const fx = f(x / 0.95047), fy = f(y), fz = f(z / 1.08883);
  return {116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)};
}
// How people without one kind of cones see colours: Machado, Oliveira and Fernandes (2009), severity 1.
constexpr double eyes[4][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
color seen(color const& c, double const (&m)[3][3]) {
  color r;
  for (std::size_t i = 0; i < 3; ++i) r[i] = std::clamp(m[i][0] * c[0] + m[i][1] * c[1] + m[i][2] * c[2], 0.0, 1.0);
  return lab(r);
}

TEST(Palette, AnyEyesTellTheColoursApart) {
  for (auto const& eye : eyes) {
    for (int i = 0; i < detail::palette_size; ++i) {
      for (int j = 0; j < i; ++j) {
        color const a = seen(linear(detail::palette[i]), eye), b = seen(linear(detail::palette[j]), eye);
        double const apart = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        EXPECT_GE(apart, i - j == 1 ? 12 : 16) << detail::palette[i] << " " << detail::palette[j];
      }
    }
  }
}
TEST(Palette, PrintsWithoutColourKeepEightSteps) {
  for (int i = 1; i < detail::palette_size; ++i)
    EXPECT_GE(lab(linear(detail::palette[i - 1]))[0] - lab(linear(detail::palette[i]))[0], 3) << i;
}
TEST(Palette, NeighboursInTheSequenceAreNeighboursInHue) {
  // The hue turns in one direction, and by at most 100 degrees at once.
  double sum = 0;
  for (int i = 1; i < detail::palette_size; ++i) {
    auto const hue = [](char const* c) {
      color const x = lab(linear(c));
      return std::atan2(x[2], x[1]) * 180 / 3.14159265358979;
    };
    double step = hue(detail::palette[i]) - hue(detail::palette[i - 1]);
    if (step < 0) step += 360;
    EXPECT_LE(step, 100) << detail::palette[i];
    sum += step;
  }
  EXPECT_LT(sum, 360);
}
TEST(Figure, AxesAreNamedWhereThereIsMoreThanOneOfThem) {
  figure_grid g("A", 2, 3);
  EXPECT_EQ(g.axes(), "");
  g.row_axis = "m";
  g.column_axis = "k";
  EXPECT_EQ(g.axes(), "m down, k across");
  EXPECT_EQ(detail::transposed(g).axes(), "k down, m across");
  figure_grid row("", 1, 3);
  row.row_axis = "m";
  row.column_axis = "k";
  EXPECT_EQ(row.axes(), "k across");
}
TEST(Figure, ALabelStandsForTheCellsOfItsOutline) {
  figure_grid g("", 2, 4);
  g.outline = {{0, 0, 2, 2, ""}, {1, 2, 1, 2, "T0"}};
  EXPECT_EQ(g.labelled_by(), (std::vector<int>{-1, -1, -1, -1, -1, -1, 1, 1}));
}
TEST(Palette, BlackTextIsLegible) {  // a contrast of 7 or more, as WCAG's AAA demands
  for (char const* c : detail::palette) {
    color const x = linear(c);
    EXPECT_GE((0.2126 * x[0] + 0.7152 * x[1] + 0.0722 * x[2] + 0.05) / 0.05, 7) << c;
  }
}
TEST(Figure, CountsGridsAndCells) {
  figure f;
  EXPECT_EQ(f.rows_of_grids(), 0);
  f.grid = {figure_grid("a", 2, 3), figure_grid("b", 1, 1)};
  f.grid[1].down = 2;
  f.grid[1].right = 1;
  EXPECT_EQ(f.rows_of_grids(), 3);
  EXPECT_EQ(f.columns_of_grids(), 2);
  EXPECT_EQ(f.cells(), 7);
  EXPECT_EQ(f.grid[0].row_heading(1), "1");
  f.grid[0].row_label = {"x", "y"};
  EXPECT_EQ(f.grid[0].row_heading(1), "y");
}
TEST(Figure, LinesOfAText) {
  EXPECT_EQ(detail::lines_of("T0\nV1"), (std::vector<std::string>{"T0", "V1"}));
  EXPECT_EQ(detail::lines_of(""), std::vector<std::string>{""});
}

}  // namespace
