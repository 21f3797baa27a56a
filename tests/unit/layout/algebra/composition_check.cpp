// SPDX-License-Identifier: Apache-2.0
// Compositions that break the law: each sentence with its numbers, and notes where a reader waits.
#include <gtest/gtest.h>
#include <cosmati/layout/algebra/composition_check.hpp>

#include "property/algebra_text.hpp"
#include "sim/message.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::layout;
using algebra_test::str;
using algebra_test::tuple;
using algebra_test::tuple_str;

namespace {

using modes = algebra::detail::mode_range<std::int64_t>;

void check(cosmati::flat_tree<std::int64_t> const& left, cosmati::flat_tree<std::int64_t> const& right) {
  algebra::refusal_note note;
  algebra::detail::check_composition(note, modes{left.shape, left.stride, left.leaves},
                                     modes{right.shape, right.stride, right.leaves});
}

TEST(AlgebraCompositionCheck, WhatStridesCanExpressPasses) {
  EXPECT_NO_THROW(check(layout("(4,6):(6,1)"), layout("2:2")));
  EXPECT_NO_THROW(check(layout("(4,6):(6,1)"), layout("(2,3):(1,4)")));
  EXPECT_NO_THROW(check(layout("24:3"), layout("5:7"))) << "one mode takes anything";
}

TEST(AlgebraCompositionCheck, EachSentenceHasItsNumbers) {
  EXPECT_MESSAGE(check(layout("(4,6):(6,1)"), layout("4:3")),
                 "composition: the right layout's stride leaves 3 to step over a mode of extent 4");
  EXPECT_MESSAGE(check(layout("(4,6):(6,1)"), layout("6:1")),
                 "composition: 6 elements of a right mode remain, and a left mode that offers 4 of them");
  EXPECT_MESSAGE(
      check(layout("(4,6):(6,1)"), layout("(2,2):(2,2)")),
      "composition: the right layout's modes add up to 4 in a mode of extent 4 of the left layout and carry");
  EXPECT_MESSAGE(check(layout("(4,6):(6,1)"), layout("(2,2):(4,-1)")), "run both ways (4 and -1)");
}

TEST(AlgebraCompositionCheck, IsNotedWhereSomebodyReads) {
  algebra::refusal_note note;
  note.is_read = true;
  auto const left = layout("(4,6):(6,1)"), right = layout("6:1");
  algebra::detail::check_composition(note, modes{left.shape, left.stride, 2}, modes{right.shape, right.stride, 1});
  EXPECT_EQ(note.why, algebra::refusal_reason::elements_and_extent);
  EXPECT_EQ(note.first, 6);
  EXPECT_EQ(note.second, 4);
}

}  // namespace
