// SPDX-License-Identifier: Apache-2.0
// gemm_hopper_grouped and gemm_hopper_scaled on either device: random ragged groups, sums of two levels, and scales of
// blocks, compared with sums in double. Rows outside the groups, and columns outside C, must stay as they were.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gemm/hopper_grouped.hpp>
#include <vector>

#include "gemm_problems.hpp"
#include "require_device.hpp"

using namespace cosmati;
using gemm_test::as_double;
using gemm_test::on_gpu;

namespace {

std::size_t count_of(int x, int y) { return static_cast<std::size_t>(x) * static_cast<std::size_t>(y); }
int rounded(int x, int to) { return (x + to - 1) / to * to; }

template <class T>
std::vector<T> random_values(std::mt19937& random, std::size_t count) {
  std::vector<T> r(count);
  for (T& x : r) x = gemm_test::random_value<T>::of(random() * 0x9e3779b97f4a7c15ull);
  return r;
}

/// Groups of rows, with a product for each.
struct groups {
  int m, n, k;
  std::vector<int> offsets;
  int count() const { return static_cast<int>(offsets.size()) - 1; }
  /// The group of a row; -1 outside all of them.
  int of(int row) const {
    for (int g = 0; g < count(); ++g)
      if (row >= offsets[static_cast<std::size_t>(g)] && row < offsets[static_cast<std::size_t>(g) + 1]) return g;
    return -1;
  }
};
groups random_groups(std::mt19937& random, int most_rows, int largest) {
  auto const below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  groups r{0, 1 + below(largest), 1 + below(largest), {below(3)}};
  int const count = 1 + below(on_gpu ? 64 : 5);
  for (int g = 0; g < count; ++g) r.offsets.push_back(r.offsets.back() + (below(4) == 0 ? 0 : below(most_rows)));
  r.m = r.offsets.back() + below(4);
  if (r.m == 0) r.m = 1;
  return r;
}

/// A grouped product with everything on the device. The results are compared with sums in double.
/// @param run run(A, B, C, offsets, scales_a, scales_b)
/// @param scaled whether the product has scales of blocks, @param factor of the error's bound
template <class T, class TC, class Run>
void expect_groups(groups const& g, std::mt19937& random, bool scaled, double factor, Run const& run) {
  constexpr int elements = 16 / static_cast<int>(sizeof(T)), elements_c = 16 / static_cast<int>(sizeof(TC));
  int const ld = rounded(g.k, elements), ld_c = rounded(g.n, elements_c), blocks = (g.k + 127) / 128;
  int const columns = (g.n + 127) / 128;
  auto const a = random_values<T>(random, count_of(g.m, ld));
  auto const b = random_values<T>(random, count_of(g.n, ld) * static_cast<std::size_t>(g.count()));
  auto const c = random_values<TC>(random, count_of(g.m, ld_c));
  auto const scales_a = random_values<float>(random, count_of(g.m, blocks));
  auto const scales_b = random_values<float>(random, count_of(columns, blocks) * static_cast<std::size_t>(g.count()));
  device_buffer<T> const da(a), db(b);
  device_buffer<TC> dc(c);
  device_buffer<float> const dsa(scales_a), dsb(scales_b);
  device_buffer<int> const offsets(g.offsets);
  run(make_tensor(make_gmem_ptr(da.data()), make_shape(g.m, g.k), make_stride(ld, _1{})),
      make_tensor(make_gmem_ptr(db.data()), make_shape(g.n, g.k, g.count()),
                  make_stride(ld, _1{}, static_cast<std::int64_t>(g.n) * ld)),
      make_tensor(make_gmem_ptr(dc.data()), make_shape(g.m, g.n), make_stride(ld_c, _1{})), offsets.data(),
      make_tensor(make_gmem_ptr(dsa.data()), make_shape(g.m, blocks), make_stride(_1{}, g.m)),
      make_tensor(make_gmem_ptr(dsb.data()), make_shape(columns, blocks, g.count()),
                  make_stride(blocks, _1{}, columns * blocks)));
  auto const got = dc.download();
  auto const doubles = [](auto const& values) {
    std::vector<double> r;
    for (auto const& x : values) r.push_back(as_double(x));
    return r;
  };
  std::vector<double> const a_in_double = doubles(a), b_in_double = doubles(b);
  int wrong = 0;
  for (int i = 0; i < g.m; ++i) {
    int const group = g.of(i);
    for (int j = 0; j < ld_c; ++j) {
      auto const at = static_cast<std::size_t>(i) * static_cast<std::size_t>(ld_c) + static_cast<std::size_t>(j);
      double wanted = as_double(c[at]), bound = 0;
      if (group >= 0 && j < g.n) {
        double sum = 0, sizes = 0;
        double const* const row_a = &a_in_double[count_of(i, ld)];
        double const* const row_b =
            &b_in_double[(count_of(group, g.n) + static_cast<std::size_t>(j)) * static_cast<std::size_t>(ld)];
        for (int x = 0; x < g.k; ++x) {
          double term = row_a[x] * row_b[x];
          if (scaled)
            term *=
                static_cast<double>(scales_a[static_cast<std::size_t>(i + x / 128 * g.m)]) *
                static_cast<double>(scales_b[static_cast<std::size_t>((group * columns + j / 128) * blocks + x / 128)]);
          sum += term;
          sizes += std::abs(term);
        }
        wanted = sum;
        bound = factor * (g.k + 4) * 0x1p-24 * sizes + 1.01 * gemm_test::rounding<TC> * std::abs(sum);
      }
      double const error = std::abs(as_double(got[at]) - wanted);
      if (!(error <= bound) && ++wrong < 4)
        ADD_FAILURE() << "element (" << i << ", " << j << ") of group " << group << " is " << as_double(got[at])
                      << ", not " << wanted << "; M " << g.m << ", N " << g.n << ", K " << g.k;
    }
  }
  EXPECT_EQ(wrong, 0);
}

constexpr hopper_config small{.tile_m = 64, .tile_n = 64, .stages = 3, .consumers = 1};
constexpr hopper_config pingpong{.tile_m = 64, .tile_n = 64, .stages = 3, .schedule = hopper_schedule::pingpong};
constexpr int largest = on_gpu ? 600 : 150;

template <hopper_config config, class T, class TC>
void expect_random_groups(unsigned seed, int most_rows) {
  COSMATI_REQUIRE_WGMMA();
  std::mt19937 random(seed);
  for (int i = 0; i < gemm_test::problems(on_gpu ? 8 : 5); ++i) {
    groups const g = random_groups(random, most_rows, largest);
    expect_groups<T, TC>(g, random, false, 2,
                         [](auto const& A, auto const& B, auto const& C_, int const* offsets, auto const&,
                            auto const&) { gemm_hopper_grouped<config>(A, B, C_, offsets); });
  }
}
TEST(GemmHopperGrouped, Half) { expect_random_groups<small, half_t, half_t>(1, 100); }
TEST(GemmHopperGrouped, PingpongBfloat16) { expect_random_groups<pingpong, bfloat16_t, bfloat16_t>(2, 200); }
TEST(GemmHopperGrouped, FewRowsToFloat) { expect_random_groups<pingpong, half_t, float>(3, 20); }
TEST(GemmHopperGrouped, ChoosesAConfiguration) {
  COSMATI_REQUIRE_WGMMA();
  std::mt19937 random(4);
  for (int most_rows : {40, 300}) {
    groups const g = random_groups(random, most_rows, largest);
    expect_groups<bfloat16_t, bfloat16_t>(g, random, false, 2,
                                          [](auto const& A, auto const& B, auto const& C_, int const* offsets,
                                             auto const&, auto const&) { gemm_hopper_grouped(A, B, C_, offsets); });
  }
}

constexpr hopper_config scaled_small{.tile_m = 64, .tile_n = 64, .stages = 3, .consumers = 1, .promote = 1};
constexpr hopper_config scaled_wide{.tile_m = 128, .tile_n = 128, .stages = 4, .promote = 1};
/// Tensor cores sum 8-bit floats with 14 bits, 128 of them here before they are added in float.
constexpr double factor_of_float8 = on_gpu ? 512 : 2;
template <hopper_config config, class TC>
void expect_scaled_groups(unsigned seed) {
  COSMATI_REQUIRE_WGMMA();
  std::mt19937 random(seed);
  for (int i = 0; i < gemm_test::problems(on_gpu ? 4 : 3); ++i) {
    groups const g = random_groups(random, 100, on_gpu ? 1000 : 300);
    expect_groups<float_e4m3_t, TC>(
        g, random, true, factor_of_float8,
        [](auto const& A, auto const& B, auto const& C_, int const* offsets, auto const& scales_a,
           auto const& scales_b) { gemm_hopper_grouped_scaled<config>(A, scales_a, B, scales_b, C_, offsets); });
  }
}
TEST(GemmHopperScaled, Groups) { expect_scaled_groups<scaled_small, bfloat16_t>(5); }
TEST(GemmHopperScaled, GroupsToFloat) { expect_scaled_groups<scaled_wide, float>(6); }

/// One group is a product without groups.
TEST(GemmHopperScaled, OneMatrix) {
  COSMATI_REQUIRE_WGMMA();
  std::mt19937 random(7);
  for (int i = 0; i < 3; ++i) {
    groups g = random_groups(random, 2, 300);
    g.offsets = {0, g.m = 1 + static_cast<int>(random() % 200)};
    expect_groups<float_e4m3_t, bfloat16_t>(
        g, random, true, factor_of_float8,
        [](auto const& A, auto const& B, auto const& C_, int const*, auto const& scales_a, auto const& scales_b) {
          gemm_hopper_scaled<scaled_wide>(A, scales_a, B(_, _, 0), scales_b(_, _, 0), C_);
        });
  }
}
/// The sums of two levels, without scales. On a GPU the bound is below what one level of 8-bit floats reaches.
constexpr hopper_config two_levels{.tile_m = 64, .tile_n = 64, .stages = 3, .consumers = 1, .promote = 2};
TEST(GemmHopperScaled, SumsOfTwoLevels) {
  COSMATI_REQUIRE_WGMMA();
  std::mt19937 random(8);
  for (int i = 0; i < 3; ++i) {
    groups g = random_groups(random, 2, on_gpu ? 3000 : 700);
    g.offsets = {0, g.m = 1 + static_cast<int>(random() % 100)};
    g.n = 1 + g.n % 100;
    expect_groups<float_e4m3_t, float>(g, random, false, factor_of_float8,
                                       [](auto const& A, auto const& B, auto const& C_, int const*, auto const&,
                                          auto const&) { gemm_hopper<two_levels>(A, B(_, _, 0), C_); });
  }
}

#if defined(COSMATI_SIMULATED)  // a GPU trusts the offsets
TEST(GemmHopperGrouped, RefusesOffsetsThatFallOrLeaveTheRows) {
  device_buffer<half_t> a(std::vector<half_t>(40 * 16)), b(std::vector<half_t>(16 * 16 * 3)),
      c(std::vector<half_t>(40 * 16));
  auto const refusal = [&](std::vector<int> const& groups, auto... more) -> std::string {
    device_buffer<int> const offsets(groups);
    try {
      gemm_hopper_grouped<small>(
          make_tensor(make_gmem_ptr(a.data()), make_shape(40, 16), make_stride(16, _1{})),
          make_tensor(make_gmem_ptr(b.data()), make_shape(16, 16, 3), make_stride(16, _1{}, 256)),
          make_tensor(make_gmem_ptr(c.data()), make_shape(40, 16), make_stride(16, _1{})), offsets.data(), more...);
      synchronize();
    } catch (error const& problem) {
      return problem.what();
    }
    return "";
  };
  auto const says = [](std::string const& text, char const* what) { return text.find(what) != std::string::npos; };
  EXPECT_EQ(refusal({0, 7, 7, 40}), "");
  EXPECT_TRUE(says(refusal({0, 20, 12, 40}), "group 1 goes from row offsets[1] = 20 to offsets[2] = 12, and M is 40"));
  EXPECT_TRUE(says(refusal({0, 20, 30, 41}), "group 2 goes from row offsets[2] = 30 to offsets[3] = 41, and M is 40"));
  EXPECT_TRUE(says(refusal({-1, 20, 30, 40}), "group 0 goes from row offsets[0] = -1 to offsets[1] = 20, and M is 40"));
}
#endif

TEST(GemmHopperScaled, RefusesScalesOfOtherExtents) {
  COSMATI_REQUIRE_WGMMA();
  device_buffer<float_e4m3_t> a(std::vector<float_e4m3_t>(256 * 16));
  device_buffer<float> c(std::vector<float>(256)), scales(std::vector<float>(64));
  auto const A = make_tensor(make_gmem_ptr(a.data()), make_shape(16, 256), make_stride(256, _1{}));
  auto const C_ = make_tensor(make_gmem_ptr(c.data()), make_shape(16, 16), make_stride(16, _1{}));
  auto const of = [&](int x, int y) {
    return make_tensor(make_gmem_ptr(scales.data()), make_shape(x, y), make_stride(y, _1{}));
  };
  try {
    gemm_hopper_scaled<scaled_small>(A, of(16, 1), A, of(1, 2), C_);
    ADD_FAILURE() << "accepted";
  } catch (error const& problem) {
    EXPECT_NE(std::string(problem.what()).find("the scales of A are (16, 1), not (16, 2)"), std::string::npos)
        << problem.what();
  }
  gemm_hopper_scaled<scaled_small>(A, of(16, 2), A, of(1, 2), C_);
  synchronize();
}

}  // namespace
