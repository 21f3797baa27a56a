// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cosmati/layout/parse.hpp>
#include <cosmati/render/pictures.hpp>
#include <cosmati/render/svg.hpp>

namespace {

using namespace cosmati;

std::size_t count(std::string const& text, std::string const& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST(Svg, EveryElementIsClosed) {
  std::string const svg = to_svg(picture(parse_layout("(3,4,2):(1,3,12)")));
  for (char const* name : {"svg", "g", "text", "title", "style"}) {
    std::string const open = std::string("<") + name;
    EXPECT_EQ(count(svg, open + ">") + count(svg, open + " "), count(svg, std::string("</") + name + ">")) << name;
  }
  EXPECT_EQ(svg.find("<svg"), 0u);
}
TEST(Svg, ACellHasARectangleAndItsText) {
  std::string const svg = to_svg(picture(parse_layout("(3,4):(1,3)")));
  EXPECT_EQ(count(svg, "<rect class=\"k"), 12u + 6u);  // the key has six pairs of offsets
  EXPECT_EQ(count(svg, ">11</text>"), 1u);
}
TEST(Svg, OwnersAreNamedForTools) {
  AnyLayout const tv = parse_layout("(4,2):(2,1)");
  EXPECT_EQ(count(to_svg(picture_copy("", {tv, 1}, {tv, 1}, {8})), "data-t=\"3\" data-v=\"1\""), 1u);
  std::string const svg = to_svg(picture_tv(tv, {8}));  // both values of a thread share one box
  EXPECT_EQ(count(svg, "data-t=\"3\" data-v=\"0\""), 1u);
  EXPECT_EQ(count(svg, ">T3 V0-1</text>"), 1u);
}
TEST(Svg, FramesAreDrawn) {
  AnyLayout const tv = parse_layout("(4,2):(2,1)");
  EXPECT_EQ(count(to_svg(picture_copy("", {tv, 2}, {tv, 2}, {8})), "class=\"o\""), 4u);
}
TEST(Svg, ColoursAndAxesAreNamed) {
  std::string const svg = to_svg(picture_tv(parse_layout("(64,1):(1,0)"), {8, 8}));
  EXPECT_EQ(count(svg, ">colour = warp</text>"), 1u);
  EXPECT_EQ(count(svg, ">row down, column across</text>"), 1u);
  EXPECT_EQ(count(svg, "width=\"14\""), 2u);  // two warps
}
TEST(Svg, SpecialLettersAreEscaped) {
  figure f;
  f.title = "Sw<3,4,3> & \"x\"";
  std::string const svg = to_svg(f);
  EXPECT_NE(svg.find("Sw&lt;3,4,3&gt; &amp; &quot;x&quot;"), std::string::npos);
}
TEST(Svg, NothingComesFromTheNetwork) {
  std::string const svg = to_svg(picture(parse_layout("4:1")));
  EXPECT_EQ(count(svg, "http"), 1u);  // the namespace of SVG
  EXPECT_EQ(count(svg, "prefers-color-scheme:dark"), 1u);
}

}  // namespace
