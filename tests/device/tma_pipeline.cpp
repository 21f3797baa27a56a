// SPDX-License-Identifier: Apache-2.0
// Pipelines of tensor copies on either device: in one block, and in clusters whose blocks share tiles of both tensors.
#include <cosmati/pipeline/tma_pipeline.hpp>

#include <gtest/gtest.h>

#include <cosmati/arch/register_budget.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/pipeline/tma_store_ring.hpp>
#include <cosmati/tma/make_tma_copy.hpp>
#include <cosmati/tma/tma_partition.hpp>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

constexpr int tile_rows = 32, tile_depth = 32, consumers = 128;
using Tile = Shape<C<tile_rows>, C<tile_depth>>;
using SharedTile =
    decltype(tile_to_shape(composition(Swizzle<3, 2, 3>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{}), Tile{}));
template <int stages>
using SharedStages = decltype(tile_to_shape(composition(Swizzle<3, 2, 3>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{}),
                                            Shape<C<tile_rows>, C<tile_depth>, C<stages>>{}));

/// out(m, n) is the sum over k of a(m, k) b(n, k), for the tile of the block. Blocks of a cluster along y share tiles
/// of a, those along x tiles of b.
template <int stages, int cx, int cy, class TmaA, class TmaB>
__global__ void multiply(TmaA const __grid_constant__ tma_a, TmaB const __grid_constant__ tma_b, int rows_a, int rows_b,
                         int depth, float* out) {
  __shared__ typename tma_pipeline<stages>::storage barriers;
  float* const memory = dynamic_shared<float>();
  auto const sA = make_tensor(make_smem_ptr(memory), SharedStages<stages>{});
  auto const sB = make_tensor(make_smem_ptr(memory + stages * tile_rows * tile_depth), SharedStages<stages>{});
  constexpr bool shares = cx * cy > 1;
  auto const rank = static_cast<int>(block_rank_in_cluster());
  auto const of_cluster = make_layout(Shape<C<cx>, C<cy>>{});
  auto const place = make_coord(rank % cx, rank / cx);
  std::uint16_t const mask_a = create_tma_multicast_mask<1>(of_cluster, place);
  std::uint16_t const mask_b = create_tma_multicast_mask<0>(of_cluster, place);
  bool const leads = threadIdx.x == consumers;
  tma_pipeline<stages> const pipeline(barriers, consumers, leads,
                                      shares ? static_cast<std::uint16_t>(mask_a | mask_b) : std::uint16_t{0});
  int const tiles = (depth + tile_depth - 1) / tile_depth;
  if (threadIdx.x >= consumers) {
    if (!leads) return;
    auto const gA = local_tile(tma_a.get_tma_tensor(make_shape(rows_a, depth)), Tile{}, make_coord(blockIdx.x, _));
    auto const gB = local_tile(tma_b.get_tma_tensor(make_shape(rows_b, depth)), Tile{}, make_coord(blockIdx.y, _));
    auto const [fromA, toA] =
        tma_partition(tma_a, get<1>(place), make_layout(C<cy>{}), group_modes<0, 2>(sA), group_modes<0, 2>(gA));
    auto const [fromB, toB] =
        tma_partition(tma_b, get<0>(place), make_layout(C<cx>{}), group_modes<0, 2>(sB), group_modes<0, 2>(gB));
    auto producer = pipeline.producer();
    for (int k = 0; k < tiles; ++k) {
      auto const sourceA = fromA(_, k);
      auto const sourceB = fromB(_, k);
      auto const targetA = toA;  // a lambda cannot hold a structured binding (clang 14)
      auto const targetB = toB;
      producer.fill([&](auto& stage) {
        if constexpr (cy > 1)
          stage.load(tma_a, sourceA, targetA(_, stage.index()), mask_a);
        else
          stage.load(tma_a, sourceA, targetA(_, stage.index()));
        if constexpr (cx > 1)
          stage.load(tma_b, sourceB, targetB(_, stage.index()), mask_b);
        else
          stage.load(tma_b, sourceB, targetB(_, stage.index()));
      });
    }
    producer.finish();
  } else {
    auto consumer = pipeline.consumer();
    auto const t = static_cast<int>(threadIdx.x);
    constexpr int each = tile_rows * tile_rows / consumers;
    float sums[each] = {};
    for (int k = 0; k < tiles; ++k) {
      int const stage = consumer.wait();
      for (int i = 0; i < each; ++i) {
        int const m = (t + i * consumers) % tile_rows, n = (t + i * consumers) / tile_rows;
        for (int d = 0; d < tile_depth; ++d) sums[i] += sA(m, d, stage) * sB(n, d, stage);
      }
      consumer.release();
    }
    for (int i = 0; i < each; ++i) {
      int const m = (t + i * consumers) % tile_rows + tile_rows * static_cast<int>(blockIdx.x);
      int const n = (t + i * consumers) / tile_rows + tile_rows * static_cast<int>(blockIdx.y);
      if (m < rows_a && n < rows_b) out[m + n * rows_a] = sums[i];
    }
  }
}

template <int stages, int cx, int cy>
void expect_product(int rows_a, int rows_b, int depth) {
  COSMATI_REQUIRE_DEVICE();
  std::vector<float> a(static_cast<std::size_t>(rows_a * depth)), b(static_cast<std::size_t>(rows_b * depth));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i * 7 % 5) - 2;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i * 11 % 7) - 3;
  device_buffer<float> const in_a(a), in_b(b);
  device_buffer<float> out(static_cast<std::size_t>(rows_a * rows_b));
  auto const mA = make_tensor(make_gmem_ptr(in_a.data()), make_shape(rows_a, depth), make_stride(depth, _1{}));
  auto const mB = make_tensor(make_gmem_ptr(in_b.data()), make_shape(rows_b, depth), make_stride(depth, _1{}));
  using OpA = std::conditional_t<(cy > 1), SM90_TMA_LOAD_MULTICAST, SM90_TMA_LOAD>;
  using OpB = std::conditional_t<(cx > 1), SM90_TMA_LOAD_MULTICAST, SM90_TMA_LOAD>;
  auto const tma_a = make_tma_atom(OpA{}, mA, SharedTile{}, Tile{}, C<cy>{});
  auto const tma_b = make_tma_atom(OpB{}, mB, SharedTile{}, Tile{}, C<cx>{});
  auto const blocks = [](int rows, int c) {
    int const n = (rows + tile_rows - 1) / tile_rows;
    return static_cast<unsigned>((n + c - 1) / c * c);
  };
  launch(multiply<stages, cx, cy, std::remove_const_t<decltype(tma_a)>, std::remove_const_t<decltype(tma_b)>>,
         {.grid = dim3(blocks(rows_a, cx), blocks(rows_b, cy)),
          .block = 256,
          .shared_bytes = 2 * stages * tile_rows * tile_depth * sizeof(float),
          .cluster = dim3(cx, cy)},
         tma_a, tma_b, rows_a, rows_b, depth, out.data());
  auto const got = out.download();
  int wrong = 0;
  for (int n = 0; n < rows_b; ++n) {
    for (int m = 0; m < rows_a; ++m) {
      float sum = 0;
      for (int d = 0; d < depth; ++d)
        sum += a[static_cast<std::size_t>(m * depth + d)] * b[static_cast<std::size_t>(n * depth + d)];
      wrong += got[static_cast<std::size_t>(m + n * rows_a)] != sum;
    }
  }
  EXPECT_EQ(wrong, 0) << cx << " x " << cy << " blocks, " << stages << " stages";
}

TEST(TmaPipeline, OneBlock) {
  expect_product<2, 1, 1>(32, 32, 32);
  expect_product<3, 1, 1>(50, 36, 164);
}
TEST(TmaPipeline, BlocksOfAClusterShareTiles) {
  expect_product<2, 2, 1>(64, 32, 160);
  expect_product<3, 1, 2>(50, 64, 164);
  expect_product<2, 2, 2>(90, 70, 100);
  expect_product<4, 4, 1>(128, 32, 64);
}
#if defined(COSMATI_SIMULATED)
TEST(TmaPipeline, CopiesMayLandAtAnyTime) {
  for (char const* seed : {"1", "2", "3"}) {
    setenv("COSMATI_SIM_SEED", seed, 1);
    expect_product<2, 2, 2>(64, 64, 100);
  }
  unsetenv("COSMATI_SIM_SEED");
}
#endif

/// One warpgroup gives registers to the two others. With 384 threads, the kernel begins with 168 registers a thread.
__global__ void __launch_bounds__(384, 1) share_registers(int* out) {
  if (threadIdx.x < 128) {
    warpgroup_reg_dealloc<40>();
    out[threadIdx.x] = 1;
  } else {
    warpgroup_reg_alloc<232>();
    out[threadIdx.x] = 2;
  }
}
TEST(RegisterBudget, WarpgroupsShareRegisters) {
  COSMATI_REQUIRE_DEVICE();
  device_buffer<int> out(std::size_t{384});
  launch(share_registers, {.grid = 1, .block = 384}, out.data());
  auto const got = out.download();
  for (int i = 0; i < 384; ++i) ASSERT_EQ(got[static_cast<std::size_t>(i)], i < 128 ? 1 : 2);
}

/// Stages of vectors go to global memory by bulk copies, while the next is written.
template <int stages>
__global__ void store_vectors(int* out, int tiles) {
  constexpr int elements = 256;
  int* const memory = dynamic_shared<int>();
  tma_store_ring<stages> ring(64, 1, threadIdx.x == 0);
  for (int tile = 0; tile < tiles; ++tile) {
    int* const stage = memory + ring.acquire() * elements;
    for (int i = static_cast<int>(threadIdx.x); i < elements; i += 64) stage[elements - 1 - i] = 1000 * tile + i;
    ring.store([&](int s) { bulk_copy_s2g(out + tile * elements, memory + s * elements, elements * sizeof(int)); });
  }
  ring.finish();
}
template <int stages>
void expect_vectors() {
  for (int const tiles : {1, 2, 3, 7}) {
    device_buffer<int> out(std::vector<int>(static_cast<std::size_t>(tiles * 256), -1));
    launch(store_vectors<stages>, {.grid = 1, .block = 64, .shared_bytes = stages * 1024}, out.data(), tiles);
    auto const got = out.download();
    for (int i = 0; i < tiles * 256; ++i)
      ASSERT_EQ(got[static_cast<std::size_t>(i)], 1000 * (i / 256) + 255 - i % 256) << stages << ", " << i;
  }
}
TEST(TmaStoreRing, StagesAreStoredWhileOthersAreWritten) {
  COSMATI_REQUIRE_DEVICE();
  expect_vectors<1>();
  expect_vectors<2>();
  expect_vectors<4>();
}

}  // namespace
