// SPDX-License-Identifier: Apache-2.0
// A tiled MMA as values gives the same results as its type.
#include <gtest/gtest.h>
#include <cosmati/atom/mma_operations.hpp>
#include <cosmati/layout/text_tree.hpp>
#include <cosmati/tiled/mma_copy.hpp>
#include <cosmati/tiled/mma_values.hpp>
#include <vector>

namespace {

using namespace cosmati;

template <class L>
std::string text(L const&) {
  return layout_text(detail::lifted<symbolic_integer, L>());
}
flat_tree<symbolic_integer> row_major(int rows, int columns) {
  flat_tree<symbolic_integer> f;
  f.add_open(2);
  f.add_leaf(symbolic_integer(rows), symbolic_integer(columns));
  f.add_leaf(symbolic_integer(columns), symbolic_integer(1));
  return f;
}

template <class Mma>
void expect_same(Mma const& mma) {
  mma_values const v = mma_values_of(mma);
  EXPECT_EQ(layout_text(v.threads()), text(mma.get_thr_layout_vmnk()));
  EXPECT_EQ(layout_text(v.layout_tv(mma_operand::A)), text(mma.get_layoutA_TV()));
  EXPECT_EQ(layout_text(v.layout_tv(mma_operand::B)), text(mma.get_layoutB_TV()));
  EXPECT_EQ(layout_text(v.layout_tv(mma_operand::C)), text(mma.get_layoutC_TV()));
  EXPECT_EQ(v.tile_extent(0), Mma::template tile_size_mnk<0>());
  EXPECT_EQ(v.tile_extent(1), Mma::template tile_size_mnk<1>());
  EXPECT_EQ(v.tile_extent(2), Mma::template tile_size_mnk<2>());
  float const* none = nullptr;
  auto const slice = mma.get_slice(_0{});
  auto const tensor = [&](auto rows, auto columns) {
    return make_tensor(none, make_layout(make_shape(rows, columns), make_stride(columns, _1{})));
  };
  EXPECT_EQ(layout_text(v.partition(mma_operand::A, row_major(256, 64))),
            text(slice.partition_A(tensor(Int<256>{}, _64{})).layout()));
  EXPECT_EQ(layout_text(v.partition(mma_operand::B, row_major(128, 64))),
            text(slice.partition_B(tensor(_128{}, _64{})).layout()));
  EXPECT_EQ(layout_text(v.partition(mma_operand::C, row_major(256, 128))),
            text(slice.partition_C(tensor(Int<256>{}, _128{})).layout()));
}

TEST(MmaValues, SayWhatTheTypesSay) {
  expect_same(make_tiled_mma(UniversalFMA<float>{}));
  expect_same(make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_16, _16>, Stride<_16, _1>>{}, Tile<_32, _32>{}));
  expect_same(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2, _1>>{}, Tile<_32, _32, _16>{}));
  expect_same(make_tiled_mma(SM80_16x8x8_F32TF32TF32F32_TN{}, Layout<Shape<_2, _2, _1>, Stride<_2, _1, _1>>{},
                             Tile<_32, Underscore, _16>{}));
  expect_same(make_tiled_mma(SM80_16x8x32_S32S8S8S32_TN{}, Layout<Shape<_1, _2, _2>>{}));
  expect_same(make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT{}, Layout<Shape<_2, _2>, Stride<_2, _1>>{},
                             Tile<Layout<Shape<_4, _4, _2>, Stride<_1, _8, _4>>, _32, _4>{}));
}

/// Every element of the operand belongs to a thread.
void expect_whole(mma_values const& v, mma_operand which) {
  flat_tree<symbolic_integer> const tv = v.layout_by_atom(which);
  auto const& [x, y] = mma_values::modes[static_cast<int>(which)];
  std::vector<int> owners(static_cast<std::size_t>(v.tile_extent(x) * v.tile_extent(y)));
  for (std::int64_t i = 0; i < algebra::size(tv).value; ++i)
    ++owners.at(static_cast<std::size_t>(algebra::crd2idx(symbolic_integer(i), tv).value));
  for (int const n : owners) EXPECT_EQ(n, owners[0]);
  EXPECT_GE(owners[0], 1);
}
/// Quad pairs that do not fill a warp. Threads 0 to 3 and 16 to 19 are one quad pair; the layout also names the threads
/// between them.
template <class Mma>
void expect_all_quad_pairs(Mma const& mma, int pairs) {
  using Atom = typename Mma::Atom;
  auto const threads = mma.get_thr_layout_vmnk();
  auto const a = mma.get_layoutA_TV();
  auto const c = mma.get_layoutC_TV();
  EXPECT_EQ(static_cast<int>(size<0>(a)), 32);
  EXPECT_EQ(static_cast<int>(size<0>(c)), 32);
  EXPECT_EQ(static_cast<int>(size(make_tiled_copy_A(Copy_Atom<UniversalCopy<half_t>, half_t>{}, mma))), 32);
  for (int pair = 0; pair < pairs; ++pair) {
    for (int t = 0; t < 8; ++t) {
      int const lane = threads(t + 8 * pair);
      EXPECT_EQ(lane, t % 4 + 16 * (t / 4) + 4 * pair);
      for (int v = 0; v < 4; ++v) {
        int const at = typename Atom::LayoutA_TV{}(t, v);  // row + 8 * column of the atom
        EXPECT_EQ(static_cast<int>(a(lane, v)), at % 8 + 8 * pair + 8 * pairs * (at / 8)) << lane << ' ' << v;
      }
      for (int v = 0; v < 8; ++v) {
        int const at = typename Atom::LayoutC_TV{}(t, v);
        EXPECT_EQ(static_cast<int>(c(lane, v)), at % 8 + 8 * pair + 8 * pairs * (at / 8)) << lane << ' ' << v;
      }
    }
  }
}
TEST(MmaValues, QuadPairsThatLeaveThreadsOut) {
  expect_all_quad_pairs(make_tiled_mma(SM70_8x8x4_F16F16F16F16_TN{}), 1);
  expect_all_quad_pairs(make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT{}, Layout<Shape<_2, _1, _1>>{}), 2);
  expect_all_quad_pairs(make_tiled_mma(SM70_8x8x4_F32F16F16F32_TN{}, Layout<Shape<_4, _1, _1>>{}), 4);
}
/// Texts that CuTe 4.2 prints for static integers.
TEST(MmaValues, RetiledFragmentsOfQuadPairs) {
  auto const mma = make_tiled_mma(SM70_8x8x4_F16F16F16F16_TN{}, Layout<Shape<_1, _1, _1>>{},
                                  Tile<_16, Layout<Shape<_4, _2, _2>, Stride<_2, _1, _8>>, Underscore>{});
  auto const copies = make_tiled_copy_A(Copy_Atom<UniversalCopy<half_t>, half_t>{}, mma);
  EXPECT_EQ(text(typename decltype(copies)::TiledLayout_TV{}), "((4,4,2),(4,(2,1))):((1,0,4),(16,(8,0)))");
  half_t const memory[16 * 12] = {};
  auto const tensor = make_tensor(&memory[0], Layout<Shape<_16, Int<12>>, Stride<Int<12>, _1>>{});
  auto const fragment = mma.get_slice(_1{}).partition_fragment_A(tensor);
  EXPECT_EQ(text(copies.get_slice(_1{}).retile_D(fragment).layout()), "((1,(4,2)),1,3):((0,(1,12)),0,4)");
  EXPECT_EQ(text(copies.get_slice(_1{}).partition_S(tensor).layout()), "((1,(4,2)),1,3):((0,(1,96)),0,4)");
}
TEST(MmaValues, EveryElementHasAThread) {
  for (auto const which : {mma_operand::A, mma_operand::B, mma_operand::C}) {
    // A single quad pair has the threads 0 to 3 and 16 to 19.
    expect_whole(mma_values_of(make_tiled_mma(SM70_8x8x4_F32F16F16F32_TN{})), which);
    expect_whole(mma_values_of(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{})), which);
  }
}
TEST(MmaValues, OfEachOperation) {
  int count = 0;
  mma_operations::for_each_operation([&]<class Op>(mma_operations::named<Op> const& op) {
    mma_values const v = mma_values_of(MMA_Atom<Op>{});
    EXPECT_EQ(algebra::size(v.a).value, v.atom_extent[0] * v.atom_extent[2]) << op.name;
    EXPECT_EQ(algebra::size(v.b).value, v.atom_extent[1] * v.atom_extent[2]) << op.name;
    EXPECT_EQ(algebra::size(v.c).value, v.atom_extent[0] * v.atom_extent[1]) << op.name;
    ++count;
  });
  EXPECT_GE(count, 96);
}

}  // namespace
