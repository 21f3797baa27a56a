// SPDX-License-Identifier: Apache-2.0
// Clusters of blocks on either device: places, the barrier of a cluster, the shared memory of other blocks.
#include <cosmati/arch/remote_mbarrier.hpp>

#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <numeric>

#include "require_device.hpp"

using namespace cosmati;

namespace {

constexpr int threads = 64;

__device__ int linear_block() {
  return static_cast<int>(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
}

/// Writes thirteen numbers about each block's place.
__global__ void places(unsigned* out) {
  if (threadIdx.x != 0) return;
  out += 14 * linear_block();
  using namespace cosmati::detail;
  unsigned const all[] = {cluster_blocks_x(),   cluster_blocks_y(),     cluster_blocks_z(),  block_of_cluster_x(),
                          block_of_cluster_y(), block_of_cluster_z(),   cluster_of_grid_x(), cluster_of_grid_y(),
                          cluster_of_grid_z(),  clusters_x(),           clusters_y(),        clusters_z(),
                          blocks_in_cluster(),  block_rank_in_cluster()};
  for (unsigned const x : all) *out++ = x;
}
TEST(Clusters, EachBlockKnowsItsPlace) {
  COSMATI_REQUIRE_DEVICE();
  for (dim3 const c : {dim3(1), dim3(2), dim3(4), dim3(1, 2), dim3(2, 2), dim3(2, 1, 2), dim3(1, 1, 3)}) {
    dim3 const grid(2 * c.x, 3 * c.y, c.z);
    std::size_t const blocks = grid.x * grid.y * grid.z;
    device_buffer<unsigned> out(std::vector<unsigned>(14 * blocks));
    launch(places, {.grid = grid, .block = 32, .cluster = c}, out.data());
    auto const found = out.download();
    for (std::size_t b = 0; b < blocks; ++b) {
      unsigned const x = static_cast<unsigned>(b % grid.x), y = static_cast<unsigned>(b / grid.x % grid.y),
                     z = static_cast<unsigned>(b / grid.x / grid.y);
      std::vector<unsigned> const expected = {
          c.x,     c.y,     c.z, x % c.x, y % c.y, z % c.z,         x / c.x,
          y / c.y, z / c.z, 2,   3,       1,       c.x * c.y * c.z, x % c.x + c.x * (y % c.y + c.y * (z % c.z))};
      auto const begin = found.begin() + static_cast<std::ptrdiff_t>(14 * b);
      EXPECT_EQ(std::vector<unsigned>(begin, begin + 14), expected) << "block " << b;
    }
  }
}

/// Each block writes to its shared memory, and reads its neighbours' behind the barrier, in rounds.
__global__ void neighbours(int* out, int rounds) {
  __shared__ int numbers[threads];
  int* const dynamic = dynamic_shared<int>();
  auto const t = static_cast<int>(threadIdx.x);
  unsigned const rank = block_rank_in_cluster(), blocks = blocks_in_cluster();
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    numbers[t] = 1000 * static_cast<int>(rank) + t + round;
    dynamic[t] = 7 * numbers[t];
    cluster_sync();
    for (unsigned other = 0; other < blocks; ++other) {
      sum += map_shared_rank(numbers, other)[threads - 1 - t];
      sum += map_shared_rank(dynamic, (rank + other) % blocks)[t] * static_cast<int>(other);
    }
    cluster_arrive();
    cluster_wait();
  }
  out[linear_block() * threads + t] = sum;
}
int expected_sum(int rank, int blocks, int t, int rounds) {
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    for (int other = 0; other < blocks; ++other) {
      sum += 1000 * other + threads - 1 - t + round;
      sum += 7 * (1000 * ((rank + other) % blocks) + t + round) * other;
    }
  }
  return sum;
}
TEST(Clusters, BlocksReadEachOthersSharedMemory) {
  COSMATI_REQUIRE_DEVICE();
  for (int const blocks : {1, 2, 3, 4, 8}) {
    int const clusters = 5;
    device_buffer<int> out(std::vector<int>(static_cast<std::size_t>(clusters * blocks * threads)));
    launch(neighbours,
           {.grid = static_cast<unsigned>(clusters * blocks),
            .block = threads,
            .shared_bytes = threads * sizeof(int),
            .cluster = static_cast<unsigned>(blocks)},
           out.data(), 3);
    auto const found = out.download();
    for (int i = 0; i < static_cast<int>(found.size()); ++i)
      ASSERT_EQ(found[static_cast<std::size_t>(i)], expected_sum(i / threads % blocks, blocks, i % threads, 3))
          << blocks << " blocks, " << i;
  }
}

/// Writes to the next block's shared memory through a tensor, and copies vectors of another one's.
__global__ void pass_on(float const* in, float* out) {
  alignas(16) __shared__ float stage[4 * threads];
  auto const t = threadIdx.x;
  auto const here = make_layout(Int<4 * threads>{});
  cluster_sync();  // all blocks have begun
  unsigned const rank = block_rank_in_cluster(), blocks = blocks_in_cluster();
  auto next = make_tensor(make_smem_ptr(map_shared_rank(stage, (rank + 1) % blocks)), here);
  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Int<threads>>{}, Layout<_4>{});
  auto const thread = tiled_copy.get_slice(t);
  auto const gIn = make_tensor(make_gmem_ptr(in) + 4 * threads * linear_block(), here);
  copy(tiled_copy, thread.partition_S(gIn), thread.partition_D(next));
  cluster_sync();
  auto const sOwn = make_tensor(make_smem_ptr(stage), here);
  auto gOut = make_tensor(make_gmem_ptr(out) + 4 * threads * linear_block(), here);
  copy(tiled_copy, thread.partition_S(sOwn), thread.partition_D(gOut));
}
TEST(Clusters, TensorsInAnotherBlocksSharedMemory) {
  COSMATI_REQUIRE_DEVICE();
  constexpr int blocks = 4, n = 8 * 4 * threads;
  std::vector<float> host(n);
  std::iota(host.begin(), host.end(), 1.f);
  device_buffer<float> in(host), out(host.size());
  launch(pass_on, {.grid = 8, .block = threads, .cluster = blocks}, in.data(), out.data());
  auto const found = out.download();
  for (int i = 0; i < n; ++i) {
    int const block = i / (4 * threads), from = block / blocks * blocks + (block % blocks + blocks - 1) % blocks;
    ASSERT_EQ(found[static_cast<std::size_t>(i)],
              host[static_cast<std::size_t>(from * 4 * threads + i % (4 * threads))])
        << i;
  }
}

/// Atomics on the first block's counter, of which the last warp of each block exits before the end.
__global__ void count_together(int* out) {
  __shared__ int counter;
  if (threadIdx.x == 0) counter = 0;
  cluster_sync();
  atomicAdd(map_shared_rank(&counter, 0), 1);
  cluster_arrive();
  int const own = static_cast<int>(threadIdx.x);  // something between the halves
  cluster_wait();
  if (block_rank_in_cluster() == 0 && own == 0) out[linear_block() / 2] = counter;
}
TEST(Clusters, AtomicsOnAnotherBlocksCounter) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<int> out(std::vector<int>(3));
  launch(count_together, {.grid = 6, .block = 96, .cluster = 2}, out.data());
  EXPECT_EQ(out.download(), std::vector<int>(3, 192));
}

/// Stages go round the blocks: each sends its numbers to the next block by a bulk copy, and hears by an arrival at its
/// own mbarrier when the stage there may be overwritten.
__global__ void send_around(int* out, int rounds) {
  alignas(128) __shared__ int incoming[threads];
  alignas(128) __shared__ int outgoing[threads];
  __shared__ std::uint64_t full, empty;
  auto const t = static_cast<int>(threadIdx.x);
  unsigned const rank = block_rank_in_cluster(), blocks = blocks_in_cluster();
  unsigned const next = (rank + 1) % blocks, before = (rank + blocks - 1) % blocks;
  if (t == 0) {
    initialize_barrier(full, 1);
    initialize_barrier(empty, threads);
    fence_barrier_init();
  }
  cluster_sync();
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    outgoing[t] = static_cast<int>(100 * rank) + t * round;
    fence_proxy_async_shared();
    __syncthreads();
    if (t == 0) {
      arrive_and_expect_bytes(full, sizeof incoming);
      bulk_copy_s2s(incoming, outgoing, sizeof incoming, full, next);
    }
    wait_barrier(full, round & 1);
    sum += incoming[threads - 1 - t];
    fence_proxy_async_shared();
    arrive_remote_barrier(empty, before);
    wait_cluster_barrier(empty, round & 1);  // the next block has read, so that `outgoing` has been, too
  }
  out[linear_block() * threads + t] = sum;
  cluster_sync();
}
TEST(Clusters, BulkCopiesAndArrivalsAtOtherBlocks) {
  COSMATI_REQUIRE_DEVICE();
  for (int const blocks : {2, 3, 8}) {
    int const rounds = 5;
    device_buffer<int> out(std::vector<int>(static_cast<std::size_t>(2 * blocks * threads)));
    launch(send_around,
           {.grid = static_cast<unsigned>(2 * blocks), .block = threads, .cluster = static_cast<unsigned>(blocks)},
           out.data(), rounds);
    auto const found = out.download();
    for (int i = 0; i < static_cast<int>(found.size()); ++i) {
      int const from = (i / threads % blocks + blocks - 1) % blocks, t = threads - 1 - i % threads;
      ASSERT_EQ(found[static_cast<std::size_t>(i)], rounds * 100 * from + t * (rounds * (rounds - 1) / 2))
          << blocks << " blocks, " << i;
    }
  }
}

TEST(Clusters, TooLargeOnesAreOneSentence) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<int> out(std::vector<int>(1));
  try {
    launch(count_together, {.grid = 32, .block = 32, .cluster = 32}, out.data());
    ADD_FAILURE() << "no error";
  } catch (error const& e) {
    EXPECT_STREQ(
        e.what(),
        "launch: the cluster is (32,1,1) = 32 blocks, the most is 16 (8 on devices that allow no larger ones)");
  }
}

}  // namespace
