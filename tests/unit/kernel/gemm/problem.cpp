// SPDX-License-Identifier: Apache-2.0
// What a product is given: contiguous modes, types of sums, leading dimensions and batches; and tensors that do not
// fit.
#include <gtest/gtest.h>
#include <cosmati/kernel/gemm/problem.hpp>
#include <cosmati/layout/make_layout.hpp>

#include "sim/message.hpp"

using namespace cosmati;

namespace {

static_assert(std::is_same_v<gemm_sum_t<half_t, bfloat16_t>, float> &&
              std::is_same_v<gemm_sum_t<std::int8_t, std::uint8_t>, int>);
static_assert(std::is_same_v<gemm_sum_t<double, double>, double> && std::is_same_v<gemm_sum_t<float, double>, double>);
static_assert(detail::contiguous_mode<Stride<_1, int>> == 0 && detail::contiguous_mode<Stride<int, _1>> == 1);
static_assert(detail::contiguous_mode<Stride<int, int>> == -1 && detail::contiguous_mode<Stride<_8, _1, int>> == 1);

template <class L, class P = gmem_ptr<float*>>
using tensor = decltype(make_tensor(std::declval<P>(), std::declval<L>()));
template <class T>
using mistake = typename decltype(detail::gemm_operand_mistake<'A', T>())::type;
static_assert(std::is_void_v<mistake<tensor<Layout<Shape<int, int>, Stride<_1, int>>>>>);
static_assert(std::is_same_v<mistake<tensor<Layout<Shape<int>, Stride<_1>>>>, detail::gemm_operand_rank<'A', 1>>);
static_assert(std::is_same_v<mistake<tensor<Layout<Shape<int, int>, Stride<_1, int>>, smem_ptr<float*>>>,
                             detail::gemm_operand_in_global_memory<'A', false>>);
static_assert(std::is_same_v<mistake<tensor<Layout<Shape<int, int>, Stride<int, int>>>>,
                             detail::gemm_operand_is_contiguous<'A', -1>>);

alignas(16) float memory[4096];
template <class S, class D>
auto matrix(S const& shape, D const& stride) {
  return make_tensor(make_gmem_ptr(&memory[0]), make_layout(shape, stride));
}

TEST(GemmProblem, OperandsKeepTheirLeadingDimension) {
  auto const a = matrix(make_shape(5, 7), make_stride(9, _1{}));          // along K
  auto const b = matrix(make_shape(6, 7, 2), make_stride(_1{}, 8, 100));  // along N, of two batches
  auto const c = matrix(make_shape(5, 6, 2), make_stride(_1{}, 5, 64));
  auto const p = make_gemm_problem(a, b, c, 2.f, 0.5f);
  EXPECT_EQ(p.m * 100 + p.n * 10 + p.k, 567);
  EXPECT_EQ(p.batches, 2);
  EXPECT_EQ(p.a.leading, 9);
  EXPECT_EQ(p.a.batch, 0) << "it serves every batch";
  EXPECT_EQ(p.b.batch, 100);
  static_assert(decltype(p.a)::contiguous == 1 && decltype(p.b)::contiguous == 0);
  EXPECT_EQ(p.alpha, 2.f);
  EXPECT_FALSE(p.is_empty());
  auto const of = p.matrix_b(1);
  EXPECT_EQ(&of(3, 2), &memory[100 + 3 + 16]);
  EXPECT_TRUE(make_gemm_problem(matrix(make_shape(0, 7), make_stride(9, _1{})), b(_, _, 0),
                                matrix(make_shape(0, 6), make_stride(_1{}, 5)), 1.f, 0.f)
                  .is_empty());
}

TEST(GemmProblem, VectorsThatAddressesAndStridesAllow) {
  gemm_operand<float, 1> x{&memory[0], 8, 64};
  EXPECT_TRUE(x.is_aligned_to(16));
  x.leading = 6;
  EXPECT_TRUE(x.is_aligned_to(8) && !x.is_aligned_to(16));
  x.batch = 63;
  EXPECT_FALSE(x.is_aligned_to(8));
  EXPECT_TRUE(x.is_aligned_to(4)) << "one element";
  x = {&memory[2], 8, 64};
  EXPECT_TRUE(x.is_aligned_to(8) && !x.is_aligned_to(16));
}

TEST(GemmProblem, TensorsThatDoNotFit) {
  auto const a = matrix(make_shape(5, 7), make_stride(9, _1{})), b = matrix(make_shape(6, 7), make_stride(9, _1{}));
  auto const c = matrix(make_shape(5, 6), make_stride(9, _1{}));
  EXPECT_NO_THROW(make_gemm_problem(a, b, c, 1.f, 0.f));
  EXPECT_MESSAGE(make_gemm_problem(a, c, c, 1.f, 0.f),
                 "A (M, K) is (5, 7), B (N, K) is (5, 6): K differs; is B given as (K, N)?");
  EXPECT_MESSAGE(make_gemm_problem(a, b, a, 1.f, 0.f), "but C is (5, 7), not (M, N) = (5, 6)");
  EXPECT_MESSAGE(make_gemm_problem(matrix(make_shape(5, 7), make_stride(6, _1{})), b, c, 1.f, 0.f),
                 "A has 7 elements along K, its contiguous mode, but the stride along M is 6");
  EXPECT_NO_THROW(make_gemm_problem(matrix(make_shape(1, 7), make_stride(0, _1{})), b,
                                    matrix(make_shape(1, 6), make_stride(0, _1{})), 1.f, 0.f))
      << "one row";
  auto const two = matrix(make_shape(5, 7, 2), make_stride(9, _1{}, 50)),
             three = matrix(make_shape(5, 6, 3), make_stride(9, _1{}, 50));
  EXPECT_MESSAGE(make_gemm_problem(two, b, three, 1.f, 0.f), "C has 3 batches, A has 2; give A as many");
  EXPECT_MESSAGE(make_gemm_problem(matrix(make_shape(5, -7), make_stride(9, _1{})), b, c, 1.f, 0.f), "extent");
}

}  // namespace
