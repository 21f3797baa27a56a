// SPDX-License-Identifier: Apache-2.0
// Compact strides: each index below the size is the offset of exactly one coordinate, whichever mode runs fastest.
#include <gtest/gtest.h>
#include <cosmati/core/algebra/compact.hpp>

#include "property/algebra_text.hpp"
#include "sim/message.hpp"

#include <vector>

namespace algebra = cosmati::algebra;
using algebra_test::tuple;
using algebra_test::tuple_str;

namespace {

TEST(AlgebraCompact, Strides) {
  EXPECT_EQ(tuple_str(algebra::compact_col_major(tuple("(2,(1,4))"))), "(1,(0,2))");
  EXPECT_EQ(tuple_str(algebra::compact_row_major(tuple("(2,(1,4))"))), "(4,(0,1))");
  EXPECT_EQ(tuple_str(algebra::compact_col_major(tuple("((2,3),4)"), tuple("(1,100)"))), "((1,2),100)");
  EXPECT_EQ(tuple_str(algebra::compact_order(tuple("((2,3),4,5)"), tuple("(2,0,1)"))), "((20,40),1,4)");
  EXPECT_THROW(algebra::compact_order(tuple("(2,3)"), tuple("(1,2,3)")), cosmati::error);
}

TEST(AlgebraCompact, OfNothingAndOfOne) {
  EXPECT_EQ(tuple_str(algebra::compact_col_major(tuple("()"))), "()");
  EXPECT_EQ(tuple_str(algebra::compact_col_major(tuple("7"))), "1");
  EXPECT_EQ(tuple_str(algebra::compact_row_major(tuple("(1,(1,1))"))), "(0,(0,0))");
  EXPECT_EQ(tuple_str(algebra::compact_row_major(tuple("((2,3),4)"), tuple("(10,100)"))), "((30,10),100)");
}

/// The offsets of all coordinates, the first leaf running fastest.
std::vector<std::int64_t> offsets(cosmati::flat_tree<std::int64_t> const& shape,
                                  cosmati::flat_tree<std::int64_t> const& stride) {
  std::vector<std::int64_t> all{0};
  for (int leaf = 0; leaf < shape.leaves; ++leaf) {
    std::vector<std::int64_t> longer;
    for (std::int64_t c = 0; c < shape.shape[leaf]; ++c)
      for (std::int64_t const offset : all) longer.push_back(offset + c * stride.shape[leaf]);
    all = longer;
  }
  return all;
}

TEST(AlgebraCompact, EachIndexIsTheOffsetOfOneCoordinate) {
  for (char const* text : {"4", "(2,3)", "(1,5,1)", "((2,(3,1)),4)", "(3,(2,2),(1,5))"}) {
    auto const shape = tuple(text);
    std::vector<std::int64_t> const left = offsets(shape, algebra::compact_col_major(shape));
    for (std::size_t i = 0; i < left.size(); ++i) EXPECT_EQ(left[i], static_cast<std::int64_t>(i)) << text;
    std::vector<std::int64_t> right = offsets(shape, algebra::compact_row_major(shape));
    std::vector<bool> taken(right.size());
    for (std::int64_t const offset : right) {
      ASSERT_LT(offset, static_cast<std::int64_t>(taken.size())) << text;
      EXPECT_FALSE(taken[static_cast<std::size_t>(offset)]) << text;
      taken[static_cast<std::size_t>(offset)] = true;
    }
  }
  // Of row-major strides the last leaf of more than one element has 1.
  EXPECT_EQ(tuple_str(algebra::compact_row_major(tuple("(3,(2,2),(1,5))"))), "(20,(10,5),(0,1))");
}

TEST(AlgebraCompact, EqualOrdersBeginAlike) {
  EXPECT_EQ(tuple_str(algebra::compact_order(tuple("(2,3,4)"), tuple("(1,0,1)"))), "(3,1,3)");
  EXPECT_EQ(tuple_str(algebra::compact_order(tuple("(2,3,4)"), tuple("(-5,100,7)"))), "(1,8,2)");
}

TEST(AlgebraCompact, StridesBeyond64BitsAreNoted) {
  auto shape = tuple("(4294967296,4294967296,2)");
  EXPECT_FALSE(algebra::detail::compact_strides_fit(shape, algebra::major::left, shape.note));
  EXPECT_EQ(shape.note.why, cosmati::refusal_reason::stride_exceeds_64_bits);
  EXPECT_EQ(shape.note.first, std::int64_t{1} << 32);
  EXPECT_EQ(shape.note.second, std::int64_t{1} << 32);
  auto last = tuple("(4294967296,1073741824,4294967296)");  // 2^62 is a stride; the size would be 2^94
  EXPECT_TRUE(algebra::detail::compact_strides_fit(last, algebra::major::left, last.note));
  EXPECT_EQ(algebra::compact_col_major(last).shape[2], std::int64_t{1} << 62);
}

}  // namespace
