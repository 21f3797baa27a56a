// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cosmati/layout/parse.hpp>
#include <cosmati/render/arrows_svg.hpp>

namespace {

using namespace cosmati;

std::size_t count(std::string const& text, std::string const& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST(ArrowsSvg, ABoxANodeAndACurveAnArrow) {
  mode_arrows const a =
      arrows_of_composition("a < b", parse_layout("(4,(2,4)):(2,(1,8))"), parse_layout("(2,4):(4,1)"));
  std::string const svg = to_svg(a);
  EXPECT_EQ(count(svg, "class=\"y\""), a.arrow.size());
  EXPECT_EQ(count(svg, "class=\"p\""), a.arrow.size());
  std::size_t nodes = 0;
  for (arrow_column const& c : a.column) nodes += c.node.size();
  EXPECT_EQ(count(svg, "class=\"n k"), nodes);
  EXPECT_EQ(count(svg, "<title>a &lt; b</title>"), 1u);
  for (char const* name : {"svg", "text", "title", "style"})
    EXPECT_EQ(count(svg, std::string("<") + name + ">") + count(svg, std::string("<") + name + " "),
              count(svg, std::string("</") + name + ">"))
        << name;
}
TEST(ArrowsSvg, ItIsAsWideAsItsColumns) {
  mode_arrows const a = arrows_of_layout("t", parse_layout("(4,8):(8,1)"));
  detail::arrow_places const at(a);
  for (std::size_t c = 0; c < a.column.size(); ++c) {
    EXPECT_GT(at.left[c], c == 0 ? 0 : at.left[c - 1] + at.wide[c - 1]);
    EXPECT_LE(at.left[c] + at.wide[c], at.width);
    for (std::size_t i = 0; i < a.column[c].node.size(); ++i)
      EXPECT_LT(at.y(a, c, static_cast<int>(i)) + 12, at.height);
  }
}

}  // namespace
