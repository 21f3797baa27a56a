// SPDX-License-Identifier: Apache-2.0
// Tiled copies in kernels, one source for either device: through shared memory and direct, whole and ragged, every
// type.
#include <gtest/gtest.h>

#include <cosmati/cosmati.hpp>
#include <numeric>

#include "require_device.hpp"

using namespace cosmati;

template <class TiledCopy>
__global__ void through_shared(float const* in, float* out, int rows, TiledCopy tiled_copy) {
  float* stage = dynamic_shared<float>();
  auto sT = make_tensor(make_smem_ptr(stage), Layout<Shape<_32, _64>, Stride<_64, _1>>{});
  auto mIn = make_tensor(make_gmem_ptr(in), make_shape(rows, _64{}), make_stride(_64{}, _1{}));
  auto mOut = make_tensor(make_gmem_ptr(out), mIn.layout());
  auto gIn = local_tile(mIn, Shape<_32, _64>{}, make_coord(blockIdx.x, _0{}));
  auto gOut = local_tile(mOut, Shape<_32, _64>{}, make_coord(blockIdx.x, _0{}));
  auto thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(gIn), thread.partition_D(sT));
  __syncthreads();
  copy(tiled_copy, thread.partition_S(sT), thread.partition_D(gOut));
}

TEST(TiledCopyKernel, ThroughSharedMemory) {
  COSMATI_REQUIRE_DEVICE();
  std::vector<float> host(96 * 64);
  std::iota(host.begin(), host.end(), 0.f);
  device_buffer<float> in(host), out(host.size());
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                    Layout<Shape<_16, _16>, Stride<_16, _1>>{}, Layout<Shape<_1, _4>>{});
  launch(through_shared<decltype(tiled_copy)>, {.grid = 3, .block = 256, .shared_bytes = 32 * 64 * sizeof(float)},
         in.data(), out.data(), 96, tiled_copy);
  EXPECT_EQ(out.download(), host);
}

/// Copies a matrix of rows `ld` elements apart by blocks of tiles; each block walks along its row of tiles.
template <class T, class TiledCopy>
__global__ void ragged(T const* in, T* out, int m, int n, int ld, bool staged, TiledCopy tiled_copy) {
  T* stage = dynamic_shared<T>();
  using Tile = typename TiledCopy::Tiler_MN;
  auto layout = make_layout(make_shape(m, n), make_stride(ld, _1{}));
  auto mIn = make_tensor(make_gmem_ptr(in), layout);
  auto mOut = make_tensor(make_gmem_ptr(out), layout);
  auto sT = make_tensor(make_smem_ptr(stage), make_layout(Tile{}, LayoutRight{}));
  auto gIn = local_tile(mIn, Tile{}, make_coord(blockIdx.x, _));
  auto gOut = local_tile(mOut, Tile{}, make_coord(blockIdx.x, _));
  auto thread = tiled_copy.get_slice(threadIdx.x);
  auto tIn = thread.partition_S(gIn);
  auto tOut = thread.partition_D(gOut);
  for (int k = 0; k < static_cast<int>(size<2>(gIn)); ++k) {
    if (staged) {
      copy(tiled_copy, tIn(_, _, _, k), thread.partition_D(sT), shape(mIn));
      __syncthreads();
      copy(tiled_copy, thread.partition_S(sT), tOut(_, _, _, k), shape(mOut));
      __syncthreads();
    } else {
      copy(tiled_copy, tIn(_, _, _, k), tOut(_, _, _, k), shape(mIn));
    }
  }
}

template <class T, class Atom, class Val>
void check_ragged(std::initializer_list<int> rows, std::initializer_list<int> columns) {
  auto tiled_copy = make_tiled_copy(Copy_Atom<Atom, T>{}, Layout<Shape<_8, _4>, Stride<_4, _1>>{}, Val{});
  int const per_16 = static_cast<int>(16 / sizeof(T));
  for (int m : rows) {
    for (int n : columns) {
      int const ld = (n + per_16 - 1) / per_16 * per_16;
      std::size_t const size = static_cast<std::size_t>((m - 1) * ld + n);
      std::vector<T> host(size), nothing(size, static_cast<T>(101));
      for (std::size_t i = 0; i < size; ++i) host[i] = static_cast<T>(i % 100);
      std::vector<T> expected = nothing;
      for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j)
          expected[static_cast<std::size_t>(i * ld + j)] = host[static_cast<std::size_t>(i * ld + j)];
      }
      for (bool staged : {false, true}) {
        device_buffer<T> in(host), out(nothing);
        launch(ragged<T, decltype(tiled_copy)>,
               {.grid = static_cast<unsigned>((m + 7) / 8), .block = 32, .shared_bytes = 8 * 64 * sizeof(T)}, in.data(),
               out.data(), m, n, ld, staged, tiled_copy);
        std::vector<T> const got = out.download();
        for (std::size_t i = 0; i < size; ++i) {
          ASSERT_TRUE(got[i] == expected[i]) << m << " x " << n << ", offset " << i << (staged ? ", staged" : "");
        }
      }
    }
  }
}

TEST(TiledCopyKernel, RaggedEveryResidue) {
  COSMATI_REQUIRE_DEVICE();
  check_ragged<float, UniversalCopy<uint128_t>, Layout<Shape<_1, _4>>>(
      {1, 8, 13}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 31, 32, 33});
  check_ragged<float, UniversalCopy<float>, Layout<Shape<_1, _2>>>({1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17}, {7, 8});
}

TEST(TiledCopyKernel, RaggedEveryType) {
  COSMATI_REQUIRE_DEVICE();
  check_ragged<std::int8_t, UniversalCopy<uint128_t>, Layout<Shape<_1, _16>>>({9}, {15, 64, 70});
  check_ragged<std::uint16_t, UniversalCopy<std::uint64_t>, Layout<Shape<_1, _4>>>({9}, {15, 16, 21});
  check_ragged<half_t, UniversalCopy<uint128_t>, Layout<Shape<_1, _8>>>({9}, {31, 32, 35});
  check_ragged<bfloat16_t, UniversalCopy<std::uint32_t>, Layout<Shape<_1, _2>>>({9}, {7, 8, 9});
  check_ragged<std::int64_t, UniversalCopy<uint128_t>, Layout<Shape<_1, _2>>>({9}, {7, 8, 9});
  check_ragged<double, UniversalCopy<double>, Layout<Shape<_1, _1>>>({9}, {3, 4, 5});
  check_ragged<float, AutoVectorizingCopy, Layout<Shape<_1, _4>>>({9}, {15, 16, 17});
}

/// Reads rows and writes rows of the transpose. Shared memory transposes the tile.
template <class T, class SharedLayout, class TiledCopy>
__global__ void transpose(T const* in, T* out, int m, int n, SharedLayout shared, TiledCopy tiled_copy) {
  T* stage = dynamic_shared<T>();
  auto mIn = make_tensor(make_gmem_ptr(in), make_shape(m, n), make_stride(n, _1{}));
  auto mOut = make_tensor(make_gmem_ptr(out), make_shape(n, m), make_stride(m, _1{}));
  auto sIn = make_tensor(make_smem_ptr(stage), shared);
  auto sOut = make_tensor(make_smem_ptr(stage), composition(shared, Layout<Shape<_32, _32>, Stride<_32, _1>>{}));
  auto gIn = local_tile(mIn, Shape<_32, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  auto gOut = local_tile(mOut, Shape<_32, _32>{}, make_coord(blockIdx.y, blockIdx.x));
  auto thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(gIn), thread.partition_D(sIn), shape(mIn));
  __syncthreads();
  copy(tiled_copy, thread.partition_S(sOut), thread.partition_D(gOut), shape(mOut));
}

template <class T, class SharedLayout>
void check_transpose(int m, int n, SharedLayout shared) {
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<T>, T>{}, Layout<Shape<_4, _32>, Stride<_32, _1>>{},
                                    Layout<Shape<_1, _1>>{});
  std::vector<T> host(static_cast<std::size_t>(m * n)), expected(host.size());
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      host[static_cast<std::size_t>(i * n + j)] = expected[static_cast<std::size_t>(j * m + i)] =
          static_cast<T>((i * n + j) % 251);
    }
  }
  device_buffer<T> in(host), out(host.size());
  dim3 const grid(static_cast<unsigned>((m + 31) / 32), static_cast<unsigned>((n + 31) / 32));
  launch(transpose<T, SharedLayout, decltype(tiled_copy)>,
         {.grid = grid, .block = 128, .shared_bytes = 33 * 32 * sizeof(T)}, in.data(), out.data(), m, n, shared,
         tiled_copy);
  EXPECT_TRUE(out.download() == expected) << m << " x " << n;
}

TEST(TiledCopyKernel, Transpose) {
  COSMATI_REQUIRE_DEVICE();
  using Padded = Layout<Shape<_32, _32>, Stride<Int<33>, _1>>;
  check_transpose<float>(64, 96, Padded{});
  check_transpose<float>(45, 70, Padded{});
  check_transpose<std::uint8_t>(33, 31, Padded{});
  check_transpose<double>(1, 100, Padded{});
  check_transpose<float>(45, 70, composition(Swizzle<5, 0, 5>{}, Layout<Shape<_32, _32>, Stride<_32, _1>>{}));
}

/// Operands of a product: A by (m, k), B by (n, k), tiles along k, by a block's projections.
__global__ void tile_sums(float const* a, float* sums, int m, int k) {
  auto mA = make_tensor(make_gmem_ptr(a), make_shape(m, k), make_stride(_1{}, m));
  auto tiler = Shape<_16, _64, _8>{};
  auto gA = local_tile(mA, tiler, make_coord(blockIdx.x, blockIdx.y, _), Step<_1, X, _1>{});
  auto tA = local_partition(gA, Layout<Shape<_16, _2>>{}, threadIdx.x);
  float sum = 0;
  for (int tile = 0; tile < static_cast<int>(size<2>(gA)); ++tile) {
    for (int j = 0; j < 4; ++j) sum += tA(0, j, tile);
  }
  if (blockIdx.y == 0) atomicAdd(sums + blockIdx.x, sum);
}

TEST(LocalTileKernel, LoopOverK) {
  COSMATI_REQUIRE_DEVICE();
  std::vector<float> host(48 * 40);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i % 7);
  std::vector<float> expected(3, 0);
  for (std::size_t i = 0; i < host.size(); ++i) expected[i % 48 / 16] += host[i];
  device_buffer<float> a(host), sums(3);
  sums.clear();
  launch(tile_sums, {.grid = dim3(3, 2), .block = 32}, a.data(), sums.data(), 48, 40);
  EXPECT_EQ(sums.download(), expected);
}

/// Copies every second vector by predicates, through registers.
template <class TiledCopy>
__global__ void some_vectors(float const* in, float* out, int n, TiledCopy tiled_copy) {
  auto shape_of = make_shape(_8{}, n);
  auto gIn = make_tensor(make_gmem_ptr(in), shape_of, make_stride(n, _1{}));
  auto gOut = make_tensor(make_gmem_ptr(out), shape_of, make_stride(n, _1{}));
  auto thread = tiled_copy.get_slice(threadIdx.x);
  auto tIn = thread.partition_S(gIn);
  auto tOut = thread.partition_D(gOut);
  auto tC = thread.partition_S(make_identity_tensor(shape_of));
  auto fragment = make_tensor<float>(Layout<Shape<_4>>{});
  for (int k = 0; k < static_cast<int>(size<2>(tIn)); ++k) {
    auto each = make_tensor<bool>(Layout<Shape<_4>>{});
    for (int v = 0; v < 4; ++v) each(v) = elem_less(tC(v, 0, k), shape_of);
    clear(fragment);
    copy_if(tiled_copy, each, tIn(_, 0, k), fragment);
    transform(fragment, [](float x) { return 2 * x; });
    copy_if(tiled_copy, each, fragment, tOut(_, 0, k));
  }
}

TEST(CopyIfKernel, ThroughRegisters) {
  COSMATI_REQUIRE_DEVICE();
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                    Layout<Shape<_8, _4>, Stride<_4, _1>>{}, Layout<Shape<_1, _4>>{});
  for (int n : {4, 20, 36}) {
    std::vector<float> host(static_cast<std::size_t>(8 * n)), expected(host.size());
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i), expected[i] = 2 * host[i];
    device_buffer<float> in(host), out(host.size());
    launch(some_vectors<decltype(tiled_copy)>, {.grid = 1, .block = 32}, in.data(), out.data(), n, tiled_copy);
    EXPECT_EQ(out.download(), expected) << n;
  }
}

template <class T, unsigned threads, class Gmem, class Smem>
__global__ void cooperatively(T const* in, T* out, Gmem gmem, Smem smem) {
  T* stage = dynamic_shared<T>();
  auto sT = make_tensor(make_smem_ptr(stage), smem);
  cooperative_copy<threads>(threadIdx.x, make_tensor(make_gmem_ptr(in), gmem), sT);
  __syncthreads();
  cooperative_copy<threads, 8 * sizeof(T)>(threadIdx.x, sT, make_tensor(make_gmem_ptr(out), gmem));
}

template <class T, unsigned threads, class Gmem, class Smem>
void check_cooperative(Gmem gmem, Smem smem) {
  std::vector<T> host(static_cast<std::size_t>(cosize(gmem)));
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<T>(i % 100 + 1);
  device_buffer<T> in(host), out(host.size());
  launch(cooperatively<T, threads, Gmem, Smem>, {.grid = 1, .block = threads + 5, .shared_bytes = 16384}, in.data(),
         out.data(), gmem, smem);
  EXPECT_TRUE(out.download() == host);
}

TEST(CooperativeCopyKernel, ThereAndBack) {
  COSMATI_REQUIRE_DEVICE();
  Layout<Shape<_32, _32>> const columns{};
  Layout<Shape<_32, _32>, Stride<_32, _1>> const rows{};
  check_cooperative<float, 64>(columns, columns);
  check_cooperative<float, 100>(rows, columns);
  check_cooperative<half_t, 32>(rows, composition(Swizzle<2, 3, 3>{}, rows));
  check_cooperative<std::int8_t, 96>(Layout<Shape<_7, _9>>{}, Layout<Shape<_7, _9>, Stride<_9, _1>>{});
  check_cooperative<double, 33>(Layout<Shape<_5>>{}, Layout<Shape<_5>>{});
}

__global__ void printing() {
  if (threadIdx.x == 0) {
    print(Layout<Shape<_8, _4>, Stride<_1, _8>>{});
    print("\n");
    print_tensor(make_identity_tensor(make_shape(1, 2)), false);
  }
}

TEST(PrintKernel, CompilesAndRuns) {
  COSMATI_REQUIRE_DEVICE();
  launch(printing, {.grid = 1, .block = 32});
}
