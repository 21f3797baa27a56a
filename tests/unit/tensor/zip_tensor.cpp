// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cosmati/tensor/local_tile.hpp>
#include <cosmati/tensor/zip_tensor.hpp>

using namespace cosmati;

namespace {

int a_memory[24];
double b_memory[40];

auto a_tensor() {
  for (int i = 0; i < 24; ++i) a_memory[i] = i;
  return make_tensor(&a_memory[0], Layout<Shape<_4, _6>>{});
}
auto b_tensor() {
  for (int i = 0; i < 40; ++i) b_memory[i] = 0.5 * i;
  return make_tensor(&b_memory[0], make_shape(_4{}, 6), make_stride(10, _1{}));
}

TEST(ZipTensor, ElementsAreTuples) {
  auto const z = make_zip_tensor(a_tensor(), b_tensor());
  static_assert(decltype(rank(z))::value == 2);
  ASSERT_EQ(size(z), 24);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 6; ++j) {
      auto const [x, y] = z(i, j);
      static_assert(std::is_same_v<std::remove_cv_t<decltype(x)>, int>);
      EXPECT_EQ(x, i + 4 * j);
      EXPECT_EQ(y, 0.5 * (10 * i + j));
    }
  }
  for (int i = 0; i < 24; ++i) EXPECT_EQ(get<1>(z(i)), 0.5 * (10 * (i % 4) + i / 4)) << "by one number, in a's order";
}
TEST(ZipTensor, OfOneAndOfThree) {
  auto const one = make_zip_tensor(b_tensor());
  EXPECT_EQ(get<0>(one(2, 3)), 11.5);
  auto const three = make_zip_tensor(a_tensor(), b_tensor(), a_tensor());
  EXPECT_EQ(get<0>(three(3, 5)), get<2>(three(3, 5)));
  EXPECT_EQ(get<0>(three(3, 5)), 23);
}
TEST(ZipTensor, IsSlicedAndTiled) {
  auto const z = make_zip_tensor(a_tensor(), b_tensor());
  auto const row = z(2, _);
  ASSERT_EQ(size(row), 6);
  EXPECT_EQ(get<0>(row(4)), 2 + 16);
  EXPECT_EQ(get<1>(row(4)), 12);
  auto const tile = local_tile(z, Shape<_2, _3>{}, make_coord(1, 1));
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      EXPECT_EQ(get<0>(tile(i, j)), (2 + i) + 4 * (3 + j));
      EXPECT_EQ(get<1>(tile(i, j)), 0.5 * (10 * (2 + i) + 3 + j));
    }
  }
}
TEST(ZipTensor, Unzipped) {
  auto const [a, b] = unzip_tensor(make_zip_tensor(a_tensor(), b_tensor()));
  EXPECT_EQ(&a(2, 3), &a_memory[14]);
  EXPECT_EQ(&b(2, 3), &b_memory[23]);
}
TEST(ZipTensor, OfNestedShapes) {
  int memory[16];
  for (int i = 0; i < 16; ++i) memory[i] = i;
  auto const a = make_tensor(&memory[0], Layout<Shape<Shape<_2, _2>, _4>>{});
  auto const b = make_tensor(&memory[0], Layout<Shape<Shape<_2, _2>, _4>, Stride<Stride<_8, _4>, _1>>{});
  auto const z = make_zip_tensor(a, b);
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(get<0>(z(i)), i);
    EXPECT_EQ(get<1>(z(i)), 8 * (i % 2) + 4 * (i / 2 % 2) + i / 4);
  }
}

}  // namespace
