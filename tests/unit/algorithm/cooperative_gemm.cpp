// SPDX-License-Identifier: Apache-2.0
// cooperative_gemm, thread by thread on the host: sums in registers and in memory against loops, whole tiles and ragged
// ones, functions of elements, and C unread where beta is zero.
#include <gtest/gtest.h>
#include <cosmati/algorithm/cooperative_gemm.hpp>
#include <cosmati/tiled/tiled_mma.hpp>

#include <cmath>
#include <limits>

using namespace cosmati;

namespace {

constexpr auto mma = make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_2, _3>>{});  // 6 threads, tiles of 2 x 3 x 1

/// C = store(alpha A B + beta load(C)) by every thread in turn, against the sum written out. A is negated on its way.
template <int m, int n, int k>
void check(float alpha, float beta) {
  float a[m * k], b[n * k], c[m * n], expected[m * n];
  for (int i = 0; i < m * k; ++i) a[i] = static_cast<float>(i * 7 % 11 - 5);
  for (int i = 0; i < n * k; ++i) b[i] = static_cast<float>(i * 5 % 7 - 3);
  for (int i = 0; i < m * n; ++i) c[i] = beta == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(i);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int p = 0; p < k; ++p) sum += -a[i + m * p] * b[j * k + p];
      expected[i * n + j] = 10 * (alpha * sum + (beta == 0 ? 0 : beta * (c[i * n + j] + 1)));
    }
  }
  auto const sA = make_tensor(make_smem_ptr(&a[0]), Layout<Shape<Int<m>, Int<k>>>{});
  auto const sB = make_tensor(make_smem_ptr(&b[0]), Layout<Shape<Int<n>, Int<k>>, Stride<Int<k>, _1>>{});
  auto const sC = make_tensor(make_smem_ptr(&c[0]), Layout<Shape<Int<m>, Int<n>>, Stride<Int<n>, _1>>{});
  for (unsigned thread = 0; thread < 6; ++thread)
    cooperative_gemm(
        thread, mma, alpha, sA, sB, beta, sC, negate{}, identity{}, [](float x) { return x + 1; },
        [](float x) { return 10 * x; });
  for (int i = 0; i < m * n; ++i) EXPECT_EQ(c[i], expected[i]) << m << 'x' << n << 'x' << k << ", element " << i;
}

TEST(CooperativeGemm, WholeTilesAndRaggedOnes) {
  check<4, 6, 5>(1, 1);
  check<4, 6, 5>(2, 0);
  check<3, 6, 4>(2, 3);  // a row too many for the tiles
  check<4, 7, 4>(2, 0);  // a column too many
  check<1, 1, 1>(1, 2);
}

TEST(CooperativeGemm, AddsToSumsInRegisters) {
  float a[6] = {1, 2, 3, 4, 5, 6}, b[9] = {1, 0, 2, 0, 1, 0, 3, 0, 1};
  auto const sA = make_tensor(make_smem_ptr(&a[0]), Layout<Shape<_2, _3>>{});
  auto const sB = make_tensor(make_smem_ptr(&b[0]), Layout<Shape<_3, _3>>{});
  for (unsigned thread = 0; thread < 6; ++thread) {
    auto const place = mma.get_slice(thread).partition_C(make_identity_tensor(Shape<_2, _3>{}));
    auto sums = make_tensor<float>(shape(place));
    ASSERT_EQ(size(sums), 1);
    sums(0) = 100;
    cooperative_gemm(thread, mma, sA, sB, sums);
    cooperative_gemm(thread, mma, sA, sB, sums);
    float expected = 100;
    int const m = get<0>(place(0)), n = get<1>(place(0));
    for (int k = 0; k < 3; ++k) expected += 2 * a[m + 2 * k] * b[n + 3 * k];
    EXPECT_EQ(sums(0), expected) << thread;
  }
}

using tile_m = _2;
static_assert(detail::tile_divides<Shape<_4, _6>, tile_m, _3> && !detail::tile_divides<Shape<_4, _7>, tile_m, _3>);
static_assert(!detail::tile_divides<Shape<int, _6>, tile_m, _3>, "not known to be whole");

}  // namespace
