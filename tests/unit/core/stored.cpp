// SPDX-License-Identifier: Apache-2.0
// How members are stored: empty ones take no room, whatever class holds them and how often; padding stays the member's.
#include <gtest/gtest.h>
#include <cosmati/core/stored.hpp>
#include <cosmati/core/tuple.hpp>

using namespace cosmati;

namespace {

struct empty {};
struct padded {  // 4 bytes of padding behind `small`
  double large;
  int small;
};

static_assert(detail::holds_nothing<_3> && detail::holds_nothing<empty> && detail::holds_nothing<tuple<_1, tuple<>>>);
static_assert(!detail::holds_nothing<int> && !detail::holds_nothing<tuple<_1, tuple<int>>>);

// A tuple ends in padding where it holds numbers of two sizes; a class of the program's own might.
static_assert(detail::may_be_padded<padded> && detail::may_be_padded<tuple<int, std::int64_t>>);
static_assert(!detail::may_be_padded<tuple<int, _1, int>> && !detail::may_be_padded<std::int64_t>);
static_assert(!detail::may_be_padded<tuple<_1, tuple<>>>);

template <class T>
struct twice {
  [[no_unique_address]] detail::stored<twice, 0, T> a;
  [[no_unique_address]] detail::stored<twice, 1, T> b;
  [[no_unique_address]] detail::stored<twice, 2, char> behind;
};
static_assert(sizeof(twice<_4>) == 1 && sizeof(twice<empty>) == 1);
static_assert(sizeof(twice<tuple<_1, _2>>) == 1);
// What lies inside another owner has other types, so that equal members need no addresses of their own.
struct nests {
  [[no_unique_address]] detail::stored<nests, 0, twice<empty>> inner;
  [[no_unique_address]] detail::stored<nests, 1, empty> outer;
};
static_assert(sizeof(nests) <= 2);
static_assert(sizeof(twice<padded>) == 2 * sizeof(padded) + 8, "the char does not begin in the padding");

TEST(Stored, TakesItsInitialiser) {
  twice<int> const numbers{3, 4, 'c'};
  EXPECT_EQ(numbers.a, 3);
  EXPECT_EQ(numbers.b, 4);
  twice<_4> const nothing{_4{}, _4{}, 'c'};
  EXPECT_EQ(nothing.behind, 'c');
  twice<padded> const both{padded{1.5, 2}, padded{2.5, 3}, 'c'};
  EXPECT_EQ(both.b.value.small, 3);
}

TEST(Stored, ElementsBehindTheEighthAreATuple) {
  using many = detail::stored_elements<int, int, int, int, int, int, int, int, short, _1>;
  static_assert(sizeof(many) == 36);
  many const m{1, 2, 3, 4, 5, 6, 7, 8, {short{9}, _1{}}};
  EXPECT_EQ(m.m7, 8);
  EXPECT_EQ(get<0>(m.rest), 9);
}

}  // namespace
