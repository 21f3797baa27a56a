// SPDX-License-Identifier: Apache-2.0
// gemm and plan_gemm choose a kernel by shape, type and device. tune_gemm measures, and keeps the winner.
#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/tune_gemm.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "../sim/message.hpp"
#include "require_device.hpp"

using namespace cosmati;

namespace {

/// Matrices of small integers, whose products are exact in every type.
template <class T, class TC, int mode_a, int mode_b>
struct product {
  int m, n, k;
  std::vector<T> host_a, host_b;
  device_buffer<T> a, b;
  device_buffer<TC> c;

  product(int m_, int n_, int k_) : m(m_), n(n_), k(k_), c(static_cast<std::size_t>(m_) * n_) {
    std::mt19937 random(static_cast<unsigned>(m * 7 + n));
    auto const fill = [&](std::vector<T>& v, int count) {
      for (int i = 0; i < count; ++i)
        v.push_back(static_cast<T>(static_cast<float>(static_cast<int>(random() % 5) - 2)));
    };
    fill(host_a, m * k);
    fill(host_b, n * k);
    a = device_buffer<T>(host_a);
    b = device_buffer<T>(host_b);
  }
  template <int mode>
  static auto matrix(T const* data, int x, int y) {
    if constexpr (mode == 1)
      return make_tensor(make_gmem_ptr(data), make_layout(make_shape(x, y), make_stride(y, _1{})));
    else
      return make_tensor(make_gmem_ptr(data), make_layout(make_shape(x, y), make_stride(_1{}, x)));
  }
  auto A() { return matrix<mode_a>(static_cast<T const*>(a.data()), m, k); }
  auto B() { return matrix<mode_b>(static_cast<T const*>(b.data()), n, k); }
  auto C() { return make_tensor(make_gmem_ptr(c.data()), make_layout(make_shape(m, n), make_stride(n, _1{}))); }

  /// Compares C with alpha A B, and forgets it.
  void expect_product(float alpha = 1) {
    auto const found = c.download();
    auto const at = [&](std::vector<T> const& of, int mode, int x, int y, int rows, int columns) {
      return static_cast<float>(of[static_cast<std::size_t>(mode == 1 ? x * columns + y : y * rows + x)]);
    };
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        float sum = 0;
        for (int x = 0; x < k; ++x) sum += at(host_a, mode_a, i, x, m, k) * at(host_b, mode_b, j, x, n, k);
        ASSERT_EQ(static_cast<float>(found[static_cast<std::size_t>(i * n + j)]), alpha * sum) << i << ' ' << j;
      }
    }
    c.clear();
  }
};

/// Whether the device of the test multiplies by wgmma.
bool has_warpgroups() { return detail::device_has_warpgroup_products(); }

TEST(PlanGemm, ChoosesByTypesAndAddresses) {
  COSMATI_REQUIRE_DEVICE();
  product<half_t, half_t, 1, 1> of_halves(64, 64, 64);
  EXPECT_EQ(plan_gemm(of_halves.A(), of_halves.B(), of_halves.C()).kernel,
            has_warpgroups() ? gemm_kernel::hopper : gemm_kernel::mma);
  product<half_t, half_t, 1, 1> odd_rows(64, 64, 63);  // rows of 126 bytes
  EXPECT_EQ(plan_gemm(odd_rows.A(), odd_rows.B(), odd_rows.C()), gemm_plan{gemm_kernel::mma});
  product<float, float, 1, 1> of_floats(64, 64, 64);
  EXPECT_EQ(plan_gemm(of_floats.A(), of_floats.B(), of_floats.C()), gemm_plan{gemm_kernel::simt});
}

TEST(PlanGemm, CopiesAnOperandWhereThatPays) {
  COSMATI_REQUIRE_DEVICE();
  if (!has_warpgroups()) GTEST_SKIP() << "needs warpgroup instructions";
  // A is contiguous along M, and wgmma reads bytes only along K. Its copy serves N rows of B.
  product<std::int8_t, int, 0, 1> few(64, 64, 64), many(64, detail::gemm_rows_that_pay_for_copy, 64);
  EXPECT_EQ(plan_gemm(few.A(), few.B(), few.C()).kernel, gemm_kernel::mma);
  gemm_plan const plan = plan_gemm(many.A(), many.B(), many.C());
  EXPECT_EQ(plan.kernel, gemm_kernel::hopper);
  EXPECT_TRUE(plan.copies_a);
  EXPECT_FALSE(plan.copies_b);
  EXPECT_NE(plan.text().find("A copied"), std::string::npos) << plan.text();
}

TEST(Gemm, MultipliesByTheChosenKernel) {
  COSMATI_REQUIRE_DEVICE();
  product<half_t, float, 1, 1> of_halves(100, 72, 40);
  gemm(of_halves.A(), of_halves.B(), of_halves.C(), 2);
  of_halves.expect_product(2);
  product<float, float, 1, 0> of_floats(33, 20, 17);
  gemm(of_floats.A(), of_floats.B(), of_floats.C(), 1);
  of_floats.expect_product();
}

TEST(Gemm, CopiesOperandsOfBytes) {
  COSMATI_REQUIRE_DEVICE();
  if (!has_warpgroups()) GTEST_SKIP() << "needs warpgroup instructions";
  product<float_e4m3_t, float, 0, 0> of_bytes(48, 36, 50);  // K is no multiple of 16 bytes: the copies pad it
  gemm(of_bytes.A(), of_bytes.B(), of_bytes.C(), 1);
  of_bytes.expect_product();
}

TEST(Gemm, RefusesAPlanOfOtherTypes) {
  COSMATI_REQUIRE_DEVICE();
  product<float, float, 1, 1> of_floats(8, 8, 8);
  EXPECT_MESSAGE((gemm(gemm_plan{gemm_kernel::mma}, of_floats.A(), of_floats.B(), of_floats.C())),
                 "the plan \"mma\" does not suit");
}

TEST(TuneGemm, MeasuresAndRemembers) {
  COSMATI_REQUIRE_DEVICE();
  std::string const path = testing::TempDir() + "cosmati_tuned_gemm.json";
  std::remove(path.c_str());
  product<half_t, float, 1, 1> p(70, 40, 64);
  tune_gemm_options const options = {.rounds = 1, .cache = path};
  tuned_gemm const first = tune_gemm(p.A(), p.B(), p.C(), options);
  EXPECT_FALSE(first.from_cache);
  EXPECT_GT(first.us, 0);
  p.expect_product();
  gemm_plan known;
  EXPECT_TRUE(detail::find_tuned_gemm(p.A(), p.B(), p.C(), known));
  EXPECT_EQ(known, first.plan);
  gemm(p.A(), p.B(), p.C(), 1);  // by that plan
  p.expect_product();

  tuned_gemm const again = tune_gemm(p.A(), p.B(), p.C(), options);
  EXPECT_TRUE(again.from_cache);
  EXPECT_EQ(again.plan, first.plan);
  EXPECT_EQ(again.us, first.us);
  // a plan that is none of today's is measured again
  auto all = nlohmann::json::parse(std::ifstream(path));
  for (auto& device : all)
    for (auto& winner : device) winner["plan"] = {2, 999, 1, false, false};
  std::ofstream(path) << all.dump();
  EXPECT_FALSE(tune_gemm(p.A(), p.B(), p.C(), options).from_cache);
}

TEST(TuneGemm, SaysWhatIsWrong) {
  COSMATI_REQUIRE_DEVICE();
  product<float, float, 1, 1> p(8, 8, 8);
  EXPECT_MESSAGE((tune_gemm(p.A(), p.B(), p.C(), {.rounds = 0})), "options.rounds is 0");
  EXPECT_MESSAGE((tune_gemm(p.A(), p.B(), p.C(), {.cache = "/no/such/folder/file.json"})),
                 "tune_gemm: /no/such/folder/file.json cannot be written");
  auto const nothing = make_tensor(p.C().data(), make_layout(make_shape(0, 8), make_stride(8, _1{})));
  auto const no_rows = make_tensor(p.A().data(), make_layout(make_shape(0, 8), make_stride(8, _1{})));
  EXPECT_MESSAGE((tune_gemm(no_rows, p.B(), nothing)), "C has no elements");
}

}  // namespace
