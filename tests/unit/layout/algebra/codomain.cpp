// SPDX-License-Identifier: Apache-2.0
// What layouts map to: sizes against the largest value, tuples of strides with a basis.
#include <gtest/gtest.h>
#include <cosmati/layout/algebra/codomain.hpp>

#include "property/algebra_text.hpp"
#include "sim/message.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::layout;
using algebra_test::str;
using algebra_test::tuple;
using algebra_test::tuple_str;

namespace {

TEST(AlgebraCodomain, CosizeIsOneMoreThanTheLargestValue) {
  for (char const* text : {"1:0", "8:1", "(4,8):(8,1)", "((2,2),3):((1,40),2)", "(3,3):(0,5)"}) {
    auto const l = layout(text);
    std::int64_t largest = 0;
    for (std::int64_t i = 0; i < algebra::size(l); ++i) {
      std::int64_t const v = algebra::crd2idx(i, l);
      if (v > largest) largest = v;
    }
    EXPECT_EQ(algebra::cosize(l), largest + 1) << text;
    EXPECT_EQ(tuple_str(algebra::coshape(l)), std::to_string(largest + 1)) << text;
  }
  EXPECT_EQ(algebra::cosize(layout("(4,3):(-1,10)")), 24) << "magnitudes: 3 + 20 + 1";
}

TEST(AlgebraCodomain, OfStridesWithABasis) {
  using cosmati::symbolic_integer;
  auto const l = layout<symbolic_integer>("(4,(3,5)):(1@0,(2@1,1@0))");
  EXPECT_EQ(tuple_str(algebra::coshape(l)), "(8,5)") << "3 + 4 + 1 and 4 + 1";
  EXPECT_EQ(algebra::known(algebra::cosize(l), "it"), 40);
  EXPECT_EQ(tuple_str(algebra::coprofile(l)), "(0,0)");
  EXPECT_EQ(tuple_str(algebra::coprofile(layout<symbolic_integer>("(4,5):(1@0@1,1@1@1)"))), "(0,(0,0))");
  EXPECT_EQ(tuple_str(algebra::coprofile(layout("(4,5):(1,4)"))), "0");
}

}  // namespace
