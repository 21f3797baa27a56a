// SPDX-License-Identifier: Apache-2.0
// CUTLASS's pipelines in the style of its programs: clusters that share tiles by multicast, threads that produce for
// threads, and stages that are stored by tensor copies.
#include <cutlass/arch/grid_dependency_control.h>
#include <cutlass/arch/reg_reconfig.h>
#include <cute/arch/cluster_sm90.hpp>
#include <cute/arch/copy_sm90_tma.hpp>
#include <cute/atom/copy_traits_sm90_tma.hpp>
#include <cute/tensor.hpp>
#include <cutlass/cluster_launch.hpp>
#include <cutlass/pipeline/pipeline.hpp>

#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <cosmati/runtime/launch.hpp>
#include <vector>

using namespace cute;

namespace {

constexpr int stages = 3, rows = 32, depth = 32, consumers = 64;
using Tile = Shape<Int<rows>, Int<depth>>;
using Stages = decltype(tile_to_shape(composition(Swizzle<3, 2, 3>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{}),
                                      Shape<Int<rows>, Int<depth>, Int<stages>>{}));

/// Each block of a cluster of two gets the whole column of tiles and sums its elements, by threads.
template <class Tma>
__global__ void sum_tiles(Tma const __grid_constant__ tma, int all_rows, int tiles, float* out) {
  using Pipeline = cutlass::PipelineTmaAsync<stages>;
  __shared__ typename Pipeline::SharedStorage storage;
  Tensor sA = make_tensor(make_smem_ptr(cosmati::dynamic_shared<float>()), Stages{});
  Tensor gA = local_tile(tma.get_tma_tensor(make_shape(all_rows, Int<depth>{})), Tile{}, make_coord(_, _0{}));
  auto const rank = static_cast<int>(block_rank_in_cluster());
  auto const [tAgA, tAsA] = tma_partition(tma, rank, make_layout(_2{}), group_modes<0, 2>(sA), group_modes<0, 2>(gA));
  auto const vmnk = make_layout(make_shape(_1{}, _2{}, _1{}, _1{}));
  std::uint16_t const mask = create_tma_multicast_mask<1>(vmnk, make_coord(0, rank, 0, 0));

  typename Pipeline::Params params;
  params.transaction_bytes = rows * depth * sizeof(float);
  params.role = threadIdx.x < consumers ? Pipeline::ThreadCategory::Consumer : Pipeline::ThreadCategory::Producer;
  params.is_leader = threadIdx.x == consumers;
  params.num_consumers = consumers;
  Pipeline pipeline(storage, params, Shape<_2, _1, _1>{}, cute::true_type{}, cute::true_type{});
  cutlass::pipeline_init_arrive_relaxed(2);
  cutlass::pipeline_init_wait(2);

  if (params.is_leader) {
    auto state = cutlass::make_producer_start_state<Pipeline>();
    for (int k = 0; k < tiles; ++k, ++state) {
      pipeline.producer_acquire(state, pipeline.producer_try_acquire(state));
      auto* const barrier = pipeline.producer_get_barrier(state);
      copy(tma.with(*barrier, mask), tAgA(_, k), tAsA(_, state.index()));
    }
    pipeline.producer_tail(state);
  } else if (threadIdx.x < consumers) {
    cutlass::PipelineState<stages> state;
    float sum = 0;
    for (int k = 0; k < tiles; ++k, ++state) {
      pipeline.consumer_wait(state, pipeline.consumer_try_wait(state));
      for (int i = static_cast<int>(threadIdx.x); i < rows * depth; i += consumers)
        sum += sA(i % rows, i / rows, state.index());
      pipeline.consumer_release(state);
    }
    out[static_cast<int>(blockIdx.x) * consumers + static_cast<int>(threadIdx.x)] = sum;
  }
}

TEST(Pipelines, BlocksShareTilesByMulticast) {
  int const tiles = 7, all_rows = tiles * rows;
  std::vector<float> host(static_cast<std::size_t>(all_rows * depth));
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i * 7 % 11);
  cosmati::device_buffer<float> const in(host);
  cosmati::device_buffer<float> out(std::size_t{4 * consumers});
  Tensor mA =
      make_tensor(make_gmem_ptr(in.data()), make_shape(all_rows, Int<depth>{}), make_stride(Int<depth>{}, _1{}));
  auto const tma = make_tma_atom(SM90_TMA_LOAD_MULTICAST{}, mA, Stages{}(_, _, _0{}), Tile{}, _2{});
  auto const kernel = reinterpret_cast<void const*>(&sum_tiles<std::remove_const_t<decltype(tma)>>);
  cutlass::ClusterLaunchParams params = {dim3(4), dim3(consumers + 32), dim3(2),
                                         static_cast<int>(cosize(Stages{}) * sizeof(float)), nullptr};
  float* const to = out.data();
  EXPECT_EQ(cutlass::launch_kernel_on_cluster(params, kernel, tma, all_rows, tiles, to), cutlass::Status::kSuccess);
  auto const got = out.download();
  for (int t = 0; t < 4 * consumers; ++t) {
    float sum = 0;
    for (int k = 0; k < tiles; ++k) {
      for (int i = t % consumers; i < rows * depth; i += consumers)
        sum += host[static_cast<std::size_t>((k * rows + i % rows) * depth + i / rows)];
    }
    ASSERT_EQ(got[static_cast<std::size_t>(t)], sum) << t;
  }
}

/// One warp squares numbers for another, which stores them by bulk copies, two vectors at a time.
__global__ void square(int* out, int tiles) {
  using Pipeline = cutlass::PipelineAsync<2>;
  __shared__ typename Pipeline::SharedStorage storage;
  __shared__ int squares[2][32];
  alignas(16) __shared__ int results[2][32];
  typename Pipeline::Params params;
  params.producer_arv_count = params.consumer_arv_count = 32;
  Pipeline pipeline(storage, params);
  __syncthreads();
  auto const t = static_cast<int>(threadIdx.x % 32);
  if (threadIdx.x < 32) {
    auto state = cutlass::make_producer_start_state<Pipeline>();
    for (int k = 0; k < tiles; ++k, ++state) {
      pipeline.producer_acquire(state);
      squares[state.index()][t] = (32 * k + t) * (32 * k + t);
      pipeline.producer_commit(state);
    }
  } else {
    cutlass::PipelineState<2> state;
    cutlass::PipelineTmaStore<2> stores(cutlass::PipelineTmaStore<2>::Params{});
    for (int k = 0; k < tiles; ++k, ++state) {
      if (t == 0) stores.producer_acquire(state);
      __syncwarp();
      pipeline.consumer_wait(state);
      results[k % 2][t] = squares[state.index()][31 - t];
      pipeline.consumer_release(state);
      cutlass::arch::fence_view_async_shared();
      __syncwarp();
      if (t == 0) {
        cosmati::bulk_copy_s2g(out + 32 * k, results[k % 2], sizeof results[0]);
        stores.producer_commit(state);
      }
    }
    if (t == 0) stores.producer_tail(state);
  }
}
TEST(Pipelines, ThreadsProduceAndStagesAreStored) {
  int const tiles = 9;
  cosmati::device_buffer<int> out(std::vector<int>(std::size_t{32 * tiles}, -1));
  cosmati::launch(square, {.grid = 1, .block = 64}, out.data(), tiles);
  auto const got = out.download();
  for (int i = 0; i < 32 * tiles; ++i) {
    int const n = i / 32 * 32 + 31 - i % 32;
    ASSERT_EQ(got[static_cast<std::size_t>(i)], n * n);
  }
}

/// Threads of one block arrive at the other's barrier.
__global__ void meet(int* out) {
  __shared__ cutlass::arch::ClusterTransactionBarrier barrier;
  __shared__ int word;
  unsigned const rank = block_rank_in_cluster();
  if (threadIdx.x == 0) {
    barrier.init(32);
    cutlass::arch::fence_barrier_init();
  }
  cluster_sync();
  if (threadIdx.x == 0) *cosmati::map_shared_rank(&word, 1 - rank) = static_cast<int>(10 + rank);
  barrier.arrive(1 - rank);
  barrier.wait(0);
  if (threadIdx.x == 1) out[cluster_id_in_grid().x * 2 + block_id_in_cluster().x] = word;
  cluster_sync();
}
TEST(Pipelines, ArrivalsAtTheOtherBlock) {
  cosmati::device_buffer<int> out(std::size_t{4});
  cosmati::launch(meet, {.grid = 4, .block = 32, .cluster = 2}, out.data());
  EXPECT_EQ(out.download(), (std::vector<int>{11, 10, 11, 10}));
}

/// One warp brings rows by bulk copies, whose bytes the pipeline expects; the other adds them up.
__global__ void sum_rows(float const* in, int rows_in_all, float* out) {
  using Pipeline = cutlass::PipelineTransactionAsync<2>;
  __shared__ typename Pipeline::SharedStorage storage;
  alignas(16) __shared__ float row[2][32];
  typename Pipeline::Params params;
  params.transaction_bytes = sizeof row[0];
  params.producer_arv_count = 1;
  params.consumer_arv_count = 32;
  Pipeline pipeline(storage, params);
  __syncthreads();
  auto const t = static_cast<int>(threadIdx.x % 32);
  if (threadIdx.x == 0) {
    auto state = cutlass::make_producer_start_state<Pipeline>();
    for (int k = 0; k < rows_in_all; ++k, ++state) {
      pipeline.producer_acquire(state);
      pipeline.producer_expect_transaction(state);
      cosmati::bulk_copy_g2s(row[state.index()], in + 32 * k, sizeof row[0], *pipeline.producer_get_barrier(state));
      pipeline.producer_commit(state);
    }
    pipeline.producer_tail(state);
  } else if (threadIdx.x >= 32) {
    cutlass::PipelineState<2> state;
    float sum = 0;
    for (int k = 0; k < rows_in_all; ++k, ++state) {
      pipeline.consumer_wait(state);
      sum += row[state.index()][t];
      cosmati::fence_proxy_async_shared();
      pipeline.consumer_release(state);
    }
    out[t] = sum;
  }
}

TEST(Pipelines, StagesThatExpectBytes) {
  int const rows_in_all = 9;
  std::vector<float> host(static_cast<std::size_t>(32 * rows_in_all));
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i * 5 % 13);
  cosmati::device_buffer<float> const in(host);
  cosmati::device_buffer<float> out(32);
  cosmati::launch(sum_rows, {.grid = 1, .block = 64}, in.data(), rows_in_all, out.data());
  auto const got = out.download();
  for (std::size_t t = 0; t < 32; ++t) {
    float sum = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(rows_in_all); ++k) sum += host[32 * k + t];
    EXPECT_EQ(got[t], sum) << t;
  }
}

/// Three warps append to two lists in turns, one list in each step of a round. The steps have orders of their own.
__global__ void take_turns(int* lists, int rounds) {
  using Order = cutlass::OrderedSequenceBarrier<2, 3>;
  __shared__ typename Order::SharedStorage storage;
  __shared__ int length[2];
  cutlass::arch::launch_dependent_grids();
  cutlass::arch::wait_on_dependent_grids();
  if (threadIdx.x < 2) length[threadIdx.x] = 0;
  typename Order::Params params{};
  params.group_id = threadIdx.x / 32;
  params.group_size = 32;
  Order order(storage, params);
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    for (int step = 0; step < 2; ++step) {
      order.wait();
      if (threadIdx.x % 32 == 0) {
        lists[3 * rounds * step + length[step]] = 10 * round + static_cast<int>(threadIdx.x) / 32;
        length[step] = length[step] + 1;
      }
      __syncwarp();
      order.arrive();
    }
  }
}

TEST(Pipelines, GroupsTakeTurns) {
  int const rounds = 5;
  cosmati::device_buffer<int> list(static_cast<std::size_t>(6 * rounds));
  cosmati::launch(take_turns, {.grid = 1, .block = 96}, list.data(), rounds);
  auto const got = list.download();
  for (int i = 0; i < 6 * rounds; ++i)
    EXPECT_EQ(got[static_cast<std::size_t>(i)], 10 * (i % (3 * rounds) / 3) + i % 3) << i;
}

/// A warp fills stages by cp.async, whose completion arrives at the stage in its stead; the other adds 1.
__global__ void fill_by_cp_async(int const* in, int* out, int steps) {
  using Pipeline = cutlass::PipelineAsync<2>;
  __shared__ typename Pipeline::SharedStorage storage;
  alignas(16) __shared__ int stage[2][128];
  typename Pipeline::Params params;
  params.producer_arv_count = params.consumer_arv_count = 32;
  Pipeline::init_barriers(storage, params);
  Pipeline pipeline(storage, params, cute::false_type{});
  cutlass::pipeline_init_arrive_relaxed(1);
  cutlass::pipeline_init_wait(1);
  int const t = static_cast<int>(threadIdx.x % 32);
  if (threadIdx.x < 32) {
    auto state = cutlass::make_producer_start_state<Pipeline>();
    for (int k = 0; k < steps; ++k, ++state) {
      pipeline.producer_acquire(state);
      SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>::copy(reinterpret_cast<uint128_t const&>(in[128 * k + 4 * t]),
                                                 reinterpret_cast<uint128_t&>(stage[state.index()][4 * t]));
      pipeline.producer_commit(state, cutlass::arch::cpasync_barrier_arrive);
    }
    pipeline.producer_tail(state);
  } else {
    cutlass::PipelineState<2> state;
    for (int k = 0; k < steps; ++k, ++state) {
      pipeline.consumer_wait(state, pipeline.consumer_try_wait(state));
      for (int i = t; i < 128; i += 32) out[128 * k + i] = stage[state.index()][i] + 1;
      pipeline.consumer_release(state);
    }
  }
}

TEST(Pipelines, ProducersCommitByTheirCopies) {
  std::vector<int> host(std::size_t{5 * 128});
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(3 * i);
  cosmati::device_buffer<int> const in(host);
  cosmati::device_buffer<int> out(host.size());
  cosmati::launch(fill_by_cp_async, {.grid = 1, .block = 64}, in.data(), out.data(), 5);
  auto const got = out.download();
  for (std::size_t i = 0; i < host.size(); ++i) ASSERT_EQ(got[i], host[i] + 1) << i;
}

}  // namespace
