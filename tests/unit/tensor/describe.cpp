// SPDX-License-Identifier: Apache-2.0
// Tensors and coordinates in words: texts that are cut, elements of any layout, and the mode that a coordinate leaves.
#include <gtest/gtest.h>
#include <cosmati/tensor/describe.hpp>
#include <cosmati/tensor/tensor.hpp>

using namespace cosmati;

namespace {

template <class T>
std::string words(T const& x) {
  char text[100];
  detail::text_sink s{text, sizeof text};
  detail::describe(s, x);
  return text;
}
TEST(Describe, CoordinatesAndLayouts) {
  EXPECT_EQ(words(make_coord(1, _2{}, make_coord(_, 3u))), "(1,2,(_,3))");
  EXPECT_EQ(words(make_tuple()), "()");
  EXPECT_EQ(words(Layout<Shape<_4, Shape<_2, _3>>, Stride<_6, Stride<_1, Int<-2>>>>{}), "(4,(2,3)):(6,(1,-2))");
  EXPECT_EQ(words(composition(Swizzle<3, 4, 3>{}, Layout<_8>{})), "swizzled 8:1");
  EXPECT_EQ(words(-7ll), "-7");
}

TEST(Describe, TextsAreCutWhereTheRoomEnds) {
  char text[6] = "xxxxx";
  detail::text_sink s{text, 4};
  s.put("ab");
  s.put(1234ll);
  EXPECT_STREQ(text, "ab1");
  EXPECT_EQ(text[4], 'x') << "nothing behind the room";
  detail::text_sink none{text, 0};
  none.put("abc");
  EXPECT_STREQ(text, "ab1");
}

TEST(Describe, AnElement) {
  using L = Layout<Shape<_8, _4>, Stride<_1, _8>>;
  char text[100];
  detail::element_description<L, tuple<int, int>>{L{}, make_tuple(3, 1), 11, memory_space::smem}(text, sizeof text);
  EXPECT_STREQ(text, "shared tensor (8,4):(1,8) at (3,1), offset 11");
  detail::static_element_description<L, memory_space::gmem>{}(11, text, sizeof text);
  EXPECT_STREQ(text, "global tensor (8,4):(1,8) at 11, offset 11");
}

TEST(Describe, TheLeastAndGreatestOffset) {
  detail::offset_range r;
  detail::widen(r, make_shape(4, make_shape(3, _2{})), make_stride(-5, make_stride(1, 10)));
  EXPECT_EQ(r.low, -15);
  EXPECT_EQ(r.high, 12);
  EXPECT_EQ(detail::count_of(make_shape(4, make_shape(3, _2{}))), 24);
}

TEST(Describe, TheFirstModeThatACoordinateLeaves) {
  auto const shape = make_shape(4, make_shape(3, 2), 5);
  auto const stride = make_stride(6, make_stride(1, 3), 0);
  auto const beyond = [&](auto const&... c) { return detail::beyond_of(make_coord(c...), shape, stride); };
  EXPECT_EQ(beyond(3, 5, 4).mode, -1);
  auto const second = beyond(0, 6, 0);
  EXPECT_EQ(second.mode, 1);
  EXPECT_EQ(second.coordinate, 6);
  EXPECT_EQ(second.extent, 6) << "of the mode's six";
  EXPECT_EQ(beyond(-1, 0, 0).coordinate, -1);
  EXPECT_EQ(beyond(0, make_coord(1, 2), 0).extent, 2) << "inside of the mode";
  EXPECT_EQ(beyond(0, 0, 99).mode, -1) << "a mode of stride 0 is as long as anybody likes";
}

TEST(Describe, AddressesOfIterators) {
  float x = 0;
  EXPECT_EQ(detail::address_of(&x), &x);
  EXPECT_EQ(detail::address_of(make_smem_ptr(&x)), &x);
  EXPECT_EQ(detail::address_of(counting_iterator<int>{3}), nullptr);
}

}  // namespace
