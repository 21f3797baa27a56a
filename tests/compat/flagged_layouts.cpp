// SPDX-License-Identifier: Apache-2.0
// Layouts of shared memory for warpgroup products as CuTe has them: the swizzle is of bytes and waits for the pointer.
// Types and texts are CuTe 4.7's.
#include <cute/atom/mma_traits_sm90_gmma.hpp>
#include <cute/atom/mma_traits_sm90_gmma_sparse.hpp>
#include <cute/tensor.hpp>

#include <gtest/gtest.h>

#include <string>

using namespace cute;

namespace {

template <class T>
std::string text_of(T const& x) {
  testing::internal::CaptureStdout();
  print(x);
  std::fflush(stdout);
  return testing::internal::GetCapturedStdout();
}
template <class L>
std::string table_of(L const& layout) {
  testing::internal::CaptureStdout();
  print_layout(layout);
  std::fflush(stdout);
  return testing::internal::GetCapturedStdout();
}

using Half = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_128, _64, _4>{}));

TEST(CuteFlaggedLayouts, AtomsAreTypesOfCute) {
  static_assert(std::is_same_v<
                GMMA::Layout_K_SW128_Atom_Bits,
                ComposedLayout<Swizzle<3, 4, 3>, smem_ptr_flag, Layout<Shape<_8, Int<1024>>, Stride<Int<1024>, _1>>>>);
  static_assert(
      std::is_same_v<GMMA::Layout_K_SW64_Atom<float>, ComposedLayout<Swizzle<2, 4, 3>, smem_ptr_flag_bits<32>,
                                                                     Layout<Shape<_8, _16>, Stride<_16, _1>>>>);
  static_assert(std::is_same_v<GMMA::Layout_SW32_Atom<half_t, GMMA::Major::MN>,
                               decltype(upcast<16>(GMMA::Layout_MN_SW32_Atom_Bits{}))>);
  EXPECT_EQ(text_of(GMMA::Layout_K_SW128_Atom_Bits{}), "Sw<3,4,3> o smem_ptr[1b](unset) o (_8,_1024):(_1024,_1)");
  EXPECT_EQ(text_of(GMMA::Layout_MN_INTER_Atom<half_t>{}), "Sw<0,4,3> o smem_ptr[16b](unset) o (_8,_8):(_1,_8)");
  EXPECT_EQ(text_of(GMMA::Layout_MN_SW32_Atom<float_e4m3_t>{}), "Sw<1,4,3> o smem_ptr[8b](unset) o (_32,_8):(_1,_32)");
  EXPECT_EQ(text_of(GMMA::Layout_K_SW64_Atom<double>{}), "Sw<2,4,3> o smem_ptr[64b](unset) o (_8,_8):(_8,_1)");
}

TEST(CuteFlaggedLayouts, AtomsOfSparseOperands) {
  EXPECT_EQ(text_of(GMMA::Layout_K_SW64_SpAtom<half_t, 2>{}),
            "Sw<2,4,3> o smem_sparse<2>_ptr[16b](unset) o ((_1,_8),(_2,_32)):((_0,_64),(_1,_2))");
  static_assert(
      std::is_same_v<GMMA::Layout_SW128_SpAtom<int8_t, 2, GMMA::Major::MN>, GMMA::Layout_MN_SW128_SpAtom<int8_t, 2>>);
}

TEST(CuteFlaggedLayouts, OperationsKeepTheFlag) {
  static_assert(is_static<Half>::value && cosize_v<Half> == 128 * 64 * 4);
  static_assert(std::is_same_v<get_swizzle_t<Half>, Swizzle<3, 4, 3>>);
  Half const a{};
  EXPECT_EQ(text_of(a),
            "Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),(_64,_1),(_1,_4)):((_64,_512),(_1,_0),(_0,_8192))");
  EXPECT_EQ(text_of(a(_, _, _0{})), "Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),(_64,_1)):((_64,_512),(_1,_0))");
  EXPECT_EQ(text_of(layout<0>(a)), "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_16):(_64,_512)");
  EXPECT_EQ(int(cosize(layout<0>(a))), 8129);
  EXPECT_EQ(text_of(recast_layout<half_t, uint32_t>(take<0, 2>(a))),
            "Sw<3,4,3> o smem_ptr[32b](unset) o ((_8,_16),(_32,_1)):((_32,_256),(_1,_0))");
  EXPECT_EQ(text_of(as_position_independent_swizzle_layout(take<0, 2>(a))),
            "Sw<3,3,3> o _0 o ((_8,_16),(_64,_1)):((_64,_512),(_1,_0))");
  // The offset of the second stage is one of elements, and so is the swizzle behind it.
  auto const second = a(_, _, 1);
  EXPECT_EQ(int(second(9, 12)), 8192 + 576 + (12 ^ 8));
}

TEST(CuteFlaggedLayouts, TheSwizzleIsThePointers) {
  alignas(1024) static half_t memory[cosize_v<Half>];
  Tensor t = make_tensor(make_smem_ptr(memory), Half{});
  static_assert(std::is_same_v<get_swizzle_t<decltype(t)>, Swizzle<3, 4, 3>>);
  static_assert(decltype(max_alignment(t.data()))::value == 128);
  EXPECT_EQ(text_of(t.layout()), "((_8,_16),(_64,_1),(_1,_4)):((_64,_512),(_1,_0),(_0,_8192))");
  EXPECT_EQ(&t(9, 12, 1) - memory, 8192 + 576 + (12 ^ 8));
  EXPECT_EQ(&local_tile(t(_, _, 0), Shape<_64, _32>{}, make_coord(1, 1))(3, 4) - memory, 4348);
  Tensor plain = make_tensor(make_smem_ptr(memory), tile_to_shape(GMMA::Layout_K_INTER_Atom<half_t>{}, shape(Half{})));
  static_assert(std::is_same_v<decltype(plain.data()), smem_ptr<half_t*>>);
  EXPECT_EQ(&plain(9, 12, 1) - memory, 9292);
}

/// The table has the places behind an aligned pointer, in elements.
TEST(CuteFlaggedLayouts, TableOfPlaces) {
  auto const table = table_of(GMMA::Layout_K_SW32_Atom<float>{});
  EXPECT_NE(table.find("Sw<1,2,3> o _0 o (_8,_8):(_8,_1)\n"), std::string::npos);
  EXPECT_NE(table.find(" 4  | 36 | 37 | 38 | 39 | 32 |"), std::string::npos) << table;
}

}  // namespace
