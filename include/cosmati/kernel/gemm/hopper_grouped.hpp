// SPDX-License-Identifier: Apache-2.0
/// @file
/// `gemm_hopper_grouped`: one launch for products of several groups of rows, each with its own B, such as the experts
/// of a model. `gemm_hopper_scaled`: products of 8-bit floats with scales of blocks along K.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/gemm/hopper.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

/// Throws `error` unless the tensors' extents fit each other.
template <class A, class B, class C_>
void check_grouped_extents(A const& a, B const& b, C_ const& c, int const* offsets) {
  static_assert(A::rank == 2 && B::rank == 3 && C_::rank == 2,
                "gemm_hopper_grouped: A is (M, K), B is (N, K, L) with a matrix for each group, C is (M, N)");
  auto const m = static_cast<long long>(size<0>(a)), k = static_cast<long long>(size<1>(a));
  auto const n = static_cast<long long>(size<0>(b));
  if (k != static_cast<long long>(size<1>(b)) || m != static_cast<long long>(size<0>(c)) ||
      n != static_cast<long long>(size<1>(c)))
    throw error(
        "gemm_hopper_grouped: A (M, K) is (%lld, %lld), B (N, K, L) is (%lld, %lld, %lld), C (M, N) is (%lld, %lld): "
        "they do not fit each other",
        m, k, n, static_cast<long long>(size<1>(b)), static_cast<long long>(size<2>(b)),
        static_cast<long long>(size<0>(c)), static_cast<long long>(size<1>(c)));
  if (size<2>(b) != 0) {
    if (offsets == nullptr) throw error("gemm_hopper_grouped: the address of the groups' offsets is null");
    expect_device_memory("gemm_hopper_grouped", "offsets", offsets);
  }
}
/// A problem with groups (`offsets` is not null) or without. @tparam Scalar of alpha and beta
template <bool grouped, bool scaled, class TA, class TB, class TC, class Scalar>
auto make_hopper_problem(TA const& A, TB const& B, TC const& C_, Scalar const& alpha, Scalar const& beta,
                         int const* offsets) {
  static_assert(gemm_contiguous_mode<TC> == 1, "gemm_hopper_grouped, gemm_hopper_scaled: C is contiguous along N");
  auto const make = [&] {
    if constexpr (grouped) {
      check_grouped_extents(A, B, C_, offsets);
      auto const a = make_gemm_operand<'A'>(A, 'M', 'K');
      auto const b = make_gemm_operand<'B'>(B, 'N', 'K');
      auto const c = make_gemm_operand<'C'>(C_, 'M', 'N');
      return gemm_problem<std::remove_const_t<decltype(a)>, std::remove_const_t<decltype(b)>,
                          std::remove_const_t<decltype(c)>>{static_cast<int>(size<0>(A)),
                                                            static_cast<int>(size<0>(B)),
                                                            static_cast<int>(size<1>(A)),
                                                            gemm_extent<'B'>('L', gemm_batches(B)),
                                                            a,
                                                            b,
                                                            c,
                                                            alpha,
                                                            beta};
    } else {
      return make_gemm_problem(A, B, C_, alpha, beta);
    }
  };
  auto const plain = make();
  return hopper_problem<std::remove_const_t<decltype(plain)>, grouped, scaled>{plain, offsets, {}, {}};
}
template <hopper_config config, bool grouped, class TA, class SA, class TB, class SB, class TC, class Epilogue>
void run_hopper_scaled(TA const& A, SA const& scales_a, TB const& B, SB const& scales_b, TC const& C_,
                       int const* offsets, Epilogue const& epilogue, stream_handle stream) {
  static_assert(hopper_kind_of<typename TA::value_type> == hopper_kind::float8 && config.promote == 1 &&
                    hopper_tile_k<typename TA::value_type>(config) == 128 && !config.turned &&
                    (config.tile_n % 128 == 0 || 128 % config.tile_n == 0),
                "gemm_hopper_scaled: A and B are 8-bit floats, and the configuration has .promote = 1, stages of 128 "
                "elements along K, and tile_n that divides 128 or is a multiple of it");
  auto p = make_hopper_problem<grouped, true>(A, B, C_, 1.f, 0.f, offsets);
  p.scales_a = make_block_scales<'A'>(scales_a, p.m, p.k);
  p.scales_b = make_block_scales<'B'>(scales_b, (p.n + 127) / 128, p.k);
  launch_gemm_hopper<config>(p, epilogue, stream);
}

}  // namespace detail

/// The configuration of products of groups: low tiles lose little at the end of a group, and one warpgroup multiplies
/// while the other one stores.
inline constexpr hopper_config hopper_grouped_config{
    .tile_m = 64, .tile_n = 256, .stages = 4, .schedule = hopper_schedule::pingpong};
/// The configuration of products with scales of blocks.
inline constexpr hopper_config hopper_scaled_config{.tile_n = 128, .stages = 6, .promote = 1};

/// C = epilogue(alpha A B + beta C) for groups of rows, queued on `stream`: the rows offsets[g] to offsets[g + 1] - 1
/// of A and C use matrix g of B. Groups may be empty. Rows before the first and behind the last offset stay as they
/// are.
/// @tparam config the kernel's; its `turned` is false
/// @param A (M, K), @param B (N, K, L), @param C (M, N), contiguous along N
/// @param offsets L + 1 row numbers on the device, which do not decrease, 0 to M. Others are an error of the launch on
///   the simulated device; a GPU does not look
/// @param epilogue gets the group as `batch`
/// Throws `error` as `gemm_hopper` does.
template <hopper_config config = hopper_grouped_config, class EA, class LA, class EB, class LB, class EC, class LC,
          class Epilogue = identity>
void gemm_hopper_grouped(Tensor<EA, LA> const& A, Tensor<EB, LB> const& B, Tensor<EC, LC> const& C, int const* offsets,
                         gemm_sum_t<typename EA::value_type, typename EB::value_type> alpha = 1,
                         gemm_sum_t<typename EA::value_type, typename EB::value_type> beta = 0,
                         Epilogue const& epilogue = {}, stream_handle stream = nullptr) {
  static_assert(!config.turned && config.cluster == 1 && config.split == 1,
                "gemm_hopper_grouped: the configuration has no cluster, no split, and is not turned");
  detail::launch_gemm_hopper<config>(detail::make_hopper_problem<true, false>(A, B, C, alpha, beta, offsets), epilogue,
                                     stream);
}
/// C = epilogue(A B) of 8-bit floats with scales of blocks, queued on `stream`: the products of each 128 elements of K
/// are summed by the tensor cores, multiplied by the scale of the row of A and by that of the 128 columns of C, and
/// added in float.
/// @param A (M, K[, L]), @param B (N, K[, L]), @param C (M, N[, L]), contiguous along N
/// @param scales_a (M, K / 128[, L]) of float on the device, with any strides; K / 128 is rounded up
/// @param scales_b (N / 128, K / 128[, L]) of float
/// Throws `error` as `gemm_hopper` does, and if scales have other extents.
template <hopper_config config = hopper_scaled_config, class TA, class SA, class TB, class SB, class TC,
          class Epilogue = identity>
void gemm_hopper_scaled(TA const& A, SA const& scales_a, TB const& B, SB const& scales_b, TC const& C,
                        Epilogue const& epilogue = {}, stream_handle stream = nullptr) {
  detail::run_hopper_scaled<config, false>(A, scales_a, B, scales_b, C, nullptr, epilogue, stream);
}
/// The same for groups of rows, as `gemm_hopper_grouped` has them. @param scales_b (N / 128, K / 128, L)
template <hopper_config config = hopper_scaled_config, class TA, class SA, class TB, class SB, class TC,
          class Epilogue = identity>
void gemm_hopper_grouped_scaled(TA const& A, SA const& scales_a, TB const& B, SB const& scales_b, TC const& C,
                                int const* offsets, Epilogue const& epilogue = {}, stream_handle stream = nullptr) {
  detail::run_hopper_scaled<config, true>(A, scales_a, B, scales_b, C, offsets, epilogue, stream);
}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
