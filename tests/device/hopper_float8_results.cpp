// SPDX-License-Identifier: Apache-2.0
// gemm_hopper with results of 8-bit floats on either device, by tensor copies and by the threads: compared with sums in
// double that are converted. Columns outside C must stay as they were.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gemm/hopper.hpp>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

/// Small whole numbers, so that all sums are exact in float. @param most their largest magnitude
template <class T>
std::vector<T> small_values(int count, int most) {
  std::vector<T> r(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    r[static_cast<std::size_t>(i)] = static_cast<T>(static_cast<float>(i * 7 % (2 * most + 1) - most));
  return r;
}

/// @tparam c_along_n whether C is contiguous along N, @param beta of the old C
template <hopper_config config, class TA, class TC, bool c_along_n>
void expect_product(int m, int n, int k, float beta) {
  COSMATI_REQUIRE_WGMMA();
  SCOPED_TRACE(std::to_string(m) + " " + std::to_string(n) + " " + std::to_string(k));
  int const ld = (k + 15) / 16 * 16, ld_c = ((c_along_n ? n : m) + 15) / 16 * 16;
  auto const a = small_values<TA>(m * ld, 1), b = small_values<TA>(n * ld, 2);
  auto expected = small_values<TC>((c_along_n ? m : n) * ld_c, 8);
  device_buffer<TA> const da(a), db(b);
  device_buffer<TC> dc(expected);
  auto const A = make_tensor(make_gmem_ptr(da.data()), make_shape(m, k), make_stride(ld, _1{}));
  auto const B = make_tensor(make_gmem_ptr(db.data()), make_shape(n, k), make_stride(ld, _1{}));
  if constexpr (c_along_n)
    gemm_hopper<config>(A, B, make_tensor(make_gmem_ptr(dc.data()), make_shape(m, n), make_stride(ld_c, _1{})), 0.5f,
                        beta);
  else
    gemm_hopper<config>(A, B, make_tensor(make_gmem_ptr(dc.data()), make_shape(m, n), make_stride(_1{}, ld_c)), 0.5f,
                        beta);
  for (int x = 0; x < m; ++x) {
    for (int y = 0; y < n; ++y) {
      double sum = 0;
      for (int i = 0; i < k; ++i)
        sum += static_cast<double>(static_cast<float>(a[static_cast<std::size_t>(x * ld + i)])) *
               static_cast<double>(static_cast<float>(b[static_cast<std::size_t>(y * ld + i)]));
      auto& c = expected[static_cast<std::size_t>(c_along_n ? x * ld_c + y : y * ld_c + x)];
      c = static_cast<TC>(static_cast<float>(0.5 * sum) + beta * static_cast<float>(c));
    }
  }
  auto const got = dc.download();
  int wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    wrong += !(static_cast<float>(got[i]) == static_cast<float>(expected[i]));
  EXPECT_EQ(wrong, 0);
}

constexpr hopper_config small{.tile_m = 64, .tile_n = 128, .stages = 2, .consumers = 1};

TEST(HopperFloat8Results, OfHalves) {
  expect_product<small, half_t, float_e4m3_t, true>(100, 200, 72, 0.f);
  expect_product<small, half_t, float_e4m3_t, true>(70, 137, 40, 1.f);
}
TEST(HopperFloat8Results, OfFloat8) { expect_product<small, float_e4m3_t, float_e5m2_t, true>(65, 144, 96, 0.f); }
TEST(HopperFloat8Results, ByTheThreads) { expect_product<small, bfloat16_t, float_e4m3_t, false>(90, 130, 64, 2.f); }

}  // namespace
