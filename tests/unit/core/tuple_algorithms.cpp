// SPDX-License-Identifier: Apache-2.0
#include <cosmati/core/tuple_algorithms.hpp>

#include <gtest/gtest.h>

namespace {

TEST(tuple_algorithms, are_all_there) {
  using namespace cosmati;
  auto const t = make_tuple(_3{}, make_tuple(_1{}, 2));
  auto const plus = [](auto a, auto b) { return a + b; };
  EXPECT_EQ(fold(flatten(append(t, _4{})), _0{}, plus), 10);
  EXPECT_EQ(apply(flatten(t), [](auto... x) { return (x * ...); }), 6);
}

}  // namespace
