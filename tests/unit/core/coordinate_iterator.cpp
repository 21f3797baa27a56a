// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/coordinate_iterator.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace cosmati;

template <class Iterator>
constexpr int count(Iterator const& range) {
  int n = 0;
  for ([[maybe_unused]] auto coord : range) ++n;
  return n;
}

TEST(coordinate_iterator, goes_colexicographically_through_nested_shapes) {
  auto const shape = make_tuple(2, make_tuple(_3{}, 4));
  int n = 0;
  for (auto const coord : make_coord_iterator(shape)) {
    static_assert(std::is_same_v<decltype(coord), tuple<int, tuple<int, int>> const>);
    ASSERT_TRUE(coord == make_tuple(n % 2, make_tuple(n / 2 % 3, n / 6)));
    ++n;
  }
  EXPECT_EQ(n, 24);
}

TEST(coordinate_iterator, works_in_constants_and_with_a_sentinel) {
  static_assert(count(make_coord_iterator(tuple<_2, tuple<_1, _3>>{})) == 6);
  static_assert(count(make_coord_iterator(5)) == 5 && count(make_coord_iterator(_1{})) == 1);
  int n = 0;
  for (auto it = make_coord_iterator(make_tuple(3, 3)); it != ForwardCoordIteratorSentinel{}; it++) ++n;
  EXPECT_EQ(n, 9);
}

TEST(coordinate_iterator, of_an_empty_domain_gives_nothing) {
  static_assert(count(make_coord_iterator(make_tuple(2, 0))) == 0);
  static_assert(count(make_coord_iterator(make_tuple(0, 2))) == 0);
  static_assert(count(make_coord_iterator(tuple<_3, tuple<_0, _2>>{})) == 0);
}

TEST(coordinate_iterator, starts_where_it_is_told) {
  auto it = make_coord_iterator(make_tuple(1, 1), make_tuple(2, 3));
  EXPECT_TRUE(*it == make_tuple(1, 1));
  EXPECT_TRUE(*++it == make_tuple(0, 2));
  EXPECT_EQ(count(it), 2);
  EXPECT_TRUE(it == make_coord_iterator(make_tuple(0, 2), make_tuple(2, 3)));
  EXPECT_TRUE(it != make_coord_iterator(make_tuple(2, 3)));
}

TEST(coordinate_iterator, takes_the_modes_in_the_order_given) {
  std::vector<int> seen;
  for (auto c : make_coord_iterator<tuple<_1, _0>>(make_tuple(2, 3))) seen.push_back(10 * get<0>(c) + get<1>(c));
  EXPECT_EQ(seen, (std::vector{0, 1, 2, 10, 11, 12}));
  seen.clear();
  for (auto c : make_coord_iterator<tuple<_2, tuple<_0, _1>>>(make_tuple(2, make_tuple(2, 2)))) {
    seen.push_back(100 * get<0>(c) + 10 * get<0>(get<1>(c)) + get<1>(get<1>(c)));
  }
  EXPECT_EQ(seen, (std::vector{0, 10, 1, 11, 100, 110, 101, 111}));
}

TEST(coordinate_iterator, is_wide_when_an_extent_is) {
  auto const it = make_coord_iterator(make_tuple(std::int64_t{3} << 40, 2));
  static_assert(std::is_same_v<decltype(*it), tuple<std::int64_t, std::int64_t>>);
  EXPECT_TRUE(*it == make_tuple(0, 0));
}

TEST(coordinate_iterator, increment_in_place) {
  auto const shape = make_tuple(1, 2, make_tuple(2, _3{}), 3);
  auto coord = make_tuple(0, 0, make_tuple(0, 0), 0);
  for (auto const expected : make_coord_iterator(shape)) {
    ASSERT_TRUE(coord == expected);
    increment(coord, shape);
  }
  EXPECT_TRUE(coord == make_tuple(0, 0, make_tuple(0, 0), 3));
}

}  // namespace
