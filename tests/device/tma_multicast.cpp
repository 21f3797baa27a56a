// SPDX-License-Identifier: Apache-2.0
// Tensor copies to several blocks of a cluster: each block brings one part of every box to all. A tile is compared
// element by element with the tensor, in every block.
#include <cosmati/tma/multicast.hpp>

#include <gtest/gtest.h>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/remote_mbarrier.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/runtime/cost_trace.hpp>
#include <cosmati/tma/make_tma_copy.hpp>
#include <cosmati/tma/tma_partition.hpp>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

/// The blocks of a cluster along x share the tiles of a column of tiles, one after the other. Each writes what it got.
template <bool tiled, int blocks, class Tma, class TensorShape, class TileShape, class SharedLayout, class T>
__global__ void load_shared_tiles(Tma const __grid_constant__ tma, TensorShape tensor_shape, TileShape tile,
                                  SharedLayout shared, int tiles, T* out) {
  __shared__ std::uint64_t full, empty;
  auto const sA = make_tensor(make_smem_ptr(dynamic_shared<T>()), shared);
  auto const gA = local_tile(tma.get_tma_tensor(tensor_shape), tile, make_coord(_, 0));
  auto const rank = static_cast<int>(block_rank_in_cluster());
  auto const of_cluster = make_layout(Shape<C<blocks>, _1, _1>{});
  std::uint16_t const mask = create_tma_multicast_mask<0>(of_cluster, make_coord(rank, _0{}, _0{}));
  if (threadIdx.x == 0) {
    initialize_barrier(full, 1);
    initialize_barrier(empty, blocks);
    fence_barrier_init();
  }
  cluster_sync();
  for (int k = 0; k < tiles; ++k) {
    if (threadIdx.x == 0) {
      wait_cluster_barrier(empty, (k & 1) ^ 1);  // every block has read the last tile
      set_barrier_transaction_bytes(full, static_cast<std::uint32_t>(size(sA) * sizeof(T)));
      if constexpr (tiled) {
        auto const slice = tma.get_slice(rank);
        auto to = slice.partition_D(sA);
        copy(tma.with(full, mask), slice.partition_S(gA)(_, _, _, k), to);
      } else {
        auto const [from, to] =
            tma_partition(tma, rank, make_layout(C<blocks>{}), group_modes<0, 2>(sA), group_modes<0, 2>(gA));
        static_assert(size_v<std::remove_cvref_t<decltype(shape<0>(to))>> == size_v<TileShape>,
                      "every block's has the whole boxes");
        copy(tma.with(full, mask), from(_, k), to);
      }
    }
    wait_barrier(full, k & 1);
    T* const mine = out + (static_cast<int>(blockIdx.x) * tiles + k) * static_cast<int>(size(sA));
    for (int i = static_cast<int>(threadIdx.x); i < static_cast<int>(size(sA)); i += static_cast<int>(blockDim.x))
      mine[i] = sA(i);
    fence_proxy_async_shared();
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < blocks) arrive_remote_barrier(empty, threadIdx.x);
  }
  cluster_sync();
}

template <class T, int blocks, bool tiled, class GlobalLayout, class SharedLayout, class TileShape>
void expect_shared_tiles(GlobalLayout const& global, SharedLayout const& shared, TileShape const& tile) {
  COSMATI_REQUIRE_DEVICE();
  auto const elements = static_cast<std::size_t>(cosize(global));
  std::vector<T> host(elements);
  for (std::size_t i = 0; i < elements; ++i) host[i] = static_cast<T>(static_cast<float>((i * 2654435761u >> 9) % 127));
  device_buffer<T> const in(host);
  auto const mIn = make_tensor(make_gmem_ptr(in.data()), global);
  int const rows = static_cast<int>(size<0>(global)), columns = static_cast<int>(size<1>(global));
  int const tile_m = static_cast<int>(size<0>(tile)), n = static_cast<int>(size(tile));
  int const tiles = (rows + tile_m - 1) / tile_m, grid = 2 * blocks;
  auto const tma = [&] {
    if constexpr (tiled)
      return make_tma_copy(SM90_TMA_LOAD_MULTICAST{}, mIn, shared, tile, C<blocks>{});
    else
      return make_tma_atom(SM90_TMA_LOAD_MULTICAST{}, mIn, shared, tile, C<blocks>{});
  }();
  device_buffer<T> out(static_cast<std::size_t>(grid * tiles * n));
  launch(load_shared_tiles<tiled, blocks, std::remove_const_t<decltype(tma)>,
                           std::remove_cvref_t<decltype(global.shape())>, TileShape, SharedLayout, T>,
         {.grid = static_cast<unsigned>(grid),
          .block = 64,
          .shared_bytes = static_cast<std::size_t>(n) * sizeof(T),
          .cluster = blocks},
         tma, global.shape(), tile, shared, tiles, out.data());
  auto const got = out.download();
  int wrong = 0;
  for (int i = 0; i < grid * tiles * n; ++i) {
    int const k = i / n % tiles, row = k * tile_m + i % n % tile_m, column = i % n / tile_m;
    T const expected = row < rows && column < columns ? host[static_cast<std::size_t>(global(row, column))] : T{};
    wrong += !(got[static_cast<std::size_t>(i)] == expected);
  }
  EXPECT_EQ(wrong, 0) << blocks << " blocks";
}

template <int bits>
constexpr auto k_major() {
  constexpr int row = 8 << bits;  // halves
  return tile_to_shape(composition(Swizzle<bits, 3, 3>{}, Layout<Shape<_8, C<row>>, Stride<C<row>, _1>>{}),
                       Shape<_64, _64>{});
}

TEST(TmaMulticast, EveryBlockGetsTheWholeTile) {
  auto const global = make_layout(make_shape(150, 64), make_stride(72, _1{}));
  Shape<_64, _64> const tile{};
  expect_shared_tiles<half_t, 2, false>(global, k_major<3>(), tile);
  expect_shared_tiles<half_t, 4, false>(global, k_major<3>(), tile);
  expect_shared_tiles<half_t, 8, false>(global, k_major<3>(), tile);
  expect_shared_tiles<half_t, 2, false>(global, Layout<Shape<_64, _64>, Stride<_64, _1>>{}, tile);
}
TEST(TmaMulticast, SeveralBoxesAndOtherOrders) {
  auto const global = make_layout(make_shape(150, 64), make_stride(72, _1{}));
  Shape<_64, _64> const tile{};
  expect_shared_tiles<half_t, 2, false>(global, k_major<2>(), tile);
  expect_shared_tiles<half_t, 4, false>(global, k_major<1>(), tile);
  auto const columns = make_layout(make_shape(136, 32), make_stride(_1{}, 144));
  expect_shared_tiles<float, 2, false>(columns, Layout<Shape<_64, _32>, Stride<_1, _64>>{}, Shape<_64, _32>{});
}
TEST(TmaMulticast, PartitionsOfATiledCopy) {
  auto const global = make_layout(make_shape(150, 64), make_stride(72, _1{}));
  Shape<_64, _64> const tile{};
  expect_shared_tiles<half_t, 4, true>(global, k_major<3>(), tile);
  expect_shared_tiles<half_t, 2, true>(global, k_major<2>(), tile);
}
// Boxes of 8 columns: a part of one has fewer bytes than those after which the swizzle repeats.
template <int bits>
constexpr auto m_major() {
  constexpr int row = 8 << bits;  // halves
  return tile_to_shape(composition(Swizzle<bits, 3, 3>{}, Layout<Shape<C<row>, _8>, Stride<_1, C<row>>>{}),
                       Shape<_64, _64>{});
}
TEST(TmaMulticast, PartsThatBeginWithinThePatternOfASwizzle) {
  auto const global = make_layout(make_shape(128, 64), make_stride(_1{}, 136));
  Shape<_64, _64> const tile{};
  expect_shared_tiles<half_t, 2, false>(global, m_major<3>(), tile);
  expect_shared_tiles<half_t, 8, false>(global, m_major<3>(), tile);
  expect_shared_tiles<half_t, 2, true>(global, m_major<2>(), tile);
  expect_shared_tiles<half_t, 2, true>(global, m_major<1>(), tile);
}

#if defined(COSMATI_SIMULATED)
TEST(TmaMulticast, ATileIsAskedForOnceAndReceivedByEachBlock) {
  cost_trace const trace;
  // Two clusters read two tiles of 8192 bytes each.
  auto const global = make_layout(make_shape(128, 64), make_stride(64, _1{}));
  expect_shared_tiles<half_t, 4, false>(global, k_major<3>(), Shape<_64, _64>{});
  auto const kernels = trace.kernels();
  ASSERT_EQ(kernels.size(), 1u);
  auto const& loads = kernels[0][instruction_kind::bulk_load];
  EXPECT_EQ(loads.requests, 2u * 2 * 8192 / 128) << "one for each line";
  EXPECT_EQ(loads.sectors, 4u * 2 * 2 * 8192 / 32) << "of each of the four blocks, as the hardware counts";
}
#endif

TEST(TmaMulticast, MasksNameTheBlocksThatShare) {
  auto const vmnk = make_layout(Shape<_1, _2, _4, _1>{});  // rank = m + 2 n
  EXPECT_EQ(create_tma_multicast_mask<2>(vmnk, make_coord(0, 1, 2, 0)), 0b10101010);
  EXPECT_EQ(create_tma_multicast_mask<2>(vmnk, make_coord(0, 0, 3, 0)), 0b01010101);
  EXPECT_EQ(create_tma_multicast_mask<1>(vmnk, make_coord(0, 1, 2, 0)), 0b00110000);
  EXPECT_EQ((create_tma_multicast_mask<1, 2>(vmnk, make_coord(0, 1, 2, 0))), 0b11111111);
  static_assert(create_tma_multicast_mask<0>(Layout<Shape<_4, _2>>{}, make_coord(_1{}, _1{})) == 0b11110000);
  static_assert(create_tma_multicast_mask(Layout<Shape<_4, _2>>{}, make_coord(_, _1{})) == 0b11110000);
  EXPECT_EQ(create_tma_multicast_mask<1>(vmnk, make_coord(0, 1, _, 0)), 0b11111111);
}

/// The first block brings a box to both.
__global__ void load_for_both(TmaDescriptor const __grid_constant__ tensor, float* out) {
  __shared__ std::uint64_t full;
  __shared__ __align__(1024) float box[256];
  if (threadIdx.x == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
    arrive_and_expect_bytes(full, sizeof box);
  }
  cluster_sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) tensor_copy_multicast(box, tensor, {0, 4}, full, 3);
  wait_barrier(full, 0);
  out[blockIdx.x * 32 + threadIdx.x] = box[threadIdx.x];
  cluster_sync();
}
TEST(TmaMulticast, OfADescriptor) {
  COSMATI_REQUIRE_WGMMA();
  std::vector<float> numbers(512), expected;
  for (int i = 0; i < 512; ++i) numbers[static_cast<std::size_t>(i)] = static_cast<float>(i);
  for (int i = 0; i < 64; ++i) expected.push_back(static_cast<float>(128 + i % 32));
  device_buffer<float> const in(numbers);
  device_buffer<float> out(64);
  auto const tensor = make_tma_descriptor(
      {.data = in.data(), .element_bytes = 4, .rank = 2, .extent = {32, 16}, .stride = {1, 32}, .box = {32, 8}});
  launch(load_for_both, {.grid = 2, .block = 32, .cluster = 2}, tensor, out.data());
  EXPECT_EQ(out.download(), expected);
}

}  // namespace
