// SPDX-License-Identifier: Apache-2.0
// Bounded copies of tiles that the tiled copy does not divide. Every element of the tile's part of the tensor is copied
// once, for all instructions and memory spaces; everything else stays as it was. The expectation is a loop over
// coordinates.
#include <cosmati/cosmati.hpp>

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

constexpr float untouched = -7.f;

/// A row-major matrix, a block's tile of it, and the bounds of the copy.
struct problem {
  int rows, columns, pitch, tile_m, tile_n, at_m, at_n, bound_m, bound_n;

  bool in_tile(int i, int j) const {
    return i >= at_m * tile_m && i < (at_m + 1) * tile_m && j >= at_n * tile_n && j < (at_n + 1) * tile_n;
  }
  bool moves(int i, int j) const { return in_tile(i, j) && i < rows && j < columns && i < bound_m && j < bound_n; }
  std::size_t size() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(pitch); }
  std::size_t at(int i, int j) const { return static_cast<std::size_t>(i * pitch + j); }
  std::string text() const {
    return testing::PrintToString(std::vector<int>{rows, columns, pitch, tile_m, tile_n, at_m, at_n, bound_m, bound_n});
  }
};
float value(std::size_t i) { return static_cast<float>(i % 8191 + 1); }
std::vector<float> values(std::size_t size) {
  std::vector<float> v(size);
  for (std::size_t i = 0; i < size; ++i) v[i] = value(i);
  return v;
}

template <class Tile>
__device__ auto matrix(float* p, problem const& q, Tile const&) {
  return make_tensor(make_gmem_ptr(p), make_shape(q.rows, q.columns), make_stride(q.pitch, _1{}));
}
/// Tag: the tile has the extents of the problem instead of static ones.
struct at_run_time {};
template <class Tile>
__host__ __device__ auto tile_of(problem const& q, Tile const& tile) {
  if constexpr (std::is_same_v<Tile, at_run_time>)
    return make_shape(q.tile_m, q.tile_n);
  else
    return tile;
}

template <class TiledCopy, class Tile>
__global__ void direct(float* in, float* out, problem q, TiledCopy tiled_copy, Tile tile) {
  auto const where = make_coord(q.at_m, q.at_n);
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(local_tile(matrix(in, q, tile), tile_of(q, tile), where)),
       thread.partition_D(local_tile(matrix(out, q, tile), tile_of(q, tile), where)), make_shape(q.bound_m, q.bound_n));
}
/// Adds 1000 to every element of the tile in the bounds, in place, through a fragment.
template <class TiledCopy, class Tile>
__global__ void in_place(float* data, problem q, TiledCopy tiled_copy, Tile tile) {
  auto const part = tiled_copy.get_slice(threadIdx.x)
                        .partition_D(local_tile(matrix(data, q, tile), tile_of(q, tile), make_coord(q.at_m, q.at_n)));
  auto const from = tiled_copy.get_slice(threadIdx.x)
                        .partition_S(local_tile(matrix(data, q, tile), tile_of(q, tile), make_coord(q.at_m, q.at_n)));
  auto held = make_fragment_like(part);
  auto const bounds = make_shape(q.bound_m, q.bound_n);
  fill(held, 0.f);
  copy(tiled_copy, from, held, bounds);
  for (int i = 0; i < size(held); ++i) held(i) += 1000.f;
  __syncthreads();
  copy(tiled_copy, held, part, bounds);
}
/// Marks every element whose coordinate is in the bounds, by an identity tensor.
template <class TiledCopy, class Tile>
__global__ void with_predicates(float* in, float* out, problem q, TiledCopy tiled_copy, Tile tile) {
  auto const where = make_coord(q.at_m, q.at_n);
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  auto const identity = make_identity_tensor(make_shape(q.rows, q.columns));
  auto const places = thread.partition_S(local_tile(identity, tile_of(q, tile), where));
  auto const holds = [&](auto i) {
    return elem_less(places(i), make_shape(q.bound_m, q.bound_n)) && elem_less(places(i), shape(identity));
  };
  copy_if(tiled_copy, holds, thread.partition_S(local_tile(matrix(in, q, tile), tile_of(q, tile), where)),
          thread.partition_D(local_tile(matrix(out, q, tile), tile_of(q, tile), where)));
}
/// Three stages of shared memory. The copy fills the middle stage; then all stages are written to `out`.
/// @tparam sliced whether the partition of all stages is sliced, instead of partitioning one stage
template <bool sliced, class TiledCopy, class Tile>
__global__ void staged(float* in, float* out, problem q, TiledCopy tiled_copy, Tile tile) {
  float* const memory = dynamic_shared<float>();
  auto const extents = tile_of(q, tile);
  int const stage = static_cast<int>(size(extents));
  for (int i = static_cast<int>(threadIdx.x); i < 3 * stage; i += static_cast<int>(blockDim.x)) memory[i] = untouched;
  __syncthreads();
  auto const stages =
      make_tensor(make_smem_ptr(memory), append(extents, _3{}), make_stride(get<1>(extents), _1{}, size(extents)));
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  auto const from = thread.partition_S(local_tile(matrix(in, q, tile), extents, make_coord(q.at_m, q.at_n)));
  auto const bounds = make_shape(q.bound_m, q.bound_n);
  if constexpr (sliced)
    copy(tiled_copy, from, thread.partition_D(stages)(_, _, _, 1), bounds);
  else
    copy(tiled_copy, from, thread.partition_D(stages(_, _, 1)), bounds);
  cp_async_wait_all();
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < 3 * stage; i += static_cast<int>(blockDim.x)) out[i] = memory[i];
}

template <class TiledCopy, class Tile>
void run_direct(TiledCopy tc, Tile tile, problem const& q, bool predicates) {
  SCOPED_TRACE(q.text());
  auto const host = values(q.size());
  device_buffer<float> in(host), out(std::vector<float>(q.size(), untouched));
  launch_config const shape{.grid = 1, .block = static_cast<unsigned>(size(tc))};
  if (predicates)
    launch(with_predicates<TiledCopy, Tile>, shape, in.data(), out.data(), q, tc, tile);
  else
    launch(direct<TiledCopy, Tile>, shape, in.data(), out.data(), q, tc, tile);
  std::vector<float> wanted(q.size(), untouched);
  for (int i = 0; i < q.rows; ++i) {
    for (int j = 0; j < q.columns; ++j) {
      if (q.moves(i, j)) wanted[q.at(i, j)] = host[q.at(i, j)];
    }
  }
  EXPECT_TRUE(out.download() == wanted);
}
template <class TiledCopy, class Tile>
void run_in_place(TiledCopy tc, Tile tile, problem const& q) {
  SCOPED_TRACE(q.text());
  auto wanted = values(q.size());
  device_buffer<float> data(wanted);
  launch(in_place<TiledCopy, Tile>, {.grid = 1, .block = static_cast<unsigned>(size(tc))}, data.data(), q, tc, tile);
  for (int i = 0; i < q.rows; ++i) {
    for (int j = 0; j < q.columns; ++j) {
      if (q.moves(i, j)) wanted[q.at(i, j)] += 1000.f;
    }
  }
  EXPECT_TRUE(data.download() == wanted);
}
template <bool sliced, class TiledCopy, class Tile>
void run_staged(TiledCopy tc, Tile tile, problem const& q, bool zeros) {
  SCOPED_TRACE(q.text());
  auto const host = values(q.size());
  std::size_t const stage = static_cast<std::size_t>(q.tile_m) * static_cast<std::size_t>(q.tile_n);
  device_buffer<float> in(host), out(std::vector<float>(3 * stage, 0.5f));
  launch(staged<sliced, TiledCopy, Tile>,
         {.grid = 1, .block = static_cast<unsigned>(size(tc)), .shared_bytes = 3 * stage * sizeof(float)}, in.data(),
         out.data(), q, tc, tile);
  std::vector<float> wanted(3 * stage, untouched);
  for (int i = 0; i < q.tile_m; ++i) {
    for (int j = 0; j < q.tile_n; ++j) {
      int const row = q.at_m * q.tile_m + i, column = q.at_n * q.tile_n + j;
      float& w = wanted[stage + static_cast<std::size_t>(i * q.tile_n + j)];
      if (q.moves(row, column))
        w = host[q.at(row, column)];
      else if (zeros)
        w = 0.f;
    }
  }
  EXPECT_TRUE(out.download() == wanted);
}

std::mt19937 engine(20261126);
int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }
/// Draws a matrix, a tile and its place: in the middle, at an end, or beyond the matrix.
problem draw(int tile_m, int tile_n, int vector) {
  problem q{};
  q.tile_m = tile_m;
  q.tile_n = tile_n;
  q.rows = 1 + below(3 * tile_m);
  q.columns = 1 + below(3 * tile_n);
  q.pitch = (q.columns + vector - 1) / vector * vector + vector * below(3);
  q.at_m = below(ceil_div(q.rows, tile_m) + (below(8) == 0 ? 1 : 0));
  q.at_n = below(ceil_div(q.columns, tile_n));
  q.bound_m = below(4) == 0 ? 1 + below(q.rows) : below(4) == 0 ? q.rows + 5 : q.rows;
  q.bound_n = below(4) == 0 ? 1 + below(q.columns) : q.columns;
  return q;
}

template <class Op, class Thr, class Val>
using tiled = decltype(make_tiled_copy(Copy_Atom<Op, float>{}, Thr{}, Val{}));
using V = UniversalCopy<uint128_t>;
using S = UniversalCopy<float>;
// 32 x 4, 4 x 32, 8 x 16, 16 x 8: each is larger than a tile along one mode or both, or does not divide it.
using tall = tiled<S, Layout<Shape<_8, _4>, Stride<_4, _1>>, Layout<Shape<_4, _1>>>;
using wide = tiled<V, Layout<Shape<_4, _8>, Stride<_8, _1>>, Layout<Shape<_1, _4>>>;
using any = tiled<AutoVectorizingCopy, Layout<Shape<_8, _4>, Stride<_4, _1>>, Layout<Shape<_1, _4>>>;
using pairs = tiled<UniversalCopy<std::uint64_t>, Layout<Shape<_16, _2>, Stride<_2, _1>>, Layout<Shape<_1, _4>>>;
template <class Op>
using async_4 = tiled<Op, Layout<Shape<_8, _4>, Stride<_4, _1>>, Layout<Shape<_4, _1>>>;
template <class Op>
using async_16 = tiled<Op, Layout<Shape<_8, _4>, Stride<_4, _1>>, Layout<Shape<_1, _4>>>;

/// Runs all kinds of kernels.
/// @param vector elements; the starts of tiles are multiples of it
template <class TiledCopy, class Tile>
void run_all(Tile tile, int tile_m, int tile_n, int vector, int times) {
  for (int k = 0; k < times; ++k) {
    problem const q = draw(tile_m, tile_n, vector);
    run_direct(TiledCopy{}, tile, q, false);
    run_direct(TiledCopy{}, tile, q, true);
    run_staged<false>(TiledCopy{}, tile, q, false);
    run_staged<true>(TiledCopy{}, tile, q, false);
    if constexpr (!std::is_same_v<Tile, at_run_time>) run_in_place(TiledCopy{}, tile, q);
  }
}
template <class TiledCopy, class Tile>
void run_async(Tile tile, int tile_m, int tile_n, int vector, int times, bool zeros) {
  for (int k = 0; k < times; ++k) {
    problem const q = draw(tile_m, tile_n, vector);
    run_staged<false>(TiledCopy{}, tile, q, zeros);
    run_staged<true>(TiledCopy{}, tile, q, zeros);
  }
}

TEST(CopyWithinTiles, StaticTiles) {
  COSMATI_REQUIRE_DEVICE();
  run_all<tall>(Shape<_16, _8>{}, 16, 8, 1, 12);          // half of the tiled copy's rows
  run_all<tall>(Shape<Int<20>, Int<6>>{}, 20, 6, 1, 12);  // divides neither mode
  run_all<tall>(Shape<Int<48>, _2>{}, 48, 2, 1, 6);
  run_all<wide>(Shape<_2, _16>{}, 2, 16, 4, 12);
  run_all<wide>(Shape<Int<7>, Int<36>>{}, 7, 36, 4, 12);
  run_all<any>(Shape<Int<12>, _8>{}, 12, 8, 4, 6);
  run_all<pairs>(Shape<_8, Int<20>>{}, 8, 20, 4, 6);
}
TEST(CopyWithinTiles, TilesKnownAtRunTime) {
  COSMATI_REQUIRE_DEVICE();
  for (int k = 0; k < 24; ++k) {
    run_direct(tall{}, at_run_time{}, draw(1 + below(40), 1 + below(10), 1), k % 3 == 0);
    run_staged<false>(tall{}, at_run_time{}, draw(1 + below(40), 1 + below(10), 1), false);
    run_staged<true>(wide{}, at_run_time{}, draw(1 + below(10), 4 * (1 + below(10)), 4), false);
    run_direct(wide{}, at_run_time{}, draw(1 + below(10), 4 * (1 + below(10)), 4), k % 3 == 0);
  }
}
TEST(CopyWithinTiles, Asynchronous) {
  COSMATI_REQUIRE_DEVICE();
  run_async<async_4<SM80_CP_ASYNC_CACHEALWAYS<float>>>(Shape<Int<20>, Int<6>>{}, 20, 6, 1, 10, false);
  run_async<async_4<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<float>>>(Shape<Int<20>, Int<6>>{}, 20, 6, 1, 10, true);
  run_async<async_16<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>>>(Shape<_4, Int<20>>{}, 4, 20, 4, 10, false);
  run_async<async_16<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>>>(Shape<_4, Int<20>>{}, 4, 20, 4, 10, true);
  for (int k = 0; k < 10; ++k) {
    run_staged<false>(async_16<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>>{}, at_run_time{},
                      draw(1 + below(10), 4 * (1 + below(10)), 4), true);
    run_staged<true>(async_4<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<float>>{}, at_run_time{},
                     draw(1 + below(40), 1 + below(10), 1), true);
  }
}
/// The reported case: 512 x 64, the first tile of 128 x 64, a tiled copy of 256 x 8.
TEST(CopyWithinTiles, ATiledCopyOfTwiceTheRows) {
  COSMATI_REQUIRE_DEVICE();
  using twice = tiled<S, Layout<Shape<_32, _8>, Stride<_8, _1>>, Layout<Shape<_8, _1>>>;
  problem const q{512, 64, 64, 128, 64, 0, 0, 512, 64};
  run_direct(twice{}, Shape<_128, _64>{}, q, false);
  run_direct(twice{}, Shape<_128, _64>{}, q, true);
  run_in_place(twice{}, Shape<_128, _64>{}, q);
  run_staged<false>(twice{}, Shape<_128, _64>{}, q, false);
  run_staged<true>(twice{}, Shape<_128, _64>{}, q, false);
}

}  // namespace
