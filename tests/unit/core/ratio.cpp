// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/ratio.hpp>

#include <gtest/gtest.h>

#include <cosmati/core/sizeof_bits.hpp>

namespace {

using namespace cosmati;

template <class T, class U>
constexpr bool same(T const&, U const&) {
  return std::is_same_v<T, U>;
}

TEST(ratio, is_reduced_and_whole_ones_are_integers) {
  static_assert(R<6, -4>::num == -3 && R<6, -4>::den == 2 && R<0, -5>::num == 0 && R<0, -5>::den == 1);
  static_assert(same(ratio(_6{}, _4{}), R<3, 2>{}) && same(ratio(_8{}, _4{}), _2{}) && same(ratio(_0{}, _4{}), _0{}));
  static_assert(same(ratio(_3{}, R<3, 2>{}), _2{}) && same(ratio(R<3, 2>{}, _3{}), R<1, 2>{}));
  static_assert(same(ratio(R<1, 2>{}, R<3, 4>{}), R<2, 3>{}));
  static_assert(is_ratio<R<1, 2>>::value && !is_ratio<_1>::value);
}

TEST(ratio, of_traits_is_kept_as_it_is) {
  static_assert(same(nratio(_8{}, _4{}), R<8, 4>{}) && same(nratio(_2{}, R<1, 3>{}), R<6, 1>{}));
  static_assert(same(nratio(R<1, 3>{}, _2{}), R<1, 6>{}) && same(nratio(R<1, 2>{}, R<3, 4>{}), R<4, 6>{}));
  static_assert(same(trait_ratio(sizeof_bits<float>{}, sizeof_bits<char>{}), R<32, 8>{}));
  static_assert(decltype(trait_ratio(sizeof_bits<char>{}, sizeof_bits<double>{}))::den == 8);
}

TEST(ratio, arithmetic) {
  static_assert(same(R<2, 3>{} * R<3, 4>{}, R<1, 2>{}) && same(R<2, 3>{} * _6{}, _4{}) && same(_6{} * R<2, 3>{}, _4{}));
  static_assert(same(_6{} / R<2, 3>{}, _9{}) && same(R<2, 3>{} / R<4, 3>{}, R<1, 2>{}) &&
                same(R<4, 3>{} / _2{}, R<2, 3>{}));
  static_assert(same(R<1, 2>{} + R<1, 3>{}, R<5, 6>{}) && same(R<1, 2>{} + _1{}, R<3, 2>{}) &&
                same(_1{} + R<1, 2>{}, R<3, 2>{}));
  int n = 10;
  EXPECT_EQ(n * (R<1, 3>{}), 3);
  EXPECT_EQ((R<2, 3>{}) * n, 6);
  EXPECT_EQ(n / (R<2, 3>{}), 15);
}

TEST(ratio, comparison_and_functions) {
  static_assert(R<2, 4>{} == R<1, 2>{} && !(R<1, 2>{} == R<1, 3>{}) && R<4, 2>{} == _2{} && _2{} == R<4, 2>{});
  static_assert(R<1, 3>{} < R<1, 2>{} && R<3, 2>{} < _2{} && _1{} < R<3, 2>{} && !(R<1, 2>{} < R<2, 4>{}));
  static_assert(same(gcd(R<1, 2>{}, R<1, 3>{}), R<1, 6>{}) && same(gcd(R<3, 2>{}, _6{}), R<3, 2>{}));
  static_assert(same(gcd(_6{}, R<3, 2>{}), R<3, 2>{}) && same(abs(R<-1, 2>{}), R<1, 2>{}));
  static_assert(log_2(R<8, 2>{}) == 2 && log_2(R<1, 8>{}) == -3);
}

}  // namespace
