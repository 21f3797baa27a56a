// SPDX-License-Identifier: Apache-2.0
// tma_partition: tiles along K through stages of shared memory, cut into boxes; the slices of a tiled copy cut alike.
#include <cosmati/tma/tma_partition.hpp>

#include <gtest/gtest.h>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/tma/make_tma_copy.hpp>
#include <type_traits>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

constexpr int stages = 2;
using Tile = Shape<_64, _128>;
/// Two boxes of 64 columns a stage.
using Stage = decltype(tile_to_shape(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{}),
                                     Shape<_64, _128, C<stages>>{}));

/// A row of tiles, one after the other through two stages; each is written as (64, 128) without padding.
template <class Tma>
__global__ void row_of_tiles(Tma const __grid_constant__ tma, int rows, int columns, half_t* out) {
  __shared__ std::uint64_t full[stages];
  auto const sA = make_tensor(make_smem_ptr(dynamic_shared<half_t>()), Stage{});
  auto const gA = local_tile(tma.get_tma_tensor(make_shape(rows, columns)), Tile{},
                             make_coord(static_cast<int>(blockIdx.x), _));  // (64, 128, tiles)
  auto const sides = tma_partition(tma, group_modes<0, 2>(sA), group_modes<0, 2>(gA));
  auto const from = get<0>(sides);
  auto const to = get<1>(sides);               // clang 14 captures no structured binding
  using Boxes = decltype(get<0>(to.shape()));  // (element of a box, box)
  static_assert(size_v<std::remove_cvref_t<decltype(get<0>(std::declval<Boxes>()))>> == 64 * 64);
  static_assert(size_v<std::remove_cvref_t<decltype(get<1>(std::declval<Boxes>()))>> == 2);
  int const tiles = size<1>(from);
  bool const leads = threadIdx.x == 0;
  auto const bring = [&](int k) {
    set_barrier_transaction_bytes(full[k % stages], 64 * 128 * sizeof(half_t));
    copy(tma.with(full[k % stages]), from(_, k), to(_, k % stages));
  };
  if (leads) {
    for (std::uint64_t& barrier : full) initialize_barrier(barrier, 1);
    fence_barrier_init();
    for (int k = 0; k < stages && k < tiles; ++k) bring(k);
  }
  __syncthreads();
  for (int k = 0; k < tiles; ++k) {
    wait_barrier(full[k % stages], static_cast<unsigned>(k / stages) & 1u);
    half_t* const tile = out + (static_cast<int>(blockIdx.x) * tiles + k) * 64 * 128;
    for (int i = static_cast<int>(threadIdx.x); i < 64 * 128; i += static_cast<int>(blockDim.x))
      tile[i] = sA(i / 128, i % 128, k % stages);
    fence_proxy_async_shared();
    __syncthreads();
    if (leads && k + stages < tiles) bring(k + stages);
  }
}

TEST(TmaPartition, TilesAlongKThroughStages) {
  COSMATI_REQUIRE_DEVICE();
  constexpr int rows = 100, columns = 700, pitch = 704, blocks = 2, tiles = 6;
  std::vector<half_t> host(std::size_t{rows} * pitch);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<half_t>(static_cast<float>(i % 2039));
  device_buffer<half_t> const in(host);
  device_buffer<half_t> out(std::size_t{blocks} * tiles * 64 * 128);
  auto const matrix = make_tensor(make_gmem_ptr(in.data()), make_shape(rows, columns), make_stride(pitch, _1{}));
  auto const tma = make_tma_atom(SM90_TMA_LOAD{}, matrix, Stage{}(_, _, _0{}), Tile{});
  launch(row_of_tiles<std::remove_const_t<decltype(tma)>>,
         {.grid = blocks, .block = 128, .shared_bytes = stages * 64 * 128 * sizeof(half_t)}, tma, rows, columns,
         out.data());
  auto const got = out.download();
  int wrong = 0;
  for (int b = 0; b < blocks; ++b) {
    for (int k = 0; k < tiles; ++k) {
      for (int i = 0; i < 64 * 128; ++i) {
        int const row = b * 64 + i / 128, column = k * 128 + i % 128;
        half_t const expected =
            row < rows && column < columns ? host[static_cast<std::size_t>(row * pitch + column)] : half_t(0.f);
        wrong += !(got[static_cast<std::size_t>((b * tiles + k) * 64 * 128 + i)] == expected);
      }
    }
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
