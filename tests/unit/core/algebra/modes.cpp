// SPDX-License-Identifier: Apache-2.0
// Modes taken, grouped, appended, flattened and zipped, of tuples and of layouts alike; and ranges that do not exist.
#include <gtest/gtest.h>
#include <cosmati/core/algebra/modes.hpp>

#include "property/algebra_text.hpp"
#include "sim/message.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::layout;
using algebra_test::str;
using algebra_test::tuple;
using algebra_test::tuple_str;

namespace {

TEST(AlgebraModes, OfTuples) {
  EXPECT_EQ(tuple_str(algebra::flatten(tuple("(1,(2,(3)))"))), "(1,2,3)");
  EXPECT_EQ(tuple_str(algebra::unwrap(tuple("((5))"))), "5");
  EXPECT_EQ(tuple_str(algebra::wrap(tuple("5"))), "(5)");
  EXPECT_EQ(tuple_str(algebra::group(tuple("(1,2,3,4)"), 1, 3)), "(1,(2,3),4)");
  EXPECT_EQ(tuple_str(algebra::group(tuple("5"), 0, 1)), "((5))");
  EXPECT_EQ(tuple_str(algebra::zip(tuple("((1,2),(3,4))"))), "((1,3),(2,4))");
  EXPECT_EQ(tuple_str(algebra::zip(tuple("1"), tuple("2"))), "((1,2))");
  EXPECT_EQ(tuple_str(algebra::repeat_like<std::int64_t>(tuple("(1,(2,3))"), 7)), "(7,(7,7))");
  EXPECT_EQ(tuple_str(algebra::tuple_repeat(tuple("(1,2)"), 2)), "((1,2),(1,2))");
}

TEST(AlgebraModes, OfLayoutsTakeTheirStridesAlong) {
  auto const l = layout("(2,(3,4),5):(1,(10,2),100)");
  EXPECT_EQ(str(algebra::get(l, 1)), "(3,4):(10,2)");
  EXPECT_EQ(str(algebra::take(l, 1, 3)), "((3,4),5):((10,2),100)");
  int const modes[] = {2, 0, 2};
  EXPECT_EQ(str(algebra::select(l, modes, 3)), "(5,2,5):(100,1,100)");
  EXPECT_EQ(str(algebra::flatten(l)), "(2,3,4,5):(1,10,2,100)");
  EXPECT_EQ(str(algebra::reverse(l)), "(5,(3,4),2):(100,(10,2),1)");
  EXPECT_EQ(str(algebra::remove(l, 1)), "(2,5):(1,100)");
  EXPECT_EQ(str(algebra::replace(l, 0, layout("7:9"))), "(7,(3,4),5):(9,(10,2),100)");
  EXPECT_EQ(str(algebra::append(layout("2:1"), 1)), "2:1");
  EXPECT_EQ(str(algebra::append(layout("2:1"), 3)), "(2,1,1):(1,0,0)");
  EXPECT_EQ(str(algebra::append(layout("(2,3):(1,2)"), 4)), "(2,3,1,1):(1,2,0,0)");
  EXPECT_EQ(str(algebra::prepend(layout("(2,3):(1,2)"), 3)), "(1,2,3):(0,1,2)");
  EXPECT_EQ(str(algebra::append(layout("(2,3):(1,2)"), layout("4:8"))), "(2,3,4):(1,2,8)");
}

TEST(AlgebraModes, FlattenAndUnflattenAreInverse) {
  for (char const* text : {"()", "((1),2)", "(1,(2,(3,4)),5)"}) {
    auto const f = tuple(text);
    EXPECT_EQ(tuple_str(algebra::unflatten(algebra::flatten(f), f)), text);
  }
}

TEST(AlgebraModes, GroupsOfNothingChangeNothing) {
  EXPECT_EQ(tuple_str(algebra::group(tuple("(1,2,3)"), 1, 1)), "(1,2,3)");
  EXPECT_EQ(tuple_str(algebra::group(tuple("(1,2,3)"), 1, -1)), "(1,(2,3))") << "-1 means the rank";
  EXPECT_EQ(tuple_str(algebra::group(tuple("(1,2,3)"), 0, 3)), "((1,2,3))");
}

TEST(AlgebraModes, RefuseWhatDoesNotExist) {
  EXPECT_MESSAGE(algebra::take(tuple("(1,2)"), 1, 3), "modes [1, 3) of rank 2");
  EXPECT_MESSAGE(algebra::take(tuple("(1,2)"), 1, 1), "modes [1, 1) of rank 2");
  EXPECT_MESSAGE(algebra::append(tuple("(1,2,3)"), 2), "rank 3 cannot be padded to 2");
  EXPECT_MESSAGE(algebra::unflatten(tuple("(1,2)"), tuple("(1,(1,1))")), "2 leaves cannot be folded");
  EXPECT_MESSAGE(algebra::zip(tuple("((1,2),(3,4,5))")), "zip of modes of rank 2 and 3");
  EXPECT_MESSAGE(algebra::get(tuple("(1,2)"), 2), "mode 2 was asked of something of rank 2");
}

}  // namespace
