// SPDX-License-Identifier: Apache-2.0
// Tiled MMAs: the texts that MoYe and CuTe print of them, and every thread's partition, compared with the places of the
// atoms counted by hand.
#include <gtest/gtest.h>

#include <cosmati/atom/ldmatrix.hpp>
#include <cosmati/mma.hpp>
#include <map>
#include <set>
#include <vector>

#include "unit/tiled/text_of.hpp"

using namespace cosmati;

namespace {

TEST(TiledMma, OfQuadPairsWithAPermutation) {
  auto const mma = make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT{}, Layout<Shape<_2, _2>, Stride<_2, _1>>{},
                                  Tile<Layout<Shape<_4, _4, _2>, Stride<_1, _8, _4>>, _32, _4>{});
  EXPECT_EQ(text_of(mma),
            "TiledMMA\n"
            "  ThrLayoutVMNK:  ((_4,_2),_2,_2,_1):((_1,_16),_8,_4,_0)\n"
            "  PermutationMNK: ((_4,_4,_2):(_1,_8,_4),_32,_4)\n"
            "MMA_Atom\n"
            "  ThrID:      (_4,_2):(_1,_16)\n"
            "  Shape_MNK:  (_8,_8,_4)\n"
            "  LayoutA_TV: ((_4,_2),_4):((_8,_4),_1)\n"
            "  LayoutB_TV: ((_4,_2),_4):((_8,_4),_1)\n"
            "  LayoutC_TV: ((_2,_2,_2),(_2,_2,_2)):((_1,_16,_4),(_8,_2,_32))\n");
  EXPECT_EQ(text_of(tile_shape(mma)), "(_32,_32,_4)");
  EXPECT_EQ(static_cast<int>(size(mma)), 32);
}

TEST(TiledMma, SizesAndPartitions) {
  auto const mma = make_tiled_mma(SM80_16x8x8_F16F16F16F16_TN{}, Layout<Shape<_3, _5>>{});
  EXPECT_EQ(static_cast<int>(tile_size<0>(mma)), 48);
  EXPECT_EQ(static_cast<int>(tile_size<1>(mma)), 40);
  EXPECT_EQ(static_cast<int>(tile_size<2>(mma)), 8);
  EXPECT_EQ(static_cast<int>(thr_size<0>(mma)), 32);
  EXPECT_EQ(static_cast<int>(thr_size<2>(mma)), 5);
  EXPECT_EQ(text_of(partition_shape_C(mma, make_shape(Int<48 * 7>{}, Int<40 * 9>{}))), "((_2,_2),_7,_9)");
  EXPECT_EQ(text_of(partition_shape_A(mma, make_shape(Int<48 * 7>{}, _8{}))), "((_2,_2),_7,_1)");
  EXPECT_EQ(text_of(partition_shape_B(mma, make_shape(Int<40 * 9>{}, _8{}))), "(_2,_9,_1)");
  EXPECT_EQ(text_of(partition_shape_B(mma, make_shape(360, 16))), "(_2,9,2)");
  EXPECT_EQ(text_of(partition_fragment_C(mma, make_shape(_48{}, _40{})).layout()), "((_2,_2),_1,_1):((_1,_2),_0,_0)");
}

TEST(TiledMma, CopiesOfItsOperands) {
  auto const mma = make_tiled_mma(SM80_16x8x8_F32TF32TF32F32_TN{});
  auto const a = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, tfloat32_t>{}, mma);
  using A = std::remove_const_t<decltype(a)>;
  EXPECT_EQ(text_of(A::TiledLayout_TV{}), "((_4,_8),((_2,_2),(_1,_1))):((_16,_1),((_8,_64),(_0,_0)))");
  EXPECT_EQ(text_of(a.get_layoutS_TV()), "((_16,_2),(_4,_1)):((_1,_64),(_16,_0))");
  EXPECT_EQ(text_of(a.get_layoutD_TV()), "((_4,_8),((_2,_2),_1)):((_16,_1),((_8,_64),_0))");
  auto const b = make_tiled_copy_B(Copy_Atom<SM75_U32x2_LDSM_N, tfloat32_t>{}, mma);
  EXPECT_EQ(text_of(b.get_layoutS_TV()), "((_8,_2,_2),(_4,_1)):((_1,_32,_0),(_8,_0))");
  EXPECT_EQ(text_of(b.get_layoutD_TV()), "((_4,_8),(_2,_1)):((_8,_1),(_32,_0))");
}

/// Compares every (thread, value) of a partition with the places of the atoms. Thread (v, x, y) holds the elements that
/// the atom's layout gives v, of each atom (x + i X, y + j Y).
/// @param mx, my which of M, N, K the operand's modes are
template <int mx, int my, class AtomTV, class Mma, class Partition, class LayoutTV>
void expect_partition(Mma const& mma, int rows, int columns, Partition const& partition, LayoutTV const& layout_tv,
                      int copies) {
  int const ax = size<mx>(typename Mma::Shape_MNK{}), ay = size<my>(typename Mma::Shape_MNK{});
  int const X = thr_size<mx + 1>(mma), Y = thr_size<my + 1>(mma);
  std::vector<int> memory(static_cast<std::size_t>(rows * columns));
  for (int i = 0; i < rows * columns; ++i) memory[static_cast<std::size_t>(i)] = i;
  auto const tensor = make_tensor(memory.data(), make_layout(make_shape(rows, columns)));
  std::map<int, int> times;
  int const tile_x = tile_size<mx>(mma), tile_y = tile_size<my>(mma);
  for (int thread = 0; thread < static_cast<int>(size(mma)); ++thread) {
    auto const slice = mma.get_slice(thread);
    int const v = get<0>(slice.thr_vmnk_), x = get<mx + 1>(slice.thr_vmnk_), y = get<my + 1>(slice.thr_vmnk_);
    auto const mine = partition(slice, tensor);
    for (int j = 0; j < size<2>(mine); ++j) {
      for (int i = 0; i < size<1>(mine); ++i) {
        for (int e = 0; e < size<0>(mine); ++e) {
          int const at = static_cast<int>(AtomTV{}(v, e));
          int const row = (i * X + x) * ax + at % ax, column = (j * Y + y) * ay + at / ax;
          ASSERT_EQ(mine(e, i, j), row + rows * column) << "thread " << thread << ", value " << e;
          ++times[row + rows * column];
          if (i * X * ax < tile_x && j * Y * ay < tile_y) {  // an atom of the first tile, which the TV layout also
                                                             // describes
            int const value = e + static_cast<int>(size<0>(mine)) * (i + tile_x / (X * ax) * j);
            ASSERT_EQ(static_cast<int>(layout_tv(thread, value)), row + tile_x * column) << thread << " " << value;
          }
        }
      }
    }
  }
  EXPECT_EQ(static_cast<int>(times.size()), rows * columns);
  for (auto const& [element, n] : times) ASSERT_EQ(n, copies) << element;
}
template <class Mma>
void expect_partitions(Mma const& mma, int m, int n, int k) {
  int const tm = thr_size<1>(mma), tn = thr_size<2>(mma), tk = thr_size<3>(mma);
  expect_partition<0, 2, typename Mma::LayoutA_TV>(
      mma, m, k, [](auto const& thread, auto const& t) { return thread.partition_A(t); }, mma.get_layoutA_TV(), tn);
  expect_partition<1, 2, typename Mma::LayoutB_TV>(
      mma, n, k, [](auto const& thread, auto const& t) { return thread.partition_B(t); }, mma.get_layoutB_TV(), tm);
  expect_partition<0, 1, typename Mma::LayoutC_TV>(
      mma, m, n, [](auto const& thread, auto const& t) { return thread.partition_C(t); }, mma.get_layoutC_TV(), tk);
}

TEST(TiledMma, EveryThreadsValues) {
  expect_partitions(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}), 32, 24, 32);
  expect_partitions(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2, _1>>{}), 64, 48, 32);
  expect_partitions(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{}, Tile<_32, _32, _16>{}), 64,
                    64, 16);
  expect_partitions(make_tiled_mma(SM80_16x8x8_F32TF32TF32F32_TN{}, Layout<Shape<_2, _1, _2>, Stride<_2, _0, _1>>{}),
                    32, 8, 32);
  expect_partitions(make_tiled_mma(SM80_8x8x4_F64F64F64F64_TN{}, Layout<Shape<_1, _4>>{}), 16, 32, 8);
  expect_partitions(make_tiled_mma(SM80_16x8x32_S32S8U8S32_TN{}, Layout<Shape<_2, _2>>{}), 32, 32, 64);
  expect_partitions(make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_16, _16, _1>>{}), 32, 48, 3);
  expect_partitions(make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_4, _2, _2>>{}), 8, 6, 4);
  expect_partitions(make_tiled_mma(SM61_DP4A{}, Layout<Shape<_4, _8>>{}), 8, 8, 16);
}

// The elements of one thread that a copy moves at once are in one row, and each element of the tile is moved once.
TEST(TiledMma, CopyOfCInSteps) {
  auto const mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{}, Tile<_32, _32, _16>{});
  auto const atom = make_tiled_copy_C_atom(Copy_Atom<UniversalCopy<std::uint64_t>, float>{}, mma);
  using TC = std::remove_const_t<decltype(atom)>;
  EXPECT_EQ(static_cast<int>(size(atom)), 128);
  EXPECT_EQ(static_cast<int>(TC::TiledNumVal{}), 2);
  std::map<int, int> times;
  for (int t = 0; t < 128; ++t) {
    for (int v = 0; v < 2; ++v) ++times[static_cast<int>(typename TC::TiledLayout_TV{}(t, v))];
  }
  EXPECT_EQ(times.size(), 256u);
  // the whole of C by this copy, as the tiled MMA holds C
  std::vector<float> memory(32 * 32);
  auto const c = make_tensor(memory.data(), make_layout(make_shape(_32{}, _32{}), make_stride(_32{}, _1{})));
  for (int t = 0; t < 128; ++t) {
    auto const by_copy = atom.get_slice(t).partition_D(c);
    auto const by_mma = mma.get_slice(t).partition_C(c);
    EXPECT_EQ(static_cast<int>(size(by_copy)), static_cast<int>(size(by_mma)));
    std::set<float const*> const of_copy = [&] {
      std::set<float const*> s;
      for (int i = 0; i < size(by_copy); ++i) s.insert(&by_copy(i));
      return s;
    }();
    for (int i = 0; i < size(by_mma); ++i) ASSERT_EQ(of_copy.count(&by_mma(i)), 1u) << t;
  }
}

}  // namespace
