// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/product.hpp>

#include <gtest/gtest.h>

#include <cosmati/core/tuple/transform.hpp>
#include <cstdint>

using namespace cosmati;

namespace {

TEST(Product, OfStaticAndRunTimeIntegers) {
  static_assert(decltype(product(make_tuple(C<2>{}, make_tuple(C<3>{}, C<5>{}))))::value == 30);
  EXPECT_EQ(product(make_tuple(2, make_tuple(C<3>{}, 5))), 30);
  EXPECT_EQ(product(7), 7);
  // 2^20 * 2^20: more than 32 bits
  EXPECT_EQ(product(make_tuple(1 << 20, 1 << 20)), std::int64_t{1} << 40);
}

TEST(Product, IsGivenToOtherFunctions) {
  EXPECT_EQ(transform(make_tuple(make_tuple(2, 3), 4), Product{}), make_tuple(6, 4));
  Product const of;
  EXPECT_EQ(of(make_tuple(2, 3)), 6);
  static_assert(sizeof(Product) == 1);
}

TEST(Product, GivesAStandInForAStandIn) {
  struct wrong : refused {};
  static_assert(refusal<decltype(product(wrong{}))>);
}

}  // namespace
