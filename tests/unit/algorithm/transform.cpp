// SPDX-License-Identifier: Apache-2.0
// transform: a function of every element, in place, into another tensor, of two tensors, and lazily.
#include <gtest/gtest.h>
#include <cosmati/algorithm/transform.hpp>
#include <cosmati/core/functional.hpp>

#include "sim/message.hpp"
#include "unit/values_of.hpp"

using namespace cosmati;

namespace {

TEST(Transform, InPlaceUnaryBinary) {
  auto a = make_tensor<int>(Layout<Shape<_2, _2>>{});
  auto b = make_tensor<float>(Layout<Shape<_2, _2>, Stride<_2, _1>>{});
  for (int i = 0; i < 4; ++i) a(i) = i;
  transform(a, [](int x) { return x * x; });
  EXPECT_EQ(values_of(a), (std::vector<float>{0, 1, 4, 9}));
  transform(a, b, [](int x) { return static_cast<float>(x) / 2; });
  EXPECT_EQ(values_of(b), (std::vector<float>{0, 0.5f, 2, 4.5f}));
  transform(a, b, b, plus{});
  EXPECT_EQ(values_of(b), (std::vector<float>{0, 1.5f, 6, 13.5f}));
  EXPECT_EQ(values_of(lazy::transform(a, [](int x) { return -x; })), (std::vector<float>{0, -1, -4, -9}));
}

TEST(Transform, LazyReadsWhenItIsAsked) {
  int data[2] = {1, 2};
  auto const twice = lazy::transform(make_tensor(&data[0], Layout<_2>{}), [](int x) { return 2 * x; });
  data[1] = 50;
  EXPECT_EQ(twice(1), 100);
}

TEST(Transform, OfEmptyTensorsCallsNothing) {
  int data[1] = {3};
  int calls = 0;
  int const n = 0;
  transform(make_tensor(&data[0], make_shape(n)), [&](int x) { return ++calls, x; });
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(data[0], 3);
}

TEST(Transform, DifferentSizesAreAnError) {
  float data[8] = {};
  int const n = 4;
  auto const four = make_tensor(&data[0], make_shape(n));
  auto const eight = make_tensor(&data[0], make_shape(2 * n));
  EXPECT_MESSAGE(transform(four, eight, negate{}), "the tensors have 4 and 8 elements");
  EXPECT_MESSAGE(transform(four, eight, four, plus{}), "the tensors have 8 and 4 elements");
}

}  // namespace
