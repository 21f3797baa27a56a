// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/functional.hpp>

#include <gtest/gtest.h>

#include <cosmati/number/complex.hpp>

namespace {

using namespace cosmati;

TEST(functional, keep_static_integers_static) {
  static_assert(std::is_same_v<decltype(plus{}(_3{}, _4{})), _7> && std::is_same_v<decltype(negate{}(_3{})), _m3>);
  static_assert(std::is_same_v<decltype(less{}(_3{}, _4{})), true_type>);
  static_assert(std::is_same_v<decltype(max_fn{}(_3{}, _4{})), _4> && std::is_same_v<decltype(min_fn{}(_3{}, 4)), int>);
  static_assert(std::is_same_v<decltype(abs_fn{}(_m3{})), _3>);
}

TEST(functional, are_the_operators) {
  static_assert(minus{}(7, 2) == 5 && multiplies{}(7, 2) == 14 && divides{}(7, 2) == 3 && modulus{}(7, 2) == 1);
  static_assert(bit_and{}(6, 3) == 2 && bit_or{}(6, 3) == 7 && bit_xor{}(6, 3) == 5 && bit_not{}(0) == -1);
  static_assert(left_shift{}(1, 4) == 16 && right_shift{}(16, 4) == 1 && shift_left_const<3>{}(1) == 8);
  static_assert(shift_right_const<3>{}(8) == 1 && logical_and{}(true, false) == false && logical_or{}(true, false));
  static_assert(equal_to{}(1, 1) && not_equal_to{}(1, 2) && less_equal{}(1, 1) && greater{}(2, 1) &&
                greater_equal{}(2, 2));
  static_assert(logical_not{}(false) && unary_plus{}(3) == 3 && max_fn{}(2.5f, 1.f) == 2.5f && min_fn{}(2, -3) == -3);
  static_assert(cast<int>{}(2.75) == 2 && constant_fn<int>{4}(1, "x") == 4 && bind(minus{}, 10)(3) == 7);
  int x = 5;
  plus_assign{}(x, 3);
  pre_increment{}(x);
  left_shift_assign{}(x, 1);
  EXPECT_EQ(x, 18);
  EXPECT_EQ(post_decrement{}(x), 18);
  EXPECT_EQ(x, 17);
  EXPECT_EQ(&identity{}(x), &x);
  EXPECT_EQ(&dereference{}(address_of{}(x)), &x);
}

TEST(functional, conjugate_of_a_real_number_is_itself) {
  static_assert(conjugate{}(2.5f) == 2.5f);
  EXPECT_EQ(conjugate{}(complex<float>(1, 2)), complex<float>(1, -2));
}

}  // namespace
