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

#include <cosmati/algorithm/gemm.hpp>
#include <cosmati/arch/register_budget.hpp>
#include <cosmati/kernel/gemm/hopper_store.hpp>
#include <cosmati/kernel/gemm/tile_order.hpp>
#include <cosmati/runtime/device.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <cosmati/runtime/launch.hpp>

namespace COSMATI_NAMESPACE {
namespace detail {

/// The tensors of a block's stages and its barriers, in shared memory.
template <class Parts>
struct hopper_shared {
  unsigned char* memory;

  COSMATI_HD auto a() const {
    return make_tensor(make_smem_ptr(reinterpret_cast<typename Parts::TA*>(memory)), typename Parts::LayoutSA{});
  }
  COSMATI_HD auto b() const {
    return make_tensor(make_smem_ptr(reinterpret_cast<typename Parts::TB*>(memory + Parts::bytes_a * Parts::stages)),
                       typename Parts::LayoutSB{});
  }
  /// The boxes of results of a warp.
  COSMATI_HD typename Parts::TC* results(unsigned warp) const {
    return reinterpret_cast<typename Parts::TC*>(memory + (Parts::bytes_a + Parts::bytes_b) * Parts::stages +
                                                 Parts::bytes_c * warp);
  }
  COSMATI_HD typename Parts::Barriers& barriers() const {
    return *reinterpret_cast<typename Parts::Barriers*>(memory + Parts::shared_bytes -
                                                        sizeof(typename Parts::Barriers));
  }
};

/// The tiles of C that a block computes, one after the other. The blocks of a cluster have neighbours along M.
template <class Parts>
class hopper_tiles {
 public:
  COSMATI_HD explicit hopper_tiles(gemm_tile_order const& order) : order_(order) {
    if constexpr (Parts::cluster > 1) rank_ = static_cast<int>(block_rank_in_cluster());
  }
  /// The block's number in its cluster.
  COSMATI_HD int rank() const { return rank_; }
  /// Calls each(gemm_tile).
  template <class Each>
  COSMATI_HD void for_each(Each const& each) const {
    COSMATI_NO_UNROLL
    for (unsigned i = blockIdx.x / Parts::cluster; i < order_.blocks(); i += gridDim.x / Parts::cluster) {
      gemm_tile tile = order_(i);
      tile.m = tile.m * Parts::cluster + rank_;
      each(tile);
    }
  }

 private:
  gemm_tile_order const& order_;
  int rank_ = 0;
};

/// By one thread: brings the tiles of A and B for one tile of C after the other.
template <class Parts, class Producer>
COSMATI_HD void load_hopper_tiles(hopper_arguments<Parts> const& p, hopper_tiles<Parts> const& tiles,
                                  hopper_shared<Parts> const& shared, Producer&& producer) {
  using Arguments = hopper_arguments<Parts>;
  auto const mA = p.copy_a.get_tma_tensor(make_shape(p.m, p.k, p.batches));
  auto const mB = p.copy_b.get_tma_tensor(make_shape(p.n, p.k, p.batches));
  auto const sA = group_modes<0, 2>(shared.a());
  auto const sB = group_modes<0, 2>(shared.b());
  int const tiles_k = p.tiles_k(), first_k = p.k == 0 ? 1 : 0;  // without a K: beyond the matrices
  prefetch_tma_descriptor(p.copy_a.get_tma_descriptor());
  prefetch_tma_descriptor(p.copy_b.get_tma_descriptor());
  tiles.for_each([&](gemm_tile const& at) {
    auto const gA = local_tile(mA(_, _, p.batched_a ? at.batch : 0), typename Arguments::TileA{}, make_coord(at.m, _));
    auto const gB = local_tile(mB(_, _, p.batched_b ? at.batch : 0), typename Arguments::TileB{}, make_coord(at.n, _));
    auto const part_a = tma_partition(p.copy_a, sA, group_modes<0, 2>(gA));
    auto const part_b = tma_partition(p.copy_b, tiles.rank(), Layout<C<Parts::cluster>>{}, sB, group_modes<0, 2>(gB));
    COSMATI_NO_UNROLL
    for (int k = 0; k < tiles_k; ++k) {
      producer.fill([&](auto& stage) {
        stage.load(p.copy_a, get<0>(part_a)(_, k + first_k), get<1>(part_a)(_, stage.index()));
        auto const from = get<0>(part_b)(_, k + first_k);
        if constexpr (Parts::cluster > 1)
          stage.load(p.copy_b, from, get<1>(part_b)(_, stage.index()), Parts::sharing);
        else
          stage.load(p.copy_b, from, get<1>(part_b)(_, stage.index()));
      });
    }
  });
  if constexpr (Parts::cluster > 1) producer.finish();
}

/// Begins to multiply the tiles of a stage, in one batch. @param a, b (1, X, K)
template <class Mma, class A, class B, class Sums>
COSMATI_HD void multiply_hopper_stage(Mma& mma, A const& a, B const& b, Sums& sums) {
  warpgroup_arrive();
  COSMATI_UNROLL
  for (int k = 0; k < decltype(size<2>(a))::value; ++k) {
    gemm(mma, a(_, _, k), b(_, _, k), sums);
    mma.accumulate_ = GMMA::ScaleOut::One;
  }
  warpgroup_commit_batch();
}

/// By the consumers: multiplies and stores one tile of C after the other.
template <class Parts, class Consumer, class Epilogue>
COSMATI_HD void multiply_hopper_tiles(hopper_arguments<Parts> const& p, hopper_tiles<Parts> const& tiles,
                                      hopper_shared<Parts> const& shared, Consumer&& consumer,
                                      Epilogue const& epilogue) {
  auto mma = Parts::mma();
  // The remainders change nothing. With them the compiler drops the checks of debug builds in get_slice, whose calls
  // would make ptxas wait for each wgmma (C7510).
  auto const thread = mma.get_slice(threadIdx.x % (128 * Parts::consumers));
  // The threads of a warpgroup have the same operands, those of its first thread.
  auto const warpgroup = mma.get_slice(threadIdx.x / 128 % Parts::consumers * 128);
  auto const tCrA = warpgroup.make_fragment_A(warpgroup.partition_A(shared.a()));  // (1, M, K, stages)
  auto const tCrB = warpgroup.make_fragment_B(warpgroup.partition_B(shared.b()));
  auto sums = partition_fragment_C(mma, Shape<typename Parts::TileM, typename Parts::TileN>{});  // (V, M, 1)
  unsigned const warp = threadIdx.x / 32;
  hopper_results<Parts> results(p, shared.results(warp), shared.barriers().results[warp]);
  int const tiles_k = p.tiles_k();
  tiles.for_each([&](gemm_tile const& tile) {
    mma.accumulate_ = GMMA::ScaleOut::Zero;
    int stage = consumer.wait();
    multiply_hopper_stage(mma, tCrA(_, _, _, stage), tCrB(_, _, _, stage), sums);
    COSMATI_NO_UNROLL
    for (int k = 1; k < tiles_k; ++k) {
      stage = consumer.wait();
      multiply_hopper_stage(mma, tCrA(_, _, _, stage), tCrB(_, _, _, stage), sums);
      warpgroup_wait<1>();
      consumer.release_unfenced();
    }
    warpgroup_wait<0>();
    consumer.release_unfenced();
    COSMATI_UNROLL
    for (int i = 0; i < size(sums); ++i) warpgroup_fence_operand(sums(i));
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
    if (threadIdx.x == 0) {
      for (auto& loaded : barriers.results) initialize_barrier(loaded, 1);
    }
    constexpr int consumer_threads = 128 * Parts::consumers;
    // a barrier of the block, or of the cluster
    tma_pipeline<Parts::stages> const pipeline(barriers.pipeline, consumer_threads, threadIdx.x == 0, Parts::sharing);
    detail::hopper_tiles<Parts> const tiles(order);
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

/// Launches the kernel for a C that is contiguous along N.
template <hopper_config config, class Problem, class Epilogue>
void launch_gemm_hopper(Problem const& p, Epilogue const& epilogue, stream_handle stream) {
  using Parts = hopper_parts<config, Problem>;
  if (p.is_empty()) return;
  auto const order =
      gemm_tile_order::of(p.m, p.n, p.batches, config.tile_m * config.cluster, config.tile_n, config.band);
  constexpr auto cluster = static_cast<unsigned>(config.cluster);
  unsigned const at_one_time = static_cast<unsigned>(multiprocessors() * config.blocks) / cluster;  // clusters
  launch(gemm_hopper_kernel<Parts, Epilogue>,
         {.grid = (order.blocks() < at_one_time ? order.blocks() : at_one_time) * cluster,
          .block = static_cast<unsigned>(Parts::threads),
          .shared_bytes = Parts::shared_bytes,
          .cluster = cluster,
          .stream = stream},
         make_hopper_arguments<Parts>(p), order, epilogue);
}

/// The configurations of which a call without one takes the fastest, and their rates: the part of the largest tile's
/// products per second that a busy multiprocessor reaches.
inline constexpr hopper_config hopper_configs[] = {
    {}, {.tile_n = 128, .stages = 6}, {.tile_m = 64, .tile_n = 128, .stages = 4, .consumers = 1, .blocks = 2}};
inline constexpr double hopper_rates[] = {1, 0.85, 0.7};

/// The number of the configuration that takes the least time: the waves of tiles, times the time of a wave.
inline int choose_hopper_config(int m, int n, int batches, int multiprocessors) {
  auto const tiles = [](int extent, int tile) { return (std::int64_t{extent} + tile - 1) / tile; };
  int best = 0;
  double least = 0;
  for (int i = 0; i < static_cast<int>(sizeof hopper_configs / sizeof hopper_configs[0]); ++i) {
    hopper_config const& c = hopper_configs[i];
    std::int64_t const at_one_time = std::int64_t{multiprocessors / c.cluster * c.cluster} * c.blocks;
    std::int64_t const count = tiles(m, c.tile_m * c.cluster) * c.cluster * tiles(n, c.tile_n) * batches;
    // blocks that share a multiprocessor share its tensor cores, too
    std::int64_t const waves = (count + at_one_time - 1) / at_one_time;
    double const rest = static_cast<double>(count - (waves - 1) * at_one_time);
    double const last = rest > multiprocessors ? c.blocks : 1;
    double const time = (static_cast<double>((waves - 1) * c.blocks) + last) * c.tile_m * c.tile_n / hopper_rates[i];
    if (i == 0 || time < least) {
      best = i;
      least = time;
    }
  }
  return best;
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
  detail::with_contiguous_rows(make_gemm_problem(A, B, C, alpha, beta), epilogue,
                               [&](auto const& p, auto const& e) { detail::launch_gemm_hopper<config>(p, e, stream); });
}
/// The same with tiles that suit the extents.
template <class EA, class LA, class EB, class LB, class EC, class LC, class Epilogue = identity>
requires(detail::hopper_accepts<hopper_config{}, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>) void gemm_hopper(
    Tensor<EA, LA> const& A, Tensor<EB, LB> const& B, Tensor<EC, LC> const& C,
    gemm_sum_t<typename EA::value_type, typename EB::value_type> alpha = 1,
    gemm_sum_t<typename EA::value_type, typename EB::value_type> beta = 0, Epilogue const& epilogue = {},
    stream_handle stream = nullptr) {
  int const m = static_cast<int>(size<0>(C)), n = static_cast<int>(size<1>(C));
  bool const turned = detail::gemm_contiguous_mode<Tensor<EC, LC>> == 0;
  switch (detail::choose_hopper_config(turned ? n : m, turned ? m : n, static_cast<int>(detail::gemm_batches(C)),
                                       multiprocessors())) {
    case 0:
      return gemm_hopper<detail::hopper_configs[0]>(A, B, C, alpha, beta, epilogue, stream);
    case 1:
      return gemm_hopper<detail::hopper_configs[1]>(A, B, C, alpha, beta, epilogue, stream);
    default:
      return gemm_hopper<detail::hopper_configs[2]>(A, B, C, alpha, beta, epilogue, stream);
  }
}

/// @name Calls that are known to be wrong: the type of the result names the mistake (core/refused.hpp)
/// @{
template <hopper_config config, class EA, class LA, class EB, class LB, class EC, class LC, class... X>
requires(!detail::hopper_accepts<config, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>)
    detail::hopper_refusal<config, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>> gemm_hopper(Tensor<EA, LA> const&,
                                                                                               Tensor<EB, LB> const&,
                                                                                               Tensor<EC, LC> const&,
                                                                                               X const&...);
template <class EA, class LA, class EB, class LB, class EC, class LC, class... X>
requires(!detail::hopper_accepts<hopper_config{}, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>>)
    detail::hopper_refusal<hopper_config{}, Tensor<EA, LA>, Tensor<EB, LB>, Tensor<EC, LC>> gemm_hopper(
        Tensor<EA, LA> const&, Tensor<EB, LB> const&, Tensor<EC, LC> const&, X const&...);
/// @}

}  // namespace COSMATI_NAMESPACE

#include <cosmati/core/macros_end.hpp>
