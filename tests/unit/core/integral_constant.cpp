// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/integral_constant.hpp>

#include <gtest/gtest.h>

#include <type_traits>

using namespace cosmati;

namespace {
template <class T, class U>
constexpr bool same = std::is_same_v<std::remove_cvref_t<T>, U>;

TEST(integral_constant, names_and_literals_are_one_type) {
  static_assert(same<decltype(32_c), Int<32>> && same<decltype(_32{}), C<32>> && same<Int<7>, C<7>>);
  static_assert(same<decltype(-5_c), Int<-5>> && same<_m1, C<-1>> && same<decltype(1'000_c), Int<1000>>);
  static_assert(same<decltype(3000000000_c)::value_type, std::int64_t> && 3000000000_c == 3000000000);
  static_assert(std::is_empty_v<_128> && same<_1::value_type, int>);
}
TEST(integral_constant, arithmetic_stays_static) {
  static_assert(same<decltype(_6{} + _4{}), _10> && same<decltype(_6{} - _8{}), Int<-2>>);
  static_assert(same<decltype(_6{} * _4{}), Int<24>> && same<decltype(_7{} / _2{}), _3> &&
                same<decltype(_7{} % _4{}), _3>);
  static_assert(same<decltype(_1{} << _5{}), _32> && same<decltype(_64{} >> _4{}), _4>);
  static_assert(same<decltype(_6{} & _3{}), _2> && same<decltype(_6{} | _3{}), _7> && same<decltype(_6{} ^ _3{}), _5>);
  static_assert(same<decltype(~_0{}), Int<-1>> && same<decltype(-_4{}), Int<-4>> && same<decltype(!_4{}), C<false>>);
  static_assert(decltype(_4{} < _5{})::value && !decltype(_4{} == _5{})::value && decltype(_4{} != _5{})::value);
  static_assert(decltype(_4{} >= _4{})::value && decltype(_5{} > _4{})::value && decltype(_4{} <= _5{})::value);
  static_assert(decltype(C<true>{} && _2{})::value && decltype(C<false>{} || _1{})::value);
}
TEST(integral_constant, with_a_run_time_integer_is_a_run_time_integer) {
  int const n = 5;
  static_assert(same<decltype(_4{} * n), int> && same<decltype(n - _4{}), int>);
  EXPECT_EQ(_4{} * n + _2{}, 22);
  EXPECT_TRUE(n == _5{} && _4{} < n);
  // A result that a run-time integer cannot change is static.
  static_assert(same<decltype(_0{} * n), _0> && same<decltype(n * _0{}), _0> && same<decltype(_0{} / n), _0>);
}
TEST(integral_constant, questions) {
  static_assert(is_static_v<_4> && !is_static_v<int> && is_constant<4, _4>::value && !is_constant<3, _4>::value);
  static_assert(is_integral<_4>::value && is_integral<int>::value && !is_integral<float>::value);
}
}  // namespace
