// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cosmati/render/slices.hpp>

namespace {

using namespace cosmati;

TEST(Slices, ModesBehindTheSecondAreGrids) {
  detail::slices_of_shape const s({2, 3, 2, 2});
  EXPECT_EQ(s.slices, 4);
  EXPECT_EQ(s.name(3), "[:,:,1,1]");
  EXPECT_EQ(s.index(1, 2, 3), 1 + 2 * (2 + 3 * 3));
  EXPECT_EQ(detail::slices_of_shape({5}).columns, 5);
  EXPECT_THROW(detail::slices_of_shape({-1, 2}), error);
}
TEST(Slices, FourStandSideBySide) {
  std::vector<figure_grid> const g = detail::slices_of_shape({1, 1, 6}).grids("a layout", "x");
  ASSERT_EQ(g.size(), 6u);
  EXPECT_EQ(g[4].down, 1);
  EXPECT_EQ(g[4].right, 0);
  EXPECT_EQ(g[4].title, "x [:,:,4]");
}

}  // namespace
