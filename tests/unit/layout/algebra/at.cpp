// SPDX-License-Identifier: Apache-2.0
// A layout at a coordinate and the way back, for every coordinate of some layouts.
#include <gtest/gtest.h>
#include <cosmati/layout/algebra/at.hpp>

#include "property/algebra_text.hpp"
#include "sim/message.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::layout;
using algebra_test::str;
using algebra_test::tuple;
using algebra_test::tuple_str;

namespace {

TEST(AlgebraAt, SlicesBeginWhereTheirIntegersPoint) {
  auto const l = layout("(4,(3,5)):(15,(5,1))");
  auto const s = algebra::slice_and_offset(tuple("(2,(_,3))"), l);
  EXPECT_EQ(str(s.layout), "(3):(5)");
  EXPECT_EQ(tuple_str(s.offset), "33");
  auto const all = algebra::slice_and_offset(tuple("_"), l);
  EXPECT_EQ(str(all.layout), "(4,(3,5)):(15,(5,1))");
  EXPECT_EQ(tuple_str(all.offset), "0");
  EXPECT_EQ(str(algebra::slice_and_offset(tuple("(1,(1,1))"), l).layout), "():()");
  auto const d = algebra::domain_offset(tuple("(1,4)"), l);
  EXPECT_EQ(str(d.layout), str(l)) << "the layout itself";
  EXPECT_EQ(tuple_str(d.offset), "21") << "mode 1 at 4 is (1,1)";
}

TEST(AlgebraAt, CoordinatesOfEachIndexOfACompactLayout) {
  for (char const* text : {"(4,(3,5)):(15,(5,1))", "(2,3,4):(1,2,6)", "7:1", "((2,2),3):((6,1),2)"}) {
    auto const l = layout(text);
    std::int64_t const n = algebra::size(l);
    for (std::int64_t index = 0; index < n; ++index) {
      auto const nested = algebra::get_hier_coord(l, index), flat = algebra::get_flat_coord(l, index);
      std::int64_t const linear = algebra::get_1d_coord(l, index);
      EXPECT_EQ(tuple_str(algebra::crd2idx(nested, l)), std::to_string(index)) << text;
      EXPECT_EQ(tuple_str(algebra::crd2idx(flat, l)), std::to_string(index)) << text;
      EXPECT_EQ(algebra::crd2idx(linear, l), index) << text;
      EXPECT_EQ(flat.leaves, l.rank()) << "one integer a mode";
    }
  }
}

TEST(AlgebraAt, AnExtentOf1IsAtCoordinate0WhateverItsStride) {
  EXPECT_EQ(tuple_str(algebra::get_hier_coord(layout("(1,4):(3,1)"), 3)), "(0,3)");
  EXPECT_EQ(tuple_str(algebra::get_hier_coord(layout("(1,4):(0,1)"), 2)), "(0,2)");
}

}  // namespace
