// SPDX-License-Identifier: Apache-2.0
// gemm_simt on either device: random ragged problems of all layouts and types, epilogues, and refused calls.
// COSMATI_GEMM_PROBLEMS=1024 runs that many; extents go to 1000 on a GPU.
#include <gtest/gtest.h>

#include <cosmati/analysis/copy_cost.hpp>
#include <cosmati/kernel/gemm/simt.hpp>
#include <cosmati/tiled/mma_copy.hpp>

#include "gemm_problems.hpp"
#include "require_device.hpp"

using namespace cosmati;
using gemm_test::on_gpu;

namespace {

#if defined(COSMATI_SIMULATED)
constexpr int largest = 70;
constexpr simt_config tiles_of(int) {
  return {.tile_m = 32, .tile_n = 64, .tile_k = 8, .values_m = 4, .values_n = 8, .fetch_steps = 3};
}
#else
constexpr int largest = 1000;
constexpr simt_config tiles_of(int bytes) {
  return bytes > 4 ? simt_config{.tile_m = 64, .tile_n = 64, .tile_k = 8, .values_m = 8, .values_n = 4}
                   : simt_config{.tile_m = 128, .tile_n = 128, .tile_k = 8, .values_m = 8, .values_n = 8, .stages = 4};
}
#endif

template <class T, class TC, bool ka, bool kb, bool cn>
void random_problems(int count) {
  std::mt19937 random(static_cast<unsigned>(sizeof(T) * 8 + ka * 4 + kb * 2 + cn));
  for (int i = 0; i < count; ++i) {
    ASSERT_EQ((gemm_test::wrong_elements<T, T, TC, ka, kb, cn>(
                  random, largest, 1,
                  [](auto const& A, auto const& B, auto const& C_, auto alpha, auto beta) {
                    gemm_simt<tiles_of(static_cast<int>(sizeof(TC)))>(A, B, C_, alpha, beta);
                  })),
              0u)
        << "problem " << i;
  }
}
/// TN, NT, NN, TT; C along M or N. @param count of all
template <class T, class TC>
void all_layouts(int count) {
  if constexpr (on_gpu || std::is_same_v<T, float>) {
    random_problems<T, TC, true, true, false>(count / 4);
    random_problems<T, TC, false, false, true>(count / 4);
    random_problems<T, TC, false, true, false>(count / 4);
    random_problems<T, TC, true, false, true>(count / 4);
  } else {  // each takes seconds to compile
    random_problems<T, TC, sizeof(T) == 1 || sizeof(T) == 4, sizeof(T) != 4, sizeof(T) == 2>(count / 4);
  }
}

// Copies to a stage and loads of operands, 16 bytes a lane, have no bank conflicts.
template <bool along_k>
struct no_conflicts {
  static constexpr int mode = along_k ? 1 : 0;
  using Problem =
      gemm_problem<gemm_operand<float const, mode>, gemm_operand<float const, mode>, gemm_operand<float, 1>>;
  using Parts = detail::simt_parts<detail::simt_config_for<4, along_k>(), true, Problem>;
  using Wide = Copy_Atom<UniversalCopy<uint128_t>, float>;
  using SA = decltype(layout<0>(group_modes<0, 2>(typename Parts::LayoutSA{})));
  using SB = decltype(layout<0>(group_modes<0, 2>(typename Parts::LayoutSB{})));
  static_assert(bank_conflicts(Parts::operand_A::copy(), SA{}) == 0 &&
                bank_conflicts(Parts::operand_B::copy(), SB{}) == 0);
  static_assert(bank_conflicts(make_tiled_copy_A(Wide{}, Parts::mma()), SA{}) == 0 &&
                bank_conflicts(make_tiled_copy_B(Wide{}, Parts::mma()), SB{}) == 0);
};
template struct no_conflicts<true>;
template struct no_conflicts<false>;

}  // namespace

TEST(gemm_simt, float32) {
  COSMATI_REQUIRE_DEVICE();
  all_layouts<float, float>(gemm_test::problems(24));
}
TEST(gemm_simt, float64) {
  COSMATI_REQUIRE_DEVICE();
  all_layouts<double, double>(gemm_test::problems(32));
}
TEST(gemm_simt, half_to_half) {
  COSMATI_REQUIRE_DEVICE();
  all_layouts<half_t, half_t>(gemm_test::problems(32));
}
TEST(gemm_simt, int8_to_int32) {
  COSMATI_REQUIRE_DEVICE();
  all_layouts<std::int8_t, int>(gemm_test::problems(32));
}
TEST(gemm_simt, complex_float) {
  COSMATI_REQUIRE_DEVICE();
  all_layouts<complex<float>, complex<float>>(gemm_test::problems(32));
}
#if !defined(COSMATI_SIMULATED)
TEST(gemm_simt, bfloat16_to_float32) {
  COSMATI_REQUIRE_DEVICE();
  all_layouts<bfloat16_t, float>(gemm_test::problems(16));
}
#endif

namespace {
/// A (M, K), B (N, K), both contiguous along K, C (M, N) along N; A(m, k) = m + k, B(n, k) = n - k.
struct small_problem {
  int m, n, k;
  device_buffer<float> a, b, c;
  small_problem(int m_, int n_, int k_) : m(m_), n(n_), k(k_), a(values(m, 1)), b(values(n, -1)), c(old_values()) {}
  std::vector<float> values(int rows, int sign) const {
    std::vector<float> r(static_cast<std::size_t>(rows * k));
    for (int i = 0; i < rows * k; ++i) r[static_cast<std::size_t>(i)] = static_cast<float>(i / k + sign * (i % k));
    return r;
  }
  std::vector<float> old_values() const { return std::vector<float>(static_cast<std::size_t>(m * n), 2); }
  auto A() const { return make_tensor(make_gmem_ptr(a.data()), make_shape(m, k), make_stride(k, _1{})); }
  auto B() const { return make_tensor(make_gmem_ptr(b.data()), make_shape(n, k), make_stride(k, _1{})); }
  auto C_() { return make_tensor(make_gmem_ptr(c.data()), make_shape(m, n), make_stride(n, _1{})); }
  float sum(int i, int j) const {
    float s = 0;
    for (int x = 0; x < k; ++x) s += static_cast<float>(i + x) * static_cast<float>(j - x);
    return s;
  }
};
std::string said_by(auto const& f) {
  try {
    f();
  } catch (error const& e) {
    return e.what();
  }
  return "accepted";
}
constexpr simt_config tiny{.tile_m = 32, .tile_n = 64, .tile_k = 8, .values_m = 4, .values_n = 8};
}  // namespace

TEST(gemm_simt, epilogues) {
  COSMATI_REQUIRE_DEVICE();
  small_problem p(33, 65, 9);
  std::vector<float> host(65);
  for (int i = 0; i < 65; ++i) host[static_cast<std::size_t>(i)] = static_cast<float>(7 * i);
  device_buffer<float> bias(host);
  gemm_simt<tiny>(p.A(), p.B(), p.C_(), -1.f, 3.f, gemm_bias_along_n<float, gemm_relu>{bias.data()});
  auto const c = p.c.download();
  for (int i = 0; i < p.m; ++i) {
    for (int j = 0; j < p.n; ++j) {
      float const x = -p.sum(i, j) + 6 + static_cast<float>(7 * j);
      ASSERT_EQ(c[static_cast<std::size_t>(i * p.n + j)], x > 0 ? x : 0) << i << ", " << j;
    }
  }
}

// With beta = 0, C is not read. Unwritten memory in C is then no error, and a NaN in C does not stay.
TEST(gemm_simt, beta_zero_does_not_read) {
  COSMATI_REQUIRE_DEVICE();
  small_problem p(32, 64, 8);
  device_buffer<float> fresh(static_cast<std::size_t>(p.m * p.n));
  auto const C_ = make_tensor(make_gmem_ptr(fresh.data()), make_shape(p.m, p.n), make_stride(p.n, _1{}));
  gemm_simt<tiny>(p.A(), p.B(), C_);
  EXPECT_EQ(fresh.download()[65], p.sum(1, 1));
  p.c.fill(std::numeric_limits<float>::quiet_NaN());
  gemm_simt<tiny>(p.A(), p.B(), p.C_());
  EXPECT_EQ(p.c.download()[65], p.sum(1, 1));
}

TEST(gemm_simt, nothing_to_sum_and_nothing_to_write) {
  COSMATI_REQUIRE_DEVICE();
  small_problem p(40, 65, 9);
  auto const none_a = make_tensor(p.A().data(), make_shape(p.m, 0), make_stride(p.k, _1{}));
  auto const none_b = make_tensor(p.B().data(), make_shape(p.n, 0), make_stride(p.k, _1{}));
  gemm_simt<tiny>(none_a, none_b, p.C_(), 1.f, 3.f);
  for (float const x : p.c.download()) ASSERT_EQ(x, 6);
  gemm_simt<tiny>(make_tensor(p.A().data(), make_shape(0, p.k), make_stride(p.k, _1{})), p.B(),
                  make_tensor(p.C_().data(), make_shape(0, p.n), make_stride(p.n, _1{})));
}

TEST(gemm_simt, refusals) {
  COSMATI_REQUIRE_DEVICE();
  small_problem p(8, 16, 4);
  auto const wrong_b = make_tensor(p.B().data(), make_shape(4, 16), make_stride(16, _1{}));
  EXPECT_EQ(said_by([&] { gemm_simt<tiny>(p.A(), wrong_b, p.C_()); }),
            "gemm: A (M, K) is (8, 4), B (N, K) is (4, 16): K differs; is B given as (K, N)?");
  auto const wrong_c = make_tensor(p.C_().data(), make_shape(16, 8), make_stride(8, _1{}));
  EXPECT_EQ(said_by([&] { gemm_simt<tiny>(p.A(), p.B(), wrong_c); }),
            "gemm: A (M, K) is (8, 4), B (N, K) is (16, 4), but C is (16, 8), not (M, N) = (8, 16)");
  auto const rows_overlap = make_tensor(p.A().data(), make_shape(8, 4), make_stride(3, _1{}));
  EXPECT_EQ(said_by([&] { gemm_simt<tiny>(rows_overlap, p.B(), p.C_()); }),
            "gemm: A has 4 elements along K, its contiguous mode, but the stride along M is 3, so that they overlap; "
            "the stride must be 4 or more");
  auto const batches = [](auto const& t, int l) {
    return make_tensor(t.data(), make_shape(size<0>(t), size<1>(t), l),
                       make_stride(get<0>(t.layout().stride()), get<1>(t.layout().stride()), 0));
  };
  EXPECT_EQ(said_by([&] { gemm_simt<tiny>(batches(p.A(), 3), p.B(), batches(p.C_(), 2)); }),
            "gemm: C has 2 batches, A has 3; give A as many, or two modes to use it in every batch");
  auto const results = [&](int l, int leading, int batch) {
    auto const c = make_tensor(p.C_().data(), make_shape(4, 4, l), make_stride(leading, _1{}, batch));
    auto const a = make_tensor(p.A().data(), make_shape(4, 4), make_stride(4, _1{}));
    return said_by([&] { gemm_simt<tiny>(a, a, c); });
  };
  std::string const shared = "gemm: batches 0 and 1 of C share elements";
  EXPECT_EQ(results(2, 4, 0).substr(0, shared.size()), shared);
  EXPECT_EQ(results(2, 4, 4).substr(0, shared.size()), shared);
  EXPECT_EQ(results(3, 8, 10).substr(0, shared.size()), shared);
  EXPECT_EQ(results(3, 4, 16), "accepted");
  EXPECT_EQ(results(2, 8, 4), "accepted");    // batches side by side
  EXPECT_EQ(results(2, 16, 20), "accepted");  // and one row down
}
