// SPDX-License-Identifier: Apache-2.0
// What two layouts have in common: elements side by side in the same places, against their values.
#include <gtest/gtest.h>
#include <cosmati/layout/algebra/common.hpp>

#include <algorithm>

#include "property/algebra_text.hpp"
#include "sim/message.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::layout;
using algebra_test::str;
using algebra_test::tuple;
using algebra_test::tuple_str;

namespace {

/// The longest run n for which some place has i in both layouts, for i < n: by looking at every place.
std::int64_t run_in_common(cosmati::flat_tree<std::int64_t> const& a, cosmati::flat_tree<std::int64_t> const& b) {
  std::int64_t const n = std::min(algebra::size(a), algebra::size(b));
  for (std::int64_t value = 0;; ++value) {
    bool found = false;
    for (std::int64_t place = 0; place < n; ++place)
      found = found || (algebra::crd2idx(place, a) == value && algebra::crd2idx(place, b) == value);
    if (!found) return value;
  }
}

TEST(AlgebraCommon, ElementsSideBySideInBoth) {
  char const* const all[] = {"16:1", "(4,4):(1,4)", "(4,4):(4,1)", "(2,8):(1,2)", "(2,2,4):(1,8,2)",
                             "16:2", "(4,4):(1,5)"};
  for (char const* x : all) {
    for (char const* y : all) {
      auto const a = layout(x), b = layout(y);
      std::int64_t const n = algebra::max_common_vector(a, b);
      EXPECT_LE(n, run_in_common(a, b)) << x << ' ' << y;
      auto const places = algebra::max_common_layout(a, b);
      EXPECT_EQ(algebra::size(places), n) << x << ' ' << y;
      for (std::int64_t i = 0; i < n; ++i) {
        std::int64_t const place = algebra::crd2idx(i, places);
        EXPECT_EQ(algebra::crd2idx(place, a), i) << x << ' ' << y;
        EXPECT_EQ(algebra::crd2idx(place, b), i) << x << ' ' << y;
      }
    }
  }
  EXPECT_EQ(algebra::max_common_vector(layout("16:1"), layout("(4,4):(1,4)")), 16);
  EXPECT_EQ(algebra::max_common_vector(layout("(4,4):(4,1)"), layout("(4,4):(4,1)")), 16) << "along mode 1";
  EXPECT_EQ(algebra::max_common_vector(layout("(4,4):(4,1)"), layout("16:1")), 1);
  EXPECT_EQ(str(algebra::max_common_layout(layout("16:2"), layout("16:1"))), "1:0");
}

TEST(AlgebraCommon, MaxAlignmentDividesEveryStepButTheRuns) {
  EXPECT_EQ(algebra::max_alignment(layout("(8,4):(1,8)")), 32);
  EXPECT_EQ(algebra::max_alignment(layout("(8,4):(1,12)")), 4);
  EXPECT_EQ(algebra::max_alignment(layout("(8,4):(1,9)")), 1);
  EXPECT_EQ(algebra::max_alignment(layout("(4,8):(16,1)")), 8);
  EXPECT_EQ(algebra::max_alignment(layout("(8,4):(1,24)")), 8);
  EXPECT_EQ(algebra::max_alignment(layout("(4,8):(8,1)")), 32);
  EXPECT_EQ(algebra::max_alignment(layout("(4,8):(9,1)")), 1);
}

}  // namespace
