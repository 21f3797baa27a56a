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
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/arch/warp.hpp>
#include <cosmati/kernel/gemm/mma_feed.hpp>
#include <cosmati/kernel/gemm/mma_store.hpp>
#include <cosmati/kernel/gemm/mma_tensor_feed.hpp>
#include <cosmati/runtime/device.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <cosmati/runtime/launch.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

/// If `count` items are spread evenly over `turns` turns, the number of items before turn x.
COSMATI_HD constexpr int spread_before(int x, int count, int turns) { return (x * count + turns - 1) / turns; }

}  // namespace detail

/// @tparam Parts mma_parts
/// @tparam whole whether tiles divide M, N and K, and A, B and C allow accesses of 16 bytes
/// @param wide_ab, wide_c if not whole: whether the matrices allow accesses of 16 bytes; otherwise elements move one by
///   one
/// @param maps those of A, B and C, if Parts::tensor_copies
template <class Parts, bool whole, class Epilogue>
__global__ void __launch_bounds__(Parts::threads, Parts::config.blocks)
    gemm_mma_kernel(typename Parts::Problem p, gemm_tile_order order, bool wide_ab, bool wide_c, Epilogue epilogue,
                    detail::mma_tensor_maps const __grid_constant__ maps) {
  constexpr mma_config config = Parts::config;
  using TA = typename Parts::TA;
  using TB = typename Parts::TB;
  constexpr int steps = Parts::steps, tile_k = Parts::tile_k, stages = config.stages;
  unsigned char* const memory = dynamic_shared();
  auto sA = make_tensor(make_smem_ptr(reinterpret_cast<TA*>(memory)), typename Parts::LayoutSA{});
  auto sB = make_tensor(make_smem_ptr(reinterpret_cast<TB*>(memory + Parts::bytes_a)), typename Parts::LayoutSB{});
  auto sC = make_tensor(make_smem_ptr(reinterpret_cast<typename Parts::TC*>(memory + Parts::bytes_a + Parts::bytes_b +
                                                                            threadIdx.x / 32 * Parts::bytes_c)),
                        typename Parts::LayoutSC{});  // this warp's

  // from global memory to stages
  constexpr bool by_tensor = whole && Parts::tensor_copies && detail::mma_target_has_tensor_copies;
  std::uint64_t* const full =  // mbarriers of the stages
      reinterpret_cast<std::uint64_t*>(memory + Parts::shared_bytes - stages * sizeof(std::uint64_t));
  auto feed_a = [&] {
    if constexpr (by_tensor)
      return detail::mma_tensor_feed<typename Parts::operand_A>(raw_pointer_cast(sA.data()), maps.a);
    else
      return detail::make_mma_feed<typename Parts::operand_A, whole>(sA, p.a, p.m, p.k, threadIdx.x);
  }();
  auto feed_b = [&] {
    if constexpr (by_tensor)
      return detail::mma_tensor_feed<typename Parts::operand_B>(raw_pointer_cast(sB.data()), maps.b);
    else
      return detail::make_mma_feed<typename Parts::operand_B, whole>(sB, p.b, p.n, p.k, threadIdx.x);
  }();
  unsigned const blocks = order.blocks();
  int const tiles_k = p.k > tile_k ? (p.k + tile_k - 1) / tile_k : 1;
  unsigned row = blockIdx.x;  // the tile of C whose operands come next
  int row_k = 0;              // and how far along K
  auto const aim = [&] {
    gemm_tile const tile = order(row < blocks ? row : blockIdx.x);  // behind the last: anything
    feed_a.aim(tile.batch, tile.m * config.tile_m);
    feed_b.aim(tile.batch, tile.n * config.tile_n);
    row += gridDim.x;
  };
  auto const turn = [&] {
    feed_a.turn();
    feed_b.turn();
    row_k = 0;
  };
  auto const bring_all = [&](int stage) {
    if constexpr (by_tensor) {
      if (threadIdx.x < 32 && elect_one_sync()) {
        arrive_and_expect_bytes(full[stage], feed_a.bytes + feed_b.bytes);
        feed_a.bring(stage, full[stage]);
        feed_b.bring(stage, full[stage]);
      }
    } else {
      COSMATI_NO_UNROLL
      for (int j = 0; j < feed_a.vectors; ++j) feed_a.bring(j, stage, wide_ab);
      COSMATI_NO_UNROLL
      for (int j = 0; j < feed_b.vectors; ++j) feed_b.bring(j, stage, wide_ab);
    }
  };
  // cp.async: a part of it behind each of M N products, so that these need not wait
  auto const bring_between = [&]([[maybe_unused]] int x, [[maybe_unused]] int products, int stage) {
    if constexpr (by_tensor) {
      if (x == 0) bring_all(stage);
    } else {
      constexpr int vectors_a = feed_a.vectors, vectors = vectors_a + feed_b.vectors;
      constexpr int groups = (vectors + config.together - 1) / config.together;
      COSMATI_UNROLL
      for (int j = detail::spread_before(x, groups, products) * config.together;
           j < detail::spread_before(x + 1, groups, products) * config.together && j < vectors; ++j) {
        if (j < vectors_a)
          feed_a.bring(j, stage, wide_ab);
        else
          feed_b.bring(j - vectors_a, stage, wide_ab);
      }
    }
  };
  auto const brought = [&] {
    if constexpr (!by_tensor) cp_async_fence();
    feed_a.advance();
    feed_b.advance();
    if (++row_k == tiles_k) turn();
  };
  // the stage is there; if it came by cp.async, everybody has also left the one before it
  auto const await = [&]([[maybe_unused]] int stage, [[maybe_unused]] int parity) {
    if constexpr (by_tensor) {
      wait_barrier(full[stage], parity);
    } else {
      cp_async_wait<stages - 2>();
      __syncthreads();
    }
  };
  if constexpr (by_tensor) {
    if (threadIdx.x == 0) {
      COSMATI_UNROLL
      for (int stage = 0; stage < stages; ++stage) initialize_barrier(full[stage], 1);
      fence_barrier_init();
    }
    __syncthreads();
  }
  aim();
  turn();
  aim();
  COSMATI_NO_UNROLL
  for (int stage = 0; stage < stages - 1; ++stage) {
    bring_all(stage);
    brought();
    if (row_k == 0) aim();
  }

  // from stages to registers
  auto const mma = Parts::mma();
  auto const thr_mma = mma.get_slice(threadIdx.x);
  auto rA = thr_mma.partition_fragment_A(sA(_, _, 0));                                         // (V, M, steps)
  auto rB = thr_mma.partition_fragment_B(sB(_, _, 0));                                         // (V, N, steps)
  auto rC = partition_fragment_C(mma, Shape<typename Parts::TileM, typename Parts::TileN>{});  // (V, M, N)
  auto const load_a = make_tiled_copy_A(typename Parts::operand_A::load_atom{}, mma).get_slice(threadIdx.x);
  auto const load_b = make_tiled_copy_B(typename Parts::operand_B::load_atom{}, mma).get_slice(threadIdx.x);
  auto to_a = load_a.retile_D(rA);  // ((VECTOR, vectors), 1, steps)
  auto to_b = load_b.retile_D(rB);
  constexpr int vector_a = decltype(size<0, 0>(load_a.partition_S(sA)))::value;
  constexpr int vector_b = decltype(size<0, 0>(load_b.partition_S(sB)))::value;
  auto const from_a = detail::make_swizzled_vectors<vector_a>(load_a.partition_S(sA));
  auto const from_b = detail::make_swizzled_vectors<vector_b>(load_b.partition_S(sB));
  constexpr int loads_a = decltype(size<0, 1>(to_a))::value, loads = loads_a + decltype(size<0, 1>(to_b))::value;
  auto const load = [&](int j, int step, int stage) {
    if (j < loads_a)
      copy(typename Parts::operand_A::load_atom{}, from_a(stage, make_coord(0, j), 0, step),
           to_a(make_coord(_, j), 0, step));
    else
      copy(typename Parts::operand_B::load_atom{}, from_b(stage, make_coord(0, j - loads_a), 0, step),
           to_b(make_coord(_, j - loads_a), 0, step));
  };
  constexpr int M = decltype(size<1>(rC))::value, N = decltype(size<2>(rC))::value;

  int stage = 0, free = stages - 1, parity = 0;
  await(stage, parity);
  COSMATI_UNROLL
  for (int j = 0; j < loads; ++j) load(j, 0, 0);
  clear(rC);
  for (unsigned tile = blockIdx.x; tile < blocks; tile += gridDim.x) {
    COSMATI_NO_UNROLL
    for (int k = 0; k < tiles_k; ++k) {
      COSMATI_UNROLL
      for (int step = 0; step < steps; ++step) {
        int const loaded = (step + 1) % steps;
        if (loaded == 0) {
          stage = stage + 1 == stages ? 0 : stage + 1;
          if (stage == 0) parity ^= 1;
          await(stage, parity);
          if constexpr (by_tensor && Parts::fence_before_loads) fence_proxy_async_shared();
        }
        if (!whole && step == 0) bring_all(free);
        COSMATI_UNROLL
        for (int x = 0; x < M * N; ++x) {
          COSMATI_UNROLL
          for (int j = detail::spread_before(x, loads, M * N); j < detail::spread_before(x + 1, loads, M * N); ++j)
            load(j, loaded, stage);
          if (whole && step == 0) bring_between(x, M * N, free);
          int const n = x / M, m = n % 2 == 0 ? x % M : M - 1 - x % M;  // back and forth: a neighbour's fragment again
          auto sum = rC(_, m, n);
          mma.call(sum, rA(_, m, step), rB(_, n, step), sum);
          if constexpr (by_tensor) {
            if (!Parts::fence_before_loads && step == steps - 1 && x == M - 1) fence_proxy_async_shared();
            if (step == steps - 1 && x == 2 * M - 1) __syncthreads();  // everybody has left the last stage
          }
        }
        if (step == 0) {
          brought();
          free = free + 1 == stages ? 0 : free + 1;
        }
      }
    }
    aim();  // every tile turns to another row once
    gemm_tile const at = order(tile);
    detail::store_mma_tile<Parts, whole, by_tensor && Parts::stores_boxes>(
        thr_mma, threadIdx.x, rC, p.matrix_c(at.batch), sC, at, p, wide_c, epilogue, maps.c);
  }
  if constexpr (by_tensor) {  // nothing may arrive when the block is gone
    COSMATI_UNROLL
    for (int i = 2; i < stages; ++i) {
      stage = stage + 1 == stages ? 0 : stage + 1;
      if (stage == 0) parity ^= 1;
      wait_barrier(full[stage], parity);
    }
    if constexpr (Parts::stores_boxes) {
      if (elect_one_sync()) tma_store_wait<0>();
    }
  } else {
    cp_async_wait<0>();
  }
}

namespace detail {

/// An epilogue of C for a kernel that computes the transpose of C.
template <class Epilogue>
struct transposed_epilogue {
  Epilogue epilogue;
  template <class T>
  COSMATI_HD constexpr auto operator()(T const& x, int n, int m, int batch) const {
    if constexpr (epilogue_of_place<Epilogue, T>)
      return epilogue(x, m, n, batch);
    else
      return epilogue(x);
  }
};

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
  auto const p = make_gemm_problem(A, B, C, alpha, beta);
  if constexpr (decltype(p.c)::contiguous == 1) {
    detail::launch_gemm_mma<config>(p, epilogue, stream);
  } else {  // C^T = B^T A^T
    using TC = typename decltype(p.c)::value_type;
    using Turned =
        gemm_problem<std::remove_cvref_t<decltype(p.b)>, std::remove_cvref_t<decltype(p.a)>, gemm_operand<TC, 1>>;
    detail::launch_gemm_mma<config>(
        Turned{p.n, p.m, p.k, p.batches, p.b, p.a, {p.c.data, p.c.leading, p.c.batch}, p.alpha, p.beta},
        detail::transposed_epilogue<Epilogue>{epilogue}, stream);
  }
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
requires(!detail::mma_accepts<config, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>)
    detail::mma_refusal<config, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>> gemm_mma(Tensor<EA, LA> const&,
                                                                                         Tensor<EB, LB> const&,
                                                                                         Tensor<EC, LC> const&,
                                                                                         X const&...);
template <class EA, class LA, class EB, class LB, class EC, class LC, class... X>
requires(!detail::mma_accepts_by_itself<Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>)
    detail::mma_refusal_by_itself<Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>> gemm_mma(Tensor<EA, LA> const&,
                                                                                           Tensor<EB, LB> const&,
                                                                                           Tensor<EC, LC> const&,
                                                                                           X const&...);
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
