// SPDX-License-Identifier: Apache-2.0
// Tensors: makers, element access, slices, rearranged and recast views.
#include <gtest/gtest.h>
#include <cosmati/tensor/local_tile.hpp>
#include <cosmati/tensor/swizzle_pointer.hpp>
#include <cosmati/tensor/tensor.hpp>

#include <numeric>
#include <vector>

#include "unit/tiled/text_of.hpp"

using namespace cosmati;

namespace {

template <class T>
std::string layout_of(T const& t) {
  return text_of(t.layout());
}
template <class T>
std::vector<int> elements(T const& t) {
  std::vector<int> v;
  for (int i = 0; i < static_cast<int>(size(t)); ++i) v.push_back(static_cast<int>(t(i)));
  return v;
}

TEST(Tensor, Makers) {
  float data[24];
  EXPECT_EQ(layout_of(make_tensor(&data[0], make_shape(4, 6))), "(4,6):(_1,4)");
  EXPECT_EQ(layout_of(make_tensor(data, make_shape(4, _6{}), make_stride(_6{}, _1{}))), "(4,_6):(_6,_1)");
  EXPECT_EQ(layout_of(make_tensor(make_gmem_ptr(&data[0]), make_shape(4, _6{}), LayoutRight{})), "(4,_6):(_6,_1)");
  EXPECT_EQ(layout_of(make_tensor(&data[0], Layout<_24>{})), "_24:_1");
  EXPECT_EQ(layout_of(make_tensor(&data[0], 24)), "24:_1");
  auto const owning = make_tensor<half_t>(Shape<_4, _6>{}, Stride<_6, _1>{});
  EXPECT_EQ(layout_of(owning), "(_4,_6):(_6,_1)");
  EXPECT_EQ(sizeof(owning), 48u);
  EXPECT_EQ(sizeof(make_tensor(&data[0], Layout<_24>{})), sizeof(float*));
  EXPECT_EQ(layout_of(make_tensor_like(make_tensor(&data[0], Layout<Shape<_2, _3>, Stride<_12, _4>>{}))),
            "(_2,_3):(_3,_1)");
  auto const fragment =
      make_fragment_like<int>(make_tensor(&data[0], Layout<Shape<Shape<_2, _2>, _3>, Stride<Stride<_12, _1>, _4>>{}));
  EXPECT_EQ(layout_of(fragment), "((_2,_2),(_3)):((_1,_2),(_4))");
  static_assert(std::is_same_v<std::remove_const_t<decltype(fragment)>::value_type, int>);
  EXPECT_EQ(elements(make_counting_tensor(Layout<Shape<_2, _2>, Stride<_5, _1>>{})), (std::vector<int>{0, 5, 1, 6}));
  auto const far = make_counting_tensor(make_layout(make_shape(70000, 70000), make_stride(70000, 1)));
  EXPECT_EQ(local_tile(far, Shape<_64, _128>{}, make_coord(1000, 500))(3, 5), (INT64_C(64003) * 70000 + 64005));
}

TEST(Tensor, ABroadcastHasOneElement) {
  auto t = make_tensor<int>(Layout<Shape<_3, _4>, Stride<_0, _0>>{});
  static_assert(decltype(t)::engine_type::size() == 1);
  EXPECT_EQ(text_of(cosize(t)), "_1");
  t(2, 3) = 7;
  EXPECT_EQ(elements(t), std::vector<int>(12, 7));
}

// MoYe's arrays, less one in every coordinate.
TEST(MoYeArray, HierarchicalElementsAndView) {
  std::vector<int> data(164);
  std::iota(data.begin(), data.end(), 1);
  auto const a = make_tensor(data.data(), make_shape(make_shape(_3{}, 2), make_shape(2, _5{}, _2{})),
                             make_stride(make_stride(4, 1), make_stride(_2{}, 13, 100)));
  EXPECT_EQ(text_of(size<0>(a)) + " " + text_of(size<1>(a)), "6 20");
  EXPECT_EQ(elements(a(0, _)),
            (std::vector<int>{1, 3, 14, 16, 27, 29, 40, 42, 53, 55, 101, 103, 114, 116, 127, 129, 140, 142, 153, 155}));
  EXPECT_EQ(elements(a(1, _)),
            (std::vector<int>{5, 7, 18, 20, 31, 33, 44, 46, 57, 59, 105, 107, 118, 120, 131, 133, 144, 146, 157, 159}));
}
TEST(MoYeArray, BlockArray) {
  std::vector<int> data(48);
  std::iota(data.begin(), data.end(), 1);
  auto const a =
      make_tensor(data.data(), Layout<Shape<Shape<_2, _3>, Shape<_2, _4>>, Stride<Stride<_1, _16>, Stride<_2, _4>>>{});
  EXPECT_EQ(elements(a(0, _)), (std::vector<int>{1, 3, 5, 7, 9, 11, 13, 15}));
  EXPECT_EQ(elements(a(5, _)), (std::vector<int>{34, 36, 38, 40, 42, 44, 46, 48}));
}

TEST(Tensor, ElementsAndSlices) {
  std::vector<int> data(120);
  std::iota(data.begin(), data.end(), 0);
  auto const t = make_tensor(data.data(), make_shape(_4{}, 5, make_shape(_2{}, 3)));
  EXPECT_EQ(t(3, 4, make_coord(1, 2)), 119);
  EXPECT_EQ(t(3, 4, 5), 119);
  EXPECT_EQ(t[make_coord(1, 1, 0)], 5);
  EXPECT_EQ(t(119), 119);
  EXPECT_EQ(layout_of(t(_, 2, _)), "(_4,(_2,3)):(_1,(20,40))");
  EXPECT_EQ(t(_, 2, _)(0, 0), 8);
  EXPECT_EQ(layout_of(t(1, _, make_coord(_, 2))), "(5,_2):(_4,20)");
  EXPECT_EQ(t(1, _, make_coord(_, 2))(4, 1), 1 + 16 + 20 + 80);
  t(0, 0, 0) = -1;
  EXPECT_EQ(data[0], -1);
}

TEST(Tensor, RearrangedViews) {
  int data[24];
  std::iota(data, data + 24, 0);
  auto const t = make_tensor(&data[0], Layout<Shape<_2, _3, _4>>{});
  EXPECT_EQ(layout_of(group_modes<0, 2>(t)), "((_2,_3),_4):((_1,_2),_6)");
  EXPECT_EQ(layout_of(flatten(group_modes<0, 2>(t))), "(_2,_3,_4):(_1,_2,_6)");
  EXPECT_EQ(layout_of(coalesce(t)), "_24:_1");
  EXPECT_EQ(layout_of(take<1, 3>(t)), "(_3,_4):(_2,_6)");
  EXPECT_EQ(layout_of(select<2, 0>(t)), "(_4,_2):(_6,_1)");
  EXPECT_EQ(layout_of(tensor<1>(t)), "_3:_2");
  EXPECT_EQ(layout_of(logical_divide(t, make_tile(_2{}, _, _2{}))), "((_2,_1),_3,(_2,_2)):((_1,_0),_2,(_6,_12))");
  EXPECT_EQ(layout_of(t.compose(Layout<_12, _2>{})), "_12:_2");
  auto const moved = domain_offset(make_coord(1, 1, 1), t);
  EXPECT_EQ(moved(0, 0, 0), 9);
  EXPECT_EQ(text_of(max_common_vector(t, t)), "_24");
}

TEST(Tensor, RecastSeesTheSameMemory) {
  alignas(16) std::int32_t words[12];
  for (int i = 0; i < 12; ++i) words[i] = 0x10001 * (i + 1);
  auto const two_by_three = make_tensor(&words[0], Layout<Shape<_2, _3>>{});
  EXPECT_EQ(layout_of(recast<std::int16_t>(two_by_three)), "(_4,_3):(_1,_4)");
  EXPECT_EQ(recast<std::int16_t>(two_by_three)(3, 1), 4);
  EXPECT_EQ(layout_of(recast<std::int64_t>(two_by_three)), "(_1,_3):(_1,_1)");
  alignas(16) std::int64_t longs[12] = {};
  auto const four_by_three = make_tensor(&longs[0], Layout<Shape<_4, _3>>{});
  EXPECT_EQ(layout_of(recast<std::int32_t>(four_by_three)), "(_8,_3):(_1,_8)");
  EXPECT_EQ(layout_of(recast<uint128_t>(four_by_three)), "(_2,_3):(_1,_2)");
  EXPECT_EQ(layout_of(recast<uint4_t>(two_by_three)), "(_16,_3):(_1,_16)");
}

TEST(Tensor, SwizzledLayout) {
  float data[256];
  std::iota(data, data + 256, 0.f);
  auto const t = make_tensor(make_smem_ptr(&data[0]), composition(Swizzle<3, 2, 3>{}, Layout<Shape<_32, _8>>{}));
  for (int i = 0; i < 32; ++i) {
    for (int j = 0; j < 8; ++j) {
      int const offset = i + 32 * j;
      EXPECT_EQ(t(i, j), static_cast<float>(offset ^ ((offset & 0xe0) >> 3)));
      EXPECT_EQ(t(_, j)(i), t(i, j));
      EXPECT_EQ(t(i, _)(j), t(i, j));
    }
  }
}

TEST(Tensor, Coordinates) {
  auto const c = make_identity_tensor(make_shape(3, make_shape(_2{}, 4)));
  EXPECT_EQ(text_of(c(2, make_coord(1, 3))), "(2,(1,3))");
  EXPECT_EQ(text_of(c(2, 5)), "(2,(1,2))");
  EXPECT_EQ(text_of(c(_, 3).layout()), "(3):(_1@0)");
}

// Where every extent is 1 no stride has a basis, and the offset is the integer 0.
TEST(Tensor, CoordinatesOfOneElement) {
  auto const tiles = zipped_divide(make_identity_tensor(Shape<_2, _3>{}), Shape<_2, _3>{});
  auto const one = tiles(make_coord(1, 2), _);
  EXPECT_EQ(text_of(one.layout()), "((_1,_1)):((_0,_0))") << "the case that is meant";
  EXPECT_EQ(text_of(one(0)), "(1,2)");
  EXPECT_EQ(text_of(one(_)(0)), "(1,2)");
  unsigned const row = 1;
  auto const element = local_partition(make_identity_tensor(Shape<_2, _3>{}), Layout<Shape<_2, _3>>{}, 5u * row);
  EXPECT_EQ(text_of(element(0, 0)), "(1,2)");
  EXPECT_EQ(text_of(element(_, 0)(0)), "(1,2)");
  auto const single = make_identity_tensor(Shape<_1, _1>{});
  EXPECT_EQ(text_of(domain_offset(make_coord(0, 0), single)(0, 0)), "(0,0)");
  EXPECT_EQ(text_of(local_tile(single, Shape<_1, _1>{}, make_coord(0, 0))(0, 0)), "(_0,_0)");
}

TEST(Tensor, OffsetsBeyond32Bits) {
  std::int8_t* volatile const place = reinterpret_cast<std::int8_t*>(0x1000);
  std::int8_t* const p = place;
  auto const at = [&](auto const& t, auto... c) { return &t(c...) - p; };
  EXPECT_EQ(at(make_tensor(p, make_shape(100000, 100000)), 99999, 99999), 9999999999ll);
  EXPECT_EQ(at(make_tensor(p, Layout<Shape<Int<100000>, Int<100000>>>{}), 99999, 99999), 9999999999ll);
  EXPECT_EQ(at(make_tensor(p, make_shape(_2{}, 3), make_stride(_1{}, std::int64_t{1} << 40)), 1, 2), (2ll << 40) + 1);
}

}  // namespace
