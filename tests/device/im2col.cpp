// SPDX-License-Identifier: Apache-2.0
// The matrix of a convolution by tensor copies of the mode im2col: every tile is compared with the images, element by
// element. Padding, steps, dilation, a filter, and tiles behind the last pixel.
#include <cosmati/tma/im2col.hpp>

#include <gtest/gtest.h>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/cluster.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/tma/tma_partition.hpp>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

using Tile = Shape<_32, _32>;  // pixels, channels
using Shared = decltype(tile_to_shape(composition(Swizzle<2, 3, 3>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{}),
                                      Shape<_32, _32>{}));  // rows of 64 bytes of halves

/// Block (x, y) brings pixels 32 x... and filter position y, channels 0..31 and 32..., and gives them one after the
/// other. The blocks of a cluster of `sharing` along z share their tiles.
template <class Tma>
__global__ void bring_tile(Tma const __grid_constant__ tma, int filter_w, int sharing, half_t* out) {
  __shared__ std::uint64_t full;
  auto sA = make_tensor(make_smem_ptr(dynamic_shared<half_t>()), Shared{});
  auto const mA = tma.get_tma_tensor(0);
  int const position = static_cast<int>(blockIdx.y), thread = static_cast<int>(threadIdx.x);
  auto const gA = local_tile(mA, Shape<_32, Shape<_32>>{}, make_coord(static_cast<int>(blockIdx.x), _));
  int const chunks = static_cast<int>(get<0>(get<1>(mA.shape()))) / 32;
  if (thread == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
  }
  cluster_sync();
  for (int chunk = 0; chunk < chunks; ++chunk) {
    if (thread == 0) {
      set_barrier_transaction_bytes(full, 32 * 32 * sizeof(half_t));
      auto const part = tma.get_slice(static_cast<int>(blockIdx.z) % sharing);
      auto const tile = gA(_, _, make_coord(chunk, position % filter_w, position / filter_w));
      prefetch(tma, part.partition_S(tile));
      if (sharing == 1)
        copy(tma.with(full), part.partition_S(tile), part.partition_D(sA));
      else
        copy(tma.with(full, 3), part.partition_S(tile), part.partition_D(sA));
    }
    wait_barrier(full, chunk % 2);
    int const block = static_cast<int>(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
    for (int i = thread; i < 32 * 32; i += 32) out[(block * chunks + chunk) * 32 * 32 + i] = sA(i % 32, i / 32);
    fence_proxy_async_shared();
    cluster_sync();
  }
}

/// A convolution of images (n, h, w, c) by a filter (r, s).
struct convolution {
  int n, h, w, c;  // images
  int r, s;        // filter
  int pad, step, dilation;
  int reach(int filter) const { return (filter - 1) * dilation; }
  int pixels(int extent, int filter) const { return (extent + 2 * pad - reach(filter) - 1) / step + 1; }
};

template <class Op, int blocks>
void expect_matrix(convolution const& v) {
  COSMATI_REQUIRE_DEVICE();
  if (!device_has_tensor_copies()) GTEST_SKIP() << "the GPU has no tensor copies";
  std::vector<half_t> host(static_cast<std::size_t>(v.n * v.h * v.w * v.c));
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = half_t(static_cast<float>(1 + i % 2039));
  device_buffer<half_t> const in(host);
  auto const images = make_tensor(make_gmem_ptr(in.data()),
                                  make_layout(make_shape(make_shape(v.w, v.h, v.n), v.c),
                                              make_stride(make_stride(v.c, v.w * v.c, v.h * v.w * v.c), _1{})));
  // The box goes from -pad to where the filter's last position reaches the padding's end.
  auto const lower = make_coord(-v.pad, -v.pad), upper = make_coord(v.pad - v.reach(v.s), v.pad - v.reach(v.r));
  auto const padding = make_coord(v.pad, v.pad);
  auto const tma =
      make_im2col_tma_copy(Op{}, images, Shared{}, Tile{}, C<blocks>{}, lower, upper, lower, padding,
                           make_coord(v.step, v.step), make_coord(0, 0), make_coord(v.dilation, v.dilation));
  int const q = v.pixels(v.w, v.s), p = v.pixels(v.h, v.r), rows = q * p * v.n, chunks = v.c / 32;
  unsigned const tiles = static_cast<unsigned>((rows + 31) / 32), positions = static_cast<unsigned>(v.r * v.s);
  device_buffer<half_t> out(std::size_t{tiles} * positions * blocks * static_cast<std::size_t>(chunks) * 32 * 32);
  launch(bring_tile<std::remove_const_t<decltype(tma)>>,
         {.grid = dim3(tiles, positions, blocks),
          .block = 32,
          .shared_bytes = 32 * 32 * sizeof(half_t),
          .cluster = dim3(1, 1, blocks)},
         tma, v.s, int{blocks}, out.data());
  auto const got = out.download();
  int wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    int const pixel_of_tile = static_cast<int>(i % 32), channel_of_tile = static_cast<int>(i / 32 % 32);
    int const chunk = static_cast<int>(i / 1024) % chunks, block = static_cast<int>(i / 1024) / chunks;
    int const m = block % static_cast<int>(tiles) * 32 + pixel_of_tile;
    int const position = block / static_cast<int>(tiles) % static_cast<int>(positions);
    int const x = m % q * v.step - v.pad + position % v.s * v.dilation;
    int const y = m / q % p * v.step - v.pad + position / v.s * v.dilation, image = m / (q * p);
    bool const inside = x >= 0 && x < v.w && y >= 0 && y < v.h && image < v.n;
    half_t const expected =
        inside ? host[static_cast<std::size_t>(((image * v.h + y) * v.w + x) * v.c + 32 * chunk + channel_of_tile)]
               : half_t(0.f);
    wrong += !(got[i] == expected);
  }
  EXPECT_EQ(wrong, 0);
}

/// Block (x, y) stores pixels 32 x... and channels 32 y..., and adds 2 to them `times` times.
template <class Store, class Add>
__global__ void put_tile(Store const __grid_constant__ store, Add const __grid_constant__ add, int times) {
  auto sA = make_tensor(make_smem_ptr(dynamic_shared<half_t>()), Shared{});
  auto const at = make_coord(static_cast<int>(blockIdx.x), make_coord(static_cast<int>(blockIdx.y), 0, 0));
  int const thread = static_cast<int>(threadIdx.x);
  for (int turn = 0; turn <= times; ++turn) {
    for (int i = thread; i < 32 * 32; i += 32)
      sA(i % 32, i / 32) = turn > 0 ? half_t(2.f) : half_t(static_cast<float>(32 * (blockIdx.x % 8) + i % 32 + i / 32));
    fence_proxy_async_shared();
    __syncthreads();
    if (thread == 0) {
      if (turn == 0) {
        auto const part = store.get_slice(0);
        copy(store, part.partition_S(sA),
             part.partition_D(local_tile(store.get_tma_tensor(0), Shape<_32, Shape<_32>>{}, at)));
      } else {
        auto const part = add.get_slice(0);
        copy(add, part.partition_S(sA),
             part.partition_D(local_tile(add.get_tma_tensor(0), Shape<_32, Shape<_32>>{}, at)));
      }
      tma_store_arrive();
      bulk_store_wait<0>();
    }
    __syncthreads();
  }
}

TEST(Im2col, StoresAndSums) {
  COSMATI_REQUIRE_DEVICE();
  if (!device_has_tensor_copies()) GTEST_SKIP() << "the GPU has no tensor copies";
  // The interior of the images: the first two pixels of a row and the last row are outside of the box.
  int const n = 3, h = 7, w = 9, c = 64, lower_w = 2, upper_h = -1, q = w - lower_w, p = h + upper_h;
  device_buffer<half_t> out(std::vector<half_t>(static_cast<std::size_t>(n * h * w * c), half_t(-1.f)));
  auto const images =
      make_tensor(make_gmem_ptr(out.data()),
                  make_layout(make_shape(make_shape(w, h, n), c), make_stride(make_stride(c, w * c, h * w * c), _1{})));
  auto const make = [&](auto op) {
    return make_im2col_tma_copy(op, images, Shared{}, make_coord(lower_w, 0), make_coord(0, upper_h),
                                make_coord(lower_w, 0), make_coord(0, upper_h), make_coord(1, 1), make_coord(0, 0),
                                make_coord(1, 1));
  };
  auto const store = make(SM90_TMA_STORE_IM2COL{});
  auto const add = make(SM90_TMA_REDUCE_IM2COL<tma_reduction::add>{});
  int const rows = n * p * q;
  launch(
      put_tile<std::remove_const_t<decltype(store)>, std::remove_const_t<decltype(add)>>,
      {.grid = dim3(static_cast<unsigned>((rows + 31) / 32), 2), .block = 32, .shared_bytes = 32 * 32 * sizeof(half_t)},
      store, add, 3);
  auto const got = out.download();
  int wrong = 0;
  for (int i = 0; i < n * h * w * c; ++i) {
    int const channel = i % c, x = i / c % w, y = i / (c * w) % h, image = i / (c * w * h);
    int const m = (image * p + y) * q + x - lower_w;
    bool const inside = x >= lower_w && y < p;
    float const expected = inside ? 6.f + static_cast<float>(m % 256 + channel % 32) : -1.f;
    wrong += !(static_cast<float>(got[static_cast<std::size_t>(i)]) == expected);
  }
  EXPECT_EQ(wrong, 0);
}

TEST(Im2col, ThreeByThreeWithPadding) { expect_matrix<SM90_TMA_LOAD_IM2COL, 1>({2, 7, 9, 64, 3, 3, 1, 1, 1}); }
TEST(Im2col, StepsAndDilation) {
  expect_matrix<SM90_TMA_LOAD_IM2COL, 1>({3, 11, 8, 32, 2, 3, 2, 2, 1});
  expect_matrix<SM90_TMA_LOAD_IM2COL, 1>({1, 12, 13, 32, 3, 2, 0, 1, 3});
}
TEST(Im2col, BlocksOfAClusterShareTiles) {
  expect_matrix<SM90_TMA_LOAD_IM2COL_MULTICAST, 2>({2, 6, 7, 64, 3, 3, 1, 1, 1});
}

}  // namespace
