// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/array.hpp>

#include <gtest/gtest.h>

#include <cosmati/core/tuple/elements.hpp>
#include <cosmati/core/tuple/flatten.hpp>
#include <cosmati/core/tuple/fold.hpp>
#include <cosmati/core/tuple/transform.hpp>
#include <utility>

namespace {

using namespace cosmati;

TEST(array, is_an_aggregate_like_the_standard_one) {
  constexpr array<int, 3> a{1, 2, 3};
  static_assert(a[1] == 2 && a.front() == 1 && a.back() == 3 && a.size() == 3 && !a.empty() && sizeof a == 12);
  static_assert(a == array<int, 3>{1, 2, 3} && a != array<int, 3>{1, 2, 4});
  static_assert(std::is_trivial_v<array<float, 4>> && std::is_same_v<array<int const, 2>::value_type, int>);
  int sum = 0;
  for (int const x : a) sum += x;
  EXPECT_EQ(sum, 6);
  EXPECT_EQ(a.end() - a.begin(), 3);
  EXPECT_EQ(a.data(), &a[0]);
}

TEST(array, fill_clear_reverse) {
  array<int, 3> a{1, 2, 3};
  EXPECT_TRUE(reverse(a) == (array<int, 3>{3, 2, 1}));
  fill(a, 7);
  EXPECT_TRUE(a == (array<int, 3>{7, 7, 7}));
  clear(a);
  EXPECT_TRUE(a == (array<int, 3>{}));
}

TEST(array, of_no_elements) {
  array<int, 0> a{};
  EXPECT_TRUE(a.empty());
  EXPECT_EQ(a.begin(), a.end());
  fill(a, 1);
  clear(a);
  EXPECT_TRUE(reverse(a) == a);
}

TEST(array, is_a_tuple) {
  static_assert(tuple_size_v<array<int, 3>> == 3 && is_tuple_v<array<int, 3>>);
  static_assert(std::is_same_v<tuple_element_t<2, array<int, 3>>, int>);
  array<int, 2> a{4, 5};
  get<0>(a) = 6;
  auto [x, y] = a;
  EXPECT_EQ(x, 6);
  EXPECT_EQ(y, 5);
  EXPECT_TRUE(transform(a, [](int v) { return v + 1; }) == make_tuple(7, 6));
  EXPECT_TRUE(append(a, _1{}) == make_tuple(6, 5, 1));
}

}  // namespace
