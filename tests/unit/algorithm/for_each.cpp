// SPDX-License-Identifier: Apache-2.0
// for_each: calls the function with every element in the order of its index, by reference where it can be written.
#include <gtest/gtest.h>
#include <cosmati/algorithm/for_each.hpp>

#include <vector>

using namespace cosmati;

namespace {

TEST(ForEach, ReachesEveryElement) {
  auto t = make_tensor<uint4_t>(Layout<Shape<_3, _5>>{});
  int next = 0;
  for_each(t, [&](auto&& x) { x = static_cast<uint4_t>(next++ % 16); });
  int sum = 0;
  for_each(t, [&](auto const& x) { sum += static_cast<int>(static_cast<uint4_t>(x)); });
  EXPECT_EQ(sum, 105);
}

TEST(ForEach, InColexicographicOrder) {
  int data[6] = {0, 1, 2, 3, 4, 5};
  std::vector<int> seen;
  for_each(make_tensor(&data[0], Layout<Shape<_2, _3>, Stride<_3, _1>>{}), [&](int& x) { seen.push_back(x), x = -x; });
  EXPECT_EQ(seen, (std::vector<int>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(data[5], -5) << "by reference";
}

TEST(ForEach, OfRunTimeSizesAndOfNone) {
  int data[300] = {};
  for (int const n : {0, 1, 300}) {
    int calls = 0;
    for_each(make_tensor(static_cast<int const*>(&data[0]), make_shape(n)), [&](int const&) { ++calls; });
    EXPECT_EQ(calls, n);
  }
}

TEST(ForEach, AFunctionObjectKeepsItsState) {
  struct counter {
    int calls = 0;
    void operator()(int) { ++calls; }
  } count;
  for_each(make_tensor<int>(Layout<Int<257>>{}), count);
  EXPECT_EQ(count.calls, 257);
}

}  // namespace
