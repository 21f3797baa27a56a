// SPDX-License-Identifier: Apache-2.0
// Matrices that the tile does not divide, copied with their shape as bounds: directly, through shared memory, and tile
// by tile along k. Memory outside the matrices is poisoned on both sides and must stay as it is.
#include <cosmati/cosmati.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {
template <class T, class TiledCopy, class Tile, class Layout>
__global__ void direct(T const* in, T* out, Layout layout, TiledCopy tiled_copy, Tile tile) {
  auto mIn = make_tensor(make_gmem_ptr(in), layout);
  auto mOut = make_tensor(make_gmem_ptr(out), layout);
  auto gIn = local_tile(mIn, tile, make_coord(blockIdx.x, blockIdx.y));
  auto gOut = local_tile(mOut, tile, make_coord(blockIdx.x, blockIdx.y));
  auto thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(gIn), thread.partition_D(gOut), shape(mIn));
}

template <class T, class TiledCopy, class Tile, class Layout>
__global__ void along_k(T const* in, T* out, Layout layout, TiledCopy tiled_copy, Tile tile) {
  T* stage = dynamic_shared<T>();
  auto sT = make_tensor(make_smem_ptr(stage), make_layout(tile, LayoutRight{}));
  auto mIn = make_tensor(make_gmem_ptr(in), layout);
  auto mOut = make_tensor(make_gmem_ptr(out), layout);
  auto gIn = local_tile(mIn, tile, make_coord(blockIdx.x, _));
  auto gOut = local_tile(mOut, tile, make_coord(blockIdx.x, _));
  auto thread = tiled_copy.get_slice(threadIdx.x);
  auto tIgI = thread.partition_S(gIn);
  auto tOgO = thread.partition_D(gOut);
  auto tIsI = thread.partition_D(sT);
  auto tOsO = thread.partition_S(sT);
  for (int k = 0; k < size<3>(tIgI); ++k) {
    copy(tiled_copy, tIgI(_, _, _, k), tIsI, shape(mIn));
    __syncthreads();
    copy(tiled_copy, tOsO, tOgO(_, _, _, k), shape(mOut));
    __syncthreads();
  }
}

template <class T>
T pattern(int i) {
  return static_cast<T>((i * 37 + 11) % 251);
}

/// Not inlined: g++ 12 would warn that the end of a vector is freed memory.
template <class T>
__attribute__((noinline)) std::vector<T> patterns(std::size_t size) {
  std::vector<T> v(size);
  for (std::size_t i = 0; i < size; ++i) v[i] = pattern<T>(static_cast<int>(i));
  return v;
}

/// Expects every element in the matrix to be equal, and every other element unchanged.
template <class T>
void expect_copied(std::vector<T> const& in, std::vector<T> const& out, int rows, int columns, int row_stride,
                   int column_stride) {
  std::vector<T> wanted(out.size(), pattern<T>(-1000003));
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      std::size_t const at = static_cast<std::size_t>(i * row_stride + j * column_stride);
      wanted[at] = in[at];
    }
  }
  EXPECT_EQ(out, wanted) << rows << " x " << columns;
}

template <class T, class TiledCopy, class Tile>
void run_row_major(TiledCopy tiled_copy, Tile tile, int rows, int columns, int pitch, bool k_loop) {
  auto const host = patterns<T>(static_cast<std::size_t>(rows * pitch));
  std::vector<T> const poison(host.size(), pattern<T>(-1000003));
  device_buffer<T> in(host), out(poison);
  auto const layout = make_layout(make_shape(rows, columns), make_stride(pitch, _1{}));
  unsigned const m = static_cast<unsigned>(ceil_div(rows, size<0>(tile))),
                 n = static_cast<unsigned>(ceil_div(columns, size<1>(tile)));
  unsigned const threads = static_cast<unsigned>(size(tiled_copy));
  if (k_loop) {
    launch(along_k<T, TiledCopy, Tile, std::remove_const_t<decltype(layout)>>,
           {.grid = m, .block = threads, .shared_bytes = static_cast<std::size_t>(size(tile)) * sizeof(T)}, in.data(),
           out.data(), layout, tiled_copy, tile);
  } else {
    launch(direct<T, TiledCopy, Tile, std::remove_const_t<decltype(layout)>>, {.grid = dim3(m, n), .block = threads},
           in.data(), out.data(), layout, tiled_copy, tile);
  }
  expect_copied(host, out.download(), rows, columns, pitch, 1);
}

TEST(RaggedCopy, EveryResidueOfFloats) {
  COSMATI_REQUIRE_DEVICE();
  auto const tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                          Layout<Shape<_8, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  for (int columns = 1; columns <= 70; columns += 3) {
    run_row_major<float>(tiled_copy, Shape<_16, _32>{}, 1 + columns / 2, columns, 72, false);
    run_row_major<float>(tiled_copy, Shape<_16, _32>{}, 1 + columns / 2, columns, 72, true);
  }
}
TEST(RaggedCopy, BytesHalvesAndDoubles) {
  COSMATI_REQUIRE_DEVICE();
  auto const bytes = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, std::uint8_t>{},
                                     Layout<Shape<_8, _4>, Stride<_4, _1>>{}, Layout<Shape<_1, _16>>{});
  auto const halves = make_tiled_copy(Copy_Atom<UniversalCopy<std::uint64_t>, std::uint16_t>{},
                                      Layout<Shape<_4, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  auto const doubles = make_tiled_copy(Copy_Atom<UniversalCopy<double>, double>{},
                                       Layout<Shape<_4, _8>, Stride<_8, _1>>{}, Layout<Shape<_2, _1>>{});
  for (int n : {1, 15, 16, 17, 63, 64, 65, 100}) {
    run_row_major<std::uint8_t>(bytes, Shape<_16, _64>{}, n, n, 112, false);
    run_row_major<std::uint16_t>(halves, Shape<_8, _32>{}, n, n, 104, true);
    run_row_major<double>(doubles, Shape<_8, _8>{}, n, n, 101, false);
  }
}
TEST(RaggedCopy, ColumnMajorAndWholeTiles) {
  COSMATI_REQUIRE_DEVICE();
  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_8, _8>>{}, Layout<Shape<_4, _1>>{});
  using TC = std::remove_const_t<decltype(tiled_copy)>;
  using Tile = Shape<_32, _16>;
  for (int rows : {32, 33, 63, 64, 100}) {
    int const columns = 50, pitch = 104;
    auto const host = patterns<float>(static_cast<std::size_t>(columns * pitch));
    device_buffer<float> in(host), out(std::vector<float>(host.size(), pattern<float>(-1000003)));
    auto const layout = make_layout(make_shape(rows, columns), make_stride(_1{}, pitch));
    launch(direct<float, TC, Tile, std::remove_const_t<decltype(layout)>>,
           {.grid = dim3((static_cast<unsigned>(rows) + 31) / 32, 4), .block = 64}, in.data(), out.data(), layout,
           tiled_copy, Tile{});
    expect_copied(host, out.download(), rows, columns, 1, pitch);
  }
}
}  // namespace
