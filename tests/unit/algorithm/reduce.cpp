// SPDX-License-Identifier: Apache-2.0
#include <cosmati/algorithm/reduce.hpp>

#include <gtest/gtest.h>

namespace cosmati {
namespace {

TEST(TransformReduce, OfOneAndOfTwoTensors) {
  float a[6] = {1, -2, 3, -4, 5, -6}, b[6] = {1, 2, 3, 4, 5, 6};
  auto const ta = make_tensor(&a[0], Layout<Shape<_2, _3>>{}), tb = make_tensor(&b[0], Layout<Shape<_2, _3>>{});
  EXPECT_EQ(transform_reduce(ta, 0.f, max_fn{}, [](float x) { return x * x; }), 36.f);
  EXPECT_EQ(transform_reduce(ta, 10.f, plus{}, [](float x) { return x < 0 ? -x : x; }), 31.f);
  EXPECT_EQ(transform_reduce(ta, tb, 0.f), 1.f - 4 + 9 - 16 + 25 - 36);
  EXPECT_EQ(transform_reduce(ta, tb, 0.f, plus{}, minus{}), -24.f);  // of 1 - 1, -2 - 2, ...
  // By coordinates, not by addresses: rows beside columns.
  auto const turned = make_tensor(&b[0], Layout<Shape<_2, _3>, Stride<_3, _1>>{});
  EXPECT_EQ(transform_reduce(ta, turned, 0.f), 1.f * 1 - 2 * 4 + 3 * 2 - 4 * 5 + 5 * 3 - 6 * 6);
}

}  // namespace
}  // namespace cosmati
