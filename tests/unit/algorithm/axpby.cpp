// SPDX-License-Identifier: Apache-2.0
// axpby: y = alpha x + beta y, by element; y is not read where beta is zero, nor written where a predicate fails.
#include <gtest/gtest.h>
#include <cosmati/algorithm/axpby.hpp>
#include <cosmati/algorithm/fill.hpp>

#include "sim/message.hpp"
#include "unit/values_of.hpp"

#include <limits>

using namespace cosmati;

namespace {

TEST(Axpby, WithAndWithoutBeta) {
  auto x = make_tensor<float>(Layout<_4>{});
  auto y = make_tensor<float>(Layout<_4>{});
  for (int i = 0; i < 4; ++i) x(i) = static_cast<float>(i), y(i) = 10;
  axpby(2.f, x, 3.f, y);
  EXPECT_EQ(values_of(y), (std::vector<float>{30, 32, 34, 36}));
  fill(y, std::numeric_limits<float>::quiet_NaN());
  axpby(2, x, 0, y);  // y is not read
  EXPECT_EQ(values_of(y), (std::vector<float>{0, 2, 4, 6}));
  fill(y, std::numeric_limits<float>::quiet_NaN());
  axpby(1, x, _0{}, y);
  EXPECT_EQ(values_of(y), (std::vector<float>{0, 1, 2, 3}));
}

TEST(Axpby, WherePredicatesHold) {
  auto x = make_tensor<double>(Layout<_4>{});
  auto y = make_tensor<double>(Layout<_4>{});
  auto p = make_tensor<bool>(Layout<_4>{});
  fill(x, 1);
  fill(y, 10);
  for (int i = 0; i < 4; ++i) p(i) = i % 2 == 0;
  axpby(1.0, x, 1.0, y, p);
  EXPECT_EQ(values_of(y), (std::vector<float>{11, 10, 11, 10}));
  axpby(1.0, x, 1.0, y, [](int i) { return i == 1; });
  EXPECT_EQ(values_of(y), (std::vector<float>{11, 11, 11, 10}));
}

TEST(Axpby, PredicatesHoldWithoutBetaToo) {
  auto x = make_tensor<float>(Layout<_3>{});
  auto y = make_tensor<float>(Layout<_3>{});
  fill(x, 2);
  fill(y, 7);
  axpby(3.f, x, 0.f, y, [](int i) { return i != 1; });
  EXPECT_EQ(values_of(y), (std::vector<float>{6, 7, 6}));
}

TEST(Axpby, ByCoordinatesAndInHalves) {
  float a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {};
  axpby(1, make_tensor(&a[0], Layout<Shape<_2, _3>>{}), 0, make_tensor(&b[0], Layout<Shape<_2, _3>, Stride<_3, _1>>{}));
  EXPECT_EQ(std::vector<float>(b, b + 6), (std::vector<float>{1, 3, 5, 2, 4, 6}));
  auto h = make_tensor<half_t>(Layout<_2>{});
  fill(h, 0.5f);
  axpby(2.f, h, 4.f, h);  // in floats, rounded once
  EXPECT_EQ(values_of(h), (std::vector<float>{3, 3}));
}

TEST(Axpby, DifferentSizesAreAnError) {
  float data[8] = {};
  int const n = 4;
  auto const four = make_tensor(&data[0], make_shape(n));
  auto const eight = make_tensor(&data[0], make_shape(2 * n));
  EXPECT_MESSAGE(axpby(1, four, 1, eight), "the tensors have 4 and 8 elements");
}

}  // namespace
