// SPDX-License-Identifier: Apache-2.0
// Reductions by bulk copies and tensor copies: blocks that add to one place, each operation and type, and the shared
// memory of another block.
#include <cosmati/arch/tensor_reduce.hpp>

#include <gtest/gtest.h>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/remote_mbarrier.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/tma/make_tma_copy.hpp>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

constexpr int elements = 64;

template <class T>
COSMATI_HD T number(int i) {
  return static_cast<T>(static_cast<float>(i));
}

template <tma_reduction operation, class T>
__global__ void reduce_bulk(T* out) {
  alignas(16) __shared__ T stage[elements];
  auto const t = static_cast<int>(threadIdx.x), block = static_cast<int>(blockIdx.x);
  stage[t] = number<T>(t % 8 + block);
  fence_proxy_async_shared();
  __syncthreads();
  if (t == 0) {
    bulk_reduce_s2g<operation>(out, stage, sizeof stage);
    tma_store_arrive();
    bulk_store_wait<0>();
  }
}
/// @param expected expected(old, values of the blocks) for three blocks
template <tma_reduction operation, class T, class Expected>
void expect_reduced(Expected const& expected) {
  COSMATI_REQUIRE_DEVICE();
  std::vector<T> old(elements);
  for (int i = 0; i < elements; ++i) old[static_cast<std::size_t>(i)] = number<T>(i % 5 + 1);
  device_buffer<T> out(old);
  launch(reduce_bulk<operation, T>, {.grid = 3, .block = elements}, out.data());
  auto const got = out.download();
  for (int i = 0; i < elements; ++i) {
    long long const want = expected(i % 5 + 1, i % 8);
    ASSERT_EQ(static_cast<float>(got[static_cast<std::size_t>(i)]), static_cast<float>(want)) << i;
  }
}
TEST(TensorReduce, BlocksAddToOneVector) {
  auto const sum = [](long long old, long long v) { return old + 3 * v + 3; };
  expect_reduced<tma_reduction::add, float>(sum);
  expect_reduced<tma_reduction::add, double>(sum);
  expect_reduced<tma_reduction::add, half_t>(sum);
  expect_reduced<tma_reduction::add, bfloat16_t>(sum);
  expect_reduced<tma_reduction::add, std::int32_t>(sum);
  expect_reduced<tma_reduction::add, std::uint32_t>(sum);
  expect_reduced<tma_reduction::add, std::uint64_t>(sum);
}
TEST(TensorReduce, OtherOperations) {
  auto const smallest = [](long long old, long long v) { return old < v ? old : v; };
  auto const largest = [](long long old, long long v) { return old > v + 2 ? old : v + 2; };
  expect_reduced<tma_reduction::min, std::int32_t>(smallest);
  expect_reduced<tma_reduction::min, half_t>(smallest);
  expect_reduced<tma_reduction::max, std::int64_t>(largest);
  expect_reduced<tma_reduction::max, bfloat16_t>(largest);
  expect_reduced<tma_reduction::bit_and, std::uint32_t>(
      [](long long old, long long v) { return old & v & (v + 1) & (v + 2); });
  expect_reduced<tma_reduction::bit_or, std::int64_t>(
      [](long long old, long long v) { return old | v | (v + 1) | (v + 2); });
  expect_reduced<tma_reduction::bit_xor, std::uint64_t>(
      [](long long old, long long v) { return old ^ v ^ (v + 1) ^ (v + 2); });
}

/// Each element counts to 6 and begins again, and one counts down.
__global__ void count(std::uint32_t* up, std::uint32_t* down) {
  alignas(16) __shared__ std::uint32_t most[4];
  if (threadIdx.x < 4) most[threadIdx.x] = 6;
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    bulk_reduce_s2g<tma_reduction::inc>(up, most, sizeof most);
    bulk_reduce_s2g<tma_reduction::dec>(down, most, sizeof most);
    tma_store_arrive();
    bulk_store_wait<0>();
  }
}
TEST(TensorReduce, CountersGoRound) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<std::uint32_t> up(std::vector<std::uint32_t>{0, 5, 6, 9}), down(std::vector<std::uint32_t>{0, 5, 1, 9});
  launch(count, {.grid = 3, .block = 32}, up.data(), down.data());
  EXPECT_EQ(up.download(), (std::vector<std::uint32_t>{3, 1, 2, 2}));
  EXPECT_EQ(down.download(), (std::vector<std::uint32_t>{4, 2, 5, 4}));
}

/// Each block of a cluster adds its vector to that of the first, where an mbarrier counts the bytes.
__global__ void sum_in_first_block(int* out) {
  alignas(16) __shared__ int sums[elements];
  alignas(16) __shared__ int mine[elements];
  __shared__ std::uint64_t full;
  auto const t = static_cast<int>(threadIdx.x);
  unsigned const rank = block_rank_in_cluster(), blocks = blocks_in_cluster();
  sums[t] = 1000;
  mine[t] = t * static_cast<int>(rank + 1);
  if (t == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
    if (rank == 0) arrive_and_expect_bytes(full, blocks * static_cast<std::uint32_t>(sizeof mine));
  }
  fence_proxy_async_shared();
  cluster_sync();
  if (t == 0) bulk_reduce_s2s<tma_reduction::add>(sums, mine, sizeof mine, full, 0);
  if (rank == 0) {
    wait_cluster_barrier(full, 0);
    out[t] = sums[t];
  }
  cluster_sync();
}
TEST(TensorReduce, BlocksAddToAnotherOnesSharedMemory) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<int> out(std::size_t{elements});
  launch(sum_in_first_block, {.grid = 4, .block = elements, .cluster = 4}, out.data());
  auto const got = out.download();
  for (int i = 0; i < elements; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], 1000 + 10 * i);
}

/// Blocks add their tile to the same tile of a tensor, the part of it that the tensor has.
template <class Tma, class Tile>
__global__ void add_tiles(Tma const __grid_constant__ tma, int rows, int columns, Tile tile) {
  auto sA = make_tensor(make_smem_ptr(dynamic_shared<float>()), Layout<Tile, Stride<_32, _1>>{});
  auto const gA = local_tile(tma.get_tma_tensor(make_shape(rows, columns)), tile,
                             make_coord(static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y)));
  for (int i = static_cast<int>(threadIdx.x); i < static_cast<int>(size(sA)); i += static_cast<int>(blockDim.x))
    sA(i) = static_cast<float>(i % 16 + static_cast<int>(blockIdx.z));
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    auto const thread = tma.get_slice(0);
    copy(tma, thread.partition_S(sA), thread.partition_D(gA));
    tma_store_arrive();
    tma_store_wait<0>();
  }
}
TEST(TensorReduce, TilesOfATensor) {
  COSMATI_REQUIRE_DEVICE();
  int const rows = 40, columns = 60;
  std::vector<float> old(static_cast<std::size_t>(rows * columns), 2.f);
  device_buffer<float> out(old);
  using Tile = Shape<_16, _32>;
  auto const mOut = make_tensor(make_gmem_ptr(out.data()), make_shape(rows, columns), make_stride(columns, _1{}));
  auto const tma = make_tma_copy(SM90_TMA_REDUCE_ADD{}, mOut, Layout<Tile, Stride<_32, _1>>{}, Tile{}, _1{});
  launch(add_tiles<std::remove_const_t<decltype(tma)>, Tile>,
         {.grid = dim3(3, 2, 3), .block = 64, .shared_bytes = 16 * 32 * sizeof(float)}, tma, rows, columns, Tile{});
  auto const got = out.download();
  for (int m = 0; m < rows; ++m) {
    for (int n = 0; n < columns; ++n) {
      int const i = m % 16 + n % 32 * 16;
      ASSERT_EQ(got[static_cast<std::size_t>(m * columns + n)], static_cast<float>(2 + 3 * (i % 16) + 3));
    }
  }
}

}  // namespace
