// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cosmati/render/render.hpp>

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

}  // namespace
