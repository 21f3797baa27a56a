// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/basis.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {

TEST(ScaledBasis, MultipliesItsFactor) {
  auto const three = E<1>{} * 3;
  static_assert(std::is_same_v<std::remove_const_t<decltype(three)>, ScaledBasis<int, 1>>);
  EXPECT_EQ(three.value(), 3);
  EXPECT_EQ((2 * three).value(), 6);
  static_assert(decltype((E<0>{} * _4{}).value()){} == 4 && decltype(E<2, 1>{}.mode()){} == 2);
  static_assert(std::is_same_v<E<>, _1>);
}
TEST(ScaledBasis, IsTold) {
  static_assert(scaled_basis<E<0>> && is_scaled_basis<ScaledBasis<int, 0, 1>>::value && !scaled_basis<_1> &&
                !scaled_basis<int>);
  static_assert(detail::basis_code<0>() == 1 && detail::basis_code<2, 1>() == 0x23);
}

}  // namespace
