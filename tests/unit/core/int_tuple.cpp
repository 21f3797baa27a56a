// SPDX-License-Identifier: Apache-2.0
// Tuples of static and run-time integers: which results are static.
#include <cosmati/core/int_tuple.hpp>

#include <gtest/gtest.h>

#include <type_traits>

using namespace cosmati;

namespace {
template <class T, class U>
constexpr bool same = std::is_same_v<std::remove_cvref_t<T>, U>;

TEST(int_tuple, is_an_aggregate_whose_static_members_take_no_space) {
  auto const t = make_tuple(_3{}, 5, make_tuple(_2{}, 7L));
  static_assert(std::is_empty_v<decltype(make_tuple(_3{}, make_tuple(_4{}, _5{})))>);
  static_assert(sizeof(make_tuple(_3{}, _3{}, make_tuple(_3{}))) == 1 &&
                sizeof(make_tuple(_3{}, 5, _7{})) == sizeof(int));
  auto const [a, b, c] = t;
  static_assert(same<decltype(a), _3>);
  EXPECT_EQ(b, 5);
  EXPECT_EQ(get<1>(c), 7);
  EXPECT_TRUE(t == make_tuple(3, _5{}, make_tuple(2, _7{})));
  EXPECT_FALSE(t == make_tuple(3, _5{}, make_tuple(2, _8{})));
}
TEST(int_tuple, results_are_static_where_their_operands_are) {
  int const m = 6;
  auto const t = make_tuple(_4{}, make_tuple(m, _5{}));
  static_assert(same<decltype(rank(t)), _2> && same<decltype(depth(t)), _2> && same<decltype(size<0>(t)), _4>);
  EXPECT_EQ(size(t), 120);
  EXPECT_EQ(product(t), 120);
  static_assert(same<decltype(size(tuple<_4, tuple<_6, _5>>{})), Int<120>>);
  auto const div = ceil_div(make_tuple(_9{}, m), make_tuple(_4{}, _4{}));
  static_assert(same<decltype(get<0>(div)), _3>);
  EXPECT_EQ(get<1>(div), 2);
  EXPECT_TRUE(round_up(make_tuple(_9{}, m), make_tuple(_4{}, _4{})) == make_tuple(12, 8));
  EXPECT_TRUE(shape_div(make_tuple(_12{}, m), make_tuple(_4{}, 3)) == make_tuple(3, 2));
}
TEST(int_tuple, orders) {
  int const n = 3;
  EXPECT_TRUE(elem_less(make_tuple(_2{}, make_tuple(n, 0)), make_tuple(_3{}, make_tuple(_4{}, 1))));
  EXPECT_FALSE(elem_less(make_tuple(_2{}, make_tuple(n, 0)), make_tuple(_3{}, make_tuple(_3{}, 1))));
  EXPECT_TRUE(lex_less(make_tuple(n, _9{}), make_tuple(_4{}, 0)) &&
              !colex_less(make_tuple(n, _9{}), make_tuple(_4{}, 0)));
  EXPECT_TRUE(colex_leq(make_tuple(n, 1), make_tuple(_3{}, _1{})) &&
              !lex_gtr(make_tuple(n, 1), make_tuple(_3{}, _1{})));
}
}  // namespace
