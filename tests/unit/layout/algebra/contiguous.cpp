// SPDX-License-Identifier: Apache-2.0
// What layouts prove of vectors: runs, alignments and steps, against their values.
#include <gtest/gtest.h>
#include <cosmati/core/algebra/coordinate.hpp>
#include <cosmati/layout/algebra/contiguous.hpp>

#include "property/algebra_text.hpp"
#include "sim/message.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::layout;
using algebra_test::str;
using algebra_test::tuple;
using algebra_test::tuple_str;

namespace {

TEST(AlgebraContiguous, RunsAreAsLongAsValuesCountUp) {
  for (char const* text : {"1:7", "8:1", "8:2", "(1,8):(5,1)", "(2,3):(1,2)", "(2,3):(1,4)", "(4,(1,2)):(1,(9,4))"}) {
    auto const l = layout(text);
    std::int64_t run = 0;
    while (run < algebra::size(l) && algebra::crd2idx(run, l) == run) ++run;
    EXPECT_EQ(algebra::contiguous_run(l), run) << text;
  }
}

TEST(AlgebraContiguous, AlignmentDividesWhereEveryVectorBegins) {
  for (char const* text : {"(8,4):(1,8)", "(8,4):(1,12)", "(4,2,3):(1,4,20)", "16:1", "(2,3):(1,2)", "(8,1):(1,3)"}) {
    auto const l = layout(text);
    for (std::int64_t const n : {1, 2, 4}) {
      if (algebra::contiguous_run(l) % n != 0) continue;
      std::int64_t divisor = 0;
      for (std::int64_t i = 0; i < algebra::size(l); i += n) divisor = algebra::gcd(divisor, algebra::crd2idx(i, l));
      EXPECT_EQ(algebra::vector_alignment(l, n, 1), divisor) << text << ", " << n;
    }
  }
  EXPECT_EQ(algebra::vector_alignment(layout("4:1"), 4, 1), 0) << "one vector, at 0";
}

TEST(AlgebraContiguous, StepsThatAreKnown) {
  EXPECT_EQ(algebra::known_step(layout("(4,4):(6,-15)")), 3);
  EXPECT_EQ(algebra::known_step(layout("(4,1):(6,1)")), 6) << "an extent of 1 does not step";
  EXPECT_EQ(algebra::known_step(layout("4:0")), 0);
}

}  // namespace
