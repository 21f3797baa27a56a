// SPDX-License-Identifier: Apache-2.0
// Injective and bijective layouts, against their values, for every layout of three small modes.
#include <gtest/gtest.h>
#include <cosmati/layout/algebra/bijective.hpp>

#include "property/algebra_text.hpp"
#include "sim/message.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::layout;
using algebra_test::str;
using algebra_test::tuple;
using algebra_test::tuple_str;

namespace {

TEST(AlgebraBijective, EveryLayoutOfThreeSmallModes) {
  int injective = 0, bijective = 0;
  for (int c = 0; c < 4 * 4 * 4 * 9 * 9 * 9; ++c) {
    int const s[3] = {c % 4, c / 4 % 4, c / 16 % 4}, d[3] = {c / 64 % 9 - 2, c / 576 % 9 - 2, c / 5184 % 9 - 2};
    cosmati::flat_tree<std::int64_t> l;
    l.add_open(3);
    for (int k = 0; k < 3; ++k) l.add_leaf(s[k], d[k]);
    bool seen[64] = {}, twice = false, outside = false;
    for (int i = 0; i < s[0] * s[1] * s[2]; ++i) {
      int const v = i % s[0] * d[0] + i / s[0] % s[1] * d[1] + i / (s[0] * s[1]) * d[2];
      twice = twice || seen[v + 20];
      seen[v + 20] = true;
      outside = outside || v < 0 || v >= s[0] * s[1] * s[2];
    }
    ASSERT_EQ(algebra::is_injective(l), !twice) << str(l);
    ASSERT_EQ(algebra::is_bijective(l), !twice && !outside) << str(l);
    injective += !twice;
    bijective += !twice && !outside;
  }
  EXPECT_GT(injective, bijective);
  EXPECT_GT(bijective, 0);
}

// Overlapping modes that no value has twice: 2 and 3 steps of 3 and 2 meet first at 6.
TEST(AlgebraBijective, OverlappingModesMayBeApart) {
  EXPECT_TRUE(algebra::is_injective(layout("(2,3):(3,2)")));
  EXPECT_FALSE(algebra::is_injective(layout("(3,4):(3,2)")));
  EXPECT_FALSE(algebra::is_bijective(layout("(2,3):(3,2)"))) << "0, 3, 2, 5, 4, 7";
}

TEST(AlgebraBijective, NeedsKnownIntegersWithoutBasis) {
  EXPECT_MESSAGE(algebra::is_injective(layout<cosmati::symbolic_integer>("(4,4):(1@0,1@1)")), "is_injective");
}

}  // namespace
