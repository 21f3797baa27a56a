// SPDX-License-Identifier: Apache-2.0
// Empty members take no space, in any nesting of tuples, layouts and tensors.
#include <cosmati/core/arithmetic_tuple.hpp>
#include <cosmati/core/tuple.hpp>

#include <gtest/gtest.h>

#include <cstdint>

using namespace cosmati;

namespace {

TEST(Tuple, EmptyElementsTakeNoRoom) {
  static_assert(std::is_empty_v<tuple<>> && std::is_empty_v<tuple<_1, _2>>);
  static_assert(std::is_empty_v<tuple<tuple<_1>, tuple<_2, _3>>>);
  static_assert(sizeof(tuple<int, _2>) == 4);
  static_assert(sizeof(tuple<_2, int>) == 4);
  static_assert(sizeof(tuple<_2, int, _2>) == 4);
  static_assert(sizeof(tuple<tuple<int, _2>, _1>) == 4);
  static_assert(sizeof(tuple<tuple<tuple<_3, int>, _2>, _1, tuple<_1>>) == 4);
  static_assert(sizeof(tuple<tuple<_1, int>, tuple<_1, int>>) == 8);
  static_assert(sizeof(tuple<tuple<int, _1>, _1, tuple<int, _1>, _1>) == 8);
  static_assert(sizeof(tuple<_1, _1, _1, _1, _1, _1, _1, _1, _1, int>) == 4);
  static_assert(sizeof(tuple<std::int64_t, _1, tuple<_1, std::int64_t>>) == 16);
}

TEST(Tuple, EmptyMembersOfWhatIsNoTupleTakeNoRoomEither) {
  static_assert(sizeof(ScaledBasis<int, 0>) == 4 && std::is_empty_v<decltype(ScaledBasis<_2, 0>{}.value())>);
  static_assert(sizeof(tuple<ScaledBasis<int, 0>, _1>) == 4);
  static_assert(sizeof(tuple<ArithmeticTuple<int, _1>, _1>) == 4);
}

TEST(Tuple, HoldsWhatItWasMadeOf) {
  auto const t = make_tuple(1, _2{}, make_tuple(_3{}, 4), 5LL);
  EXPECT_EQ(get<0>(t), 1);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(get<1>(t))>, _2>);
  EXPECT_EQ(get<1>(get<2>(t)), 4);
  EXPECT_EQ(get<3>(t), 5);
  auto const [a, b, c, d] = t;
  EXPECT_EQ(a + b + get<1>(c) + d, 12);
}

}  // namespace
