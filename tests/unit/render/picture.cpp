// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <cosmati/mma.hpp>
#include <cosmati/render/picture.hpp>
#include <cosmati/tensor/subbyte.hpp>

namespace {

using namespace cosmati;

TEST(PictureOfTypes, LayoutsStaticAndNot) {
  figure const a = picture(Layout<Shape<_2, _3>, Stride<_3, _1>>{});
  figure const b = picture(make_layout(make_shape(2, _3{}), make_stride(3, _1{})));
  EXPECT_EQ(a.title, "(_2,_3):(_3,_1)");
  EXPECT_EQ(b.title, "(2,_3):(3,_1)");
  for (int r = 0; r < 2; ++r) {
    for (int c = 0; c < 3; ++c) {
      EXPECT_EQ(a.grid[0].at(r, c).text, std::to_string(3 * r + c));
      EXPECT_EQ(b.grid[0].at(r, c).text, std::to_string(3 * r + c));
    }
  }
}
TEST(PictureOfTypes, SwizzledLayout) {
  auto const l = composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{});
  figure const f = picture(l);
  EXPECT_EQ(f.title, "Sw<3,3,3> o _0 o (_8,_64):(_64,_1)");
  ASSERT_EQ(f.grid.size(), 2u);
  EXPECT_EQ(f.grid[0].title, "before the swizzle");
  EXPECT_EQ(f.grid[0].at(3, 8).text, "200");  // 3 * 64 + 8
  EXPECT_EQ(f.grid[1].title, "after it");
  EXPECT_EQ(f.grid[1].at(3, 8).text, "208");  // (1 xor 3) * 8 + 192
}
TEST(PictureOfTypes, TensorsShowTheirElements) {
  float const x[6] = {1, 2.5f, -3, 4, 5, 6};
  figure const f = picture(make_tensor(&x[0], Layout<Shape<_2, _3>>{}));
  EXPECT_EQ(f.grid[0].at(1, 0).text, "2.5");
  EXPECT_EQ(f.grid[0].at(0, 1).text, "-3");
  EXPECT_EQ(picture(make_identity_tensor(Shape<_3, _4>{})).grid[0].at(2, 3).text, "(2,3)");
  half_t const h[2] = {half_t(0.5f), half_t(8)};
  EXPECT_EQ(picture(make_tensor(&h[0], make_layout(2))).grid[0].at(0, 1).text, "8");
}
template <class T>
std::vector<std::string> texts_of_two() {
  auto t = make_tensor<T>(Layout<_2>{});
  t(0) = T(0);
  t(1) = T(1);
  figure const f = picture(t);
  EXPECT_EQ(f.cells(), 2);
  return {f.grid[0].at(0, 0).text, f.grid[0].at(0, 1).text};
}
TEST(PictureOfTypes, ElementsOfEveryType) {
  std::vector<std::string> const wanted = {"0", "1"};
  auto const one = [&](auto type) { EXPECT_EQ(texts_of_two<typename decltype(type)::type>(), wanted); };
  auto const all = [&](auto... types) { (one(types), ...); };
  all(std::type_identity<bool>{}, std::type_identity<char>{}, std::type_identity<std::int8_t>{},
      std::type_identity<std::uint8_t>{}, std::type_identity<std::int16_t>{}, std::type_identity<std::uint64_t>{},
      std::type_identity<float>{}, std::type_identity<double>{}, std::type_identity<half_t>{},
      std::type_identity<bfloat16_t>{}, std::type_identity<tfloat32_t>{}, std::type_identity<float_e4m3_t>{},
      std::type_identity<float_e5m2_t>{}, std::type_identity<float_e2m1_t>{}, std::type_identity<uint1_t>{},
      std::type_identity<uint2_t>{}, std::type_identity<int4_t>{}, std::type_identity<int6_t>{});
  EXPECT_EQ(texts_of_two<complex<float>>()[1], "1+0i");
}
TEST(PictureOfTypes, TiledCopyOfMission) {
  // 16-bit values, thr (8,4):(1,8), val 8:1: tile (64,4), TV (32,8):(8,1)
  auto const copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{},
                                    Layout<Shape<_8, _4>, Stride<_1, _8>>{}, Layout<_8>{});
  figure const f = picture(copy);
  ASSERT_EQ(f.grid.size(), 1u);  // source and destination are equal, so there is one grid
  EXPECT_EQ(f.grid[0].title, "source and destination");
  for (figure_grid const& g : f.grid) {
    ASSERT_EQ(g.rows, 64);
    ASSERT_EQ(g.columns, 4);
    EXPECT_EQ(g.outline.size(), 32u);
    for (int r = 0; r < 64; ++r) {
      for (int c = 0; c < 4; ++c) {
        EXPECT_EQ(g.at(r, c).thread, r / 8 + 8 * c);
        EXPECT_EQ(g.at(r, c).value, r % 8);
      }
    }
  }
}
TEST(PictureOfTypes, LdmatrixGivesEachLaneTwoOfARow) {
  figure const f = picture(Copy_Atom<SM75_U32x1_LDSM_N, half_t>{});
  ASSERT_EQ(f.grid.size(), 2u);
  figure_grid const& to = f.grid[1];
  ASSERT_EQ(to.columns, 8);
  // PTX: lanes 4 r to 4 r + 3 hold row r of the matrix, two values each.
  for (int r = 0; r < 8; ++r) {
    for (int c = 0; c < 8; ++c) {
      EXPECT_EQ(to.at(r, c).thread, 4 * r + c / 2);
      EXPECT_EQ(to.at(r, c).value, c % 2);
    }
  }
  EXPECT_EQ(f.grid[0].at(5, 0).thread, 5);
  // An x1 load has eight rows. The addresses of other lanes do not count, and no cell is empty.
  for (figure_grid const& g : f.grid) {
    EXPECT_EQ(g.rows, 8);
    for (figure_cell const& c : g.cell) EXPECT_FALSE(c.text.empty());
  }
}
TEST(PictureOfTypes, MmaFragmentsAreThoseOfPtx) {
  figure const f = picture(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{});
  ASSERT_EQ(f.grid.size(), 3u);
  figure_grid const &b = f.grid[0], &a = f.grid[1], &c = f.grid[2];
  for (int m = 0; m < 16; ++m) {
    for (int k = 0; k < 16; ++k) {
      EXPECT_EQ(a.at(m, k).thread, m % 8 * 4 + k % 8 / 2);
      EXPECT_EQ(a.at(m, k).value, k % 2 + 2 * (m / 8) + 4 * (k / 8));
    }
    for (int n = 0; n < 8; ++n) {
      EXPECT_EQ(b.at(m, n).thread, n * 4 + m % 8 / 2);
      EXPECT_EQ(b.at(m, n).value, m % 2 + 2 * (m / 8));
      EXPECT_EQ(c.at(m, n).thread, m % 8 * 4 + n / 2);
      EXPECT_EQ(c.at(m, n).value, n % 2 + 2 * (m / 8));
    }
  }
}
TEST(PictureOfTypes, TiledMmaCoversItsTile) {
  auto const mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2, _1>>{}, Tile<_32, _32, _16>{});
  figure const f = picture(mma);
  figure_grid const& c = f.grid[2];
  ASSERT_EQ(c.rows, 32);
  ASSERT_EQ(c.columns, 32);
  for (figure_cell const& cell : c.cell) EXPECT_GE(cell.thread, 0);
}
TEST(PictureOfTypes, ThreadValueLayout) {
  figure const f = picture_tv(Layout<Shape<_4, _2>, Stride<_2, _1>>{}, Shape<_4, _2>{});
  EXPECT_EQ(f.grid[0].at(3, 0).text, "T1\nV1");
}
TEST(PictureOfTypes, CostOfATransposeThroughSharedMemory) {
  auto const copy = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_32, _4>>{}, Layout<_1>{});
  using Rows = Layout<Shape<_32, _32>, Stride<_32, _1>>;
  std::vector<figure> const f = picture_cost(copy, in_global(Layout<Shape<_32, _32>>{}), in_shared(Rows{}));
  ASSERT_EQ(f.size(), 2u);
  EXPECT_EQ(f[0].grid[0].rows, 1);   // one line
  EXPECT_EQ(f[1].grid[0].rows, 32);  // a column of banks
  EXPECT_EQ(f[1].words.back(), "the whole copy: 32 instructions, 1024 wavefronts, 992 bank conflicts");
}

}  // namespace
