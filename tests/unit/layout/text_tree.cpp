// SPDX-License-Identifier: Apache-2.0
// The text of values: static integers marked leaf by leaf, run-time integers and bases, tilers with and without
// strides.
#include <gtest/gtest.h>
#include <cosmati/layout/text_tree.hpp>

#include "property/algebra_text.hpp"

using namespace cosmati;
using algebra_test::layout;
using algebra_test::tiler;
using algebra_test::tuple;

namespace {

TEST(TextTree, OfTuplesAndLayouts) {
  EXPECT_EQ(tuple_text(tuple("(8,(4,_),())")), "(8,(4,_),())");
  EXPECT_EQ(layout_text(layout("((2,1),3):((1,0),-4)")), "((2,1),3):((1,0),-4)");
  EXPECT_EQ(layout_text(layout("8:1")), "8:1");
  std::string out = "x";
  append_strides(out, layout("(8,4):(1,8)"));
  EXPECT_EQ(out, "x(1,8)") << "behind what is there";
}

// Bit i belongs to leaf i, of extents and of strides.
TEST(TextTree, StaticLeavesHaveAnUnderscore) {
  text_format format;
  format.static_shape = 0b101;
  format.static_stride = 0b010;
  EXPECT_EQ(layout_text(layout("(8,(4,2)):(1,(8,32))"), format), "(_8,(4,_2)):(1,(_8,32))");
  EXPECT_EQ(layout_text(layout("(8,4):(1,-8)"), text_format::all_static()), "(_8,_4):(_1,_-8)");
  format = {};
  format.blanks = true;
  EXPECT_EQ(layout_text(layout("(8,4):(1,8)"), format), "(8, 4):(1, 8)");
}

TEST(TextTree, RunTimeIntegersAndBases) {
  using symbolic = algebra::symbolic_integer;
  flat_tree<symbolic> f;
  f.add_open(2);
  symbolic unknown;
  unknown.node = 0;
  f.add_leaf(unknown, symbolic(1, 0x1));
  f.add_leaf(symbolic(4), symbolic(3, 0x12));
  EXPECT_EQ(layout_text(f), "(?,4):(1@0,3@0@1)");
  EXPECT_EQ(layout_text(layout<symbolic>("(4,5):(4@1@0,2@14)")), "(4,5):(4@1@0,2@14)");
}

TEST(TextTree, TilersTellIntegersFromLayouts) {
  text_format integers;
  integers.integers = 0b01;
  EXPECT_EQ(tiler_text(tiler("[4,8]"), integers), "(4,8:1)");
  EXPECT_EQ(tiler_text(tiler("[4:2,[(2,2):(4,1),_]]")), "(4:2,((2,2):(4,1),_))");
}

TEST(TextTree, TheEndsOf64Bits) {
  std::string out;
  append_text(out, INT64_MIN);
  append_text(out, INT64_MAX);
  EXPECT_EQ(out, "-92233720368547758089223372036854775807");
  out.clear();
  append_swizzle(out, 3, 4, -3);
  EXPECT_EQ(out, "Sw<3,4,-3>");
}

}  // namespace
