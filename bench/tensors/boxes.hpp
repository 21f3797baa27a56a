// SPDX-License-Identifier: Apache-2.0
/// @file
/// Copies and transposes of matrices of 4-byte elements by tensor copies alone, to compare with the kernels of
/// `copy_tensor`.
#pragma once

#include <cosmati/pipeline/tma_pipeline.hpp>
#include <cosmati/pipeline/tma_store_ring.hpp>
#include <cosmati/runtime/device.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <cosmati/runtime/launch.hpp>
#include <cosmati/tma/make_tma_copy.hpp>
#include <cosmati/tma/tma_partition.hpp>

namespace bench {

using namespace cosmati;

constexpr int box_tile = 64;  // rows and columns of a tile
using BoxTile = Shape<C<box_tile>, C<box_tile>>;
/// Stages of tiles, in rows of 128 bytes whose chunks are exchanged.
template <int stages>
using BoxStages = decltype(tile_to_shape(composition(Swizzle<3, 2, 3>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{}),
                                         Shape<C<box_tile>, C<box_tile>, C<stages>>{}));
constexpr int box_stages = 4, box_results = 2, box_threads = 256;
constexpr std::size_t box_bytes = std::size_t{4} * box_tile * box_tile;

/// Each tile is stored from where it was loaded to. One thread does all.
template <class Load, class Store>
__global__ void __launch_bounds__(32)
    copy_by_boxes(Load const __grid_constant__ load, Store const __grid_constant__ store, int rows, int columns) {
  __shared__ std::uint64_t full[box_stages];
  if (threadIdx.x != 0) return;
  auto const shared = group_modes<0, 2>(make_tensor(make_smem_ptr(dynamic_shared<float>()), BoxStages<box_stages>{}));
  auto const parts_of = [&](auto const& copy) {
    auto const tiled = local_tile(copy.get_tma_tensor(make_shape(rows, columns)), BoxTile{}, make_coord(_, _));
    return tma_partition(copy, 0, Layout<_1>{}, shared, group_modes<0, 2>(tiled));
  };
  auto const loads = parts_of(load);
  auto const stores = parts_of(store);
  for (std::uint64_t& barrier : full) initialize_barrier(barrier, 1);
  fence_barrier_init();
  // Tiles that follow each other lie along the rows.
  int const tiles_n = (columns + box_tile - 1) / box_tile, tiles = (rows + box_tile - 1) / box_tile * tiles_n;
  auto const step = static_cast<int>(gridDim.x), first = static_cast<int>(blockIdx.x);
  auto const begin = [&](int i) {
    int const tile = first + i * step;
    if (tile >= tiles) return;
    arrive_and_expect_bytes(full[i % box_stages], box_bytes);
    copy(load.with(full[i % box_stages]), get<0>(loads)(_, tile / tiles_n, tile % tiles_n),
         get<1>(loads)(_, i % box_stages));
  };
  for (int i = 0; i < box_stages - 1; ++i) begin(i);
  for (int i = 0; first + i * step < tiles; ++i) {
    int const tile = first + i * step;
    wait_barrier(full[i % box_stages], i / box_stages % 2);
    copy(store, get<1>(stores)(_, i % box_stages), get<0>(stores)(_, tile / tiles_n, tile % tiles_n));
    tma_store_arrive();
    tma_store_wait<1>();  // the store before it has read its stage, which is the next to be filled
    begin(i + box_stages - 1);
  }
  tma_store_wait<0>();
}

/// The place of a thread's block of 4 x 4 elements in a tile: neither its loads nor its stores of 16 bytes meet another
/// thread's in a bank.
COSMATI_HD inline auto transposed_place(unsigned thread) {
  auto const bit = [&](int i) { return static_cast<int>(thread >> i & 1); };
  int const column = bit(0) | bit(2) << 1 | bit(4) << 2 | bit(5) << 3;
  int const row = bit(1) | (bit(2) ^ bit(3)) << 1 | bit(6) << 2 | bit(7) << 3;
  return make_coord(4 * row, 4 * column);
}

/// out = in^T. A warp loads tiles of `in`, the other threads turn them, and tensor copies store them.
template <class Load, class Store>
__global__ void __launch_bounds__(box_threads + 32)
    transpose_by_boxes(Load const __grid_constant__ load, Store const __grid_constant__ store, int rows, int columns) {
  __shared__ typename tma_pipeline<box_stages>::storage barriers;
  auto* const memory = dynamic_shared<float>();
  auto const in = make_tensor(make_smem_ptr(memory), BoxStages<box_stages>{});
  auto const out = make_tensor(make_smem_ptr(memory + box_stages * box_tile * box_tile), BoxStages<box_results>{});
  int const tiles_m = (rows + box_tile - 1) / box_tile, tiles = tiles_m * ((columns + box_tile - 1) / box_tile);
  auto const step = static_cast<int>(gridDim.x);
  tma_pipeline<box_stages> const pipeline(barriers, box_threads, threadIdx.x == box_threads);
  if (threadIdx.x >= box_threads) {
    if (threadIdx.x != box_threads) return;
    auto producer = pipeline.producer();
    auto const tiled = local_tile(load.get_tma_tensor(make_shape(rows, columns)), BoxTile{}, make_coord(_, _));
    auto const parts = tma_partition(load, 0, Layout<_1>{}, group_modes<0, 2>(in), group_modes<0, 2>(tiled));
    for (int i = static_cast<int>(blockIdx.x); i < tiles; i += step)
      producer.fill([&](auto& stage) {
        stage.load(load, get<0>(parts)(_, i % tiles_m, i / tiles_m), get<1>(parts)(_, stage.index()));
      });
    producer.finish();
    return;
  }
  auto const tiled = local_tile(store.get_tma_tensor(make_shape(columns, rows)), BoxTile{}, make_coord(_, _));
  auto const parts = tma_partition(store, 0, Layout<_1>{}, group_modes<0, 2>(out), group_modes<0, 2>(tiled));
  auto const place = transposed_place(threadIdx.x);
  int const row = get<0>(place), column = get<1>(place);
  auto consumer = pipeline.consumer();
  tma_store_ring<box_results> ring(box_threads, 1, threadIdx.x == 0);
  struct alignas(16) four {
    float x[4];
  };
  for (int i = static_cast<int>(blockIdx.x); i < tiles; i += step) {
    int const stage = consumer.wait();
    four got[4], turned[4];
    COSMATI_UNROLL
    for (int k = 0; k < 4; ++k) got[k] = *reinterpret_cast<four const*>(&in(row + k, column, stage));
    consumer.release();
    COSMATI_UNROLL
    for (int k = 0; k < 16; ++k) turned[k % 4].x[k / 4] = got[k / 4].x[k % 4];
    int const result = ring.acquire();
    COSMATI_UNROLL
    for (int k = 0; k < 4; ++k) *reinterpret_cast<four*>(&out(column + k, row, result)) = turned[k];
    ring.store([&](int s) { copy(store, get<1>(parts)(_, s), get<0>(parts)(_, i / tiles_m, i % tiles_m)); });
  }
  ring.finish();
}

/// A matrix of floats, contiguous along its second mode.
inline auto matrix_of_floats(void* data, int rows, int columns, std::int64_t pitch) {
  return make_tensor(make_gmem_ptr(static_cast<float*>(data)), make_shape(rows, columns), make_stride(pitch, _1{}));
}

/// out = in. @param pitch the elements from one row to the next, a multiple of 4
inline void copy_matrix_by_boxes(void* in, void* out, int rows, int columns, std::int64_t pitch) {
  auto const tile = BoxStages<box_stages>{}(_, _, 0);
  auto const load = make_tma_copy(SM90_TMA_LOAD{}, matrix_of_floats(in, rows, columns, pitch), tile);
  auto const store = make_tma_copy(SM90_TMA_STORE{}, matrix_of_floats(out, rows, columns, pitch), tile);
  launch(copy_by_boxes<std::remove_const_t<decltype(load)>, std::remove_const_t<decltype(store)>>,
         {.grid = static_cast<unsigned>(3 * multiprocessors()), .block = 32, .shared_bytes = box_stages * box_bytes},
         load, store, rows, columns);
}
/// out (columns, rows) = in^T, both without gaps. @param rows, columns multiples of 4
inline void transpose_matrix_by_boxes(void* in, void* out, int rows, int columns) {
  auto const load =
      make_tma_copy(SM90_TMA_LOAD{}, matrix_of_floats(in, rows, columns, columns), BoxStages<box_stages>{}(_, _, 0));
  auto const store =
      make_tma_copy(SM90_TMA_STORE{}, matrix_of_floats(out, columns, rows, rows), BoxStages<box_results>{}(_, _, 0));
  launch(transpose_by_boxes<std::remove_const_t<decltype(load)>, std::remove_const_t<decltype(store)>>,
         {.grid = static_cast<unsigned>(2 * multiprocessors()),
          .block = box_threads + 32,
          .shared_bytes = (box_stages + box_results) * box_bytes},
         load, store, rows, columns);
}

}  // namespace bench
