// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>
#include <cosmati/layout/parse.hpp>
#include <cosmati/render/pictures.hpp>
#include <cosmati/render/typst.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

using namespace cosmati;

std::string document() {
  AnyLayout const tv = parse_layout("(4,2):(2,1)");
  return to_typst(picture_copy("a \"copy\" of \\", {tv, 2}, {tv, 1}, {4, 2}));
}

TEST(Typst, StringsAreEscaped) { EXPECT_EQ(detail::typst_string("a\"\\\nb"), "\"a\\\"\\\\\\nb\""); }
TEST(Typst, BracketsAreBalancedOutsideOfStrings) {
  std::string const text = document();
  std::string open;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char const c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '(' || c == '[') open += c;
    if (c == ')' || c == ']') {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), c == ')' ? '(' : '[');
      open.pop_back();
    }
  }
  EXPECT_FALSE(in_string);
  EXPECT_EQ(open, "");
}
TEST(Typst, ACellIsACall) {
  std::string const text = document();
  // A vector is a cell of two rows, an element a cell of one row.
  EXPECT_NE(text.find(" k(0, \"T0\\nV0-1\", top: b, bottom: b, left: b, right: b, rows: 2),"), std::string::npos)
      << text;
  EXPECT_NE(text.find(" k(0, \"T0\\nV0\"),"), std::string::npos);
  EXPECT_NE(text.find("#key(7, \"3\")"), std::string::npos);
}
TEST(Typst, Compiles) {
  if (std::system("typst --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "needs typst";
  namespace fs = std::filesystem;
  fs::path const folder = fs::temp_directory_path() / ("cosmati-typst-" + std::to_string(::getpid()));
  fs::create_directory(folder);
  std::ofstream(folder / "copy.typ") << document();
  EXPECT_EQ(std::system(("typst compile " + (folder / "copy.typ").string()).c_str()), 0);
  fs::remove_all(folder);
}

}  // namespace
