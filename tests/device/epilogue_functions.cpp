// SPDX-License-Identifier: Apache-2.0
// The epilogues of kernel/gemm/epilogue_functions.hpp with gemm_hopper, on either device: the results of a product with
// exact sums, through tensor copies, through a split of K, and turned.
#include <gtest/gtest.h>

#include <cmath>
#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gemm/epilogue_functions.hpp>
#include <cosmati/kernel/gemm/hopper.hpp>
#include <vector>

#include "gemm_problems.hpp"
#include "require_device.hpp"

using namespace cosmati;
using gemm_test::as_double;
using gemm_test::small_number;

namespace {

constexpr hopper_config plain{.tile_m = 64, .tile_n = 64, .stages = 3, .consumers = 1};
constexpr hopper_config turned{.tile_m = 64, .tile_n = 16, .stages = 3, .consumers = 1, .split = 2, .turned = true};

/// The sums of a small product are integers.
struct exact_product {
  int m = 37, n = 70, k = 40;
  std::vector<half_t> a = numbers<half_t>(37 * 40, 1), b = numbers<half_t>(70 * 40, 99);

  template <class T>
  static std::vector<T> numbers(std::size_t count, unsigned first) {
    std::vector<T> r(count);
    for (std::size_t i = 0; i < count; ++i) r[i] = small_number<T>(static_cast<unsigned>(i) + first);
    return r;
  }
  double sum(int i, int j) const {
    double r = 0;
    for (int x = 0; x < k; ++x)
      r += as_double(a[static_cast<std::size_t>(i * k + x)]) * as_double(b[static_cast<std::size_t>(j * k + x)]);
    return r;
  }
  /// The relative error that the results may have beside `wanted(sum, m, n)`.
  template <hopper_config config, class Epilogue, class Wanted>
  void expect(Epilogue const& epilogue, Wanted const& wanted, double error) const {
    int const ld_c = 72;
    device_buffer<half_t> const da(a), db(b);
    device_buffer<float> dc(std::vector<float>(static_cast<std::size_t>(m * ld_c), 1e30f));
    gemm_hopper<config>(make_tensor(make_gmem_ptr(da.data()), make_shape(m, k), make_stride(k, _1{})),
                        make_tensor(make_gmem_ptr(db.data()), make_shape(n, k), make_stride(k, _1{})),
                        make_tensor(make_gmem_ptr(dc.data()), make_shape(m, n), make_stride(ld_c, _1{})), 1.f, 0.f,
                        epilogue);
    auto const got = dc.download();
    int wrong = 0;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        double const x = static_cast<double>(got[static_cast<std::size_t>(i * ld_c + j)]);
        double const y = wanted(sum(i, j), i, j);
        if (!(std::abs(x - y) <= error * std::abs(y) + error * 1e-3) && ++wrong < 4)
          ADD_FAILURE() << "element (" << i << ", " << j << ") is " << x << ", not " << y;
      }
    EXPECT_EQ(wrong, 0);
  }
  /// With both configurations.
  template <class Epilogue, class Wanted>
  void expect_both(Epilogue const& epilogue, Wanted const& wanted, double error = 0) const {
    expect<plain>(epilogue, wanted, error);
    expect<turned>(epilogue, wanted, error);
  }
};

TEST(GemmHopperEpilogues, Activations) {
  COSMATI_REQUIRE_WGMMA();
  exact_product const p;
  p.expect<plain>(
      gemm_gelu{}, [](double x, int, int) { return x / 2 * std::erfc(-x / std::sqrt(2.0)); }, 1e-4);
  p.expect<plain>(
      gemm_silu{}, [](double x, int, int) { return x / (1 + std::exp(-x)); }, 1e-4);
}
TEST(GemmHopperEpilogues, Scales) {
  COSMATI_REQUIRE_WGMMA();
  exact_product const p;
  device_buffer<float> const rows(exact_product::numbers<float>(37, 5)), columns(exact_product::numbers<float>(70, 6)),
      one(std::vector<float>{0.25f});
  auto const r = rows.download(), c = columns.download();
  p.expect_both(gemm_then(gemm_scale<float>{one.data()}, gemm_scale_along_m<float>{rows.data()},
                          gemm_scale_along_n<float>{columns.data()}),
                [&](double x, int m, int n) {
                  return x * 0.25 * static_cast<double>(r[static_cast<std::size_t>(m)]) *
                         static_cast<double>(c[static_cast<std::size_t>(n)]);
                });
}
TEST(GemmHopperEpilogues, BiasResidualReluAndCast) {
  COSMATI_REQUIRE_WGMMA();
  exact_product const p;
  device_buffer<float> const bias(exact_product::numbers<float>(70, 8));
  device_buffer<half_t> const residual(exact_product::numbers<half_t>(37 * 70, 9));
  auto const b = bias.download();
  auto const r = residual.download();
  p.expect_both(gemm_then(gemm_bias_along_n<float>{bias.data()}, gemm_residual<half_t>{residual.data(), 70},
                          gemm_relu{}, cast<bfloat16_t>{}),
                [&](double x, int m, int n) {
                  double const y = x + static_cast<double>(b[static_cast<std::size_t>(n)]) +
                                   as_double(r[static_cast<std::size_t>(m * 70 + n)]);
                  return as_double(static_cast<bfloat16_t>(static_cast<float>(y > 0 ? y : 0)));
                });
}
TEST(GemmHopperEpilogues, LargestMagnitude) {
  COSMATI_REQUIRE_WGMMA();
  exact_product const p;
  double wanted = 0;
  for (int i = 0; i < p.m; ++i)
    for (int j = 0; j < p.n; ++j) wanted = std::max(wanted, std::abs(p.sum(i, j)));
  device_buffer<float> largest(std::vector<float>{0.f, 0.f});
  p.expect<plain>(
      gemm_amax{largest.data()}, [](double x, int, int) { return x; }, 0);
  p.expect<turned>(
      gemm_amax{largest.data() + 1}, [](double x, int, int) { return x; }, 0);
  auto const got = largest.download();
  EXPECT_EQ(static_cast<double>(got[0]), wanted);
  EXPECT_EQ(static_cast<double>(got[1]), wanted);
}

}  // namespace
