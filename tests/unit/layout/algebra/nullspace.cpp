// SPDX-License-Identifier: Apache-2.0
// Where layouts do not move, and elements spread over a shape, against their values.
#include <gtest/gtest.h>
#include <cosmati/core/algebra/coordinate.hpp>
#include <cosmati/layout/algebra/nullspace.hpp>

#include "property/algebra_text.hpp"
#include "sim/message.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::layout;
using algebra_test::str;
using algebra_test::tuple;
using algebra_test::tuple_str;

namespace {

TEST(AlgebraNullspace, IsWhereTheLayoutIs0) {
  for (char const* text : {"(4,3):(0,1)", "(4,3):(1,0)", "(2,(3,5)):(0,(7,0))", "6:0", "(2,3,4):(0,0,5)"}) {
    auto const l = layout(text);
    auto const n = algebra::nullspace(l);
    std::int64_t zeros = 0;
    for (std::int64_t i = 0; i < algebra::size(l); ++i) zeros += algebra::crd2idx(i, l) == 0;
    EXPECT_EQ(algebra::size(n), zeros) << text;
    std::int64_t previous = -1;
    for (std::int64_t i = 0; i < algebra::size(n); ++i) {
      std::int64_t const place = algebra::crd2idx(i, n);
      EXPECT_GT(place, previous) << text;
      EXPECT_EQ(algebra::crd2idx(place, l), 0) << text;
      previous = place;
    }
  }
  EXPECT_EQ(str(algebra::nullspace(layout("(4,3):(1,4)"))), "1:0");
}

TEST(AlgebraNullspace, ElementsAreTakenFromTheFirstModeOn) {
  EXPECT_EQ(str(algebra::domain_distribute(tuple("(4,6)"), 8)), "8:1") << "4, then 2 of 6: one mode after the other";
  EXPECT_EQ(str(algebra::domain_distribute(tuple("(4,6)"), 24)), "24:1");
  EXPECT_EQ(str(algebra::domain_distribute(tuple("(6,4)"), 8)), "(2,4):(1,6)") << "2 of 6, then all 4";
  EXPECT_EQ(str(algebra::domain_distribute(tuple("(5,7)"), 8)), "1:0") << "none divides";
}

}  // namespace
