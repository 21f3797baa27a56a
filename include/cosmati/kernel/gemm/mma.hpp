// SPDX-License-Identifier: Apache-2.0
/// @file
/// `gemm_mma`: C = epilogue(alpha A B + beta C) by matrix instructions (mma.sync), for half, bfloat16, TF32 (summed in
/// float), 8-bit integers (summed in int) and double.
///
/// The grid has as many blocks as the device runs at once. Each computes one tile of C after the other. Tensor copies
/// or cp.async load tiles of A and B to a ring of stages in shared memory; the next tile's loads overlap with the
/// stores of the current result. ldmatrix loads fragments to registers one step along K before their use. All loads are
/// placed between the products, so that the tensor cores do not wait for them. Tensor copies also store results of 16
/// bits. M, N and K are arbitrary; elements outside count as zero.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/clear.hpp>
#include <cosmati/algorithm/copy.hpp>
#include <cosmati/algorithm/gemm.hpp>
#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/named_barrier.hpp>
#include <cosmati/arch/warp.hpp>
#include <cosmati/kernel/gemm/mma_loads.hpp>
#include <cosmati/kernel/gemm/mma_stages.hpp>
#include <cosmati/kernel/gemm/mma_store.hpp>
#include <cosmati/kernel/gemm/turns.hpp>
#include <cosmati/runtime/device.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <cosmati/runtime/launch.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

/// The loads of one step along K that stand before product x of `products`.
template <int products, class LoadA, class LoadB>
COSMATI_HD void load_between(int x, LoadA& load_a, LoadB& load_b, int step, int stage) {
  for_each_of_turn<LoadA::count + LoadB::count, products>(x, [&](int j) {
    if (j < LoadA::count)
      load_a(j, step, stage);
    else
      load_b(j - LoadA::count, step, stage);
  });
}

/// Adds the product of the tiles in one stage to the sums. The fragments of its first step are in registers. Between
/// the products stand the loads those of the step behind, the last time from the next stage, and the copies to the free
/// stage.
/// @param stages mma_stages, @param load_a, load_b mma_loads, @param sums (V, M, N)
template <class Parts, bool whole, class Mma, class Stages, class LoadA, class LoadB, class Sums>
COSMATI_HD void multiply_stage(Mma const& mma, Stages& stages, LoadA& load_a, LoadB& load_b, Sums& sums) {
  constexpr int steps = Parts::steps;
  constexpr int M = decltype(size<1>(sums))::value, N = decltype(size<2>(sums))::value;
  COSMATI_UNROLL
  for (int step = 0; step < steps; ++step) {
    int const loaded = (step + 1) % steps;
    if (loaded == 0) {
      stages.advance();
      stages.await();
      if constexpr (Stages::by_tensor && Parts::fence_before_loads) fence_proxy_async_shared();
    }
    if (!whole && step == 0) stages.bring_all(stages.free_);
    COSMATI_UNROLL
    for (int x = 0; x < M * N; ++x) {
      load_between<M * N>(x, load_a, load_b, loaded, stages.stage_);
      if (whole && step == 0) stages.template bring_between<M * N>(x, stages.free_);
      int const n = x / M, m = n % 2 == 0 ? x % M : M - 1 - x % M;  // back and forth: a neighbour's fragment again
      auto sum = sums(_, m, n);
      mma.call(sum, load_a.fragment(_, m, step), load_b.fragment(_, n, step), sum);
      if constexpr (Stages::by_tensor) {
        if (!Parts::fence_before_loads && step == steps - 1 && x == M - 1) fence_proxy_async_shared();
        if (step == steps - 1 && x == 2 * M - 1) sync_block();  // everybody has left the last stage
      }
    }
    if (step == 0) stages.filled();
  }
}

}  // namespace detail

/// @tparam Parts mma_parts, @tparam whole tiles divide M, N and K, and A, B and C may be accessed by 16 bytes
/// @param wide_ab, wide_c if not whole: these may be accessed by 16 bytes; otherwise they are by elements
/// @param maps of A, B and C, if Parts::tensor_copies
template <class Parts, bool whole, class Epilogue>
__global__ void __launch_bounds__(Parts::threads, Parts::config.blocks)
    gemm_mma_kernel(typename Parts::Problem p, gemm_tile_order order, bool wide_ab, bool wide_c, Epilogue epilogue,
                    detail::mma_tensor_maps const __grid_constant__ maps) {
  using operand_A = typename Parts::operand_A;
  using operand_B = typename Parts::operand_B;
  unsigned char* const memory = dynamic_shared();
  unsigned char* const results = memory + Parts::bytes_a + Parts::bytes_b + threadIdx.x / 32 * Parts::bytes_c;
  auto sA = make_tensor(make_smem_ptr(reinterpret_cast<typename Parts::TA*>(memory)), typename Parts::LayoutSA{});
  auto sB = make_tensor(make_smem_ptr(reinterpret_cast<typename Parts::TB*>(memory + Parts::bytes_a)),
                        typename Parts::LayoutSB{});
  auto sC = make_tensor(make_smem_ptr(reinterpret_cast<typename Parts::TC*>(results)),
                        typename Parts::LayoutSC{});  // this warp's

  auto stages = detail::make_mma_stages<Parts, whole>(
      sA, sB, p, order, wide_ab, maps,
      reinterpret_cast<std::uint64_t*>(memory + Parts::shared_bytes - Parts::stages * sizeof(std::uint64_t)));
  constexpr bool by_tensor = decltype(stages)::by_tensor;
  stages.begin();

  auto const mma = Parts::mma();
  auto const thr_mma = mma.get_slice(threadIdx.x);
  auto load_a =
      detail::make_mma_loads<operand_A>(make_tiled_copy_A(typename operand_A::load_atom{}, mma).get_slice(threadIdx.x),
                                        thr_mma.partition_fragment_A(sA(_, _, 0)), sA);
  auto load_b =
      detail::make_mma_loads<operand_B>(make_tiled_copy_B(typename operand_B::load_atom{}, mma).get_slice(threadIdx.x),
                                        thr_mma.partition_fragment_B(sB(_, _, 0)), sB);
  auto sums = partition_fragment_C(mma, Shape<typename Parts::TileM, typename Parts::TileN>{});  // (V, M, N)
  stages.await();
  detail::load_between<1>(0, load_a, load_b, 0, 0);
  clear(sums);
  for (unsigned tile = blockIdx.x; tile < order.blocks(); tile += gridDim.x) {
    COSMATI_NO_UNROLL
    for (int k = 0; k < stages.tiles_k_; ++k) detail::multiply_stage<Parts, whole>(mma, stages, load_a, load_b, sums);
    stages.aim();  // every tile turns to another row once
    gemm_tile const at = order(tile);
    detail::store_mma_tile<Parts, whole, by_tensor && Parts::stores_boxes>(
        thr_mma, threadIdx.x, sums, p.matrix_c(at.batch), sC, at, p, wide_c, epilogue, maps.c);
  }
  stages.end();
  if constexpr (by_tensor && Parts::stores_boxes) {
    if (elect_one_sync()) tma_store_wait<0>();
  }
}

namespace detail {

/// Launches the kernel for a C that is contiguous along N.
template <mma_config config, class Problem, class Epilogue>
void launch_gemm_mma(Problem const& p, Epilogue const& epilogue, stream_handle stream) {
  using Parts = mma_parts<config, Problem>;
  if (p.is_empty()) return;
  auto const order = gemm_tile_order::of(p.m, p.n, p.batches, config.tile_m, config.tile_n, config.band);
  auto const check = [](char name, std::int64_t leading) {
    if (leading * 256 > 0x7fffffff)
      throw error("gemm_mma: %c's rows or columns are %lld elements apart; up to 8388607 are possible", name,
                  static_cast<long long>(leading));
  };
  check('A', p.a.leading);
  check('B', p.b.leading);
  unsigned const at_one_time = static_cast<unsigned>(multiprocessors() * config.blocks);
  unsigned const grid = order.blocks() < at_one_time ? order.blocks() : at_one_time;
  launch_config const how{.grid = grid,
                          .block = static_cast<unsigned>(config.threads()),
                          .shared_bytes = Parts::shared_bytes,
                          .stream = stream};
  constexpr int vector_a = Parts::operand_A::vector, vector_b = Parts::operand_B::vector;
  bool const wide_ab = p.a.is_aligned_to(16) && p.b.is_aligned_to(16) &&
                       (Parts::A::contiguous == 1 ? p.k : p.m) % vector_a == 0 &&
                       (Parts::B::contiguous == 1 ? p.k : p.n) % vector_b == 0;
  bool const wide_c = p.c.is_aligned_to(16);
  bool const whole =
      wide_ab && wide_c && p.m % config.tile_m == 0 && p.n % config.tile_n == 0 && p.k % Parts::tile_k == 0 &&
      p.k != 0 &&
      (!Parts::tensor_copies || (fits_mma_tensor_map(p.a) && fits_mma_tensor_map(p.b) && fits_mma_tensor_map(p.c)));
  mma_tensor_maps maps = {};
  if constexpr (Parts::tensor_copies) {
    if (whole && device_has_tensor_copies()) {
      maps.a = make_mma_tensor_map<typename Parts::operand_A>(p.a, p.m, p.k, p.batches);
      maps.b = make_mma_tensor_map<typename Parts::operand_B>(p.b, p.n, p.k, p.batches);
      if (Parts::stores_boxes) maps.c = make_mma_result_map(p.c, p.m, p.n, p.batches, config.tile_m / config.warps_m);
    }
  }
  if (whole)
    launch(gemm_mma_kernel<Parts, true, Epilogue>, how, p, order, wide_ab, wide_c, epilogue, maps);
  else
    launch(gemm_mma_kernel<Parts, false, Epilogue>, how, p, order, wide_ab, wide_c, epilogue, maps);
}

}  // namespace detail

/// C = epilogue(alpha A B + beta C), queued on `stream`. If beta is zero, C is not read. Throws `error` if extents do
/// not fit each other.
/// @param A (M, K[, L]), @param B (N, K[, L]), @param C (M, N[, L]), as kernel/gemm/problem.hpp says
template <mma_config config, class EA, class LA, class EB, class LB, class EC, class LC, class Epilogue = identity>
requires(detail::mma_accepts<config, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>) void gemm_mma(
    Tensor<EA, LA> const& A, Tensor<EB, LB> const& B, Tensor<EC, LC> const& C,
    gemm_sum_t<typename EA::value_type, typename EB::value_type> alpha = 1,
    gemm_sum_t<typename EA::value_type, typename EB::value_type> beta = 0, Epilogue const& epilogue = {},
    stream_handle stream = nullptr) {
  detail::with_contiguous_rows(make_gemm_problem(A, B, C, alpha, beta), epilogue,
                               [&](auto const& p, auto const& e) { detail::launch_gemm_mma<config>(p, e, stream); });
}
/// The same with tiles that suit the types.
template <class EA, class LA, class EB, class LB, class EC, class LC, class Epilogue = identity>
requires(detail::mma_accepts_by_itself<Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>) void gemm_mma(
    Tensor<EA, LA> const& A, Tensor<EB, LB> const& B, Tensor<EC, LC> const& C,
    gemm_sum_t<typename EA::value_type, typename EB::value_type> alpha = 1,
    gemm_sum_t<typename EA::value_type, typename EB::value_type> beta = 0, Epilogue const& epilogue = {},
    stream_handle stream = nullptr) {
  gemm_mma<detail::mma_config_for<typename EA::value_type>()>(A, B, C, alpha, beta, epilogue, stream);
}

/// @name Calls that are known to be wrong: the type of the result names the mistake (core/refused.hpp)
/// @{
template <mma_config config, class EA, class LA, class EB, class LB, class EC, class LC, class... X>
requires(!detail::mma_accepts<config, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>> ||
         detail::gemm_scalars_are_fractions<Tensor<EA, LA>, Tensor<EB, LB>, X...>)
    detail::or_scalars<detail::mma_refusal<config, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>, Tensor<EA, LA>,
                       Tensor<EB, LB>> gemm_mma(Tensor<EA, LA> const&, Tensor<EB, LB> const&, Tensor<EC, LC> const&,
                                                X const&...);
template <class EA, class LA, class EB, class LB, class EC, class LC, class... X>
requires(!detail::mma_accepts_by_itself<Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>> ||
         detail::gemm_scalars_are_fractions<Tensor<EA, LA>, Tensor<EB, LB>, X...>)
    detail::or_scalars<detail::mma_refusal_by_itself<Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>, Tensor<EA, LA>,
                       Tensor<EB, LB>> gemm_mma(Tensor<EA, LA> const&, Tensor<EB, LB> const&, Tensor<EC, LC> const&,
                                                X const&...);
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
