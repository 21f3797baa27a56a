// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cosmati/layout/parse.hpp>
#include <cosmati/render/pictures.hpp>
#include <cosmati/render/terminal.hpp>

namespace {

using namespace cosmati;

TEST(Terminal, ATableOfText) {
  EXPECT_EQ(to_terminal(picture(parse_layout("(2,3):(1,10)"))),
            "(2,3):(1,10)\n"
            "\n"
            "row down, column across\n"
            "   0  1  2\n"
            "0  0 10 20\n"
            "1  1 11 21\n");
}
TEST(Terminal, GridsStandSideBySideWhereTheyFit) {
  figure const f = picture(parse_layout("(1,2,2):(1,1,2)"));
  EXPECT_EQ(to_terminal(f),
            "(1,2,2):(1,1,2)\n"
            "\n"
            "[:,:,0]: column across   [:,:,1]: column across\n"
            "  0 1                      0 1\n"
            "0 0 1                    0 2 3\n");
  EXPECT_EQ(to_terminal(f, false, 10),
            "(1,2,2):(1,1,2)\n"
            "\n"
            "[:,:,0]: column across\n"
            "  0 1\n"
            "0 0 1\n"
            "\n"
            "[:,:,1]: column across\n"
            "  0 1\n"
            "0 2 3\n");
}
TEST(Terminal, ColoursAreAskedFor) {
  figure const f = picture(parse_layout("2:1"));
  EXPECT_EQ(to_terminal(f).find('\x1b'), std::string::npos);
  EXPECT_NE(to_terminal(f, true).find("\x1b[38;2;0;0;0;48;2;247;250;146m0\x1b[0m"), std::string::npos);
}
TEST(Terminal, VectorsAreOneCell) {
  AnyLayout const tv = parse_layout("(2,4):(1,2)");  // thread t: row t
  EXPECT_EQ(to_terminal(picture_copy("copy", {tv, 4}, {tv, 4}, {2, 4})),
            "copy\n"
            "source and destination: (2,4):(1,2)\n"
            "\n"
            "source and destination: row down\n"
            "      0-3\n"
            "0 T0 V0-3\n"
            "1 T1 V0-3\n"
            "\n"
            "T0 V0-3 = thread 0's values 0 to 3, from left to right or from top to bottom\n");
  // Where outlines differ, the elements stay visible.
  figure f = picture_copy("copy", {tv, 4}, {tv, 4}, {2, 4});
  f.grid[0].outline.pop_back();
  EXPECT_NE(to_terminal(f).find("1 T1 V0 T1 V1 T1 V2 T1 V3"), std::string::npos);
}
TEST(Terminal, AFileHasNoColours) {
  std::FILE* const file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  EXPECT_FALSE(terminal_has_color(file));
  std::fclose(file);
}

}  // namespace
