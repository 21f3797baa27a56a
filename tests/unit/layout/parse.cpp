// SPDX-License-Identifier: Apache-2.0
#include <cosmati/layout/parse.hpp>

#include <gtest/gtest.h>
#include <cosmati/layout/text.hpp>
#include <random>

namespace {

using namespace cosmati;

TEST(Parse, WhatTextWrites) {
  for (char const* const text : {"4:1", "1:0", "(4,2):(1,4)", "((2,1),3,4):((1,0),4,24)", "(4,2):(-1,4)", "():()",
                                 "(4):(1)", "((4)):((1))", "(4,(2,3)):(1@0,(1@0@1,1@1@1))", "(0,4):(1,0)"}) {
    EXPECT_EQ(to_string(parse_layout(text)), text);
  }
  for (char const* const text : {"4", "()", "(4)", "(4,(2,_))", "_", "(_,(1,2),3)", "-3"}) {
    EXPECT_EQ(to_string(parse_tuple(text)), text);
  }
  EXPECT_EQ(to_string(parse_composed_layout("Sw<3,4,3> o 0 o (8,64):(64,1)")), "Sw<3,4,3> o 0 o (8,64):(64,1)");
}

TEST(Parse, BlanksUnderscoresAndConstants) {
  EXPECT_EQ(to_string(parse_layout(" ( _8 , Int<4> ) : ( C<1>{} , _8{} ) ")), "(8,4):(1,8)");
  EXPECT_EQ(to_string(parse_layout("(_4,_2):(_-1,_m2)")), "(4,2):(-1,-2)");
  EXPECT_EQ(to_string(parse_tuple("(1,X,1)")), "(1,_,1)");
  EXPECT_EQ(to_string(parse_swizzle("Swizzle<3, 4, -3>{}")), "Sw<3,4,-3>");
  EXPECT_EQ(to_string(parse_swizzle("Swizzle<2,3>{}")), "Sw<2,3,2>");
}

TEST(Parse, AShapeAloneIsCompactColumnMajor) {
  EXPECT_EQ(to_string(parse_layout("(4,(1,3))")), "(4,(1,3)):(1,(0,4))");
  EXPECT_EQ(to_string(parse_layout("8")), "8:1");
  EXPECT_EQ(to_string(parse_layout("1")), "1:0");
}

TEST(Parse, TilersTellIntegersFromTuples) {
  EXPECT_EQ(to_string(parse_tiler("((4,2),8:1)")), "((4:1,2:1),8:1)");
  EXPECT_EQ(to_string(parse_tiler("((2,2):(4,1),_)")), "((2,2):(4,1),_)");
  EXPECT_EQ(to_string(parse_tiler("((4:1,2),(8,X))")), "((4:1,2:1),(8:1,_))");
  EXPECT_EQ(to_string(parse_tiler("8")), "8:1");
}

struct wrong {
  char const* text;
  std::size_t position;
  char const* part;  // of the message
};

TEST(Parse, ErrorsPointAtTheCharacter) {
  for (wrong const& w : {
           wrong{"(8,,4)", 3, "expected an integer or '('"},
           wrong{"(8,4", 4, "text ends here"},
           wrong{"", 0, "expected an integer or '('"},
           wrong{"(8,4):(1,8", 10, "expected ')'"},
           wrong{"(8,4):(1)", 8, "the shape has 2 modes here, the stride 1"},
           wrong{"(8,4):(1,8,2)", 10, "the shape has 2 modes here, the stride has more"},
           wrong{"(8,4):1", 6, "the shape has a tuple of 2 here"},
           wrong{"8:(1)", 2, "the stride of extent 8"},
           wrong{"(8,4):(1,8) x", 12, "expected the end"},
           wrong{"(8,x)", 3, "expected an integer"},
           wrong{"99999999999999999999", 0, "does not fit 64 bits"},
           wrong{"(_,4):(1,4)", 7, "cannot contain '_'"},
           wrong{"(_,4)", 0, "without '_'"},
           wrong{"4:1@99", 4, "14 or less"},
           wrong{"Int<4", 5, "expected '>'"},
       }) {
    try {
      parse_layout(w.text);
      ADD_FAILURE() << w.text << " was accepted";
    } catch (parse_error const& e) {
      EXPECT_EQ(e.position(), w.position) << w.text << ": " << e.message();
      EXPECT_NE(std::string(e.message()).find(w.part), std::string::npos) << w.text << ": " << e.message();
    }
  }
  EXPECT_THROW(parse_tuple("4:1"), parse_error);
  EXPECT_THROW(parse_layout("(4:1,2:1)"), parse_error);
  EXPECT_THROW(parse_swizzle("Sw<3,4"), parse_error);
  EXPECT_THROW(parse_swizzle("Sw<3,4,1>"), parse_error);
  EXPECT_THROW(parse_composed_layout("Sw<3,4,3> o (4,2)"), parse_error);
}

TEST(Parse, WhatShowsACaretUnderTheCharacter) {
  try {
    parse_layout("(8,4):(1,8,2)");
    FAIL();
  } catch (parse_error const& e) {
    std::string const what = e.what();
    EXPECT_NE(what.find("\n  (8,4):(1,8,2)\n            ^"), std::string::npos) << what;
  }
}

TEST(Parse, LongTextsAreCutAroundTheCaret) {
  std::string const text = "(" + std::string(500, ' ') + "x" + std::string(500, ' ') + ")";
  try {
    parse_layout(text);
    FAIL();
  } catch (parse_error const& e) {
    std::string const what = e.what();
    std::size_t const line = what.rfind('\n');
    std::size_t const before = what.rfind('\n', line - 1);
    EXPECT_EQ(what[before + (what.size() - 1 - line)], 'x') << what;
    EXPECT_LT(what.size(), 300u);
  }
}

TEST(Parse, RefusesMoreThanFits) {
  std::string many = "(1";
  for (int i = 1; i < max_leaves; ++i) many += ",1";
  EXPECT_EQ(parse_tuple(many + ")").value().leaves, max_leaves);
  EXPECT_THROW(parse_tuple(many + ",1)"), error);
  EXPECT_THROW(parse_tuple(std::string(100000, '(')), error);
  std::string free = "(_";
  for (int i = 1; i < 126; ++i) free += ",_";
  EXPECT_THROW(parse_tuple(free + ")"), error);
}

TEST(Parse, AnyBytesAreAnsweredOrRefused) {
  std::mt19937 random(1);
  std::string const letters = "(),:_0123456789@-SwInt<>X o{}";
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (unsigned n = random() % 24; n > 0; --n) text += letters[random() % letters.size()];
    try {
      std::string const again = to_string(parse_composed_layout(text));
      ++accepted;
      if (text[0] != 'S') {
        EXPECT_EQ(to_string(parse_composed_layout(again)), again) << text;
      }
    } catch (error const&) {
    }
  }
  EXPECT_GT(accepted, 0);
}

}  // namespace
