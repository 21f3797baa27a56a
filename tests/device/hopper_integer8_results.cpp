// SPDX-License-Identifier: Apache-2.0
// Products of 8-bit integers with results of 8-bit integers on either device, by each kernel: sums are exact, epilogues
// scale them in float, and the nearest 8-bit integer is stored. Columns outside C must stay as they were.
#include <gtest/gtest.h>

#include <cmath>
#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gemm.hpp>
#include <cosmati/kernel/gemm/epilogue_functions.hpp>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

template <class T>
std::vector<T> some_values(int count, int seed) {
  std::vector<T> r(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) r[static_cast<std::size_t>(i)] = static_cast<T>((i * 37 + seed) * 11 % 256);
  return r;
}
template <class TC, class V>
TC stored(V x) {
  double const nearest = std::nearbyint(static_cast<double>(x));
  double const least = std::numeric_limits<TC>::min(), most = std::numeric_limits<TC>::max();
  return static_cast<TC>(nearest < least ? least : nearest > most ? most : nearest);
}

/// @param run run(A, B, C, alpha, beta), @param expect the result of alpha sum + beta C, m and n, before it is stored
/// @tparam c_along_n whether C is contiguous along N
template <class TA, class TB, class TC, bool c_along_n, class Run, class Expect>
void expect_product(int m, int n, int k, int beta, Run const& run, Expect const& expect) {
  COSMATI_REQUIRE_WGMMA();
  SCOPED_TRACE(std::to_string(m) + " " + std::to_string(n) + " " + std::to_string(k));
  int const ld = (k + 15) / 16 * 16, ld_c = ((c_along_n ? n : m) + 15) / 16 * 16;
  auto const a = some_values<TA>(m * ld, 1);
  auto const b = some_values<TB>(n * ld, 2);
  auto expected = some_values<TC>((c_along_n ? m : n) * ld_c, 8);
  device_buffer<TA> const da(a);
  device_buffer<TB> const db(b);
  device_buffer<TC> dc(expected);
  auto const A = make_tensor(make_gmem_ptr(da.data()), make_shape(m, k), make_stride(ld, _1{}));
  auto const B = make_tensor(make_gmem_ptr(db.data()), make_shape(n, k), make_stride(ld, _1{}));
  if constexpr (c_along_n)
    run(A, B, make_tensor(make_gmem_ptr(dc.data()), make_shape(m, n), make_stride(ld_c, _1{})), 1, beta);
  else
    run(A, B, make_tensor(make_gmem_ptr(dc.data()), make_shape(m, n), make_stride(_1{}, ld_c)), 1, beta);
  for (int x = 0; x < m; ++x) {
    for (int y = 0; y < n; ++y) {
      int sum = 0;
      for (int i = 0; i < k; ++i)
        sum += static_cast<int>(a[static_cast<std::size_t>(x * ld + i)]) *
               static_cast<int>(b[static_cast<std::size_t>(y * ld + i)]);
      auto& c = expected[static_cast<std::size_t>(c_along_n ? x * ld_c + y : y * ld_c + x)];
      c = stored<TC>(expect(sum + beta * static_cast<int>(c), x, y));
    }
  }
  auto const got = dc.download();
  int wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    if (got[i] != expected[i] && ++wrong < 4)
      ADD_FAILURE() << "element " << i << " is " << int(got[i]) << ", not " << int(expected[i]);
  EXPECT_EQ(wrong, 0);
}

constexpr hopper_config small{.tile_m = 64, .tile_n = 128, .stages = 2, .consumers = 1};
constexpr hopper_config by_two{.tile_m = 64, .tile_n = 64, .stages = 2, .consumers = 1, .split = 2};

/// Scales of columns whose products with sums are exact, so that halves occur.
std::vector<float> scales_of(int n) {
  std::vector<float> r(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) r[static_cast<std::size_t>(i)] = 1.f / static_cast<float>(64 << i % 9);
  return r;
}
/// relu(scale[n] x + bias[n]) in float.
auto quantized(float const* scales, float const* bias) {
  return gemm_then(gemm_convert<float>{}, gemm_scale_along_n<float>{scales}, gemm_bias_along_n<float>{bias},
                   gemm_relu{});
}
template <class TA, class TB, class TC, bool c_along_n, class Kernel>
void expect_quantized(int m, int n, int k, Kernel const& kernel) {
  COSMATI_REQUIRE_WGMMA();
  auto const scales = scales_of(n);
  std::vector<float> bias(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) bias[static_cast<std::size_t>(i)] = static_cast<float>(i % 5) / 2;
  device_buffer<float> const on_device(scales), bias_on_device(bias);
  auto const epilogue = quantized(on_device.data(), bias_on_device.data());
  expect_product<TA, TB, TC, c_along_n>(
      m, n, k, 0,
      [&](auto const& A, auto const& B, auto const& C_, int alpha, int beta) {
        kernel(A, B, C_, alpha, beta, epilogue);
      },
      [&](int x, int, int y) {
        float const r = static_cast<float>(x) * scales[static_cast<std::size_t>(y)] + bias[static_cast<std::size_t>(y)];
        return r > 0 ? r : 0.f;
      });
}

auto const by_hopper = [](auto const&... x) { gemm_hopper<small>(x...); };
auto const by_hopper_split = [](auto const&... x) { gemm_hopper<by_two>(x...); };
/// Warps have 128 columns, so that results go through shared memory in rows of 128 bytes.
constexpr mma_config wide_warps{.tile_m = 64, .tile_n = 256, .warps_n = 2, .stages = 2};
auto const by_mma = [](auto const&... x) { gemm_mma(x...); };
auto const by_wide_warps = [](auto const&... x) { gemm_mma<wide_warps>(x...); };
auto const by_simt = [](auto const&... x) { gemm_simt(x...); };
auto const by_any = [](auto const&... x) { gemm(x...); };
auto const itself = [](int x, int, int) { return x; };

TEST(HopperInteger8Results, SaturatedSums) {
  expect_product<std::int8_t, std::int8_t, std::int8_t, true>(70, 200, 3, 1, by_hopper, itself);
  expect_product<std::int8_t, std::uint8_t, std::uint8_t, true>(65, 137, 2, 2, by_hopper, itself);
}
TEST(HopperInteger8Results, Quantized) {
  expect_quantized<std::int8_t, std::int8_t, std::int8_t, true>(100, 144, 96, by_hopper);
  expect_quantized<std::uint8_t, std::int8_t, std::uint8_t, true>(70, 133, 160, by_hopper);
}
TEST(HopperInteger8Results, ByTheThreads) {
  expect_quantized<std::int8_t, std::int8_t, std::int8_t, false>(90, 130, 64, by_hopper);
  expect_quantized<std::uint8_t, std::uint8_t, std::uint8_t, true>(33, 75, 300, by_hopper_split);
}
TEST(HopperInteger8Results, ByOtherKernels) {
  expect_quantized<std::int8_t, std::int8_t, std::int8_t, true>(70, 133, 96, by_mma);
  expect_quantized<std::int8_t, std::int8_t, std::uint8_t, false>(65, 70, 64, by_mma);
  expect_quantized<std::int8_t, std::int8_t, std::int8_t, true>(65, 150, 64, by_wide_warps);
  expect_quantized<std::int8_t, std::int8_t, std::int8_t, true>(70, 37, 20, by_simt);
  expect_quantized<std::int8_t, std::int8_t, std::int8_t, true>(70, 133, 96, by_any);
}

}  // namespace
