// SPDX-License-Identifier: Apache-2.0
// Single elements and loops over them: the number that types tell, loads by value, stores that convert, equal sizes.
#include <gtest/gtest.h>
#include <cosmati/algorithm/element.hpp>

#include "sim/message.hpp"

#include <vector>

using namespace cosmati;

namespace {

template <class L, class T = float>
using view = decltype(make_tensor(std::declval<T*>(), std::declval<L>()));

static_assert(detail::elements_of<view<Layout<Shape<_3, _5>>>> == 15);
static_assert(detail::elements_of<view<Layout<Shape<_3, int>>>> == -1);
static_assert(detail::elements_of<view<Layout<Shape<Int<65536>, Int<65536>>>>> == std::int64_t{1} << 32);
static_assert(std::is_same_v<decltype(detail::elements_of<view<Layout<_4>>>), int const>, "an int if it is one");

static_assert(detail::is_one_access<decltype(make_tensor(make_gmem_ptr(std::declval<double*>()), Layout<_4>{}))>);
static_assert(!detail::is_one_access<decltype(make_tensor<float>(Layout<_4>{}))>, "registers");
struct three_floats {
  float x[3];
};
static_assert(!detail::is_one_access<decltype(make_tensor(make_gmem_ptr(std::declval<three_floats*>()), Layout<_4>{}))>,
              "96 bits are more than one access");

TEST(Element, LoadsByValueAndStoresConverted) {
  int data[4] = {1, 2, 3, 4};
  auto t = make_tensor(make_gmem_ptr(&data[0]), Layout<Shape<_2, _2>, Stride<_2, _1>>{});
  auto const second = detail::load_element(t, 1);
  static_assert(std::is_same_v<decltype(second), int const>);
  data[2] = 30;
  EXPECT_EQ(second, 3);
  detail::store_element(t, 1, 7.9);
  EXPECT_EQ(data[2], 7);
  auto const product = [](int a, int b) { return a * b; };
  detail::store_computed(t, 0, product, 6, 7);
  EXPECT_EQ(data[0], 42);
  auto nibbles = make_tensor<uint4_t>(Layout<_2>{});
  detail::store_element(nibbles, 1, 9);
  static_assert(std::is_same_v<decltype(detail::load_element(nibbles, 1)), uint4_t>, "no reference to half a byte");
  EXPECT_EQ(static_cast<int>(detail::load_element(nibbles, 1)), 9);
}

// Up to 256 elements unrolled, more in a loop, run-time sizes in another: each index once, in order.
template <class T>
void expect_each_index(T const& t, int n) {
  std::vector<int> seen;
  detail::for_each_index(t, [&](auto i) { seen.push_back(static_cast<int>(i)); });
  ASSERT_EQ(seen.size(), static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) EXPECT_EQ(seen[static_cast<std::size_t>(i)], i);
}
TEST(Element, EachIndexOnceInOrder) {
  char data[1];
  expect_each_index(make_tensor(&data[0], Layout<_1>{}), 1);
  expect_each_index(make_tensor(&data[0], Layout<Int<256>>{}), 256);
  expect_each_index(make_tensor(&data[0], Layout<Int<257>>{}), 257);
  for (int const n : {0, 1, 300}) expect_each_index(make_tensor(&data[0], make_shape(n, _2{})), 2 * n);
}

TEST(Element, AsManyElementsOrAnError) {
  float data[8];
  int const n = 3;
  auto const three = make_tensor(&data[0], make_shape(n)), six = make_tensor(&data[0], make_shape(2 * n));
  EXPECT_TRUE(detail::as_many_elements(six, make_tensor(&data[0], Layout<Shape<_2, _3>>{})));
  EXPECT_MESSAGE(detail::as_many_elements(three, make_tensor(&data[0], Layout<_4>{})),
                 "the tensors have 3 and 4 elements; slice one of them");
}
static_assert(detail::tensors_have_different_sizes<4, 4>::ok && detail::tensor_is_read_only<float>::ok);

}  // namespace
