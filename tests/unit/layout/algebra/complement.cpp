// SPDX-License-Identifier: Apache-2.0
// Complements: with the layout they reach every place of the target once, in increasing order; and refusals.
#include <gtest/gtest.h>
#include <cosmati/layout/algebra/complement.hpp>

#include <vector>

#include "property/algebra_text.hpp"
#include "sim/message.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::layout;
using algebra_test::str;
using algebra_test::tuple;
using algebra_test::tuple_str;

namespace {

TEST(AlgebraComplement, FillsTheTargetOnce) {
  for (char const* text : {"4:1", "4:2", "(2,2):(1,6)", "(2,4):(4,16)", "1:0", "3:0", "(2,2,2):(8,1,4)"}) {
    auto const l = layout(text);
    for (std::int64_t target : {1, 12, 24, 64}) {
      auto const c = algebra::complement(l, target);
      std::vector<int> times(1000, 0);
      std::int64_t previous = -1;
      for (std::int64_t j = 0; j < algebra::size(c); ++j) {
        std::int64_t const start = algebra::crd2idx(j, c);
        EXPECT_GT(start, previous) << text << " in " << target;
        previous = start;
        std::vector<bool> mine(1000, false);  // a layout may repeat its own places
        for (std::int64_t i = 0; i < algebra::size(l); ++i)
          mine[static_cast<std::size_t>(start + algebra::crd2idx(i, l))] = true;
        for (std::size_t v = 0; v < mine.size(); ++v) times[v] += mine[v];
      }
      for (std::int64_t v = 0; v < 1000; ++v) {
        if (v < target) {
          EXPECT_EQ(times[static_cast<std::size_t>(v)], 1) << text << " in " << target << ": " << v;
        } else {
          EXPECT_LE(times[static_cast<std::size_t>(v)], 1);
        }
      }
    }
  }
}

TEST(AlgebraComplement, InItsOwnCodomainAndInAShape) {
  EXPECT_EQ(str(algebra::complement(layout("4:2"))), "2:1");
  EXPECT_EQ(str(algebra::complement(layout("(4,2):(1,4)"))), "1:0");
  EXPECT_EQ(str(algebra::complement(layout("4:1"), tuple("(8,6)"))), "12:4");
}

TEST(AlgebraComplement, Refusals) {
  EXPECT_MESSAGE(algebra::complement(layout("(4,4):(1,2)"), 64),
                 "complement: a mode of stride 2 begins below 4, where the modes before it end");
  EXPECT_MESSAGE(algebra::complement(layout<cosmati::symbolic_integer>("4:1@0"), 64), "a stride with a basis");
  auto noted = layout("(4,4):(1,2)");
  noted.note.is_read = true;
  auto const refused = algebra::complement(noted, 64);
  EXPECT_EQ(refused.note.why, cosmati::refusal_reason::modes_overlap);
  EXPECT_EQ(refused.note.first, 2);
  EXPECT_EQ(refused.note.second, 4);
}

}  // namespace
