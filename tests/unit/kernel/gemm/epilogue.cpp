// SPDX-License-Identifier: Apache-2.0
// The end of a matrix product, thread by thread on the host: alpha, beta, epilogues with and without places, whole
// tiles and ragged ones, C by rows and by columns.
#include <gtest/gtest.h>
#include <cosmati/kernel/gemm/epilogue.hpp>
#include <cosmati/tiled/tiled_mma.hpp>

#include <limits>
#include <vector>

using namespace cosmati;

namespace {

constexpr auto mma = make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_4, _2>>{}, Tile<_8, _8, Underscore>{});

/// Sums are 10 m + n of a tile of 8 x 8.
template <bool whole, class L, class Epilogue>
std::vector<float> stored(L const& layout, std::vector<float> c, gemm_tile const& tile, float alpha, float beta,
                          Epilogue const& epilogue) {
  auto const mC = make_tensor(make_gmem_ptr(c.data()), layout);
  for (int t = 0; t < static_cast<int>(size(mma)); ++t) {
    auto const thread = mma.get_slice(t);
    auto const place = thread.partition_C(make_identity_tensor(Shape<_8, _8>{}));
    auto sums = make_tensor<float>(shape(place));
    for (int i = 0; i < static_cast<int>(size(sums)); ++i)
      sums(i) = static_cast<float>(10 * get<0>(place(i)) + get<1>(place(i)));
    store_gemm_tile<whole, 32>(thread, sums, mC, Shape<_8, _8>{}, tile, alpha, beta, epilogue);
  }
  return c;
}
template <class L, class F>
void expect_each(std::vector<float> const& got, L const& layout, int m0, int n0, int rows, int columns,
                 F const& value) {
  for (int m = 0; m < rows; ++m) {
    for (int n = 0; n < columns; ++n)
      EXPECT_EQ(got[static_cast<std::size_t>(static_cast<int>(layout(m0 + m, n0 + n)))], value(m, n)) << m << ',' << n;
  }
}

TEST(GemmEpilogue, ScalesAndAdds) {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  using by_rows = Layout<Shape<_16, _24>, Stride<_24, _1>>;
  auto const once = stored<true>(by_rows{}, std::vector<float>(16 * 24, nan), {1, 2, 0}, 2, 0, identity{});
  expect_each(once, by_rows{}, 8, 16, 8, 8, [](int m, int n) { return 2.f * static_cast<float>(10 * m + n); });
  EXPECT_NE(once[0], once[0]) << "another tile is not touched";
  using by_columns = Layout<Shape<_16, _24>>;
  auto const added = stored<true>(by_columns{}, std::vector<float>(16 * 24, 5), {0, 1, 0}, 1, 3, identity{});
  expect_each(added, by_columns{}, 0, 8, 8, 8, [](int m, int n) { return static_cast<float>(10 * m + n) + 15; });
  EXPECT_EQ(added[0], 5);
}

TEST(GemmEpilogue, WhatLiesOutsideIsNotTouched) {
  auto const layout = make_layout(make_shape(11, 13), make_stride(20, _1{}));  // the last tiles have 3 rows, 5 columns
  auto const got = stored<false>(layout, std::vector<float>(11 * 20, 5), {1, 1, 0}, 1, 2, identity{});
  expect_each(got, layout, 8, 8, 3, 5, [](int m, int n) { return static_cast<float>(10 * m + n) + 10; });
  int untouched = 0;
  for (float const x : got) untouched += x == 5;
  EXPECT_EQ(untouched, 11 * 20 - 15);
}

TEST(GemmEpilogue, EpiloguesOfValuesAndOfPlaces) {
  EXPECT_EQ(gemm_relu{}(-3.f), 0.f);
  EXPECT_EQ(gemm_relu{}(3), 3);
  static_assert(!detail::epilogue_of_place<gemm_relu, float> && !detail::epilogue_of_place<identity, float>);
  std::vector<float> bias(24);
  for (std::size_t i = 0; i < bias.size(); ++i) bias[i] = -10.f * static_cast<float>(i);
  using by_rows = Layout<Shape<_16, _24>, Stride<_24, _1>>;
  auto const at_zero = std::vector<float>(16 * 24, 0.f);
  auto const along_m = stored<true>(by_rows{}, at_zero, {1, 0, 0}, 1, 0, gemm_bias_along_m<float>{bias.data(), {}});
  expect_each(along_m, by_rows{}, 8, 0, 8, 8,
              [](int m, int n) { return static_cast<float>(10 * m + n - 10 * (8 + m)); });
  auto const along_n =
      stored<true>(by_rows{}, at_zero, {0, 1, 0}, 1, 0, gemm_bias_along_n<float, gemm_relu>{bias.data(), {}});
  expect_each(along_n, by_rows{}, 0, 8, 8, 8, [](int m, int n) {
    float const x = static_cast<float>(10 * m + n - 10 * (8 + n));
    return x > 0 ? x : 0.f;
  });
}

}  // namespace
