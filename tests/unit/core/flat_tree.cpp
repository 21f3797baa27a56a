// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/flat_tree.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {

/// (2, (3, 4), 5)
flat_tree<std::int64_t> nested() {
  flat_tree<std::int64_t> t;
  t.add_open(3);
  t.add_leaf(2, 1);
  t.add_open(2);
  t.add_leaf(3, 10);
  t.add_leaf(4, 30);
  t.add_leaf(5, 120);
  return t;
}

TEST(FlatTree, FindsItsModes) {
  flat_tree<std::int64_t> const t = nested();
  EXPECT_EQ(t.rank(), 3);
  EXPECT_EQ(t.leaves, 4);
  EXPECT_FALSE(t.is_leaf() || t.is_tiler());
  auto const s = algebra::mode_span(t, 1);
  EXPECT_EQ(s.node, 2);
  EXPECT_EQ(s.node_end, 5);
  EXPECT_EQ(s.leaf, 1);
  EXPECT_EQ(s.leaf_end, 3);
  flat_tree<std::int64_t> const middle = algebra::mode(t, 1);
  EXPECT_EQ(middle.rank(), 2);
  EXPECT_EQ(middle.shape[1], 4);
  EXPECT_EQ(middle.stride[0], 10);
  EXPECT_TRUE(algebra::mode(t, 2).is_leaf());
  EXPECT_EQ(algebra::mode(middle, 0).shape[0], 3);
}
TEST(FlatTree, RefusesWhatItDoesNotHold) {
  flat_tree<std::int64_t> t = nested();
  EXPECT_THROW(algebra::mode(t, 3), error);
  EXPECT_THROW(algebra::mode(t, -1), error);
  flat_tree<std::int64_t> full;
  full.add_open(32);
  for (int i = 0; i < capacity_of<std::int64_t>; ++i) full.add_leaf(1);
  EXPECT_THROW(full.add_leaf(1), error);
}
TEST(FlatTree, AppendsWhole) {
  flat_tree<std::int64_t> pair;
  pair.add_open(2);
  pair.append(nested());
  pair.append(nested());
  EXPECT_EQ(pair.rank(), 2);
  EXPECT_EQ(pair.leaves, 8);
  EXPECT_EQ(algebra::mode(algebra::mode(pair, 1), 1).shape[1], 4);
}

}  // namespace
