// SPDX-License-Identifier: Apache-2.0
// What a header of CuTe gives besides its own names: a program includes one, and uses what that one includes.
#define CUTE_SM90_EXTENDED_MMA_SHAPES_ENABLED
#include <cute/container/tuple.hpp>

static_assert(cute::is_same_v<cute::tuple_element_t<1, cute::tuple<int, cute::C<3>>>, cute::C<3>>);
static_assert(cute::is_standard_layout_v<cute::tuple<int>> && cute::is_empty_v<cute::tuple<>>);
static_assert(cute::is_same_v<cute::enable_if_t<true, int>, int> &&
              cute::is_same_v<cute::seq<0, 1>, cute::make_seq<2>>);

#include <cute/tensor.hpp>

static_assert(cute::is_same_v<cutlass::half_t, cute::half_t> && cutlass::sizeof_bits<cutlass::int4b_t>::value == 4);
static_assert(cute::is_same_v<cutlass::complex<float>, cute::complex<float>> && sizeof(cutlass::bfloat16_t) == 2);
static_assert(cutlass::platform::is_same<cutlass::uint128_t, cute::uint128_t>::value &&
              cutlass::bits_to_bytes(12) == 2);
static_assert(cutlass::platform::bit_cast<unsigned>(1.0f) == 0x3f800000u && cutlass::NumThreadsPerWarp == 32);

#include <gtest/gtest.h>

#include <sstream>

using namespace cute;

namespace {

/// What the function prints.
template <class F>
std::string printed(F const& f) {
  testing::internal::CaptureStdout();
  f();
  return testing::internal::GetCapturedStdout();
}
template <class T>
std::string streamed(T const& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

TEST(ReachedNames, CeilDivOfIntegersAndOfTuplesInOneFile) {
  EXPECT_EQ(ceil_div(17, 4), 5);
  EXPECT_EQ(get<0>(ceil_div(make_tuple(9, 10), 4)), 3);
  EXPECT_TRUE(evenly_divides(make_tuple(4, 6), make_tuple(2, 3)));
}

TEST(ReachedNames, StaticValuesAndArrays) {
  static_assert(is_same_v<decltype(static_value<_3>()), _3>);
  static_assert(is_same_v<decltype(static_value<sizeof_bits<float>>()), Int<32>>);
  static_assert(is_same_v<decltype(_1{} || false), true_type> && is_same_v<decltype(false || _2{}), true_type>);
  array<int, 3> a{1, 2, 3}, b{4, 5, 6};
  a.swap(b);
  swap(a, b);
  b.swap(a);
  EXPECT_EQ(a[2], 6);
  EXPECT_EQ(b[0], 1);
}

TEST(ReachedNames, LayoutsOfWholeModesAndFirstStrides) {
  static_assert(is_same_v<decltype(right_inverse(_)), Underscore> && is_same_v<decltype(left_inverse(_)), Underscore>);
  auto const left = compact_major<LayoutLeft>(make_shape(2, _3{}, make_shape(4, 5)), _2{});
  EXPECT_EQ(get<1>(left), 4);
  EXPECT_EQ(get<0>(get<2>(left)), 12);
  auto const right = compact_major<LayoutRight>(make_shape(2, _3{}), 7);
  EXPECT_EQ(get<0>(right), 21);
  EXPECT_EQ(get<1>(right), 7);
}

TEST(ReachedNames, NestingsOfWholeModes) {
  auto const l = unflatten(Layout<Shape<_2, _3, _4>>{}, make_tuple(make_tuple(_, _), _));
  static_assert(
      is_same_v<std::remove_const_t<decltype(l)>, Layout<Shape<Shape<_2, _3>, _4>, Stride<Stride<_1, _2>, _6>>>);
  EXPECT_EQ(unflatten(make_layout(make_shape(2, 3)), make_tuple(_, make_tuple(_)))(1, 2), 5);
}

TEST(ReachedNames, ZipLayout) {
  ZipLayout const z(make_layout(make_shape(4, 2)), Layout<Shape<_4, _2>, Stride<_2, _1>>{});
  static_assert(is_zip_layout<std::remove_const_t<decltype(z)>>::value && !is_zip_layout<Layout<_4>>::value);
  EXPECT_EQ(size(z), 8);
  EXPECT_EQ(z(3, 1), make_tuple(7, 7));
  EXPECT_EQ(z(1, 1), make_tuple(5, 3));
  EXPECT_EQ(z(_, 1)(2), make_tuple(2, 4));
  EXPECT_EQ(get<1>(z)(1), make_tuple(4, 1));
  EXPECT_EQ(zipped_divide(z, make_shape(_2{}, _2{}))(2, 1), make_tuple(6, 5));
  EXPECT_EQ(decltype(rank(z))::value, 2);
}

TEST(ReachedNames, InstructionsByTheNamesOfCuTesClasses) {
  using namespace SM90::GMMA;
  static_assert(
      is_same_v<MMA_64x64x16_F32F16F16_SS<Major::K, Major::MN>, SM90_64x64x16_F32F16F16_SS<Major::K, Major::MN>>);
  static_assert(is_same_v<MMA_64x256x32_S32U8S8_RS_TN, SM90_64x256x32_S32U8S8_RS_TN>);
  static_assert(is_same_v<MMA_64x8x8_F32TF32TF32_SS_TN<>, SM90_64x8x8_F32TF32TF32_SS_TN<>>);
  using Sparse = SM90::GMMA::SPARSE::GMMA_64x64x32_F16F16F16_SS<Major::K, Major::MN>;
  static_assert(size<2>(MMA_Traits<Sparse>::Shape_MNK{}) == 32);
  static_assert(is_same_v<CLayout_64x104, CLayout_64xN<104>>);
  static_assert(is_same_v<SM90::MMA_16x8x4_F64F64F64F64_TN, SM90_16x8x4_F64F64F64F64_TN>);
}

TEST(ReachedNames, ElementsInColumns) {
  auto const text = [] {
    pretty_print(half_t(2.f)), pretty_print(bfloat16_t(1.f)), pretty_print(float_e4m3_t(1.f));
    pretty_print(tfloat32_t(1.f)), pretty_print(1.5f), pretty_print(1.5), pretty_print(3), pretty_print(int8_t(4));
    pretty_print(int4_t(1)), pretty_print(true), pretty_print(uint1b_t(1));
  };
  EXPECT_EQ(printed(text), "    2.00    1.00    1.00  1.00e+00  1.50e+00  1.500e+00    3  4    1  1  1");
  uint8_t bytes[2] = {0x31, 0x7f};
  auto const t = make_tensor(make_gmem_ptr<int4_t>(bytes), make_shape(_2{}, _2{}));
  EXPECT_EQ(printed([&] { print_tensor(t, false); }), "    1   -1\n    3    7\n");
}

TEST(ReachedNames, TextsOfStreams) {
  float x[12];
  for (int i = 0; i < 12; ++i) x[i] = static_cast<float>(i);
  EXPECT_EQ(streamed(R<1, 2>{}), "__1/_2");
  EXPECT_EQ(streamed(make_gmem_ptr(x)), "gmem_[32b]");
  EXPECT_EQ(streamed(make_smem_ptr(x)), "smem_[32b]");
  EXPECT_EQ(streamed(counting_iterator<int>(5)), "counting_iter(5)");
  EXPECT_EQ(streamed(make_tensor(&x[0], make_shape(_2{}, _2{}))),
            "(_2,_2):(_1,_2)\n        0        2\n        1        3\n");
  EXPECT_EQ(streamed(make_tensor(&x[1], _2{})), "_2:_1\n        1\n        2\n");
  EXPECT_EQ(streamed(make_tensor(&x[0], make_shape(1, 2, 2))),
            "(1,2,2):(_1,1,2)\n        0        1\n------------------\n        2        3\n");
}

}  // namespace
