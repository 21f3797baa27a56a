// SPDX-License-Identifier: Apache-2.0
// Arrows beside what the layouts do: a mode reaches a digit where a step of it changes that digit.
#include <gtest/gtest.h>
#include <cosmati/layout/parse.hpp>
#include <cosmati/render/arrows.hpp>

namespace {

using namespace cosmati;

std::vector<mode_arrow> of_column(mode_arrows const& a, int column) {
  std::vector<mode_arrow> out;
  for (mode_arrow const& x : a.arrow) {
    if (x.column == column) out.push_back(x);
  }
  return out;
}
using arrows = std::vector<mode_arrow>;

TEST(Arrows, OfALayoutToItsDigits) {
  // 4:8 counts 8 to 32, 8:1 counts 1 to 8.
  mode_arrows const a = arrows_of_layout("", parse_layout("(4,8):(8,1)"));
  ASSERT_EQ(a.column.size(), 2u);
  EXPECT_EQ(a.column[1].node[0].text, "digit 1, 8 steps");
  EXPECT_EQ(a.arrow, (arrows{{0, 0, 1}, {0, 1, 0}}));
  EXPECT_EQ(a.column[1].node[1].color, a.column[0].node[0].color);
  // What counts nothing goes nowhere.
  EXPECT_TRUE(arrows_of_layout("", parse_layout("(4,1):(0,3)")).arrow.empty());
}
TEST(Arrows, OfACompositionThroughBoth) {
  // B = (2,4):(4,1) gives indices; A = (4,(2,4)):(2,(1,8)) counts 4, 2 and 4 of them. B's mode 0, a step of 4, is A's
  // second mode; its mode 1, steps 1 to 4, A's first.
  AnyLayout const a = parse_layout("(4,(2,4)):(2,(1,8))"), b = parse_layout("(2,4):(4,1)");
  mode_arrows const drawn = arrows_of_composition("", a, b);
  ASSERT_EQ(drawn.column.size(), 4u);
  // The ruler between: 1 to 4, 4 to 8, 8 to 32.
  EXPECT_EQ(of_column(drawn, 0), (arrows{{0, 0, 1}, {0, 1, 0}}));
  EXPECT_EQ(of_column(drawn, 1), (arrows{{1, 0, 0}, {1, 1, 1}, {1, 2, 2}}));
  // A's digits: 1 to 2, 2 to 8, 8 to 32.
  EXPECT_EQ(of_column(drawn, 2), (arrows{{2, 0, 1}, {2, 1, 0}, {2, 2, 2}}));
  // The same by trying: a step of B's mode m moves the offset within the digits that the arrows lead to.
  for (int mode = 0; mode < 2; ++mode) {
    std::int64_t const step = b.value().stride[mode].value;
    std::int64_t const moved = a(step) - a(std::int64_t{0});
    EXPECT_EQ(moved, mode == 0 ? 1 : 2);
  }
}
TEST(Arrows, OfAComplementEachDigitBelongsToOne) {
  AnyLayout const l = parse_layout("(2,2):(1,8)");
  mode_arrows const a = arrows_of_complement("", l, complement(l, 64));  // (4,4):(2,16)
  ASSERT_EQ(a.column[1].node.size(), 4u);                                // 1, 2, 8, 16
  EXPECT_EQ(of_column(a, 0), (arrows{{0, 0, 0}, {0, 1, 2}}));
  EXPECT_EQ(of_column(a, 1), (arrows{{1, 1, 0}, {1, 3, 1}}));
}
TEST(Arrows, OfAnInverseBackToTheModes) {
  AnyLayout const l = parse_layout("(4,8):(8,1)");
  AnyLayout const r = parse_layout("(8,4):(4,1)");  // its right inverse: l(r(i)) = i
  for (std::int64_t i = 0; i < 32; ++i) EXPECT_EQ(l(r(i)), i);
  mode_arrows const a = arrows_of_inverse("", l, r);
  EXPECT_EQ(of_column(a, 0), (arrows{{0, 0, 1}, {0, 1, 0}}));
  EXPECT_EQ(of_column(a, 1), (arrows{{1, 0, 0}, {1, 1, 1}}));
}
TEST(Arrows, OfADivideModesAreSplit) {
  // 8:1 divided by 2: tiles 2:1 and the rest 4:2, both from the one mode.
  mode_arrows const a = arrows_between("", parse_layout("(8,3):(1,8)"), parse_layout("((2,4),3):((1,2),8)"));
  EXPECT_EQ(a.arrow, (arrows{{0, 0, 0}, {0, 0, 1}, {0, 1, 2}}));
  EXPECT_NE(to_text(a).find("mode 0  8:1  ->  mode 1  4:2"), std::string::npos) << to_text(a);
}

}  // namespace
