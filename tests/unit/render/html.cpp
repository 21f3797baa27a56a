// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cosmati/layout/parse.hpp>
#include <cosmati/render/html.hpp>
#include <cosmati/render/pictures.hpp>

namespace {

using namespace cosmati;

TEST(Html, IsOnePageOfAllFigures) {
  figure const f = picture(parse_layout("(3,4):(1,3)"));
  std::string const page = to_html("a < b", {f, f});
  EXPECT_EQ(page.find("<!DOCTYPE html>"), 0u);
  EXPECT_NE(page.find("<title>a &lt; b</title>"), std::string::npos);
  std::size_t n = 0;
  for (std::size_t at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at + 1)) ++n;
  EXPECT_EQ(n, 2u);
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("<link"), std::string::npos);
}
TEST(Html, OfOneFigure) {
  EXPECT_NE(to_html(picture(parse_layout("2:1"))).find("<title>2:1</title>"), std::string::npos);
}

}  // namespace
