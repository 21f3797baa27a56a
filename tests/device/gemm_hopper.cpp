// SPDX-License-Identifier: Apache-2.0
// gemm_hopper on either device: types, orders of modes, edges, batches, alpha and beta, epilogues, and the choice of a
// configuration. Random ragged problems are compared with sums in double, to the bound of the accumulation's error;
// nothing outside C may change. COSMATI_GEMM_PROBLEMS=500 runs that many for each kernel, with extents to 1000 on a
// GPU.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gemm/hopper.hpp>
#include <string>
#include <vector>

#include "gemm_problems.hpp"
#include "require_device.hpp"

using namespace cosmati;
using gemm_test::as_double;
using gemm_test::on_gpu;
using gemm_test::small_number;

namespace {

enum order { along_x, along_k };  // which mode of A (M, K), B (N, K), C (M, N) is contiguous

/// The bound of the error, in roundings of each sum. Tensor cores truncate, and sum products of 8-bit floats with 14
/// bits.
template <class T>
constexpr double error_factor() {
  return on_gpu && detail::is_float8<T> ? 512 : 2;
}

/// @tparam config the kernel's, or none: it chooses
template <class TA, class TB, class TC, order a, order b, order c, class Run>
void expect_random_products(Run const& run, int largest = on_gpu ? 1000 : 150) {
  COSMATI_REQUIRE_WGMMA();
  std::mt19937 random(static_cast<unsigned>(sizeof(TA) * 8 + sizeof(TC) * 64 + a * 4 + b * 2 + c));
  for (int i = 0; i < gemm_test::problems(on_gpu ? 32 : 5); ++i) {
    ASSERT_EQ((gemm_test::wrong_elements<TA, TB, TC, a == along_k, b == along_k, c == along_k>(
                  random, largest, error_factor<TA>(), run, {}, 16)),
              0u)
        << "problem " << i;
  }
}
template <hopper_config config, class TA, class TB, class TC, order a, order b, order c = along_k>
void expect_products() {
  expect_random_products<TA, TB, TC, a, b, c>([](auto const& A, auto const& B, auto const& C_, auto alpha, auto beta) {
    gemm_hopper<config>(A, B, C_, alpha, beta);
  });
}

constexpr hopper_config small{.tile_m = 64, .tile_n = 64, .stages = 3, .consumers = 1, .band = 2, .blocks = 2};
constexpr hopper_config two{.tile_m = 128, .tile_n = 128, .stages = 4, .band = 1};

constexpr hopper_config paired{.tile_m = 64, .tile_n = 64, .stages = 3, .consumers = 1, .band = 2, .cluster = 2};

/// Blocks of a cluster share the sum over K, C^T is computed, and two warpgroups take turns.
constexpr hopper_config split{.tile_m = 64, .tile_n = 64, .stages = 3, .consumers = 1, .split = 4};
constexpr hopper_config split_by_two{.tile_m = 128, .tile_n = 16, .stages = 2, .split = 2, .turned = true};
constexpr hopper_config few_rows{.tile_m = 64, .tile_n = 24, .stages = 3, .consumers = 1, .turned = true};
constexpr hopper_config pingpong{
    .tile_m = 64, .tile_n = 64, .stages = 3, .band = 2, .schedule = hopper_schedule::pingpong};
TEST(GemmHopper, SplitTN) { expect_products<split, half_t, half_t, half_t, along_k, along_k>(); }
TEST(GemmHopper, SplitNTAndCAlongM) { expect_products<split, half_t, half_t, float, along_x, along_x, along_x>(); }
TEST(GemmHopper, SplitAndTurned) {
  expect_products<split_by_two, bfloat16_t, bfloat16_t, bfloat16_t, along_k, along_k>();
}
TEST(GemmHopper, TurnedFewRows) { expect_products<few_rows, half_t, half_t, float, along_k, along_k>(); }
TEST(GemmHopper, PingpongTN) { expect_products<pingpong, half_t, half_t, half_t, along_k, along_k>(); }
TEST(GemmHopper, PingpongNTToFloat) { expect_products<pingpong, half_t, half_t, float, along_x, along_x>(); }

TEST(GemmHopper, PairsOfBlocksTN) { expect_products<paired, half_t, half_t, half_t, along_k, along_k>(); }
TEST(GemmHopper, PairsOfBlocksNT) { expect_products<paired, bfloat16_t, bfloat16_t, float, along_x, along_x>(); }
TEST(GemmHopper, Bfloat16TN) { expect_products<two, bfloat16_t, bfloat16_t, bfloat16_t, along_k, along_k>(); }
TEST(GemmHopper, HalfNT) { expect_products<small, half_t, half_t, half_t, along_x, along_x>(); }
TEST(GemmHopper, Bfloat16NNToFloat) { expect_products<two, bfloat16_t, bfloat16_t, float, along_x, along_k>(); }
TEST(GemmHopper, HalfTTAndCAlongM) { expect_products<small, half_t, half_t, half_t, along_k, along_x, along_x>(); }
TEST(GemmHopper, Tf32) { expect_products<two, tfloat32_t, tfloat32_t, float, along_k, along_k>(); }
TEST(GemmHopper, Float8ToBfloat16) {
  expect_products<small, float_e4m3_t, float_e5m2_t, bfloat16_t, along_k, along_k>();
}
TEST(GemmHopper, Integers) { expect_products<two, std::int8_t, std::int8_t, int, along_k, along_k>(); }

#if !defined(COSMATI_SIMULATED)  // the other types, orders and configurations, each of which takes seconds to compile
constexpr hopper_config large{};
constexpr hopper_config large_pairs{.cluster = 2};
constexpr hopper_config fours{.tile_n = 128, .cluster = 4};
TEST(GemmHopper, LargePairsBfloat16TN) {
  expect_products<large_pairs, bfloat16_t, bfloat16_t, bfloat16_t, along_k, along_k>();
}
TEST(GemmHopper, LargePairsHalfTT) { expect_products<large_pairs, half_t, half_t, half_t, along_k, along_x>(); }
TEST(GemmHopper, LargePairsIntegers) {
  expect_products<large_pairs, std::int8_t, std::int8_t, int, along_k, along_k>();
}
TEST(GemmHopper, FourBlocksTf32) { expect_products<fours, tfloat32_t, tfloat32_t, float, along_k, along_k>(); }
constexpr hopper_config tall{.tile_m = 256, .tile_n = 128};
constexpr hopper_config odd{.tile_m = 192, .tile_n = 192, .stages = 3, .consumers = 3, .band = 3};
constexpr hopper_config deep{.tile_m = 64, .tile_n = 64, .tile_k = 128, .stages = 6, .consumers = 1};
TEST(GemmHopper, LargeBfloat16TN) { expect_products<large, bfloat16_t, bfloat16_t, bfloat16_t, along_k, along_k>(); }
TEST(GemmHopper, LargeBfloat16NT) { expect_products<large, bfloat16_t, bfloat16_t, bfloat16_t, along_x, along_x>(); }
TEST(GemmHopper, LargeHalfNN) { expect_products<large, half_t, half_t, half_t, along_x, along_k>(); }
TEST(GemmHopper, LargeHalfTTToFloat) { expect_products<large, half_t, half_t, float, along_k, along_x>(); }
TEST(GemmHopper, LargeTf32) { expect_products<large, tfloat32_t, tfloat32_t, float, along_k, along_k>(); }
TEST(GemmHopper, LargeFloat8) { expect_products<large, float_e4m3_t, float_e4m3_t, half_t, along_k, along_k>(); }
TEST(GemmHopper, LargeFloat8ToFloat) { expect_products<large, float_e5m2_t, float_e4m3_t, float, along_k, along_k>(); }
TEST(GemmHopper, LargeIntegers) { expect_products<large, std::int8_t, std::uint8_t, int, along_k, along_k>(); }
TEST(GemmHopper, TallBfloat16TN) { expect_products<tall, bfloat16_t, bfloat16_t, bfloat16_t, along_k, along_k>(); }
TEST(GemmHopper, TallHalfNTAndCAlongM) { expect_products<tall, half_t, half_t, half_t, along_x, along_x, along_x>(); }
TEST(GemmHopper, ThreeConsumers) { expect_products<odd, bfloat16_t, bfloat16_t, float, along_x, along_k>(); }
TEST(GemmHopper, DeepStages) { expect_products<deep, half_t, half_t, half_t, along_x, along_x>(); }
TEST(GemmHopper, ChosenBfloat16TN) {
  expect_random_products<bfloat16_t, bfloat16_t, bfloat16_t, along_k, along_k, along_k>(
      [](auto const& A, auto const& B, auto const& C_, auto alpha, auto beta) { gemm_hopper(A, B, C_, alpha, beta); },
      2500);
}
#endif

/// One problem with exact sums. C is contiguous along N, with rows of 16 bytes' multiples. If beta is 0, C is full of
/// NaNs.
/// @param epilogue of the kernel, @param finish(sum, m, n) what it does
template <hopper_config config, class Epilogue, class Finish>
void expect_exact(int m, int n, int k, Epilogue const& epilogue, Finish const& finish, float alpha = 1,
                  float beta = 0) {
  COSMATI_REQUIRE_WGMMA();
  auto const rounded = [](int x) { return (x + 7) / 8 * 8; };
  int const ld = rounded(k), ld_c = rounded(n);
  auto const elements = [](int rows, int row) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(row);
  };
  std::vector<half_t> a(elements(m, ld)), b(elements(n, ld)), c(elements(m, ld_c));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = small_number<half_t>(static_cast<unsigned>(i));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = small_number<half_t>(static_cast<unsigned>(i) + 77);
  for (std::size_t i = 0; i < c.size(); ++i) {
    bool const is_read = beta != 0 || static_cast<int>(i) % ld_c >= n;
    c[i] = is_read ? small_number<half_t>(static_cast<unsigned>(i) + 555)
                   : static_cast<half_t>(std::numeric_limits<float>::quiet_NaN());
  }
  device_buffer<half_t> const da(a), db(b);
  device_buffer<half_t> dc(c);
  gemm_hopper<config>(make_tensor(make_gmem_ptr(da.data()), make_shape(m, k), make_stride(ld, _1{})),
                      make_tensor(make_gmem_ptr(db.data()), make_shape(n, k), make_stride(ld, _1{})),
                      make_tensor(make_gmem_ptr(dc.data()), make_shape(m, n), make_stride(ld_c, _1{})), alpha, beta,
                      epilogue);
  auto const got = dc.download();
  int wrong = 0;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < ld_c; ++j) {
      auto const at = static_cast<std::size_t>(i * ld_c + j);
      double sum = 0;
      for (int x = 0; x < k; ++x)
        sum += as_double(a[static_cast<std::size_t>(i * ld + x)]) *
               as_double(b[static_cast<std::size_t>(j * ld + x) % b.size()]);
      double const before = beta != 0 ? static_cast<double>(beta) * as_double(c[at]) : 0;
      double const wanted = j < n ? finish(static_cast<double>(alpha) * sum + before, i, j) : as_double(c[at]);
      if (as_double(got[at]) != wanted && ++wrong < 4)
        ADD_FAILURE() << "element (" << i << ", " << j << ") is " << as_double(got[at]) << ", not " << wanted;
    }
  }
  EXPECT_EQ(wrong, 0);
}

auto const as_it_is = [](double x, int, int) { return x; };
TEST(GemmHopper, WithoutK) { expect_exact<small>(70, 37, 0, identity{}, as_it_is, 1, 3); }
TEST(GemmHopper, OneElement) { expect_exact<small>(1, 1, 1, identity{}, as_it_is, 2, 1); }
TEST(GemmHopper, ManyTilesOfABlock) { expect_exact<small>(200, 210, 200, identity{}, as_it_is, 1, 1); }
TEST(GemmHopper, Relu) {
  expect_exact<small>(65, 63, 72, gemm_relu{}, [](double x, int, int) { return x > 0 ? x : 0; });
}
TEST(GemmHopper, BiasWithinTheMatrixOnly) {
  COSMATI_REQUIRE_WGMMA();
  std::vector<float> bias(37);
  for (std::size_t i = 0; i < bias.size(); ++i) bias[i] = static_cast<float>(i % 5) - 2;
  device_buffer<float> const on_device(bias);
  expect_exact<two>(70, 37, 45, gemm_bias_along_n<float>{on_device.data()},
                    [&](double x, int, int n) { return x + static_cast<double>(bias[static_cast<std::size_t>(n)]); });
}

TEST(GemmHopper, ChoosesAConfiguration) {
  expect_random_products<half_t, half_t, float, along_k, along_k, along_k>(
      [](auto const& A, auto const& B, auto const& C_, auto alpha, auto beta) { gemm_hopper(A, B, C_, alpha, beta); });
}

TEST(GemmHopper, RefusesAddressesThatTensorCopiesCannotUse) {
  COSMATI_REQUIRE_WGMMA();
  device_buffer<half_t> a(std::vector<half_t>(1024));
  auto const product = [&](int offset, int leading) {
    auto const A = make_tensor(make_gmem_ptr(a.data() + offset), make_shape(8, 8), make_stride(leading, _1{}));
    gemm_hopper<small>(A, A, A);
  };
  auto const message = [&](int offset, int leading) -> std::string {
    try {
      product(offset, leading);
    } catch (error const& problem) {
      return problem.what();
    }
    return {};
  };
  EXPECT_NE(message(1, 8).find("gemm_hopper: A begins at"), std::string::npos);
  EXPECT_NE(message(0, 9).find("A's rows or columns are 9 elements of 2 bytes apart"), std::string::npos);
  EXPECT_EQ(message(0, 16), "");
  synchronize();
}

TEST(GemmHopper, SmallProblemsTakeSmallTiles) {
  auto const tile = [](int m, int n) {
    hopper_config const& c = detail::hopper_configs[detail::choose_hopper_config(m, n, 4096, 1, 2, 132).config];
    return c.tile_m * 1000 + c.tile_n;
  };
  EXPECT_EQ(tile(4096, 4096), 128256);
  EXPECT_EQ(tile(256, 4096), 64128);
  EXPECT_EQ(tile(16, 4096), 64016);
}

}  // namespace
