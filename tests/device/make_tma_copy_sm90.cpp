// SPDX-License-Identifier: Apache-2.0
// Tensor copies of a product's operands: clusters of 2 x 2 blocks share tiles of A along N and of B along M. What each
// block gets is compared with the tensors. C is stored by the third copy.
#include <cosmati/tma/make_tma_copy_sm90.hpp>

#include <gtest/gtest.h>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/cluster.hpp>
#include <cosmati/arch/mbarrier.hpp>
#include <cosmati/cosmati.hpp>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;

namespace {

using Tiler = Shape<_64, _32, _16>;
using Cluster = Shape<_2, _2, _1>;
using SharedA = Layout<Shape<_64, _16>, Stride<_16, _1>>;
using SharedB = Layout<Shape<_32, _16>, Stride<_16, _1>>;
using SharedC = Layout<Shape<_64, _32>, Stride<_32, _1>>;

/// Each block brings its tiles of A and B with the blocks that share them, and stores C(m, n) = 100 m + n.
template <class TmaA, class TmaB, class TmaC>
__global__ void bring_tiles(TmaA const __grid_constant__ tma_a, TmaB const __grid_constant__ tma_b,
                            TmaC const __grid_constant__ tma_c, int M, int N, int K, int k, float* out_a,
                            float* out_b) {
  __shared__ std::uint64_t full;
  float* const memory = dynamic_shared<float>();
  auto sA = make_tensor(make_smem_ptr(memory), SharedA{});
  auto sB = make_tensor(make_smem_ptr(memory + 64 * 16), SharedB{});
  auto sC = make_tensor(make_smem_ptr(memory + 96 * 16), SharedC{});
  int const m = static_cast<int>(blockIdx.x), n = static_cast<int>(blockIdx.y), thread = static_cast<int>(threadIdx.x);
  int const x = m % 2, y = n % 2;  // the block in its cluster
  auto gA = local_tile(tma_a.get_tma_tensor(make_shape(M, K)), Shape<_64, _16>{}, make_coord(m, k));
  auto gB = local_tile(tma_b.get_tma_tensor(make_shape(N, K)), Shape<_32, _16>{}, make_coord(n, k));
  auto gC = local_tile(tma_c.get_tma_tensor(make_shape(M, N)), Shape<_64, _32>{}, make_coord(m, n));
  if (thread == 0) {
    initialize_barrier(full, 1);
    fence_barrier_init();
    set_barrier_transaction_bytes(full, (64 + 32) * 16 * sizeof(float));
  }
  cluster_sync();
  if (thread == 0) {
    auto const part_a = tma_a.get_slice(y);
    auto const part_b = tma_b.get_slice(x);
    auto const blocks_of_a = static_cast<std::uint16_t>(5u << x), blocks_of_b = static_cast<std::uint16_t>(3u << 2 * y);
    copy(tma_a.with(full, blocks_of_a), part_a.partition_S(gA), part_a.partition_D(sA));
    copy(tma_b.with(full, blocks_of_b), part_b.partition_S(gB), part_b.partition_D(sB));
  }
  for (int i = thread; i < 64 * 32; i += 64) sC(i) = static_cast<float>(100 * (64 * m + i % 64) + 32 * n + i / 64);
  fence_proxy_async_shared();
  __syncthreads();
  wait_barrier(full, 0);
  int const block = m + static_cast<int>(gridDim.x) * n;
  for (int i = thread; i < 64 * 16; i += 64) out_a[block * 64 * 16 + i] = sA(i);
  for (int i = thread; i < 32 * 16; i += 64) out_b[block * 32 * 16 + i] = sB(i);
  if (thread == 0) {
    auto const slice = tma_c.get_slice(0);
    copy(tma_c, slice.partition_S(sC), slice.partition_D(gC));
    tma_store_arrive();
    bulk_store_wait<0>();
  }
  cluster_sync();
}

TEST(MakeTmaCopySm90, ClustersShareTilesOfAAndB) {
  COSMATI_REQUIRE_DEVICE();
  if (!device_has_tensor_copies()) GTEST_SKIP() << "the GPU has no tensor copies";
  int const M = 200, N = 100, K = 40, k = 1;  // the last tiles leave their tensors
  std::vector<float> a(static_cast<std::size_t>(M * K)), b(static_cast<std::size_t>(N * K));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = -static_cast<float>(i);
  device_buffer<float> const in_a(a), in_b(b);
  device_buffer<float> c(std::vector<float>(static_cast<std::size_t>(M * N), -1.f));
  constexpr int blocks_m = 4, blocks_n = 4;
  device_buffer<float> out_a(std::size_t{blocks_m * blocks_n * 64 * 16}),
      out_b(std::size_t{blocks_m * blocks_n * 32 * 16});
  auto const mA = make_tensor(make_gmem_ptr(in_a.data()), make_shape(M, K), make_stride(K, _1{}));
  auto const mB = make_tensor(make_gmem_ptr(in_b.data()), make_shape(N, K), make_stride(K, _1{}));
  auto const mC = make_tensor(make_gmem_ptr(c.data()), make_shape(M, N), make_stride(N, _1{}));
  auto const tma_a = make_tma_copy_A_sm90(SM90_TMA_LOAD_MULTICAST{}, mA, SharedA{}, Tiler{}, Cluster{});
  auto const tma_b = make_tma_copy_B_sm90(SM90_TMA_LOAD_MULTICAST{}, mB, SharedB{}, Tiler{}, Cluster{});
  auto const tma_c = make_tma_copy_C_sm90(SM90_TMA_STORE{}, mC, SharedC{}, Tiler{});
  launch(bring_tiles<std::remove_const_t<decltype(tma_a)>, std::remove_const_t<decltype(tma_b)>,
                     std::remove_const_t<decltype(tma_c)>>,
         {.grid = dim3(blocks_m, blocks_n),
          .block = 64,
          .shared_bytes = (96 * 16 + 64 * 32) * sizeof(float),
          .cluster = dim3(2, 2)},
         tma_a, tma_b, tma_c, M, N, K, k, out_a.data(), out_b.data());
  auto const got_a = out_a.download(), got_b = out_b.download(), got_c = c.download();
  int wrong_a = 0, wrong_b = 0, wrong_c = 0;
  for (int block = 0; block < blocks_m * blocks_n; ++block) {
    for (int j = 0; j < 16; ++j) {
      int const column = 16 * k + j;
      for (int i = 0; i < 64; ++i) {
        int const row = block % blocks_m * 64 + i;
        float const expected = row < M && column < K ? a[static_cast<std::size_t>(row * K + column)] : 0.f;
        wrong_a += got_a[static_cast<std::size_t>(block * 1024 + i + 64 * j)] != expected;
      }
      for (int i = 0; i < 32; ++i) {
        int const row = block / blocks_m * 32 + i;
        float const expected = row < N && column < K ? b[static_cast<std::size_t>(row * K + column)] : 0.f;
        wrong_b += got_b[static_cast<std::size_t>(block * 512 + i + 32 * j)] != expected;
      }
    }
  }
  for (int i = 0; i < M * N; ++i)
    wrong_c += got_c[static_cast<std::size_t>(i)] != static_cast<float>(100 * (i / N) + i % N);
  EXPECT_EQ(wrong_a, 0);
  EXPECT_EQ(wrong_b, 0);
  EXPECT_EQ(wrong_c, 0);
}

TEST(MakeTmaCopySm90, TheDescriptorNamesAnotherType) {
  COSMATI_REQUIRE_DEVICE();
  if (!device_has_tensor_copies()) GTEST_SKIP() << "the GPU has no tensor copies";
  device_buffer<float> const memory(std::vector<float>(64 * 16));
  auto const mA = make_tensor(make_gmem_ptr(memory.data()), make_shape(64, 16), make_stride(16, _1{}));
  [[maybe_unused]] auto const tma =
      make_tma_copy_A_sm90<tfloat32_t>(SM90_TMA_LOAD{}, mA, SharedA{}, Tiler{}, Shape<_1, _1, _1>{});
  static_assert(std::is_same_v<typename decltype(tma)::ValType, float>);
#if defined(COSMATI_SIMULATED)
  EXPECT_EQ(static_cast<tensor_map_type>(tma.get_tma_descriptor()->type), tensor_map_type::tf32);
#endif
}

}  // namespace
