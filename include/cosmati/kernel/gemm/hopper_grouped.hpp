// SPDX-License-Identifier: Apache-2.0
/// @file
/// `gemm_hopper_grouped`: one launch for products of several groups of rows, each with its own B, such as the experts
/// of a model. `gemm_hopper_scaled`: products of 8-bit floats with scales of blocks along K.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/kernel/gemm/hopper.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

template <int a, int b, int c>
struct hopper_group_ranks : refused {
  static constexpr bool ok = a == 2 && b == 3 && c == 2;
  static_assert(ok,
                "gemm_hopper_grouped: hopper_group_ranks<A, B, C>: A is (M, K), B is (N, K, L) with a matrix for each "
                "of L groups, C is (M, N); a matrix that all groups use has the stride 0 along L");
};
template <int mode>
struct hopper_result_along_n : refused {
  static constexpr bool ok = mode == 1;
  static_assert(ok,
                "gemm_hopper_grouped, gemm_hopper_scaled: hopper_result_along_n<MODE>: C is contiguous along N, its "
                "mode 1, so that groups and scales go along rows; take make_stride(ld, _1{})");
};
template <bool turned, int cluster, int split>
struct hopper_group_config : refused {
  static constexpr bool ok = !turned && cluster == 1 && split == 1;
  static_assert(ok,
                "gemm_hopper_grouped: hopper_group_config<TURNED, CLUSTER, SPLIT>: the configuration has no cluster, "
                "no split, and is not turned; take hopper_grouped_config");
};
template <bool is>
struct hopper_offsets_are_ints : refused {
  static constexpr bool ok = is;
  static_assert(ok,
                "gemm_hopper_grouped: hopper_offsets_are_ints: the offsets are an int const* on the device; take "
                "device_buffer<int>::data()");
};
template <int promote, int tile_k, int tile_n, bool turned, bool of_float8>
struct hopper_scales_fit : refused {
  static constexpr bool ok =
      of_float8 && promote == 1 && tile_k == 128 && !turned && (tile_n % 128 == 0 || 128 % tile_n == 0);
  static_assert(ok,
                "gemm_hopper_scaled: hopper_scales_fit<PROMOTE, TILE_K, TILE_N, TURNED, OF_FLOAT8>: A and B are 8-bit "
                "floats, and the configuration has .promote = 1, stages of 128 elements along K, and tile_n that "
                "divides 128 or is a multiple of it; take hopper_scaled_config");
};

/// The check of a call with groups or scales: void, or the class that names the mistake. @tparam TA, TB, TC tensors
template <hopper_config config, bool grouped, bool scaled, class TA, class TB, class TC, class Offsets>
constexpr auto hopper_group_mistake() {
  using A = typename TA::value_type;
  using B = typename TB::value_type;
  using C_ = typename TC::value_type;
  if constexpr (!std::is_void_v<gemm_mistake_t<TA, TB, TC>>)
    return std::type_identity<gemm_mistake_t<TA, TB, TC>>{};
  else if constexpr (grouped && (TA::rank != 2 || TB::rank != 3 || TC::rank != 2))
    return std::type_identity<hopper_group_ranks<TA::rank, TB::rank, TC::rank>>{};
  else if constexpr (gemm_contiguous_mode<TC> != 1)
    return std::type_identity<hopper_result_along_n<gemm_contiguous_mode<TC>>>{};
  else if constexpr (grouped && !std::is_convertible_v<Offsets, int const*>)
    return std::type_identity<hopper_offsets_are_ints<false>>{};
  else if constexpr (grouped && (config.turned || config.cluster != 1 || config.split != 1))
    return std::type_identity<hopper_group_config<config.turned, config.cluster, config.split>>{};
  else if constexpr (scaled && (hopper_kind_of<A> != hopper_kind::float8 || config.promote != 1 ||
                                hopper_tile_k<A>(config) != 128 || config.turned ||
                                (config.tile_n % 128 != 0 && 128 % config.tile_n != 0)))
    return std::type_identity<hopper_scales_fit<config.promote, hopper_tile_k<A>(config), config.tile_n, config.turned,
                                                hopper_kind_of<A> == hopper_kind::float8>>{};
  else
    return hopper_mistake<config, A, B, C_, gemm_contiguous_mode<TA>, gemm_contiguous_mode<TB>, true>();
}
template <hopper_config config, bool grouped, bool scaled, class TA, class TB, class TC, class Offsets = int const*>
using hopper_group_refusal =
    typename decltype(hopper_group_mistake<config, grouped, scaled, TA, TB, TC, Offsets>())::type;

/// Throws `error` unless the tensors' extents fit each other.
template <class A, class B, class C_>
void check_grouped_extents(A const& a, B const& b, C_ const& c, int const* offsets) {
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
/// @tparam config the kernel's, without cluster and split; its `turned` is false
/// @param A (M, K), @param B (N, K, L), with the stride 0 along L if all groups use one matrix, @param C (M, N),
/// contiguous along N
/// @param offsets L + 1 row numbers on the device, which do not decrease, 0 to M. Others are an error of the launch on
///   the simulated device; a GPU does not look
/// @param epilogue gets the group as `batch`
/// Throws `error` as `gemm_hopper` does.
template <hopper_config config = hopper_grouped_config, class EA, class LA, class EB, class LB, class EC, class LC,
          class Epilogue = identity>
requires(
    std::is_void_v<detail::hopper_group_refusal<
        config, true, false, Tensor<EA, LA>, Tensor<EB, LB>,
        Tensor<EC, LC>>>) void gemm_hopper_grouped(Tensor<EA, LA> const& A, Tensor<EB, LB> const& B,
                                                   Tensor<EC, LC> const& C, int const* offsets,
                                                   gemm_sum_t<typename EA::value_type, typename EB::value_type> alpha =
                                                       1,
                                                   gemm_sum_t<typename EA::value_type, typename EB::value_type> beta =
                                                       0,
                                                   Epilogue const& epilogue = {}, stream_handle stream = nullptr) {
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
requires(std::is_void_v<detail::hopper_group_refusal<config, false, true, TA, TB, TC>>) void gemm_hopper_scaled(
    TA const& A, SA const& scales_a, TB const& B, SB const& scales_b, TC const& C, Epilogue const& epilogue = {},
    stream_handle stream = nullptr) {
  detail::run_hopper_scaled<config, false>(A, scales_a, B, scales_b, C, nullptr, epilogue, stream);
}
/// The same for groups of rows, as `gemm_hopper_grouped` has them. @param scales_b (N / 128, K / 128, L)
template <hopper_config config = hopper_scaled_config, class TA, class SA, class TB, class SB, class TC,
          class Epilogue = identity>
requires(std::is_void_v<detail::hopper_group_refusal<config, true, true, TA, TB, TC>>) void gemm_hopper_grouped_scaled(
    TA const& A, SA const& scales_a, TB const& B, SB const& scales_b, TC const& C, int const* offsets,
    Epilogue const& epilogue = {}, stream_handle stream = nullptr) {
  detail::run_hopper_scaled<config, true>(A, scales_a, B, scales_b, C, offsets, epilogue, stream);
}

/// @name Calls that are known to be wrong: the type of the result names the mistake (core/refused.hpp)
/// @{
template <hopper_config config = hopper_grouped_config, class TA, class TB, class TC, class Offsets, class... X>
requires(!std::is_void_v<detail::hopper_group_refusal<config, true, false, TA, TB, TC, Offsets>> ||
         detail::gemm_scalars_are_fractions<TA, TB, X...>)
    detail::or_scalars<detail::hopper_group_refusal<config, true, false, TA, TB, TC, Offsets>, TA,
                       TB> gemm_hopper_grouped(TA const&, TB const&, TC const&, Offsets const&, X const&...);
template <hopper_config config = hopper_scaled_config, class TA, class SA, class TB, class SB, class TC, class... X>
requires(!std::is_void_v<detail::hopper_group_refusal<config, false, true, TA, TB, TC>>)
    detail::hopper_group_refusal<config, false, true, TA, TB, TC> gemm_hopper_scaled(TA const&, SA const&, TB const&,
                                                                                     SB const&, TC const&, X const&...);
template <hopper_config config = hopper_scaled_config, class TA, class SA, class TB, class SB, class TC, class Offsets,
          class... X>
requires(!std::is_void_v<detail::hopper_group_refusal<config, true, true, TA, TB, TC, Offsets>>)
    detail::hopper_group_refusal<config, true, true, TA, TB, TC, Offsets> gemm_hopper_grouped_scaled(
        TA const&, SA const&, TB const&, SB const&, TC const&, Offsets const&, X const&...);
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
