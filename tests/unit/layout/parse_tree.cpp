// SPDX-License-Identifier: Apache-2.0
// Literals read in place, behind what a value holds already: kinds, compact strides, tilers' integers; and capacities.
#include <gtest/gtest.h>
#include <cosmati/layout/parse_tree.hpp>
#include <cosmati/layout/text_tree.hpp>

#include "sim/message.hpp"

using namespace cosmati;
using detail::literal_kind;

namespace {

struct reading {
  flat_tree<algebra::symbolic_integer> value;
  literal_kind kind;
  std::uint64_t integers;
  std::string rest;
};
reading read(std::string const& text) {
  reading r;
  text_cursor in(text);
  detail::flat_reader reader(in, r.value);
  r.kind = reader.item();
  r.integers = reader.integers;
  r.rest = in.at;
  return r;
}

TEST(ParseTree, KindsOfLiterals) {
  EXPECT_EQ(read("(8,(4,_))").kind, literal_kind::tuple);
  EXPECT_EQ(read("8").kind, literal_kind::tuple);
  EXPECT_EQ(read("8:1").kind, literal_kind::layout);
  EXPECT_EQ(read("(8,4):(1,8)").kind, literal_kind::layout);
  EXPECT_EQ(read("(8:1,4)").kind, literal_kind::tiler);
  EXPECT_EQ(read("X").kind, literal_kind::tuple) << "CuTe's other word for _";
  EXPECT_EQ(read("(1,2) more").rest, "more") << "the reader goes no further than the next letter";
}

TEST(ParseTree, EachWayToWriteAnInteger) {
  EXPECT_EQ(tuple_text(read("(_8, Int<8>{}, C<-8>, _m8, _-8, -8, - -8, 8{})").value), "(8,8,-8,-8,-8,-8,8,8)");
  EXPECT_EQ(layout_text(read("(4,4):(1@0, 2@_1@14)").value), "(4,4):(1@0,2@1@14)");
}

// In a tiler an integer n is n:1, and the reader remembers that it was one.
TEST(ParseTree, IntegersOfTilers) {
  auto const r = read("(4,(2,_),3:5,(2,2):(1,2))");
  EXPECT_EQ(r.kind, literal_kind::tiler);
  EXPECT_EQ(r.integers, 0b00011u);
  EXPECT_EQ(tiler_text(r.value), "(4:1,(2:1,_),3:5,(2,2):(1,2))");
}

TEST(ParseTree, CompactStridesOfLeaves) {
  auto r = read("(2,(1,3),4)");
  text_cursor nothing("");
  detail::flat_reader(nothing, r.value).compact(1, 4);
  EXPECT_EQ(r.value.stride[1].value, 0) << "an extent of 1";
  EXPECT_EQ(r.value.stride[2].value, 1);
  EXPECT_EQ(r.value.stride[3].value, 3);
}

TEST(ParseTree, Limits) {
  std::string modes = "(1";
  for (int i = 1; i < 100; ++i) modes += ",_";
  EXPECT_EQ(read(modes + ")").value.rank(), 100);
  EXPECT_MESSAGE(read(modes + ",_)"), "expected at most 100 modes");
  EXPECT_MESSAGE(read("4:1@15"), "a basis index must be 14 or less");
  EXPECT_NO_THROW(read("4:1@1@2@3@4@5@6@7@8"));
  EXPECT_MESSAGE(read("4:1@1@2@3@4@5@6@7@8@9"), "a basis has at most 8 levels");
}

}  // namespace
