// SPDX-License-Identifier: Apache-2.0
#include <cosmati/layout/text.hpp>

#include <gtest/gtest.h>
#include <cosmati/layout/parse.hpp>

namespace {

using namespace cosmati;

flat_tree<symbolic_integer> const& value_of(AnyLayout const& l) { return l.value(); }

TEST(Text, ALayoutAsCuTePrintsIt) {
  AnyLayout const l((AnyTuple{AnyTuple{2, 1}, 3, 4}), (AnyTuple{AnyTuple{1, 0}, 4, 24}));
  EXPECT_EQ(to_string(l), "((2,1),3,4):((1,0),4,24)");
  EXPECT_EQ(layout_text(value_of(l), text_format::all_static()), "((_2,_1),_3,_4):((_1,_0),_4,_24)");
  text_format blanks;
  blanks.blanks = true;
  EXPECT_EQ(layout_text(value_of(l), blanks), "((2, 1), 3, 4):((1, 0), 4, 24)");
}

TEST(Text, StaticAndRunTimeIntegersMix) {
  AnyLayout const l((AnyTuple{8, 100}), (AnyTuple{1, 8}));
  text_format format;
  format.static_shape = 0b01;
  format.static_stride = 0b11;
  EXPECT_EQ(layout_text(value_of(l), format), "(_8,100):(_1,_8)");
}

TEST(Text, SmallThings) {
  EXPECT_EQ(to_string(AnyTuple(4)), "4");
  EXPECT_EQ(to_string(AnyTuple{}), "()");
  EXPECT_EQ(to_string(AnyTuple{4}), "(4)");
  EXPECT_EQ(to_string(AnyTuple{AnyTuple::underscore(), 3}), "(_,3)");
  EXPECT_EQ(to_string(AnyLayout()), "1:0");
  EXPECT_EQ(to_string(AnySwizzle(3, 4, -3)), "Sw<3,4,-3>");
}

TEST(Text, NegativeStridesAndBases) {
  AnyLayout const l((AnyTuple{4, 2}), (AnyTuple{-1, 8}));
  EXPECT_EQ(to_string(l), "(4,2):(-1,8)");
  EXPECT_EQ(layout_text(value_of(l), text_format::all_static()), "(_4,_2):(_-1,_8)");
  // E<0,1> is index 1 of mode 0; the innermost index is written first
  flat_tree<symbolic_integer> basis;
  basis.add_leaf(2, symbolic_integer(3, 0x21));
  EXPECT_EQ(layout_text(basis), "2:3@1@0");
}

TEST(Text, Tilers) {
  EXPECT_EQ(to_string(parse_tiler("(4:1, (2,2):(4,1), _)")), "(4:1,(2,2):(4,1),_)");
  EXPECT_EQ(to_string(parse_tiler("(4, 8)")), "(4:1,8:1)");
}

TEST(Text, AppendsWithoutAllocating) {
  std::string out;
  out.reserve(100);
  char const* const place = out.data();
  append_layout(out, parse_layout("(4,2):(1,4)").value());
  append_swizzle(out, 2, 3, 3);
  EXPECT_EQ(out, "(4,2):(1,4)Sw<2,3,3>");
  EXPECT_EQ(out.data(), place);
}

}  // namespace
