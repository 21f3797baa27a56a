// SPDX-License-Identifier: Apache-2.0
// Tensor copies as copy atoms: tiles of tensors through shared memory, with every swizzle, both orders of modes,
// several boxes a tile, nested modes and tiles over the tensor's edge. A tile is compared element by element with the
// tensor.
#include <cosmati/tma/make_tma_copy.hpp>

#include <gtest/gtest.h>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/tma/tma_partition.hpp>
#include <string>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

/// Brings the tile at (bm, bn) by an atom and tma_partition, and gives it column after column.
template <class Tma, class TensorShape, class TileShape, class SharedLayout, class T>
__global__ void load_tile(Tma const __grid_constant__ tma, TensorShape tensor_shape, TileShape tile,
                          SharedLayout shared, int bm, int bn, T* out) {
  __shared__ std::uint64_t full;
  auto const sA = make_tensor(make_smem_ptr(dynamic_shared<T>()), shared);
  auto const gA = local_tile(tma.get_tma_tensor(tensor_shape), tile, make_coord(bm, bn));
  auto const [from, to] = tma_partition(tma, _0{}, Layout<_1>{}, group_modes<0, 2>(sA), group_modes<0, 2>(gA));
  if (threadIdx.x == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
    set_barrier_transaction_bytes(full, static_cast<std::uint32_t>(size(sA) * sizeof(T)));
    copy(tma.with(full), from, to);
  }
  __syncthreads();
  wait_barrier(full, 0);
  for (int i = static_cast<int>(threadIdx.x); i < size(sA); i += static_cast<int>(blockDim.x)) out[i] = sA(i);
}

/// Numbers the tile column after column from `first` and stores it at (bm, bn) by a tiled copy's partitions.
template <class Tma, class TensorShape, class TileShape, class SharedLayout, class T>
__global__ void store_tile(Tma const __grid_constant__ tma, TensorShape tensor_shape, TileShape tile,
                           SharedLayout shared, int bm, int bn, int first, T*) {
  auto sA = make_tensor(make_smem_ptr(dynamic_shared<T>()), shared);
  auto gA = local_tile(tma.get_tma_tensor(tensor_shape), tile, make_coord(bm, bn));
  for (int i = static_cast<int>(threadIdx.x); i < size(sA); i += static_cast<int>(blockDim.x))
    sA(i) = static_cast<T>(static_cast<float>((first + i) % 127));
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    auto const thread = tma.get_slice(0);
    copy(tma, thread.partition_S(sA), thread.partition_D(gA));
    tma_store_arrive();
    bulk_store_wait<0>();
  }
}

/// Every tile of a tensor of rank 2 (modes may be nested), and some beyond its end, both ways.
template <class T, class GlobalLayout, class SharedLayout, class TileShape>
void expect_tiles(GlobalLayout const& global, SharedLayout const& shared, TileShape const& tile) {
  COSMATI_REQUIRE_DEVICE();
  auto const elements = static_cast<std::size_t>(cosize(global));
  std::vector<T> host(elements);
  for (std::size_t i = 0; i < elements; ++i) host[i] = static_cast<T>(static_cast<float>((i * 2654435761u >> 9) % 127));
  device_buffer<T> const in(host);
  device_buffer<T> out(static_cast<std::size_t>(size(shared)));
  auto const mIn = make_tensor(make_gmem_ptr(in.data()), global);
  int const rows = static_cast<int>(size<0>(global)), columns = static_cast<int>(size<1>(global));
  int const tile_m = static_cast<int>(size<0>(tile)), tile_n = static_cast<int>(size<1>(tile));
  auto const tma = make_tma_atom(SM90_TMA_LOAD{}, mIn, shared, tile);
  std::size_t const bytes = static_cast<std::size_t>(size(shared)) * sizeof(T);
  for (int bm = 0; bm * tile_m < rows; ++bm) {
    for (int bn = 0; bn * tile_n < columns; ++bn) {
      launch(load_tile<std::remove_const_t<decltype(tma)>, std::remove_cvref_t<decltype(global.shape())>, TileShape,
                       SharedLayout, T>,
             {.grid = 1, .block = 64, .shared_bytes = bytes}, tma, global.shape(), tile, shared, bm, bn, out.data());
      auto const got = out.download();
      int wrong = 0;
      for (int j = 0; j < tile_n; ++j) {
        for (int i = 0; i < tile_m; ++i) {
          int const m = bm * tile_m + i, n = bn * tile_n + j;
          T const expected = m < rows && n < columns ? host[static_cast<std::size_t>(global(m, n))] : T{};
          wrong += !(got[static_cast<std::size_t>(i + j * tile_m)] == expected);
        }
      }
      EXPECT_EQ(wrong, 0) << "tile " << bm << ", " << bn;
    }
  }
  device_buffer<T> written(host);
  auto const mOut = make_tensor(make_gmem_ptr(written.data()), global);
  auto const store = make_tma_copy(SM90_TMA_STORE{}, mOut, shared, tile, _1{});
  int const bm = (rows - 1) / tile_m, bn = (columns - 1) / tile_n, first = 5;
  launch(store_tile<std::remove_const_t<decltype(store)>, std::remove_cvref_t<decltype(global.shape())>, TileShape,
                    SharedLayout, T>,
         {.grid = 1, .block = 64, .shared_bytes = bytes}, store, global.shape(), tile, shared, bm, bn, first,
         written.data());
  for (int j = 0; j < tile_n; ++j) {
    for (int i = 0; i < tile_m; ++i) {
      int const m = bm * tile_m + i, n = bn * tile_n + j;
      if (m < rows && n < columns)
        host[static_cast<std::size_t>(global(m, n))] =
            static_cast<T>(static_cast<float>((first + i + j * tile_m) % 127));
    }
  }
  auto const got = written.download();
  std::size_t wrong = 0, last_wrong = 0;
  for (std::size_t i = 0; i < elements; ++i) {
    if (got[i] == host[i]) continue;
    ++wrong, last_wrong = i;
  }
  EXPECT_EQ(wrong, 0u) << "of the tensor after the store; the last is element " << last_wrong << ", which is "
                       << static_cast<float>(got[last_wrong]) << " for " << static_cast<float>(host[last_wrong]);
}

template <int bits, int base>
auto k_major(Shape<_64, _64> const&) {
  constexpr int row = 8 << bits;  // halves
  return tile_to_shape(composition(Swizzle<bits, base, 3>{}, Layout<Shape<_8, C<row>>, Stride<C<row>, _1>>{}),
                       Shape<_64, _64>{});
}

TEST(MakeTmaCopy, RowsContiguousWithEverySwizzle) {
  auto const global = make_layout(make_shape(150, 136), make_stride(144, _1{}));
  Shape<_64, _64> const tile{};
  expect_tiles<half_t>(global, k_major<3, 3>(tile), tile);
  expect_tiles<half_t>(global, k_major<2, 3>(tile), tile);
  expect_tiles<half_t>(global, k_major<1, 3>(tile), tile);
  expect_tiles<half_t>(global, Layout<Shape<_64, _64>, Stride<_64, _1>>{}, tile);
}

TEST(MakeTmaCopy, ColumnsContiguous) {
  auto const global = make_layout(make_shape(136, 90), make_stride(_1{}, 144));
  Shape<_64, _32> const tile{};
  auto const swizzled = tile_to_shape(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_64, _8>, Stride<_1, _64>>{}), tile);
  expect_tiles<bfloat16_t>(global, swizzled, tile);
  expect_tiles<bfloat16_t>(global, Layout<Shape<_64, _32>, Stride<_1, _64>>{}, tile);
}

TEST(MakeTmaCopy, SeveralBoxesATile) {
  auto const global = make_layout(make_shape(40, 296), make_stride(304, _1{}));
  Shape<_32, _128> const tile{};
  auto const atom = composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{});
  expect_tiles<half_t>(global, tile_to_shape(atom, tile), tile);
  expect_tiles<half_t>(global, tile_to_shape(atom, tile, Step<_2, _1>{}), tile);
  // 512 rows are two boxes of 256.
  auto const tall = make_layout(make_shape(600, 16), make_stride(16, _1{}));
  expect_tiles<float>(tall, Layout<Shape<_512, _16>, Stride<_16, _1>>{}, Shape<_512, _16>{});
}

TEST(MakeTmaCopy, OtherTypes) {
  Shape<_16, _128> const tile{};
  expect_tiles<std::int8_t>(make_layout(make_shape(20, 160), make_stride(160, _1{})),
                            composition(Swizzle<3, 4, 3>{}, Layout<Shape<_16, _128>, Stride<_128, _1>>{}), tile);
  expect_tiles<float>(make_layout(make_shape(20, 40), make_stride(40, _1{})),
                      composition(Swizzle<3, 2, 3>{}, Layout<Shape<_16, _32>, Stride<_32, _1>>{}), Shape<_16, _32>{});
  expect_tiles<double>(make_layout(make_shape(20, 40), make_stride(40, _1{})),
                       composition(Swizzle<2, 1, 3>{}, Layout<Shape<_16, _8>, Stride<_8, _1>>{}), Shape<_16, _8>{});
}

TEST(MakeTmaCopy, NestedModes) {
  // Rows are (4, 10) of two strides: a tile of 8 rows takes all of the first and two of the second.
  auto const global = make_layout(make_shape(make_shape(_4{}, 10), 64), make_stride(make_stride(640, 64), _1{}));
  expect_tiles<half_t>(global, composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{}),
                       Shape<_8, _64>{});
}

TEST(MakeTmaCopy, TheDriversRulesAreErrors) {
  alignas(16) static float memory[64 * 64];
  auto const shared = Layout<Shape<_16, _32>, Stride<_32, _1>>{};
  auto const refused = [&](float* data, int pitch, int rows = 16) -> std::string {
    try {
      make_tma_atom(SM90_TMA_LOAD{}, make_tensor(make_gmem_ptr(data), make_shape(rows, 32), make_stride(pitch, _1{})),
                    shared, Shape<_16, _32>{});
    } catch (error const& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(refused(memory, 64), "");
  EXPECT_NE(refused(memory + 1, 64).find("no multiple of 16"), std::string::npos);
  auto const says = [](std::string const& text, char const* what) { return text.find(what) != std::string::npos; };
  EXPECT_TRUE(says(refused(memory, 33), "mode 0 of the tensor has a stride of 132 bytes"));
  EXPECT_TRUE(says(refused(memory, 33), "pad the rows"));
  EXPECT_TRUE(says(refused(memory, 0), "leave out a mode whose indices all have the same elements"));
  EXPECT_TRUE(says(refused(memory, -64), "from its other end"));
  EXPECT_TRUE(says(refused(memory, 64, 0), "mode 0 of the tensor has 0 elements"));
  EXPECT_EQ(refused(memory, 33, 1), "");  // one row may have any stride
}

}  // namespace
