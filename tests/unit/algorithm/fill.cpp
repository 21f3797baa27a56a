// SPDX-License-Identifier: Apache-2.0
// fill: every element and no other, of any layout and type; the value is converted once.
#include <gtest/gtest.h>
#include <cosmati/algorithm/fill.hpp>

#include "unit/values_of.hpp"

using namespace cosmati;

namespace {

TEST(Fill, EveryElementAndNoOther) {
  float data[12] = {};
  fill(make_tensor(&data[0], Layout<Shape<_2, _3>, Stride<_1, _4>>{}), 3);
  EXPECT_EQ(std::vector<float>(data, data + 12), (std::vector<float>{3, 3, 0, 0, 3, 3, 0, 0, 3, 3, 0, 0}));
  int const n = 2;
  fill(make_tensor(make_gmem_ptr(&data[0]), make_shape(n)), 5.0);
  EXPECT_EQ(data[0], 5);
  EXPECT_EQ(data[2], 0);
  fill(make_tensor(&data[0], make_shape(0)), 9);
  EXPECT_EQ(data[0], 5);
}

TEST(Fill, PackedAndSmallTypes) {
  auto nibbles = make_tensor<uint4_t>(Layout<Shape<_5>>{});
  fill(nibbles, 9);
  EXPECT_EQ(values_of(nibbles), std::vector<float>(5, 9));
  auto halves = make_tensor<half_t>(Layout<Shape<_3, _3>>{});
  fill(halves, 1.5f);
  EXPECT_EQ(values_of(halves), std::vector<float>(9, 1.5f));
}

/// Counts how often it becomes an int.
struct counted {
  int* conversions;
  explicit operator int() const { return ++*conversions, 7; }
};
TEST(Fill, ConvertsTheValueOnce) {
  int conversions = 0;
  auto t = make_tensor<int>(Layout<Shape<_4, _5>>{});
  fill(t, counted{&conversions});
  EXPECT_EQ(conversions, 1);
  EXPECT_EQ(values_of(t), std::vector<float>(20, 7));
}

// A nibble beside the tensor's last stays as it is.
TEST(Fill, LeavesTheRestOfAByteAlone) {
  unsigned char bytes[2] = {0xff, 0xff};
  fill(make_tensor(subbyte_iterator<uint4_t>(&bytes[0]), Layout<_3>{}), 0);
  EXPECT_EQ(bytes[0], 0);
  EXPECT_EQ(bytes[1], 0xf0);
}

constexpr int filled_while_compiling() {
  auto t = make_tensor<int>(Layout<Shape<_2, _2>>{});
  fill(t, 21);
  return t(0) + t(3);
}
static_assert(filled_while_compiling() == 42);

}  // namespace
