// SPDX-License-Identifier: Apache-2.0
// Bounded copies between tiles of different extents and places. An element is copied if it is in both tiles and in both
// tensors. The tensors have one to three modes, nested modes, and tile-counting modes after the tile's modes.
#include <cosmati/cosmati.hpp>

#include <gtest/gtest.h>

#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

constexpr int untouched = -7;

std::vector<int> counted(std::size_t size) {
  std::vector<int> v(size);
  for (std::size_t i = 0; i < size; ++i) v[i] = static_cast<int>(i) + 1;
  return v;
}
template <class Op, class Thr, class Val>
using tiled = decltype(make_tiled_copy(Copy_Atom<Op, int>{}, Thr{}, Val{}));
using S = UniversalCopy<int>;
using square = tiled<S, Layout<Shape<_8, _4>>, Layout<Shape<_2, _2>>>;  // 16 x 8

struct extents {
  int m, n;
};

/// Copies the tile at `from` of one matrix to the tile at `to` of another. Each has its own extents.
template <class FromTile, class ToTile>
__global__ void between(int const* in, int* out, extents source, extents destination, extents from, extents to,
                        FromTile from_tile, ToTile to_tile) {
  auto const mIn = make_tensor(make_gmem_ptr(in), make_shape(source.m, source.n));
  auto const mOut = make_tensor(make_gmem_ptr(out), make_shape(destination.m, destination.n));
  auto const thread = square{}.get_slice(threadIdx.x);
  copy(square{}, thread.partition_S(local_tile(mIn, from_tile, make_coord(from.m, from.n))),
       thread.partition_D(local_tile(mOut, to_tile, make_coord(to.m, to.n))), shape(mIn));
}
template <class FromTile, class ToTile>
void run_between(FromTile from_tile, ToTile to_tile) {
  for (extents const source : {extents{64, 40}, extents{27, 19}, extents{9, 33}}) {
    for (extents const destination : {extents{50, 50}, extents{21, 12}}) {
      for (extents const from : {extents{0, 0}, extents{1, 1}}) {
        for (extents const to : {extents{0, 0}, extents{1, 0}}) {
          auto const host = counted(static_cast<std::size_t>(source.m * source.n));
          std::vector<int> wanted(static_cast<std::size_t>(destination.m * destination.n), untouched);
          device_buffer<int> in(host), out(wanted);
          launch(between<FromTile, ToTile>, {.grid = 1, .block = 32}, in.data(), out.data(), source, destination, from,
                 to, from_tile, to_tile);
          extents const s{static_cast<int>(size<0>(from_tile)), static_cast<int>(size<1>(from_tile))};
          extents const d{static_cast<int>(size<0>(to_tile)), static_cast<int>(size<1>(to_tile))};
          for (int i = 0; i < std::min(s.m, d.m); ++i) {
            for (int j = 0; j < std::min(s.n, d.n); ++j) {
              int const a = from.m * s.m + i, b = from.n * s.n + j, c = to.m * d.m + i, e = to.n * d.n + j;
              if (a < source.m && b < source.n && c < destination.m && e < destination.n)
                wanted[static_cast<std::size_t>(c + e * destination.m)] =
                    host[static_cast<std::size_t>(a + b * source.m)];
            }
          }
          EXPECT_EQ(out.download(), wanted);
        }
      }
    }
  }
}
TEST(CopyBetweenPlaces, TilesOfTwoTensors) {
  COSMATI_REQUIRE_DEVICE();
  run_between(Shape<_16, _8>{}, Shape<_16, _8>{});
  run_between(Shape<Int<12>, Int<6>>{}, Shape<Int<12>, Int<6>>{});
  run_between(Shape<Int<12>, _8>{}, Shape<Int<9>, Int<7>>{});
  run_between(Shape<Int<9>, Int<7>>{}, Shape<_16, _8>{});
  run_between(make_shape(12, 6), Shape<Int<11>, Int<7>>{});
  run_between(make_shape(20, 3), make_shape(17, 5));
}

/// A stage that is smaller or larger than the tile. The second half of the array holds other values.
template <class Op, class Tile, class Stage>
__global__ void to_stage(int const* in, int* out, extents source, Tile tile, Stage stage) {
  using tc = tiled<Op, Layout<Shape<_8, _4>>, Layout<Shape<_4, _1>>>;  // 32 x 4
  int* const memory = dynamic_shared<int>();
  int const n = static_cast<int>(size(stage));
  for (int i = static_cast<int>(threadIdx.x); i < 2 * n; i += static_cast<int>(blockDim.x)) memory[i] = untouched;
  __syncthreads();
  auto const mIn = make_tensor(make_gmem_ptr(in), make_shape(source.m, source.n), make_stride(_1{}, 64));
  auto const thread = tc{}.get_slice(threadIdx.x);
  copy(tc{}, thread.partition_S(local_tile(mIn, tile, make_coord(_1{}, _0{}))),
       thread.partition_D(make_tensor(make_smem_ptr(memory), make_layout(stage))), shape(mIn));
  cp_async_wait_all();
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < 2 * n; i += static_cast<int>(blockDim.x)) out[i] = memory[i];
}
template <class Op, class Tile, class Stage>
void run_stage(Tile tile, Stage stage, bool zeros) {
  for (extents const source : {extents{64, 40}, extents{45, 3}, extents{39, 9}}) {
    auto const host = counted(std::size_t{64} * 40);
    std::size_t const n = static_cast<std::size_t>(size(stage));
    std::vector<int> wanted(2 * n, untouched);
    device_buffer<int> in(host), out(wanted);
    launch(to_stage<Op, Tile, Stage>, {.grid = 1, .block = 32, .shared_bytes = 2 * n * sizeof(int)}, in.data(),
           out.data(), source, tile, stage);
    int const s = static_cast<int>(size<0>(tile)), t = static_cast<int>(size<1>(tile));
    int const d = static_cast<int>(size<0>(stage)), e = static_cast<int>(size<1>(stage));
    for (int i = 0; i < d; ++i) {
      for (int j = 0; j < e; ++j) {
        int& w = wanted[static_cast<std::size_t>(i + j * d)];
        if (i < s && j < t && s + i < source.m && j < source.n)
          w = host[static_cast<std::size_t>(s + i + j * 64)];
        else if (zeros)
          w = 0;
      }
    }
    EXPECT_EQ(out.download(), wanted);
  }
}
TEST(CopyBetweenPlaces, StagesOfOtherExtents) {
  COSMATI_REQUIRE_DEVICE();
  using V = UniversalCopy<uint128_t>;
  run_stage<V>(Shape<_32, _4>{}, Shape<Int<28>, _4>{}, false);
  run_stage<V>(Shape<Int<20>, Int<7>>{}, Shape<Int<24>, Int<6>>{}, false);
  run_stage<S>(make_shape(20, 7), Shape<Int<24>, Int<6>>{}, false);
  run_stage<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>>(Shape<Int<20>, Int<7>>{}, Shape<Int<24>, Int<6>>{}, false);
  run_stage<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>>(Shape<Int<20>, Int<7>>{}, Shape<Int<24>, Int<6>>{}, true);
  run_stage<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>>(Shape<_32, _4>{}, Shape<Int<28>, Int<3>>{}, true);
  run_stage<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<int>>(Shape<Int<20>, Int<7>>{}, make_shape(23, 5), true);
}

/// All tiles along the second mode at once, counted by a mode of the partition.
template <class Tile>
__global__ void tiles_at_once(int const* in, int* out, extents e, Tile tile) {
  auto const mIn = make_tensor(make_gmem_ptr(in), make_shape(e.m, e.n));
  auto const mOut = make_tensor(make_gmem_ptr(out), make_shape(e.m, e.n));
  auto const thread = square{}.get_slice(threadIdx.x);
  copy(square{}, thread.partition_S(local_tile(mIn, tile, make_coord(blockIdx.x, _))),
       thread.partition_D(local_tile(mOut, tile, make_coord(blockIdx.x, _))), shape(mIn));
}
TEST(CopyBetweenPlaces, AModeThatCountsTiles) {
  COSMATI_REQUIRE_DEVICE();
  auto const run = [](auto tile) {
    for (extents const e : {extents{36, 30}, extents{25, 31}, extents{16, 6}, extents{3, 1}}) {
      auto const host = counted(static_cast<std::size_t>(e.m * e.n));
      device_buffer<int> in(host), out(std::vector<int>(host.size(), untouched));
      launch(tiles_at_once<decltype(tile)>,
             {.grid = static_cast<unsigned>(ceil_div(e.m, static_cast<int>(size<0>(tile)))), .block = 32}, in.data(),
             out.data(), e, tile);
      EXPECT_EQ(out.download(), host);  // each block wrote only its own rows; otherwise the simulated device reports a
                                        // race
    }
  };
  run(Shape<_16, _8>{});
  run(Shape<Int<12>, Int<6>>{});
  run(Shape<_8, Int<10>>{});
  run(make_shape(9, 5));
}

/// Tensors of one mode, of three modes, and of nested modes.
template <class L, class Tile, class Coord, class TiledCopy, class Bounds>
__global__ void any_rank(int const* in, int* out, L layout, Tile tile, Coord at, TiledCopy tiled_copy, Bounds bounds) {
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(local_tile(make_tensor(make_gmem_ptr(in), layout), tile, at)),
       thread.partition_D(local_tile(make_tensor(make_gmem_ptr(out), layout), tile, at)), bounds);
}
/// @param in_tile whether the element with these coordinates is to be copied
template <class L, class Tile, class Coord, class TiledCopy, class Bounds, class InTile>
void run_any_rank(L layout, Tile tile, Coord at, TiledCopy tiled_copy, Bounds bounds, InTile in_tile) {
  auto const host = counted(static_cast<std::size_t>(cosize(layout)));
  std::vector<int> wanted(host.size(), untouched);
  device_buffer<int> in(host), out(wanted);
  launch(any_rank<L, Tile, Coord, TiledCopy, Bounds>, {.grid = 1, .block = static_cast<unsigned>(size(tiled_copy))},
         in.data(), out.data(), layout, tile, at, tiled_copy, bounds);
  auto const modes = product_each(layout.shape());
  for (int i = 0; i < static_cast<int>(size(layout)); ++i) {
    auto const offset = static_cast<std::size_t>(layout(i));
    if (in_tile(idx2crd(i, modes))) wanted[offset] = host[offset];
  }
  EXPECT_EQ(out.download(), wanted);
}
TEST(CopyBetweenPlaces, OneModeAndThree) {
  COSMATI_REQUIRE_DEVICE();
  using line = tiled<UniversalCopy<std::uint64_t>, Layout<Shape<_8>>, Layout<Shape<_4>>>;  // 32
  for (int n : {100, 61, 41, 24}) {
    run_any_rank(make_layout(make_shape(n)), Shape<Int<24>>{}, make_coord(1), line{}, make_shape(n),
                 [&](auto c) { return get<0>(c) >= 24 && get<0>(c) < 48; });
    run_any_rank(make_layout(make_shape(n)), make_shape(20), make_coord(2), line{}, make_shape(n),
                 [&](auto c) { return get<0>(c) >= 40 && get<0>(c) < 60; });
  }
  using box = tiled<S, Layout<Shape<_4, _2, _2>>, Layout<Shape<_1, _2, _1>>>;  // 4 x 4 x 2
  for (int n : {11, 6, 5}) {
    auto const layout = make_layout(make_shape(n, 9, n + 1));
    run_any_rank(layout, Shape<_2, Int<6>, Int<3>>{}, make_coord(1, 1, 1), box{}, layout.shape(),
                 [](auto c) { return get<0>(c) / 2 == 1 && get<1>(c) / 6 == 1 && get<2>(c) / 3 == 1; });
  }
}
TEST(CopyBetweenPlaces, NestedModes) {
  COSMATI_REQUIRE_DEVICE();
  // ((4, 9), 10) : ((1, 40), 4): rows in groups of four
  auto const nested = make_layout(make_shape(make_shape(_4{}, 9), 10), make_stride(make_stride(_1{}, 40), _4{}));
  for (int block : {0, 1, 2, 4}) {
    run_any_rank(nested, Shape<_8, Int<6>>{}, make_coord(block, 1), square{}, nested.shape(),
                 [&](auto c) { return get<0>(c) / 8 == block && get<1>(c) / 6 == 1; });
    run_any_rank(nested, Shape<_16, _4>{}, make_coord(block, 2), square{}, nested.shape(),
                 [&](auto c) { return get<0>(c) / 16 == block && get<1>(c) / 4 == 2; });
    run_any_rank(nested, Shape<_8, Int<6>>{}, make_coord(block, 0), square{}, make_shape(30, 5),
                 [&](auto c) { return get<0>(c) / 8 == block && get<0>(c) < 30 && get<1>(c) < 5; });
  }
}

}  // namespace
