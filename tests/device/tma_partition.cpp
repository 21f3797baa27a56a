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

#if defined(COSMATI_SIMULATED)
/// The partition of the last of several blocks: where it begins, and its shape.
template <class BoxShape, int blocks, class Global, class SharedTile>
void expect_parts(Global const& layout, SharedTile const& shared, int part, int coordinate0, int coordinate1) {
  device_buffer<half_t> const in(std::size_t{128} * 128);
  auto const matrix = make_tensor(make_gmem_ptr(in.data()), layout);
  auto const atom = make_tma_atom(SM90_TMA_LOAD_MULTICAST{}, matrix, shared, Shape<_128, _64>{}, C<blocks>{});
  auto const tiles = local_tile(atom.get_tma_tensor(layout.shape()), Shape<_128, _64>{}, make_coord(0, _));
  alignas(1024) static half_t memory[128 * 64];
  auto const stage = make_tensor(make_smem_ptr(memory), shared);
  auto const parts =
      tma_partition(atom, blocks - 1, Layout<C<blocks>>{}, group_modes<0, 2>(stage), group_modes<0, 2>(tiles));
  auto const from = get<0>(parts);
  auto const to = get<1>(parts);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(product_each(shape<0>(to)))>, BoxShape>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(product_each(shape<0>(from)))>, BoxShape>);
  static_assert(sizeof(make_tensor_like(tensor<0>(to))) == 128 * 64 * sizeof(half_t), "what the mbarrier waits for");
  auto const first = from(0, 0);
  EXPECT_EQ(get<0>(first), coordinate0);
  EXPECT_EQ(get<1>(first), coordinate1);
  EXPECT_EQ(to.layout().layout_b()(0) + to.layout().offset(), part);

  auto const tiled = make_tma_copy(SM90_TMA_LOAD_MULTICAST{}, matrix, shared, Shape<_128, _64>{}, C<blocks>{});
  auto const slice = tiled.get_slice(blocks - 1);
  auto const D = slice.partition_D(stage);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(product_each(shape<0>(D)))>, BoxShape>);
  EXPECT_EQ(D.layout().layout_b()(0) + D.layout().offset(), part);
  auto const S = slice.partition_S(tiles);
  EXPECT_EQ(get<0>(S(0)), coordinate0);
  EXPECT_EQ(get<1>(S(0)), coordinate1);
}
template <int bits, bool k_major>
constexpr auto stage_of() {
  constexpr int row = 8 << bits;
  if constexpr (k_major)
    return tile_to_shape(composition(Swizzle<bits, 3, 3>{}, Layout<Shape<_8, C<row>>, Stride<C<row>, _1>>{}),
                         Shape<_128, _64>{});
  else
    return tile_to_shape(composition(Swizzle<bits, 3, 3>{}, Layout<Shape<C<row>, _8>, Stride<_1, C<row>>>{}),
                         Shape<_128, _64>{});
}
// The values are CuTe's.
TEST(TmaPartition, BlocksThatShareATileHaveWholeBoxesFromTheirPart) {
  auto const rows = make_layout(make_shape(128, 128), make_stride(128, _1{}));
  auto const columns = make_layout(make_shape(128, 128), make_stride(_1{}, 128));
  expect_parts<Shape<_8192, _1>, 2>(rows, stage_of<3, true>(), 4096, 0, 64);
  expect_parts<Shape<_8192, _1>, 4>(rows, stage_of<3, true>(), 6144, 0, 96);
  expect_parts<Shape<_4096, _2>, 2>(rows, stage_of<2, true>(), 2048, 0, 64);
  expect_parts<Shape<_512, _16>, 2>(columns, stage_of<3, false>(), 256, 0, 4);
}
#endif

}  // namespace
