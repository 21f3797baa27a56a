// SPDX-License-Identifier: Apache-2.0
// Hazards among the blocks of a cluster: shared memory used too early or too late, races, barriers that some miss.
#include <gtest/gtest.h>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/remote_mbarrier.hpp>
#include <cosmati/arch/tensor_reduce.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/pipeline/tma_pipeline.hpp>
#include <cosmati/runtime/cost_trace.hpp>
#include <cosmati/tma.hpp>

#include "message.hpp"
#include "turns.hpp"

using namespace cosmati;

namespace {

enum class leaves_out { nothing, first_sync, middle_sync, last_sync };

/// Each block writes a word into the next one's shared memory, which that one reads.
template <leaves_out what>
__global__ void hand_over(int* out) {
  __shared__ int word;
  unsigned const next = (block_rank_in_cluster() + 1) % blocks_in_cluster();
  if constexpr (what != leaves_out::first_sync) cluster_sync();
  if (threadIdx.x == 0) *map_shared_rank(&word, next) = static_cast<int>(blockIdx.x);
  if constexpr (what != leaves_out::middle_sync) cluster_sync();
  if (threadIdx.x == 1) out[blockIdx.x] = word;
}
template <leaves_out what>
void run_hand_over() {
  device_buffer<int> out(std::vector<int>(4));
  launch(hand_over<what>, {.grid = 4, .block = 32, .cluster = 2}, out.data());
  EXPECT_EQ(out.download(), (std::vector<int>{1, 0, 3, 2}));
}
TEST(HazardsOfClusters, BothBarriersAreNeeded) {
  NEEDS_INSTRUMENTATION();
  run_hand_over<leaves_out::nothing>();
  EXPECT_MESSAGE(run_hand_over<leaves_out::first_sync>(),
                 "which may not have begun; put cluster_sync() at the start of the kernel");
  EXPECT_MESSAGE(run_hand_over<leaves_out::middle_sync>(), "put cluster_sync() between");
}

/// Each block reads the next one's shared memory, and then may end.
template <leaves_out what>
__global__ void read_next(int* out) {
  __shared__ int word;
  if (threadIdx.x == 0) word = static_cast<int>(blockIdx.x);
  cluster_sync();
  if (threadIdx.x == 0) out[blockIdx.x] = *map_shared_rank(&word, (block_rank_in_cluster() + 1) % blocks_in_cluster());
  if constexpr (what != leaves_out::last_sync) cluster_sync();
}
template <leaves_out what>
void run_read_next(unsigned blocks) {
  std::vector<int> const zeros(blocks);
  device_buffer<int> out(zeros);
  launch(read_next<what>, {.grid = blocks, .block = 32, .cluster = blocks}, out.data());
  EXPECT_EQ(out.download()[0], 1);
}
TEST(HazardsOfClusters, ABlockWaitsBeforeItsEnd) {
  NEEDS_INSTRUMENTATION();
  run_read_next<leaves_out::nothing>(2);
  run_read_next<leaves_out::nothing>(4);
  EXPECT_MESSAGE(run_read_next<leaves_out::last_sync>(2), "put cluster_sync() at the end of the kernel");
  EXPECT_MESSAGE(run_read_next<leaves_out::last_sync>(4), "put cluster_sync() at the end of the kernel");
}

/// What a thread writes between the halves of the barrier is not published by it.
template <bool between, bool relaxed>
__global__ void write_at_the_barrier(int* out) {
  __shared__ int word;
  cluster_sync();
  int* const target = map_shared_rank(&word, 1 - block_rank_in_cluster());
  if (!between && threadIdx.x == 0) *target = 5;
  if (relaxed)
    cluster_arrive_relaxed();
  else
    cluster_arrive();
  if (between && threadIdx.x == 0) *target = 5;
  cluster_wait();
  if (threadIdx.x == 0) out[blockIdx.x] = word;
  cluster_sync();
}
template <bool between, bool relaxed>
void run_write_at_the_barrier() {
  device_buffer<int> out(std::vector<int>(2));
  launch(write_at_the_barrier<between, relaxed>, {.grid = 2, .block = 64, .cluster = 2}, out.data());
  EXPECT_EQ(out.download(), std::vector<int>(2, 5));
}
TEST(HazardsOfClusters, TheBarrierOrdersWhatComesBeforeTheArrival) {
  NEEDS_INSTRUMENTATION();
  run_write_at_the_barrier<false, false>();
  EXPECT_MESSAGE((run_write_at_the_barrier<true, false>()), "put cluster_sync() between");
  EXPECT_MESSAGE((run_write_at_the_barrier<false, true>()), "put cluster_sync() between");
}

/// Global memory that blocks of a cluster hand over, through threads of which only one met the other block.
template <bool syncs>
__global__ void through_global(int* data, int* out) {
  if (block_rank_in_cluster() == 0) data[threadIdx.x] = 3;
  if (syncs) cluster_sync();
  if (block_rank_in_cluster() == 1) out[threadIdx.x] = data[63 - threadIdx.x];
}
TEST(HazardsOfClusters, TheBarrierOrdersGlobalMemory) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> data(std::vector<int>(64)), out(std::vector<int>(64));
  launch(through_global<true>, {.grid = 2, .block = 64, .cluster = 2}, data.data(), out.data());
  EXPECT_EQ(out.download(), std::vector<int>(64, 3));
  EXPECT_MESSAGE(launch(through_global<false>, {.grid = 2, .block = 64, .cluster = 2}, data.data(), out.data()),
                 "put cluster_sync() between");
}

enum class misses { wait, arrival, one_block, out_of_bounds, rank, pointer };
template <misses what>
__global__ void mistaken(int* out) {
  __shared__ int word[8];
  if (what == misses::wait) cluster_arrive();
  if (what == misses::arrival) cluster_wait();
  if (what == misses::one_block && block_rank_in_cluster() == 1) {
    while (atomicAdd(out, 0) == 0) {
    }
  }
  cluster_sync();
  if (what == misses::out_of_bounds) map_shared_rank(dynamic_shared<int>(), 1)[8] = 1;
  if (what == misses::rank) *map_shared_rank(word, 2) = 1;
  if (what == misses::pointer) *map_shared_rank(out, 1) = 1;
  cluster_sync();
}
template <misses what>
void run_mistaken() {
  device_buffer<int> out(std::vector<int>(1));
  launch(mistaken<what>, {.grid = 2, .block = 32, .shared_bytes = 32, .cluster = 2}, out.data());
}
TEST(HazardsOfClusters, MistakenCalls) {
  NEEDS_INSTRUMENTATION();
  EXPECT_MESSAGE(run_mistaken<misses::wait>(), "cluster_wait() comes between two arrivals");
  EXPECT_MESSAGE(run_mistaken<misses::arrival>(), "cluster_arrive() comes before");
  EXPECT_MESSAGE(run_mistaken<misses::out_of_bounds>(),
                 "just past the end of the block's 32 bytes of dynamic shared memory");
  EXPECT_MESSAGE(run_mistaken<misses::rank>(), "block 2 of the cluster, which has 2 blocks; ranks begin at 0");
  EXPECT_MESSAGE(run_mistaken<misses::pointer>(), "is not in the block's shared memory");
  EXPECT_MESSAGE(run_mistaken<misses::one_block>(), "deadlock, the thread polls allocation");
}

/// One block waits for a phase that nobody completes, while the other is at the cluster's barrier.
__global__ void stuck() {
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) initialize_barrier(barrier, 1);
  __syncthreads();
  if (block_rank_in_cluster() == 1) wait_barrier(barrier, 0);
  cluster_sync();
}
TEST(HazardsOfClusters, ADeadlockNamesTheOtherBlocks) {
  NEEDS_INSTRUMENTATION();
  EXPECT_MESSAGE(launch(stuck, {.grid = 2, .block = 32, .cluster = 2}),
                 "; block (0,0,0): threads 0-31: at cluster_sync");
}

// Bulk copies and arrivals at the other block
// --------------------------------------------------------------------------------

enum class send {
  right,
  before_sync,
  without_fence,
  without_wait,
  too_few_bytes,
  without_release,
  without_last_sync,
  waits_elsewhere,
  nobody_waits
};

/// Two blocks exchange vectors twice through one stage.
template <send what>
__global__ void exchange(int* out) {
  alignas(16) __shared__ int incoming[32];
  alignas(16) __shared__ int outgoing[64];
  __shared__ std::uint64_t full, empty;
  auto const t = static_cast<int>(threadIdx.x);
  unsigned const rank = block_rank_in_cluster(), other = 1 - rank;
  if (t == 0) {
    initialize_barrier(full, 1);
    initialize_barrier(empty, 32);
    fence_barrier_init();
  }
  if constexpr (what != send::before_sync) cluster_sync();
  for (int round = 0; round < 2; ++round) {
    outgoing[32 * round + t] = 100 * static_cast<int>(rank) + t + round;
    if (what != send::without_fence) fence_proxy_async_shared();
    __syncthreads();
    if (t == 0) {
      if (what != send::without_release && round == 1) wait_cluster_barrier(empty, 0);
      arrive_and_expect_bytes(full, what == send::too_few_bytes ? 112 : 128);
      bulk_copy_s2s(incoming, outgoing + 32 * round, 128, full, other);
    }
    if (what == send::waits_elsewhere) wait_barrier(*map_shared_rank(&full, other), 0);
    if (what != send::without_wait && what != send::nobody_waits) wait_barrier(full, round & 1);
    if (what != send::nobody_waits) out[64 * static_cast<int>(rank) + 2 * t + round] = incoming[31 - t];
    fence_proxy_async_shared();
    if (what == send::nobody_waits) return;
    if (what != send::without_last_sync || round == 0 || rank == 0) arrive_remote_barrier(empty, other);
  }
  if (what != send::without_last_sync) {
    wait_cluster_barrier(empty, 1);
    cluster_sync();
  }
}
template <send what>
void run_exchange() {
  device_buffer<int> out(std::vector<int>(128));
  launch(exchange<what>, {.grid = 2, .block = 32, .cluster = 2}, out.data());
  auto const got = out.download();
  for (int i = 0; i < 128; ++i)
    EXPECT_EQ(got[static_cast<std::size_t>(i)], 100 * (1 - i / 64) + 31 - i % 64 / 2 + i % 2) << i;
}
/// One block sends to itself.
__global__ void send_home() {
  alignas(16) __shared__ int incoming[32];
  alignas(16) __shared__ int outgoing[32];
  __shared__ std::uint64_t full;
  auto const t = static_cast<int>(threadIdx.x);
  outgoing[t] = t;
  if (t == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
  }
  fence_proxy_async_shared();
  cluster_sync();
  if (t == 0) {
    arrive_and_expect_bytes(full, 128);
    bulk_copy_s2s(incoming, outgoing, 128, full, block_rank_in_cluster());
  }
  wait_barrier(full, 0);
}
TEST(HazardsOfClusters, CopiesBetweenBlocksNeedALaunchInClusters) {
  EXPECT_MESSAGE(launch(send_home, {.grid = 1, .block = 32}), "the launch has no clusters");
  EXPECT_NO_THROW(launch(send_home, {.grid = 2, .block = 32, .cluster = 2}));
}

TEST(HazardsOfClusters, CopiesAndArrivalsAtTheOtherBlock) {
  NEEDS_INSTRUMENTATION();
  run_exchange<send::right>();
  EXPECT_MESSAGE(run_exchange<send::before_sync>(), "put cluster_sync() at the start of the kernel");
  EXPECT_MESSAGE(run_exchange<send::without_fence>(), "with no proxy fence");
  EXPECT_MESSAGE(run_exchange<send::without_wait>(),
                 "reads what has not arrived from a copy between blocks of the cluster");
  EXPECT_MESSAGE(run_exchange<send::too_few_bytes>(), "bring 16 bytes more than it was told to expect");
  EXPECT_MESSAGE(run_exchange<send::without_release>(),
                 "overwrites the destination of a copy between blocks of the cluster");
  EXPECT_MESSAGE(run_exchange<send::without_last_sync>(), "put cluster_sync() at the end of the kernel");
  EXPECT_MESSAGE(run_exchange<send::waits_elsewhere>(), "only threads of its own block wait for it");
  EXPECT_MESSAGE(run_exchange<send::nobody_waits>(), "which has ended; put cluster_sync() at the end of the kernel");
}

/// The other block's thread writes a word and arrives, in one order or the other.
template <bool arrives_first>
__global__ void notify(int* out) {
  __shared__ int word;
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    initialize_barrier(barrier, 1);
    fence_barrier_init();
  }
  cluster_sync();
  unsigned const other = 1 - block_rank_in_cluster();
  if (threadIdx.x == 0) {
    if (arrives_first) arrive_remote_barrier(barrier, other);
    *map_shared_rank(&word, other) = 7;
    if (!arrives_first) arrive_remote_barrier(barrier, other);
  }
  wait_cluster_barrier(barrier, 0);
  if (threadIdx.x == 3) out[blockIdx.x] = word;
  cluster_sync();
}
TEST(HazardsOfClusters, AnArrivalPublishesWhatComesBefore) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> out(std::vector<int>(2));
  launch(notify<false>, {.grid = 2, .block = 32, .cluster = 2}, out.data());
  EXPECT_EQ(out.download(), std::vector<int>(2, 7));
  EXPECT_MESSAGE(launch(notify<true>, {.grid = 2, .block = 32, .cluster = 2}, out.data()),
                 "let one block arrive at an mbarrier of the other");
}

/// Blocks add to one vector.
__device__ void add_ones(int* out) {
  alignas(16) __shared__ int stage[32];
  stage[threadIdx.x] = 1;
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    bulk_reduce_s2g<tma_reduction::add>(out, stage, sizeof stage);
    tma_store_arrive();
    bulk_store_wait<0>();
  }
}
__global__ void add(int* out) { add_ones(out); }

/// Block 0 adds to a vector, and block 1 stores to it, `storing` as the first of the two.
__global__ void add_and_store(int* out, bool storing) {
  if (storing == (blockIdx.x == 0)) wait_for_turn(1);
  if (blockIdx.x == 0) {
    add_ones(out);
  } else if (threadIdx.x == 1) {
    out[5] = 3;
  }
  __syncthreads();
  if (threadIdx.x == 0) next_turn();
}
TEST(HazardsOfClusters, ReductionsRaceWithStoresOnly) {
  NEEDS_INSTRUMENTATION();
  device_buffer<int> out(std::vector<int>(32));
  launch(add, {.grid = 4, .block = 32}, out.data());
  EXPECT_EQ(out.download(), std::vector<int>(32, 4));
  first_turn();
  EXPECT_MESSAGE(launch(add_and_store, {.grid = 2, .block = 32}, out.data(), false),
                 "block (1,0,0), thread (1,0,0): race: store of 4 bytes at byte 20 of global memory");
  first_turn();
  EXPECT_MESSAGE(launch(add_and_store, {.grid = 2, .block = 32}, out.data(), true),
                 "overwrites what thread (1,0,0) of block (1,0,0) wrote");
}

// Tiles that two blocks share by multicast
// ------------------------------------------------------------------------------------------------

enum class shares { right, own_release_only, bytes_of_one_part, own_mask_only, mask_beyond, without_finish };
using SharedTiles = Layout<Shape<_16, _32, _2>, Stride<_32, _1, C<512>>>;

template <shares what, class Tma>
__global__ void share_tiles(Tma const __grid_constant__ tma, float* out) {
  __shared__ std::uint64_t full[2], empty[2];
  auto const sA = make_tensor(make_smem_ptr(dynamic_shared<float>()), SharedTiles{});
  auto const gA = local_tile(tma.get_tma_tensor(Shape<_96, _32>{}), Shape<_16, _32>{}, make_coord(_, 0));
  auto const rank = static_cast<int>(block_rank_in_cluster());
  auto const [from, to] = tma_partition(tma, rank, Layout<_2>{}, group_modes<0, 2>(sA), group_modes<0, 2>(gA));
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; ++i) {
      initialize_barrier(full[i], 1);
      initialize_barrier(empty[i], what == shares::own_release_only ? 1 : 2);
    }
    fence_barrier_init();
  }
  cluster_sync();
  float sum = 0;
  for (int k = 0; k < 6; ++k) {
    int const stage = k % 2, parity = k / 2 % 2;
    if (threadIdx.x == 0) {
      wait_cluster_barrier(empty[stage], parity ^ 1);
      arrive_and_expect_bytes(full[stage], what == shares::bytes_of_one_part ? 1024 : 2048);
      std::uint16_t const mask = what == shares::own_mask_only ? static_cast<std::uint16_t>(1u << rank)
                                 : what == shares::mask_beyond ? 7
                                                               : 3;
      copy(tma.with(full[stage], mask), from(_, k), to(_, stage));
    }
    wait_barrier(full[stage], parity);
    sum += sA(threadIdx.x % 16, threadIdx.x / 2, stage);
    fence_proxy_async_shared();
    __syncthreads();
    if (threadIdx.x < 2 && (what != shares::own_release_only || static_cast<int>(threadIdx.x) == rank))
      arrive_remote_barrier(empty[stage], threadIdx.x);
  }
  out[static_cast<int>(blockIdx.x) * 64 + static_cast<int>(threadIdx.x)] = sum;
  if (what != shares::without_finish) cluster_sync();
}
template <shares what>
void run_share_tiles() {
  std::vector<float> const ones(96 * 32, 1.f);
  device_buffer<float> const in(ones);
  device_buffer<float> out(std::vector<float>(128));
  auto const tensor = make_tensor(make_gmem_ptr(in.data()), Shape<_96, _32>{}, Stride<_32, _1>{});
  auto const tma = make_tma_atom(SM90_TMA_LOAD_MULTICAST{}, tensor, Layout<Shape<_16, _32>, Stride<_32, _1>>{},
                                 Shape<_16, _32>{}, _2{});
  launch(share_tiles<what, std::remove_const_t<decltype(tma)>>,
         {.grid = 2, .block = 64, .shared_bytes = 4096, .cluster = 2}, tma, out.data());
  EXPECT_EQ(out.download(), std::vector<float>(128, 6.f));
}
TEST(HazardsOfClusters, TilesThatBlocksShare) {
  NEEDS_INSTRUMENTATION();
  run_share_tiles<shares::right>();
  EXPECT_MESSAGE(run_share_tiles<shares::own_release_only>(), "of block (1,0,0) wrote");
  EXPECT_MESSAGE(run_share_tiles<shares::bytes_of_one_part>(), "too few bytes were expected");
  EXPECT_MESSAGE(run_share_tiles<shares::own_mask_only>(),
                 "1024 bytes of transactions outstanding, phase 0 (parity 0); block (1,0,0)");
  EXPECT_MESSAGE(run_share_tiles<shares::mask_beyond>(), "block 2 of the cluster, which has 2 blocks");
  {
    cost_trace const counted;  // the launch that fails is counted, too
    EXPECT_MESSAGE(run_share_tiles<shares::mask_beyond>(), "block 2 of the cluster, which has 2 blocks");
  }
  EXPECT_MESSAGE(run_share_tiles<shares::without_finish>(), "put cluster_sync() at the end of the kernel");
}

}  // namespace
