// SPDX-License-Identifier: Apache-2.0
// gemm_mma on either device: every type and layout, edges, alignments, batches, alpha and beta, epilogues. Operands are
// small integers, so sums are exact and results agree bit by bit. Elements outside C stay as they were. Then random
// ragged problems follow: COSMATI_GEMM_PROBLEMS=1024 runs that many for each type, with extents to 1000 on a GPU.
#include <gtest/gtest.h>

#include <cosmati/analysis/copy_cost.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/kernel/gemm/mma.hpp>
#include <vector>

#include "gemm_problems.hpp"
#include "require_device.hpp"

using namespace cosmati;
using gemm_test::as_double;
using gemm_test::on_gpu;
using gemm_test::small_number;

namespace {

enum order { along_x, along_k };  // which mode of A (M, K), B (N, K), C (M, N) is contiguous

/// A matrix (x, y) for each batch, with `pad` elements after each row or column and `skip` elements before the first.
template <class T, order contiguous>
struct matrices {
  int x, y, batches, pad, skip;
  int leading = (contiguous == along_k ? y : x) + pad;
  std::size_t one = static_cast<std::size_t>(leading) * static_cast<std::size_t>(contiguous == along_k ? x : y);
  std::vector<T> host = std::vector<T>(skip + one * static_cast<std::size_t>(batches));

  std::size_t at(int i, int j, int l) const {
    std::size_t const inner = contiguous == along_k ? j : i, outer = contiguous == along_k ? i : j;
    return skip + one * static_cast<std::size_t>(batches == 1 ? 0 : l) + outer * leading + inner;
  }
  template <class U>
  auto tensor(U* data) const {
    auto const p = make_gmem_ptr(data + skip);
    auto const batch = static_cast<std::int64_t>(batches == 1 ? 0 : one);
    if constexpr (contiguous == along_k)
      return make_tensor(p, make_layout(make_shape(x, y, batches), make_stride(leading, _1{}, batch)));
    else
      return make_tensor(p, make_layout(make_shape(x, y, batches), make_stride(_1{}, leading, batch)));
  }
};

struct problem {
  int m, n, k, batches = 1, pad = 0, skip = 0, alpha = 1, beta = 0;
};

template <mma_config config, order a_order, order b_order, order c_order, class T, class TC, class Epilogue = identity>
void expect_product(problem const& q, Epilogue const& epilogue = {}) {
  SCOPED_TRACE(::testing::Message() << "A, B, C contiguous along their mode " << a_order << b_order << c_order << ", "
                                    << q.m << " x " << q.n << " x " << q.k << ", " << q.batches << " batches, pad "
                                    << q.pad << ", skip " << q.skip << ", alpha " << q.alpha << ", beta " << q.beta);
  matrices<T, a_order> a{q.m, q.k, q.batches, q.pad, q.skip};
  matrices<T, b_order> b{q.n, q.k, q.batches, q.pad, q.skip};
  matrices<TC, c_order> c{q.m, q.n, q.batches, q.pad, q.skip};
  for (std::size_t i = 0; i < a.host.size(); ++i) a.host[i] = small_number<T>(static_cast<unsigned>(i));
  for (std::size_t i = 0; i < b.host.size(); ++i) b.host[i] = small_number<T>(static_cast<unsigned>(i) + 77);
  for (std::size_t i = 0; i < c.host.size(); ++i) c.host[i] = small_number<TC>(static_cast<unsigned>(i) + 555);
  device_buffer<T> const da(a.host), db(b.host);
  device_buffer<TC> dc(c.host);
  using Sum = gemm_sum_t<T, T>;
  gemm_mma<config>(a.tensor(da.data()), b.tensor(db.data()), c.tensor(dc.data()), static_cast<Sum>(q.alpha),
                   static_cast<Sum>(q.beta), epilogue);
  synchronize();
  std::vector<TC> expected = c.host;
  for (int l = 0; l < q.batches; ++l) {
    for (int m = 0; m < q.m; ++m) {
      for (int n = 0; n < q.n; ++n) {
        double sum = 0;
        for (int k = 0; k < q.k; ++k) sum += as_double(a.host[a.at(m, k, l)]) * as_double(b.host[b.at(n, k, l)]);
        TC& x = expected[c.at(m, n, l)];
        auto const value = static_cast<Sum>(q.alpha * sum + q.beta * as_double(x));
        if constexpr (detail::epilogue_of_place<Epilogue, Sum>)
          x = static_cast<TC>(epilogue(value, m, n, l));
        else
          x = static_cast<TC>(epilogue(value));
      }
    }
  }
  auto const got = dc.download();
  int wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (as_double(got[i]) != as_double(expected[i]) && ++wrong < 4)
      ADD_FAILURE() << "element " << i << " of C is " << as_double(got[i]) << ", not " << as_double(expected[i]);
  }
  EXPECT_EQ(wrong, 0);
}

/// Compares within the error of the accumulation; tensor cores truncate where other units round.
template <mma_config config, order a_order, order b_order, order c_order, class T, class TC>
void expect_random_products() {
  std::mt19937 random(static_cast<unsigned>(sizeof(T) * 8 + a_order * 4 + b_order * 2 + c_order));
  for (int i = 0; i < gemm_test::problems(on_gpu ? 64 : 12) / 4; ++i) {
    ASSERT_EQ((gemm_test::wrong_elements<T, T, TC, a_order == along_k, b_order == along_k, c_order == along_k>(
                  random, on_gpu ? 1000 : 70, 2,
                  [](auto const& A, auto const& B, auto const& C_, auto alpha, auto beta) {
                    gemm_mma<config>(A, B, C_, alpha, beta);
                  })),
              0u)
        << "problem " << i;
  }
}

/// Problems within tiles and over edges; accesses of 16 bytes and of elements; more stages than tiles along K; K = 0.
template <mma_config config, class T, class TC, order a_order, order b_order, order c_order = along_k>
void expect_products() {
  COSMATI_REQUIRE_DEVICE();
  auto const check = [](problem const& q) { expect_product<config, a_order, b_order, c_order, T, TC>(q); };
  check({.m = 256, .n = 128, .k = 256});
  check({.m = 128, .n = 128, .k = 128, .batches = 2, .pad = 64, .beta = 1});
  check({.m = 80, .n = 144, .k = 112, .batches = 2, .pad = 16, .beta = 1});
  check({.m = 67, .n = 33, .k = 45, .batches = 2, .alpha = 2});
  check({.m = 69, .n = 37, .k = 45, .pad = 3, .beta = 1});  // C's rows end within a vector
  check({.m = 48, .n = 80, .k = 16, .skip = 1, .beta = 2});
  check({.m = 5, .n = 3, .k = 0, .beta = 3});
  expect_random_products<config, a_order, b_order, c_order, T, TC>();
}

constexpr mma_config small{.tile_m = 64, .tile_n = 64, .warps_m = 2, .warps_n = 2};
constexpr mma_config small_rows{.tile_m = 64, .tile_n = 128, .warps_m = 2, .warps_n = 2, .stages = 3, .band = 1};
constexpr mma_config small_bytes{.tile_m = 128, .tile_n = 128, .warps_m = 2, .warps_n = 4, .stages = 2};
constexpr mma_config small_doubles{.tile_m = 64, .tile_n = 64, .warps_m = 2, .warps_n = 2, .stages = 4};

TEST(GemmMma, HalfTN) { expect_products<small, half_t, half_t, along_k, along_k>(); }
constexpr mma_config small_cp_async{.tile_m = 64, .tile_n = 64, .warps_m = 2, .warps_n = 2, .tensor_copies = false};
TEST(GemmMma, Bfloat16TNByCpAsync) { expect_products<small_cp_async, bfloat16_t, float, along_k, along_k>(); }
TEST(GemmMma, Bfloat16NT) { expect_products<small, bfloat16_t, bfloat16_t, along_x, along_x>(); }
TEST(GemmMma, HalfNN) { expect_products<small_rows, half_t, float, along_x, along_k>(); }
TEST(GemmMma, HalfTTAndCAlongM) { expect_products<small_rows, half_t, half_t, along_k, along_x, along_x>(); }
TEST(GemmMma, Tf32TN) { expect_products<small, tfloat32_t, float, along_k, along_k>(); }
TEST(GemmMma, Tf32NT) { expect_products<small, tfloat32_t, float, along_x, along_x, along_x>(); }
TEST(GemmMma, Int8TN) { expect_products<small_bytes, std::int8_t, int, along_k, along_k>(); }
TEST(GemmMma, Int8NN) { expect_products<small_bytes, std::int8_t, int, along_x, along_k>(); }
TEST(GemmMma, DoubleTT) { expect_products<small_doubles, double, double, along_k, along_x>(); }

#if !defined(COSMATI_SIMULATED)  // the other types and orders, each of which takes seconds to compile
TEST(GemmMma, HalfNT) { expect_products<small, half_t, half_t, along_x, along_x>(); }
TEST(GemmMma, Bfloat16TN) { expect_products<small_rows, bfloat16_t, float, along_k, along_k>(); }
TEST(GemmMma, Bfloat16NN) { expect_products<small, bfloat16_t, bfloat16_t, along_x, along_k, along_x>(); }
TEST(GemmMma, Bfloat16TT) { expect_products<small, bfloat16_t, bfloat16_t, along_k, along_x>(); }
TEST(GemmMma, Tf32NN) { expect_products<small, tfloat32_t, float, along_x, along_k>(); }
TEST(GemmMma, Tf32TT) { expect_products<small, tfloat32_t, float, along_k, along_x>(); }
TEST(GemmMma, Int8NT) { expect_products<small_bytes, std::int8_t, int, along_x, along_x, along_x>(); }
TEST(GemmMma, Int8TT) { expect_products<small_bytes, std::int8_t, int, along_k, along_x>(); }
TEST(GemmMma, Uint8TN) { expect_products<small_bytes, std::uint8_t, int, along_k, along_k>(); }
TEST(GemmMma, DoubleTN) { expect_products<small_doubles, double, double, along_k, along_k>(); }
TEST(GemmMma, DoubleNT) { expect_products<small_doubles, double, double, along_x, along_x, along_x>(); }
TEST(GemmMma, DoubleNN) { expect_products<small_doubles, double, double, along_x, along_k>(); }
#endif

#if defined(COSMATI_SIMULATED)
/// Rows of two instructions for each warp, 256 bytes wide, are no box of a tensor copy.
constexpr mma_config two_wide_rows{.tile_m = 64, .tile_n = 256, .warps_m = 2, .warps_n = 2, .stages = 2};
TEST(GemmMma, HalfTNInRowsOf256Bytes) {
  COSMATI_REQUIRE_DEVICE();
  expect_product<two_wide_rows, along_k, along_k, along_k, half_t, half_t>({.m = 64, .n = 512, .k = 128});
}
#endif

struct add_place {
  template <class T>
  COSMATI_HD T operator()(T const& x, int m, int n, int batch) const {
    return x + static_cast<T>(m % 4 - 2 * (n % 3) + batch);
  }
};
TEST(GemmMma, EpilogueWithPlace) {
  COSMATI_REQUIRE_DEVICE();
  problem const q{.m = 70, .n = 40, .k = 24, .batches = 2, .beta = 1};
  expect_product<small, along_k, along_k, along_x, half_t, half_t>(q, add_place{});
}
// cp.async, the loads of fragments and the rows of results have no bank conflicts.
template <mma_config config, class T, class TC, int a_mode, int b_mode>
struct no_conflicts {
  using Problem = gemm_problem<gemm_operand<T const, a_mode>, gemm_operand<T const, b_mode>, gemm_operand<TC, 1>>;
  using Parts = detail::mma_parts<config, Problem>;
  using SA =
      decltype(make_tensor(make_smem_ptr(static_cast<T*>(nullptr)), typename Parts::LayoutSA{})(_, _, _0{}).layout());
  using SB =
      decltype(make_tensor(make_smem_ptr(static_cast<T*>(nullptr)), typename Parts::LayoutSB{})(_, _, _0{}).layout());
  static constexpr auto mma = Parts::mma();
  static_assert(bank_conflicts(Parts::operand_A::copy(), std::remove_cvref_t<SA>{}) == 0);
  static_assert(bank_conflicts(Parts::operand_B::copy(), std::remove_cvref_t<SB>{}) == 0);
  static_assert(bank_conflicts(make_tiled_copy_A(typename Parts::operand_A::load_atom{}, mma),
                               std::remove_cvref_t<SA>{}) == 0);
  static_assert(bank_conflicts(make_tiled_copy_B(typename Parts::operand_B::load_atom{}, mma),
                               std::remove_cvref_t<SB>{}) == 0);
  using SC =
      decltype(make_tensor(make_smem_ptr(static_cast<TC*>(nullptr)), typename Parts::LayoutSC{})(_, _, _0{}).layout());
  static constexpr bool results_meet() {
    if constexpr (Parts::stages_results)
      return bank_conflicts(make_tiled_copy_C(typename Parts::store_atom{}, Parts::warp_mma()),
                            std::remove_cvref_t<SC>{}) != 0 ||
             bank_conflicts(Parts::operand_C::copy(), std::remove_cvref_t<SC>{}) != 0;
    return false;
  }
  static_assert(!results_meet());
};
template struct no_conflicts<detail::mma_config_for<half_t>(), half_t, half_t, 1, 1>;
template struct no_conflicts<detail::mma_config_for<half_t>(), half_t, half_t, 0, 0>;
template struct no_conflicts<detail::mma_config_for<bfloat16_t>(), bfloat16_t, float, 1, 0>;
template struct no_conflicts<detail::mma_config_for<bfloat16_t>(), bfloat16_t, float, 0, 1>;
template struct no_conflicts<detail::mma_config_for<tfloat32_t>(), tfloat32_t, float, 1, 1>;
template struct no_conflicts<detail::mma_config_for<tfloat32_t>(), tfloat32_t, float, 0, 0>;
template struct no_conflicts<detail::mma_config_for<std::int8_t>(), std::int8_t, int, 1, 1>;
template struct no_conflicts<detail::mma_config_for<std::int8_t>(), std::int8_t, int, 0, 0>;
template struct no_conflicts<detail::mma_config_for<double>(), double, double, 1, 1>;
template struct no_conflicts<detail::mma_config_for<double>(), double, double, 0, 0>;

}  // namespace
