// SPDX-License-Identifier: Apache-2.0
/// @file
/// `gemm_hopper`: C = epilogue(alpha A B + beta C) by the matrix instructions of warpgroups (`wgmma`, sm_90a), for
/// half, bfloat16, TF32 and 8-bit floats (summed in float), and 8-bit integers (summed in int).
///
/// The grid has as many blocks as the device runs at once. Each computes one tile of C after the other. One warpgroup
/// brings tiles of A and B to a ring of stages in shared memory by tensor copies, and runs ahead into the next tile of
/// C. The others, the consumers, multiply them where they are; each has its own rows of the tile. One batch of
/// instructions is in flight while the stage of the batch before it is given back. Results go through shared memory,
/// and tensor copies store them while the next tile begins. M, N and K are arbitrary; elements outside count as zero.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/arch/register_budget.hpp>
#include <cosmati/kernel/gemm/hopper_choice.hpp>
#include <cosmati/kernel/gemm/hopper_direct_store.hpp>
#include <cosmati/kernel/gemm/hopper_multiply.hpp>
#include <cosmati/kernel/gemm/hopper_store.hpp>
#include <cosmati/runtime/device.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <cosmati/runtime/launch.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

/// The blocks that share a tile, a bit for each. @param blocks their layout
template <class Blocks>
COSMATI_HD constexpr std::uint16_t hopper_blocks_of(int, Blocks const&) {
  return static_cast<std::uint16_t>((1u << size_v<Blocks>)-1);
}
/// Starts to bring one tile of an operand to a stage. Its types are those of the tile alone, so that configurations
/// with the same tile share it.
/// @tparam Tile (X, K), @tparam Shared the layout of the tile in shared memory
/// @param row, k, batch where the tile begins in the matrix, @param to where it begins in shared memory
/// @param cta the block's place among those that share the tile, and their layout, as for `tma_partition`; or nothing
template <class Tile, class Shared, class Copy, class T, class Stage, class... Cta>
COSMATI_HD void load_hopper_tile(Copy const& copy, int row, int k, int batch, T* to, Stage& stage, Cta const&... cta) {
  auto const shared = make_tensor(make_smem_ptr(to), Shared{});
  auto const tile = domain_offset(make_coord(row, k, batch), copy.get_tma_tensor(append(Tile{}, _1{})))(_, _, _0{});
  auto const parts = tma_partition(copy, cta..., group_modes<0, 2>(shared), group_modes<0, 2>(tile));
  if constexpr (sizeof...(cta) == 0)
    stage.load(copy, get<0>(parts), get<1>(parts));
  else
    stage.load(copy, get<0>(parts), get<1>(parts), hopper_blocks_of(cta...));
}

/// By one thread: brings the tiles of A and B for one tile of C after the other.
template <class Parts, class Producer>
COSMATI_HD void load_hopper_tiles(hopper_arguments<Parts> const& p, hopper_tiles<Parts> const& tiles,
                                  hopper_shared<Parts> const& shared, Producer&& producer) {
  using Arguments = hopper_arguments<Parts>;
  int const first_k = tiles.first_k(), end_k = first_k + tiles.count_k();
  prefetch_tma_descriptor(p.copy_a.get_tma_descriptor());
  prefetch_tma_descriptor(p.copy_b.get_tma_descriptor());
  tiles.for_each([&](hopper_tile const& at) {
    int const row_b = at.n * Parts::TileN::value;
    int const batch_a = p.batched_a ? at.batch : 0, batch_b = p.batched_b ? at.batch : 0;
    COSMATI_NO_UNROLL
    for (int k = first_k; k < end_k; ++k) {
      producer.fill([&](auto& stage) {
        load_hopper_tile<typename Arguments::TileA, typename Arguments::StageA>(
            p.copy_a, at.row, k * Parts::tile_k, batch_a, shared.a(stage.index()), stage);
        auto const to = shared.b(stage.index());
        if constexpr (Parts::cluster > 1)
          load_hopper_tile<typename Arguments::TileB, typename Arguments::StageB>(
              p.copy_b, row_b, k * Parts::tile_k, batch_b, to, stage, tiles.rank(), Layout<C<Parts::cluster>>{});
        else
          load_hopper_tile<typename Arguments::TileB, typename Arguments::StageB>(p.copy_b, row_b, k * Parts::tile_k,
                                                                                  batch_b, to, stage);
      });
    }
  });
  if constexpr (Parts::cluster > 1) producer.finish();
}

/// By the consumers: multiplies and stores one tile of C after the other.
template <class Parts, class Consumer, class Epilogue>
COSMATI_HD void multiply_hopper_tiles(hopper_arguments<Parts> const& p, hopper_tiles<Parts> const& tiles,
                                      hopper_shared<Parts> const& shared, Consumer&& consumer,
                                      Epilogue const& epilogue) {
  using Results = std::conditional_t<Parts::stores_directly, hopper_direct_results<Parts>, hopper_results<Parts>>;
  auto mma = Parts::mma();
  // The remainders change nothing. With them the compiler drops the checks of debug builds in get_slice, whose calls
  // would make ptxas wait for each wgmma (C7510).
  auto const thread = mma.get_slice(threadIdx.x % (128 * Parts::sharers));
  // The threads of a warpgroup have the same operands, those of its first thread.
  auto const warpgroup = mma.get_slice(threadIdx.x / 128 % Parts::sharers * 128);
  auto const tCrA = warpgroup.make_fragment_A(warpgroup.partition_A(shared.a()));  // (1, M, K, stages)
  auto const tCrB = warpgroup.make_fragment_B(warpgroup.partition_B(shared.b()));
  auto sums = partition_fragment_C(mma, Shape<typename Parts::TileM, typename Parts::TileN>{});  // (V, M, 1)
  Results results(p, tiles, shared);
  ordered_sequence<2> order(shared.barriers().order, static_cast<int>(threadIdx.x / 128));
  int step = 0;
  tiles.for_each([&](hopper_tile const& tile) {
    if constexpr (Parts::pingpong) {
      if (!order.is_mine(step++)) return consumer.skip(tiles.count_k());
      order.wait();
    }
    auto const end = [&] {
      if constexpr (Parts::pingpong) order.arrive();
    };
    if constexpr (Parts::promote != 0)
      multiply_hopper_in_two_levels(p, tiles, tile, mma, consumer, tCrA, tCrB, sums, end);
    else
      multiply_hopper_stages(mma, consumer, tiles.count_k(), tCrA, tCrB, sums, end);
    results.store(thread, sums, tile, epilogue);
  });
  results.end();
}

}  // namespace detail

/// @tparam Parts hopper_parts
template <class Parts, class Epilogue>
__global__ void __launch_bounds__(Parts::threads, Parts::config.blocks)
    gemm_hopper_kernel(detail::hopper_arguments<Parts> const __grid_constant__ p, gemm_tile_order order,
                       Epilogue epilogue) {
  if constexpr (COSMATI_TARGET_SM == 0 || COSMATI_TARGET_SM == 90) {
    detail::hopper_shared<Parts> const shared{dynamic_shared()};
    auto& barriers = shared.barriers();
    constexpr int consumer_threads = 128 * Parts::consumers;
    detail::hopper_tiles<Parts> const tiles(p, order);
    if (threadIdx.x == 0) {
      for (auto& loaded : barriers.results) initialize_barrier(loaded, 1);
      for (auto& parts : barriers.parts)
        initialize_barrier(parts, static_cast<int>(tiles.blocks()) * consumer_threads / 32);
      ordered_sequence<2>::initialize(barriers.order, 4);
    }
    // a barrier of the block, or of the cluster
    tma_pipeline<Parts::stages> const pipeline(barriers.pipeline, 128 * Parts::sharers, threadIdx.x == 0,
                                               Parts::sharing);
    if constexpr (Parts::config.split > 1) cluster_sync();
    if (threadIdx.x >= consumer_threads) {
      if constexpr (Parts::moves_registers) warpgroup_reg_dealloc<Parts::producer_registers>();
      if (threadIdx.x < consumer_threads + 32 && elect_one_sync())
        detail::load_hopper_tiles(p, tiles, shared, pipeline.producer());
    } else {
      if constexpr (Parts::moves_registers) warpgroup_reg_alloc<Parts::consumer_registers>();
      detail::multiply_hopper_tiles(p, tiles, shared, pipeline.consumer(), epilogue);
    }
  } else {
    fail("gemm_hopper: the GPU lacks warpgroup matrix instructions, which are sm_90a's; take gemm_mma");
  }
}

namespace detail {

/// Launches the kernel. @param split the blocks that share the sum over K of a tile, 1 to config.split
template <hopper_config config, class Problem, class Epilogue>
void launch_gemm_hopper(Problem const& p, Epilogue const& epilogue, stream_handle stream, int split = config.split) {
  using Parts = hopper_parts<config, Problem>;
  using Mistake = typename decltype(hopper_mistake<config, typename Parts::TA, typename Parts::TB, typename Parts::TC,
                                                   decltype(Problem::a)::contiguous, decltype(Problem::b)::contiguous,
                                                   Parts::c_along_n>())::type;
  if constexpr (!std::is_void_v<Mistake>) static_assert(sizeof(Mistake) != 0 && Mistake::ok);
  if (p.is_empty()) return;
  auto const order = gemm_tile_order::of(p.m, p.n, Parts::grouped ? 1 : p.batches, config.tile_m * config.cluster,
                                         config.tile_n, config.band);
  auto const cluster = static_cast<unsigned>(config.cluster * split);
  auto const at_one_time =
      static_cast<unsigned>(hopper_clusters(multiprocessors(), static_cast<int>(cluster)) * config.blocks);
  launch(gemm_hopper_kernel<Parts, Epilogue>,
         {.grid = (!Parts::grouped && order.blocks() < at_one_time ? order.blocks() : at_one_time) * cluster,
          .block = static_cast<unsigned>(Parts::threads),
          .shared_bytes = Parts::shared_bytes,
          .cluster = cluster,
          .stream = stream},
         make_hopper_arguments<Parts>(p), order, epilogue);
}

/// The product of a problem, turned if the configuration says so. @param split at most config.split
template <hopper_config config, class Problem, class Epilogue>
void run_gemm_hopper(Problem const& p, Epilogue const& epilogue, stream_handle stream, int split) {
  if constexpr (hopper_turns<config, decltype(Problem::c)::contiguous == 1>)
    launch_gemm_hopper<config>(turned_problem(p), transposed_epilogue<Epilogue>{epilogue}, stream, split);
  else
    launch_gemm_hopper<config>(p, epilogue, stream, split);
}

/// Runs the configuration of this number, if it can do the call.
template <int i, class Problem, class Epilogue>
void run_chosen_hopper(hopper_choice const& choice, Problem const& p, Epilogue const& epilogue, stream_handle stream) {
  if constexpr (i < hopper_config_count) {
    if (choice.config != i) return run_chosen_hopper<i + 1>(choice, p, epilogue, stream);
    if constexpr (hopper_problem_fits<hopper_configs[i], Problem, decltype(Problem::c)::contiguous == 1>)
      run_gemm_hopper<hopper_configs[i]>(p, epilogue, stream, choice.split);
  }
}

}  // namespace detail

/// C = epilogue(alpha A B + beta C), queued on `stream`. If beta is zero, C is not read. Elements of 2 bytes may be
/// contiguous along any mode, others of A and B along K only. Throws `error` if extents do not fit each other, or if an
/// address or a stride is no multiple of 16 bytes, which tensor copies need.
/// @param A (M, K[, L]), @param B (N, K[, L]), @param C (M, N[, L]), as kernel/gemm/problem.hpp says
template <hopper_config config, class EA, class LA, class EB, class LB, class EC, class LC, class Epilogue = identity>
requires(detail::hopper_accepts<config, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>) void gemm_hopper(
    Tensor<EA, LA> const& A, Tensor<EB, LB> const& B, Tensor<EC, LC> const& C,
    gemm_sum_t<typename EA::value_type, typename EB::value_type> alpha = 1,
    gemm_sum_t<typename EA::value_type, typename EB::value_type> beta = 0, Epilogue const& epilogue = {},
    stream_handle stream = nullptr) {
  detail::run_gemm_hopper<config>(make_gemm_problem(A, B, C, alpha, beta), epilogue, stream, config.split);
}
/// The same with tiles that suit the extents.
template <class EA, class LA, class EB, class LB, class EC, class LC, class Epilogue = identity>
requires(detail::hopper_accepts<hopper_config{}, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>) void gemm_hopper(
    Tensor<EA, LA> const& A, Tensor<EB, LB> const& B, Tensor<EC, LC> const& C,
    gemm_sum_t<typename EA::value_type, typename EB::value_type> alpha = 1,
    gemm_sum_t<typename EA::value_type, typename EB::value_type> beta = 0, Epilogue const& epilogue = {},
    stream_handle stream = nullptr) {
  auto const p = make_gemm_problem(A, B, C, alpha, beta);
  using Problem = std::remove_const_t<decltype(p)>;
  auto const choice = detail::choose_hopper_config(
      p.m, p.n, p.k, p.batches, static_cast<int>(sizeof(typename EA::value_type)), multiprocessors(),
      detail::usable_hopper_configs<Problem>(make_seq<detail::hopper_config_count>{}),
      decltype(Problem::c)::contiguous == 1);
  detail::run_chosen_hopper<0>(choice, p, epilogue, stream);
}

/// @name Calls that are known to be wrong: the type of the result names the mistake (core/refused.hpp)
/// @{
template <hopper_config config, class EA, class LA, class EB, class LB, class EC, class LC, class... X>
requires(!detail::hopper_accepts<config, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>> ||
         detail::gemm_scalars_are_fractions<Tensor<EA, LA>, Tensor<EB, LB>, X...>)
    detail::or_scalars<detail::hopper_refusal<config, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>, Tensor<EA, LA>,
                       Tensor<EB, LB>> gemm_hopper(Tensor<EA, LA> const&, Tensor<EB, LB> const&, Tensor<EC, LC> const&,
                                                   X const&...);
template <class EA, class LA, class EB, class LB, class EC, class LC, class... X>
requires(!detail::hopper_accepts<hopper_config{}, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>> ||
         detail::gemm_scalars_are_fractions<Tensor<EA, LA>, Tensor<EB, LB>, X...>)
    detail::or_scalars<detail::hopper_refusal<hopper_config{}, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>,
                       Tensor<EA, LA>, Tensor<EB, LB>> gemm_hopper(Tensor<EA, LA> const&, Tensor<EB, LB> const&,
                                                                   Tensor<EC, LC> const&, X const&...);
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
