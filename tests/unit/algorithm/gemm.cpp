// SPDX-License-Identifier: Apache-2.0
// gemm on the host, by multiply-adds of one thread: every combination of ranks, compared with sums computed by hand.
#include <gtest/gtest.h>

#include <cosmati/mma.hpp>

using namespace cosmati;

namespace {

template <class T>
void fill_with_numbers(T&& t, int first) {
  for (int i = 0; i < size(t); ++i)
    t(i) = static_cast<typename std::remove_cvref_t<T>::value_type>((first + 7 * i) % 11 - 5);
}

TEST(Gemm, OneInstruction) {
  auto a = make_tensor<float>(Layout<_1>{}), b = a, c = a, d = a;
  a(0) = 2, b(0) = 3, c(0) = 10, d(0) = 0;
  gemm(d, a, b, c);
  EXPECT_EQ(d(0), 16.f);
  EXPECT_EQ(c(0), 10.f);
  gemm(a, b, c);
  EXPECT_EQ(c(0), 16.f);
  gemm(MMA_Atom<UniversalFMA<float>>{}, a, b, c);
  EXPECT_EQ(c(0), 22.f);
}

TEST(Gemm, OuterProduct) {
  auto a = make_tensor<int>(Layout<_3>{});
  auto b = make_tensor<int>(Layout<_4>{});
  auto c = make_tensor<int>(Layout<Shape<_3, _4>>{});
  auto d = make_tensor<int>(Layout<Shape<_3, _4>, Stride<_4, _1>>{});
  fill_with_numbers(a, 1);
  fill_with_numbers(b, 2);
  fill_with_numbers(c, 3);
  gemm(d, a, b, c);
  for (int m = 0; m < 3; ++m) {
    for (int n = 0; n < 4; ++n) EXPECT_EQ(d(m, n), a(m) * b(n) + c(m, n));
  }
}

TEST(Gemm, MatricesOfValues) {
  auto a = make_tensor<double>(Layout<Shape<_3, _5>>{});
  auto b = make_tensor<double>(Layout<Shape<_4, _5>, Stride<_5, _1>>{});
  auto c = make_tensor<double>(Layout<Shape<_3, _4>>{});
  fill_with_numbers(a, 1);
  fill_with_numbers(b, 2);
  fill_with_numbers(c, 3);
  auto const before = c;
  gemm(a, b, c);
  for (int m = 0; m < 3; ++m) {
    for (int n = 0; n < 4; ++n) {
      double sum = before(m, n);
      for (int k = 0; k < 5; ++k) sum += a(m, k) * b(n, k);
      EXPECT_EQ(c(m, n), sum);
    }
  }
}

// dp4a takes four values per instruction.
TEST(Gemm, ValuesAndRests) {
  auto a = make_tensor<std::int8_t>(Layout<Shape<_4, _3, _2>>{});
  auto b = make_tensor<std::int8_t>(Layout<Shape<_4, _5, _2>>{});
  auto c = make_tensor<std::int32_t>(Layout<Shape<_1, _3, _5>>{});
  auto d = make_tensor<std::int32_t>(Layout<Shape<_1, _3, _5>>{});
  fill_with_numbers(a, 1);
  fill_with_numbers(b, 2);
  fill_with_numbers(c, 3);
  MMA_Atom<SM61_DP4A> const atom;
  gemm(atom, d, a, b, c);
  auto e = make_tensor<std::int32_t>(Layout<Shape<_1, _3, _5>>{});
  gemm(atom, e, a(_, _, 0), b(_, _, 0), c);
  auto f = c;
  gemm(atom, f(_, 1, 2), a(_, 1, 0), b(_, 2, 0), c(_, 1, 2));
  for (int m = 0; m < 3; ++m) {
    for (int n = 0; n < 5; ++n) {
      int sum[2];
      for (int k = 0; k < 2; ++k) {
        sum[k] = 0;
        for (int v = 0; v < 4; ++v) sum[k] += a(v, m, k) * b(v, n, k);
      }
      EXPECT_EQ(d(0, m, n), c(0, m, n) + sum[0] + sum[1]);
      EXPECT_EQ(e(0, m, n), c(0, m, n) + sum[0]);
      EXPECT_EQ(f(0, m, n), c(0, m, n) + (m == 1 && n == 2 ? sum[0] : 0));
    }
  }
}

// A multiply-add rounds once, as on the GPU.
TEST(Gemm, UniversalFma) {
  float d = 0;
  float const a = 1.f + 0x1p-12f;
  UniversalFMA<float>::fma(d, a, a, -1.f);
  EXPECT_EQ(d, 0x1p-11f + 0x1p-24f);
  half_t h;
  UniversalFMA<half_t>::fma(h, half_t(1.f + 0x1p-6f), half_t(1.f + 0x1p-6f), half_t(-1.f));
  EXPECT_EQ(float(h), 0x1p-5f + 0x1p-12f);
  float mixed = 0;
  UniversalFMA<float, half_t, half_t, float>::fma(mixed, half_t(1.5f), half_t(2.5f), 0.25f);
  EXPECT_EQ(mixed, 4.f);
  complex<double> z;
  UniversalFMA<complex<double>>::fma(z, {1, 2}, {3, 4}, {5, 6});
  EXPECT_EQ(z, complex<double>(0, 16));
}

}  // namespace
