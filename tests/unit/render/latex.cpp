// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>
#include <cosmati/layout/parse.hpp>
#include <cosmati/render/latex.hpp>
#include <cosmati/render/pictures.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

using namespace cosmati;

TEST(Latex, SpecialLettersAreEscaped) {
  EXPECT_EQ(detail::tex("_8 50% #1 {x} \\ ~ ^ <>"),
            "\\_8 50\\% \\#1 \\{x\\} \\textbackslash{} \\textasciitilde{} \\textasciicircum{} \\textless{}"
            "\\textgreater{}");
}
TEST(Latex, BracesAndEnvironmentsAreBalanced) {
  AnyLayout const tv = parse_layout("(4,2):(2,1)");
  std::string const text = to_latex(picture_copy("Sw<3,4,3> o _0", {tv, 2}, {tv, 1}, {4, 2}));
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool const escaped = i > 0 && text[i - 1] == '\\';
    if (text[i] == '{' && !escaped) ++depth;
    if (text[i] == '}' && !escaped) --depth;
    ASSERT_GE(depth, 0);
  }
  EXPECT_EQ(depth, 0);
  EXPECT_NE(text.find("\\end{document}"), std::string::npos);
}
TEST(Latex, APageBeyondTexsLengthsIsAnError) {
  try {
    // 8192 columns of 6 pixels; a label of 11 letters for each 16 columns; 25.4 mm are 96 pixels.
    to_latex(picture(parse_layout("(2,8192):(8192,1)")), {0, 0});
    FAIL();
  } catch (error const& e) {
    EXPECT_NE(std::string(e.what()).find("13018 by"), std::string::npos) << e.what();
  }
}
// For a tile of 128 x 128, one node for each cell takes most of TeX's memory.
TEST(Latex, ABigTileCompiles) {
  if (std::system("pdflatex --version > /dev/null 2>&1 && kpsewhich standalone.cls tikz.sty > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "needs pdflatex, standalone and tikz";
  namespace fs = std::filesystem;
  fs::path const folder = fs::temp_directory_path() / ("cosmati-latex-" + std::to_string(::getpid()));
  fs::create_directory(folder);
  std::ofstream(folder / "tile.tex") << to_latex(picture(parse_layout("(128,128):(128,1)")));
  std::string const command =
      "cd " + folder.string() + " && pdflatex -halt-on-error -interaction=nonstopmode tile.tex > log";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_TRUE(fs::exists(folder / "tile.pdf"));
  fs::remove_all(folder);
}

}  // namespace
