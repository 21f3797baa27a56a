// SPDX-License-Identifier: Apache-2.0
// tests/unit/render/pictures.cpp tests the pictures that contain owners.
#include <gtest/gtest.h>
#include <cosmati/layout/parse.hpp>
#include <cosmati/render/owners.hpp>

namespace {

using namespace cosmati;

TEST(OwnersOfATile, NeighboursOfAThreadAreOneLabelWhereNoInstructionIsMeant) {
  // Thread t: columns 2t and 2t + 1 of both rows.
  std::vector<figure_grid> const g = owners("", parse_layout("(2,(2,2)):(4,(2,1))"), {2, 4});
  ASSERT_EQ(g[0].outline.size(), 4u);
  for (figure_outline const& o : g[0].outline) {
    EXPECT_EQ(o.rows, 1);
    EXPECT_EQ(o.columns, 2);
    figure_cell const& first = g[0].at(o.row, o.column);
    EXPECT_EQ(first.thread, o.column / 2);
    EXPECT_EQ(first.value, 2 * o.row);
    EXPECT_EQ(o.text, "T" + std::to_string(o.column / 2) + "\nV" + (o.row == 0 ? "0-1" : "2-3"));
  }
  EXPECT_TRUE(owners("", parse_layout("(2,(2,2)):(4,(2,1))"), {2, 4}, {1})[0].outline.empty());
}
TEST(OwnersOfATile, EachElementHasTheOwnerOfTheLayout) {
  AnyLayout const tv = parse_layout("((4,8),(2,2)):((32,1),(16,8))");  // the sums of m16n8
  std::vector<figure_grid> const g = owners("", tv, {16, 8});
  std::vector<int> seen(128, 0);
  for (std::int64_t t = 0; t < 32; ++t) {
    for (std::int64_t v = 0; v < 4; ++v) {
      std::int64_t const at = tv(t + 32 * v);
      figure_cell const& c = g[0].at(static_cast<int>(at % 16), static_cast<int>(at / 16));
      EXPECT_EQ(c.thread, t);
      EXPECT_EQ(c.value, v);
      EXPECT_EQ(++seen[static_cast<std::size_t>(at)], 1);
    }
  }
}
TEST(OwnersOfATile, AVectorInPiecesHasALabelForEach) {
  // The fragment of a lane after ldmatrix.x2: two neighbours of a row of each of two matrices.
  std::vector<figure_grid> const g = owners("", parse_layout("((4,8),(2,2)):((16,1),(8,64))"), {8, 16}, {4});
  ASSERT_EQ(g[0].outline.size(), 64u);
  for (figure_outline const& o : g[0].outline) {
    EXPECT_EQ(o.text, "T" + std::to_string(4 * o.row + o.column % 8 / 2) + "\nV" + (o.column < 8 ? "0-1" : "2-3"));
  }
}
TEST(OwnersOfATile, ASecondOwnerHasNoFrame) {
  std::vector<figure_grid> const g = owners("", parse_layout("(2,4):(0,1)"), {4}, {4});
  ASSERT_EQ(g[0].outline.size(), 1u);
  EXPECT_EQ(g[0].holders, 2);
}

}  // namespace
