// SPDX-License-Identifier: Apache-2.0
// Verdicts on tiled copies, as constants and at run time; property_verify tries every element of many more.
#include <cosmati/analysis/verify.hpp>

#include <cosmati/tiled/tiled_copy.hpp>

#include <gtest/gtest.h>

using namespace cosmati;

namespace {

constexpr auto rows_by_16 = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                            Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
constexpr auto one_by_one = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{},
                                            Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
template <int m, int n, int pitch = n>
constexpr Layout<Shape<Int<m>, Int<n>>, Stride<Int<pitch>, _1>> rows{};

static_assert(verify(rows_by_16, in_global(rows<64, 64>), in_shared(rows<64, 64>)));
static_assert(verify(rows_by_16, in_global(rows<64, 64>), in_shared(rows<64, 64, 68>)));
static_assert(verify(rows_by_16, in_global(rows<64, 64>), in_registers));
static_assert(verify(rows_by_16, in_shared(composition(Swizzle<3, 2, 3>{}, rows<64, 64>)), in_global(rows<64, 64>)));
static_assert(assert_verified(rows_by_16, in_global(rows<64, 64>), in_shared(rows<64, 64>)));
static_assert(verify(one_by_one, in_global(rows<64, 64, 65>), in_shared(Layout<Shape<_64, _64>>{})));
static_assert(verify(rows_by_16, in_global(rows<60, 62, 64>), in_shared(rows<60, 62, 64>), Shape<Int<60>, Int<62>>{}));

constexpr bool is_at(copy_place const& p, int thread, int value, int i, int j) {
  return p.thread == thread && p.value == value && p.rank == 2 && p.coordinate[0] == i && p.coordinate[1] == j;
}

TEST(Verify, TilesThatReachBeyond) {
  constexpr copy_verdict v = verify(rows_by_16, in_global(rows<64, 80>), in_shared(rows<64, 80>));
  static_assert(!v.ok() && v.fault == copy_fault::beyond);
  EXPECT_EQ(v.mode, 1);
  EXPECT_EQ(v.number, 32);
  EXPECT_EQ(v.found, 80);
  // Column 80 is column 16 of the third tile: thread 4 of row 0; three tiles of four rests, 8 tiles of 4 values before.
  EXPECT_TRUE(is_at(v.place, 4, 4 * (4 * 2), 0, 80));
  constexpr copy_verdict w = verify(rows_by_16, in_global(rows<60, 64>), in_registers);
  static_assert(w.fault == copy_fault::beyond && w.mode == 0);
  EXPECT_TRUE(is_at(w.place, 96, 12, 60, 0));
}

TEST(Verify, Bounds) {
  constexpr copy_verdict v =
      verify(rows_by_16, in_global(rows<60, 62, 64>), in_shared(rows<64, 64>), Shape<Int<60>, Int<62>>{});
  static_assert(v.fault == copy_fault::shapes_differ && v.mode == 0);
  constexpr copy_verdict w =
      verify(rows_by_16, in_global(rows<60, 64>), in_shared(rows<60, 64>), Shape<Int<61>, Int<64>>{});
  static_assert(w.fault == copy_fault::bounds && w.mode == 0 && w.number == 61 && w.found == 60);
}

TEST(Verify, ShapesThatDiffer) {
  constexpr copy_verdict v = verify(rows_by_16, in_global(rows<32, 64>), in_shared(rows<64, 32>));
  static_assert(v.fault == copy_fault::shapes_differ && v.mode == 0 && v.number == 32 && v.found == 64);
}

TEST(Verify, ElementsWrittenTwice) {
  constexpr copy_verdict v = verify(one_by_one, in_global(rows<16, 32>), in_shared(rows<16, 32, 31>));
  static_assert(v.fault == copy_fault::written_twice);
  EXPECT_EQ(v.found, 31);
  EXPECT_TRUE(is_at(v.place, 7, 3, 0, 31) || is_at(v.other, 7, 3, 0, 31));
  EXPECT_TRUE(is_at(v.place, 8, 0, 1, 0) || is_at(v.other, 8, 0, 1, 0));
  constexpr copy_verdict w =
      verify(one_by_one, in_global(rows<16, 32>), in_shared(Layout<Shape<_16, _32>, Stride<_0, _1>>{}));
  static_assert(w.fault == copy_fault::written_twice);
  EXPECT_EQ(w.place.coordinate[1], w.other.coordinate[1]);
  // A source may repeat elements.
  static_assert(verify(one_by_one, in_global(Layout<Shape<_16, _32>, Stride<_0, _1>>{}), in_shared(rows<16, 32>)));
  // Within the bounds the overlap is out of reach.
  static_assert(verify(one_by_one, in_global(rows<16, 32>), in_shared(rows<16, 32, 31>), Shape<_16, Int<31>>{}));
}

TEST(Verify, Vectors) {
  constexpr copy_verdict v = verify(rows_by_16, in_global(Layout<Shape<_16, _32>>{}), in_shared(rows<16, 32>));
  static_assert(v.fault == copy_fault::source_vector && v.number == 4 && v.found == 16);
  EXPECT_TRUE(is_at(v.place, 0, 1, 0, 1));
  constexpr copy_verdict w = verify(rows_by_16, in_global(rows<16, 32>), in_shared(rows<16, 32, 33>));
  static_assert(w.fault == copy_fault::destination_alignment && w.number == 4 && w.found == 33);
  EXPECT_TRUE(is_at(w.place, 8, 0, 1, 0));
  // The second tile's rows are what is misaligned.
  constexpr Layout<Shape<Shape<_16, _2>, _32>, Stride<Stride<_32, Int<514>>, _1>> jump{};
  constexpr copy_verdict x = verify(rows_by_16, in_global(jump), in_shared(rows<32, 32>));
  static_assert(x.fault == copy_fault::source_alignment && x.found == 514);
  EXPECT_TRUE(is_at(x.place, 0, 4, 16, 0));
}

TEST(Verify, ThreadValueLayoutsOfOnesOwn) {
  using TC = TiledCopy<Copy_Atom<UniversalCopy<float>, float>, Layout<Shape<_32, _2>, Stride<_2, _2>>, Shape<_64>>;
  constexpr copy_verdict v = verify(TC{}, in_global(Layout<_64>{}), in_registers);
  static_assert(v.fault == copy_fault::tile_not_covered && v.number == 64);
}

TEST(Verify, Matrices) {
  constexpr auto matrices =
      make_tiled_copy(Copy_Atom<SM75_U32x4_LDSM_N, std::uint16_t>{}, Layout<Shape<_16, _2>>{}, Layout<Shape<_2, _4>>{});
  static_assert(verify(matrices, in_shared(Layout<Shape<_64, _64>>{}), in_registers));
  constexpr copy_verdict v = verify(matrices, in_shared(rows<64, 64>), in_registers);
  static_assert(v.fault == copy_fault::source_vector && v.number == 8 && v.found == 64);
  constexpr copy_verdict w = verify(matrices, in_shared(Layout<Shape<_64, _64>, Stride<_1, Int<68>>>{}), in_registers);
  static_assert(w.fault == copy_fault::source_alignment && w.number == 8 && w.found == 68);
}

TEST(Verify, Automatic) {
  constexpr auto automatic = make_tiled_copy(Copy_Atom<AutoVectorizingCopy, float>{},
                                             Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  static_assert(verify(automatic, in_global(rows<16, 32>), in_shared(Layout<Shape<_16, _32>>{})));
  constexpr copy_verdict v = verify(automatic, in_global(rows<16, 32, 33>), in_shared(rows<16, 32>));
  static_assert(v.fault == copy_fault::source_alignment);
}

TEST(Verify, AtRunTime) {
  for (int pitch : {64, 66, 68}) {
    auto const src = make_layout(make_shape(64, _64{}), make_stride(pitch, _1{}));
    copy_verdict const v = verify(rows_by_16, in_global(src), in_shared(rows<64, 64>));
    EXPECT_EQ(v.ok(), pitch != 66) << pitch;
    if (pitch == 66) {
      EXPECT_EQ(v.fault, copy_fault::source_alignment);
      EXPECT_EQ(v.found, 66);
    }
  }
  auto const ragged = make_layout(make_shape(61, 64), make_stride(64, _1{}));
  EXPECT_EQ(verify(rows_by_16, in_global(ragged), in_registers).fault, copy_fault::beyond);
  EXPECT_TRUE(verify(rows_by_16, in_global(ragged), in_registers, make_shape(61, 64)).ok());
}

}  // namespace
