// SPDX-License-Identifier: Apache-2.0
// Tiled MMAs as values: whose the elements of an operand are, by atoms next to each other, and threads that are left
// out.
#include <gtest/gtest.h>
#include <cosmati/tiled/mma_algebra.hpp>

#include "property/algebra_text.hpp"

namespace algebra = cosmati::algebra;
using algebra_test::layout;
using algebra_test::str;
using algebra_test::tiler;

namespace {

// An atom of 2 x 4: four threads, thread t holds row t / 2, columns 2 (t % 2) and the next.
auto const atom_tv = layout("((2,2),2):((4,1),2)");  // (t, v) -> m + 2 n

// Two atoms along X, one along Y; a tensor of 8 x 8 rows: two tiles of 4 x 4 along each mode.
TEST(MmaAlgebra, EachElementIsAnAtomsThreads) {
  auto const tensor = layout("(8,8):(8,1)");
  auto const permutation = tiler("[4,4]"), atom = tiler("[2,4]"), atoms = tiler("[2,1]");
  auto const offsets = algebra::mma_thread_offsets(tensor, permutation, atom, atom_tv, atoms);
  auto const partition = algebra::mma_partition(tensor, permutation, atom, atom_tv, atoms);
  EXPECT_EQ(algebra::size(offsets), 8) << "four threads of two atoms";
  EXPECT_EQ(algebra::size(partition), 8) << "two values of four tiles";
  bool seen[64] = {};
  for (std::int64_t t = 0; t < 8; ++t) {
    for (std::int64_t i = 0; i < 8; ++i) {
      std::int64_t const at = algebra::crd2idx(t, offsets) + algebra::crd2idx(i, partition);
      std::int64_t const v = i % 2, x = i / 2 % 2, y = i / 4;  // value; tile along X; along Y
      std::int64_t const of_atom = t % 4, which = t / 4;
      std::int64_t const row = 4 * x + 2 * which + of_atom / 2, column = 4 * y + 2 * (of_atom % 2) + v;
      EXPECT_EQ(at, 8 * row + column) << t << ", " << i;
      seen[at] = true;
    }
  }
  for (bool const s : seen) EXPECT_TRUE(s);
}

TEST(MmaAlgebra, ThreadsBetweenThoseThatTakePart) {
  // All of 8 threads: themselves.
  auto const all = algebra::mma_thread_index(layout("(4,2):(1,4)"));
  for (std::int64_t t = 0; t < 8; ++t) EXPECT_EQ(algebra::crd2idx(t, all), t);
  // One quad pair, threads 0 to 3 and 16 to 19: those between do as one of these does.
  auto const pair = layout("(4,2):(1,16)");
  auto const index = algebra::mma_thread_index(pair);
  EXPECT_EQ(algebra::size(index), 32);
  for (std::int64_t t = 0; t < 32; ++t) {
    std::int64_t const i = algebra::crd2idx(t, index);
    EXPECT_GE(i, 0);
    EXPECT_LT(i, 8);
    if (t % 16 < 4) {
      EXPECT_EQ(algebra::crd2idx(i, pair), t) << "its own index";
    }
  }
}

}  // namespace
