// SPDX-License-Identifier: Apache-2.0
// A swizzle after a layout, both known only at run time: values, questions about the layout, composition with a tile.
#include <gtest/gtest.h>
#include <cosmati/layout/any_composed_layout.hpp>
#include <cosmati/layout/parse.hpp>

using namespace cosmati;

namespace {

TEST(AnyComposedLayout, SwizzlesOffsetAndLayout) {
  AnyComposedLayout const c{AnySwizzle(2, 0, 3), 5, parse_layout("(4,8):(8,1)")};
  EXPECT_EQ(c.size(), 32);
  EXPECT_EQ(c.rank(), 2);
  EXPECT_EQ(c.depth(), 1);
  EXPECT_EQ(c.shape(), parse_tuple("(4,8)"));
  for (int i = 0; i < 32; ++i) {
    std::int64_t const x = 5 + 8 * (i % 4) + i / 4;
    EXPECT_EQ(c(i), x ^ (x >> 3 & 3));
    EXPECT_EQ(c(std::int64_t{i}), c(i));
  }
  EXPECT_EQ(c(parse_tuple("(1,2)")), c(9));
}

TEST(AnyComposedLayout, ATilerComposesWithTheLayout) {
  AnyComposedLayout const c = composition(AnySwizzle(1, 0, 2), parse_layout("(4,4):(4,1)"));
  EXPECT_EQ(c.offset, 0);
  AnyComposedLayout const tile = composition(c, parse_tiler("(2:2,2:1)"));
  EXPECT_EQ(tile.swizzle, c.swizzle);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) EXPECT_EQ(tile(i + 2 * j), c(2 * i + 4 * j));
  }
  EXPECT_FALSE(tile == c);
}

}  // namespace
