// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/arithmetic_tuple.hpp>

#include <gtest/gtest.h>

#include <utility>

namespace {

using namespace cosmati;

template <class T, class U>
constexpr bool same(T const&, U const&) {
  return std::is_same_v<T, U>;
}

TEST(arithmetic_tuple, is_a_tuple) {
  static_assert(tuple_size_v<ArithmeticTuple<int, _2>> == 2 && is_tuple_v<ArithmeticTuple<int, _2>>);
  static_assert(std::is_same_v<tuple_element_t<1, ArithmeticTuple<int, _2>>, _2>);
  static_assert(std::is_empty_v<ArithmeticTuple<_1, _2>> && sizeof(ArithmeticTuple<int, _0, int>) == 2 * sizeof(int));
  static_assert(sizeof(tuple<_0, ArithmeticTuple<int, _0>>) == sizeof(int));
  static_assert(same(ArithmeticTuple(1, _2{}), make_arithmetic_tuple(1, _2{})));
  static_assert(same(ArithmeticTuple(make_tuple(1, _2{})), make_arithmetic_tuple(1, _2{})));
  static_assert(std::is_trivially_copyable_v<ArithmeticTuple<int, _2>>);
  auto [a, b] = make_arithmetic_tuple(5, _2{});
  EXPECT_EQ(a, 5);
  EXPECT_EQ(b, 2);
  ArithmeticTuple<int, int> const zero{};
  EXPECT_TRUE(zero == make_tuple(0, 0));
}

TEST(arithmetic_tuple, adds_elementwise_and_pads_with_static_zeros) {
  static_assert(same(ArithmeticTuple(_1{}, _2{}) + ArithmeticTuple(_3{}), ArithmeticTuple(_4{}, _2{})));
  static_assert(same(ArithmeticTuple(_1{}) - ArithmeticTuple(_3{}, _2{}), ArithmeticTuple(_m2{}, _m2{})));
  static_assert(same(-ArithmeticTuple(_1{}, _2{}), ArithmeticTuple(_m1{}, _m2{})));
  static_assert(same(ArithmeticTuple(_1{}, _2{}) * _3{}, ArithmeticTuple(_3{}, _6{})));
  static_assert(ArithmeticTuple(1, 2) + make_tuple(3, 4) == ArithmeticTuple(4, 6));
  static_assert(make_tuple(3, 4) - ArithmeticTuple(1, 2) == ArithmeticTuple(2, 2));
  static_assert(same(ArithmeticTuple(_1{}) + _0{}, ArithmeticTuple(_1{})));
  static_assert(same(_0{} + ArithmeticTuple(_1{}), ArithmeticTuple(_1{})) &&
                _0{} - ArithmeticTuple(3) == ArithmeticTuple(-3));
  auto const nested = ArithmeticTuple(1, ArithmeticTuple(2, 3)) + make_tuple(10, make_tuple(20, 30), 40);
  EXPECT_TRUE(nested == make_tuple(11, make_tuple(22, 33), 40));
  EXPECT_TRUE(3 * ArithmeticTuple(1, ArithmeticTuple(2, 3)) == make_tuple(3, make_tuple(6, 9)));
}

TEST(arithmetic_tuple, is_equal_up_to_trailing_zeros) {
  static_assert(same(ArithmeticTuple(_1{}, _2{}) == ArithmeticTuple(_1{}, _2{}, _0{}), true_type{}));
  static_assert(same(ArithmeticTuple(_1{}) == ArithmeticTuple(_2{}), false_type{}));
  EXPECT_TRUE(ArithmeticTuple(1, 2) == make_tuple(1, 2));
  EXPECT_FALSE(ArithmeticTuple(1, 2) == make_tuple(1, 3));
  EXPECT_TRUE(ArithmeticTuple(1, 2) != ArithmeticTuple(1, 3));
  EXPECT_FALSE(ArithmeticTuple(1, 2) != ArithmeticTuple(1, 2, 0));
  EXPECT_TRUE(make_tuple(1, 2) != ArithmeticTuple(1, 3));
}

TEST(arithmetic_tuple, sums_of_bases) {
  static_assert(same(E<0>{} * 3 + E<1>{} * 4, ArithmeticTuple(3, 4)));
  static_assert((E<0>{} * 3 + E<1>{} * 4) == ArithmeticTuple(3, 4));
  static_assert(same(E<1>{} * _3{} + E<0>{}, ArithmeticTuple(_1{}, _3{})));
  static_assert(same(E<1, 0>{} + E<1, 1>{} * _5{}, ArithmeticTuple(_0{}, ArithmeticTuple(_1{}, _5{}))));
  static_assert(same(E<2>{} - E<0>{}, ArithmeticTuple(_m1{}, _0{}, _1{})));
  static_assert(same(E<2>{} + _0{}, E<2>{}) && same(_0{} + E<2>{}, E<2>{}));
  static_assert(same(ArithmeticTuple(_1{}) + E<1>{}, ArithmeticTuple(_1{}, _1{})));
  static_assert(same(E<1>{} + ArithmeticTuple(_1{}), ArithmeticTuple(_1{}, _1{})));
  static_assert(same(as_arithmetic_tuple(E<0, 2>{}), make_arithmetic_tuple(ArithmeticTuple(_0{}, _0{}, _1{}))));
  static_assert(same(as_arithmetic_tuple(tuple<_1, tuple<_2>>{}), ArithmeticTuple(_1{}, ArithmeticTuple(_2{}))));
  static_assert(as_arithmetic_tuple(4) == 4);
}

TEST(arithmetic_tuple, bases_of_a_shape) {
  auto const shape = make_tuple(make_tuple(1, 2), 3);
  static_assert(std::is_same_v<decltype(make_basis_like(shape)), tuple<tuple<E<0, 0>, E<0, 1>>, E<1>>>);
  static_assert(std::is_same_v<decltype(make_basis_like<4>(make_tuple(1, 2))), tuple<E<4, 0>, E<4, 1>>>);
  static_assert(same(make_basis_like(7), _1{}));
  EXPECT_EQ(basis_get(E<0, 1>{}, shape), 2);
  EXPECT_TRUE(basis_get(E<0>{}, shape) == make_tuple(1, 2));
  EXPECT_TRUE(basis_get(_1{}, shape) == shape);
  auto coord = shape;
  basis_get(E<0, 1>{}, coord) = 20;
  EXPECT_TRUE(coord == make_tuple(make_tuple(1, 20), 3));
}

TEST(arithmetic_tuple, functions_of_bases) {
  static_assert(same(safe_div(E<1>{} * _8{}, _2{}), E<1>{} * _4{}) && same(abs(E<1>{} * _m8{}), E<1>{} * _8{}));
  static_assert(same(ceil_div(E<1>{} * _7{}, _2{}), E<1>{} * _4{}) && ceil_div(E<1>{} * 7, 2) == E<1>{} * 4);
}

TEST(arithmetic_tuple, iterator) {
  auto const start = make_inttuple_iter(_0{}, 5);
  EXPECT_TRUE(*start == make_tuple(0, 5));
  EXPECT_TRUE(start[E<0>{} * 2] == make_tuple(2, 5));
  EXPECT_TRUE(*(start + make_tuple(3, 4)) == make_tuple(3, 9));
  static_assert(std::is_same_v<decltype(*(start + _0{})), ArithmeticTuple<_0, int>>);
  static_assert(std::is_empty_v<ArithmeticTupleIterator<ArithmeticTuple<_0, _0>>>);
  static_assert(same(make_inttuple_iter(tuple<_0, tuple<_1>>{}).coord_, ArithmeticTuple(_0{}, ArithmeticTuple(_1{}))));
}

}  // namespace
