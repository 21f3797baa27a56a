// SPDX-License-Identifier: Apache-2.0
// Streams write the same text as `print`, which is CuTe's.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cosmati/layout/stream.hpp>

#include "unit/streamed.hpp"

using namespace cosmati;

namespace {
TEST(Stream, WritesCuTesText) {
  EXPECT_EQ(streamed(_8{}), "_8");
  EXPECT_EQ(streamed(Int<-3>{}), "_-3");
  EXPECT_EQ(streamed(make_tuple(_4{}, make_tuple(7, _))), "(_4,(7,_))");
  EXPECT_EQ(streamed(Layout<Shape<_4, _2>>{}), "(_4,_2):(_1,_4)");
  EXPECT_EQ(streamed(make_layout(make_shape(6, _2{}), make_stride(_1{}, 6))), "(6,_2):(_1,6)");
  EXPECT_EQ(streamed(Swizzle<3, 4, 3>{}), "Sw<3,4,3>");
  EXPECT_EQ(streamed(composition(Swizzle<1, 1, 2>{}, Layout<_8>{})), "Sw<1,1,2> o _0 o _8:_1");
  EXPECT_EQ(streamed(make_identity_layout(Shape<_4, _2>{})), "(_4,_2):(_1@0,_1@1)");
}
}  // namespace
