// SPDX-License-Identifier: Apache-2.0
// clear: every element becomes its type's zero, whatever it held.
#include <gtest/gtest.h>
#include <cosmati/algorithm/clear.hpp>

#include "unit/values_of.hpp"

#include <cmath>
#include <limits>

using namespace cosmati;

namespace {

TEST(Clear, PackedAndSmallTypes) {
  auto nibbles = make_tensor<uint4_t>(Layout<Shape<_5>>{});
  fill(nibbles, 9);
  clear(nibbles);
  EXPECT_EQ(values_of(nibbles), std::vector<float>(5, 0));
  auto halves = make_tensor<half_t>(Layout<Shape<_3, _3>>{});
  fill(halves, 1.5f);
  clear(halves(_, 1));
  EXPECT_EQ(values_of(halves), (std::vector<float>{1.5f, 1.5f, 1.5f, 0, 0, 0, 1.5f, 1.5f, 1.5f}));
}

TEST(Clear, NotANumberAndNegativeZeroBecomePositiveZero) {
  float data[3] = {std::numeric_limits<float>::quiet_NaN(), -0.f, std::numeric_limits<float>::infinity()};
  int const n = 3;
  clear(make_tensor(&data[0], make_shape(n)));
  for (float const x : data) {
    EXPECT_EQ(x, 0.f);
    EXPECT_FALSE(std::signbit(x));
  }
}

TEST(Clear, OfStructuresTheirOwnInitialValues) {
  struct pair {
    int a = 0, b = 4;
    bool operator==(pair const&) const = default;
  };
  pair data[2] = {{1, 2}, {3, 5}};
  clear(make_tensor(&data[0], Layout<_2>{}));
  EXPECT_EQ(data[0], pair{});
  EXPECT_EQ(data[1], pair{});
}

}  // namespace
