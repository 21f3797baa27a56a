// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/tuple/transform.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace cosmati;

struct doubled {
  template <class T>
  constexpr auto operator()(T const& x) const {
    return x * _2{};
  }
};
struct times {
  template <class T, class U>
  constexpr auto operator()(T const& x, U const& y) const {
    return x * y;
  }
};

TEST(tuple_apply, apply_hands_over_the_elements) {
  static_assert(apply(make_tuple(1, _2{}, 3), [](int a, auto b, int c) { return a * 100 + b * 10 + c; }) == 123);
  static_assert(apply(5, [](int a) { return a + 1; }) == 6);
  static_assert(apply(tuple<>{}, [] { return 4; }) == 4);
}

TEST(tuple_apply, transform_keeps_what_is_static) {
  auto const t = transform(make_tuple(_3{}, 4), doubled{});
  static_assert(std::is_same_v<decltype(t), tuple<_6, int> const>);
  EXPECT_EQ(get<1>(t), 8);
  static_assert(std::is_same_v<decltype(transform(tuple<_2, _3>{}, tuple<_4, _5>{}, times{})), tuple<_8, C<15>>>);
  static_assert(transform(make_tuple(1, 2), make_tuple(3, 4), make_tuple(5, 6),
                          [](int a, int b, int c) { return a + b + c; }) == make_tuple(9, 12));
  static_assert(transform(_3{}, doubled{}) == _6{} && transform(2, 5, times{}) == 10);
  static_assert(std::is_same_v<decltype(transform(tuple<>{}, doubled{})), tuple<>>);
  static_assert(std::is_same_v<decltype(transform(seq<1, 2>{}, doubled{})), tuple<_2, _4>>);
}

TEST(tuple_apply, transform_apply_passes_the_results_on) {
  auto const sum = [](auto... x) { return (0 + ... + x); };
  static_assert(transform_apply(make_tuple(1, 2, 3), doubled{}, sum) == 12);
  static_assert(transform_apply(make_tuple(1, 2, 3), make_tuple(4, 5, 6), times{}, sum) == 32);
  static_assert(transform_apply(7, doubled{}, sum) == 14);
}

TEST(tuple_apply, for_each_goes_in_order_and_may_change_elements) {
  std::vector<int> seen;
  for_each(make_tuple(3, _1{}, 2), [&](int x) { seen.push_back(x); });
  for_each(9, [&](int x) { seen.push_back(x); });
  EXPECT_EQ(seen, (std::vector{3, 1, 2, 9}));
  auto t = make_tuple(1, 2);
  for_each(t, [](int& x) { x *= 10; });
  EXPECT_TRUE(t == make_tuple(10, 20));
}

TEST(tuple_apply, leaves) {
  std::vector<int> seen;
  auto t = make_tuple(1, make_tuple(_2{}, make_tuple(3)), tuple<>{}, 4);
  for_each_leaf(t, [&](int x) { seen.push_back(x); });
  EXPECT_EQ(seen, (std::vector{1, 2, 3, 4}));
  auto const r = transform_leaf(make_tuple(_1{}, make_tuple(_2{}, 3)), doubled{});
  static_assert(std::is_same_v<decltype(r), tuple<_2, tuple<_4, int>> const>);
  EXPECT_EQ(get<1>(get<1>(r)), 6);
  static_assert(std::is_same_v<decltype(transform_leaf(tuple<_2, tuple<_3>>{}, tuple<_4, tuple<_5>>{}, times{})),
                               tuple<_8, tuple<C<15>>>>);
}

TEST(tuple_apply, a_function_with_state_is_not_copied) {
  int calls = 0;
  auto count = [&calls, n = 0](auto const&) mutable { calls = ++n; };
  for_each(make_tuple(1, 2), count);
  for_each_leaf(make_tuple(1, make_tuple(2)), count);
  EXPECT_EQ(calls, 4);
}

TEST(tuple_apply, search) {
  constexpr tuple<_5, _7, _5> t;
  static_assert(std::is_same_v<decltype(find(t, _5{})), _0> && std::is_same_v<decltype(find(t, _7{})), _1>);
  static_assert(find(t, _9{}) == 3 && find(_4{}, _4{}) == 0 && find(_4{}, _5{}) == 1);
  static_assert(find_if(t, [](auto x) { return x > _5{}; }) == 1);
  static_assert(find(tuple<_1, tuple<_2, _3>>{}, tuple<_2, _3>{}) == 1);
}

TEST(tuple_apply, any_all_none) {
  auto const is_large = [](auto x) { return x > _5{}; };
  static_assert(std::is_same_v<decltype(any_of(tuple<_1, _7>{}, is_large)), true_type>);
  static_assert(std::is_same_v<decltype(all_of(tuple<_1, _7>{}, is_large)), false_type>);
  static_assert(std::is_same_v<decltype(none_of(tuple<_1, _2>{}, is_large)), true_type>);
  static_assert(!any_of(tuple<>{}, is_large) && all_of(tuple<>{}, is_large));
  static_assert(any_of(make_tuple(1, 9), is_large) && !all_of(make_tuple(1, 9), is_large) && any_of(8, is_large));
}

}  // namespace
