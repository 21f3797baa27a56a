// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cosmati/render/render.hpp>
#include <sstream>

namespace {

using namespace cosmati;
using L = Layout<Shape<_2, _3>, Stride<_3, _1>>;

TEST(Render, ObjectsAreDrawnAsTheirFigures) {
  figure const f = picture(L{});
  EXPECT_EQ(to_svg(L{}), to_svg(f));
  EXPECT_EQ(to_html(L{}), to_html(f));
  EXPECT_EQ(to_typst(L{}), to_typst(f));
  EXPECT_EQ(to_latex(L{}), to_latex(f));
  EXPECT_EQ(to_terminal(L{}), to_terminal(f));
}
template <class Print>
std::string printed(Print&& print) {
  testing::internal::CaptureStdout();
  print();
  std::fflush(stdout);
  return testing::internal::GetCapturedStdout();
}
TEST(Render, PrintWritesToStandardOutput) {
  EXPECT_EQ(printed([] { print_svg(L{}); }), to_svg(L{}));
  EXPECT_EQ(printed([] { print_latex(L{}); }), to_latex(L{}));
  EXPECT_EQ(printed([] { print_typst(L{}); }), to_typst(L{}));
}
TEST(Render, StreamsAndFilesGetTheSame) {
  auto const written = [](auto&& write) {
    std::ostringstream out;
    write(out);
    return out.str();
  };
  figure const f = picture(L{});
  EXPECT_EQ(written([](auto& out) { to_svg(out, L{}); }), to_svg(L{}));
  EXPECT_EQ(written([&](auto& out) { to_html(out, f); }), to_html(f));
  EXPECT_EQ(written([](auto& out) { to_typst(out, L{}); }), to_typst(L{}));
  EXPECT_EQ(written([](auto& out) { to_latex(out, L{}); }), to_latex(L{}));
  EXPECT_EQ(written([](auto& out) { to_terminal(out, L{}, true); }), to_terminal(L{}, true));
  for (auto const& [form, text] :
       {std::pair{".svg", to_svg(f)}, std::pair{".html", to_html(f)}, std::pair{".typ", to_typst(f)},
        std::pair{".tex", to_latex(f)}, std::pair{".txt", to_terminal(f)}}) {
    std::string const path = testing::TempDir() + "cosmati.picture" + form;
    save_picture(path, L{});
    std::ifstream in(path);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), text) << path;
    std::remove(path.c_str());
  }
}
TEST(Render, FilesThatCannotBe) {
  auto const said = [](char const* path) -> std::string {
    try {
      save_picture(path, L{});
    } catch (error const& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(said("/nowhere/at/all.svg").find("/nowhere/at/all.svg cannot be written"), std::string::npos);
  EXPECT_NE(said("/nowhere/at/all.svg").find("No such file or directory"), std::string::npos);
  for (char const* path : {"picture", "picture.png", "a.svg/b", "", "."})
    EXPECT_NE(said(path).find("says no form: end it in .svg"), std::string::npos) << path;
}

}  // namespace
