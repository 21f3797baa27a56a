// SPDX-License-Identifier: Apache-2.0
// Sparse warpgroup matrix instructions as atoms of a tiled MMA: gemm of tiles in shared memory, two instructions along
// M, N and K, with descriptors of the stored A and metadata zipped.
#include <cosmati/arch/wgmma_sparse_traits.hpp>

#include <gtest/gtest.h>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/atom/mma_sm90_gmma_sparse.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/tensor/zip_tensor.hpp>
#include <cosmati/wgmma.hpp>
#include <random>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;
using GMMA::Major;

namespace {

/// C (M, N), by columns, is the product of the stored A (M, K / 2) with its metadata by B (N, K).
/// @param e metadata of instruction (m, k): 128 registers at 128 (m + M / 64 k)
template <class Op, class LayoutA, class LayoutB>
__global__ void product_of_tiles(LayoutA layout_a, LayoutB layout_b, half_t const* a, half_t const* b,
                                 std::uint32_t const* e, float* c) {
  half_t* const memory = dynamic_shared<half_t>();
  auto sA = make_tensor(make_smem_ptr(memory), layout_a);
  auto sB = make_tensor(make_smem_ptr(memory + cosize(layout_a)), layout_b);
  int const t = static_cast<int>(threadIdx.x);
  for (int i = t; i < size(sA); i += 128) sA(i) = a[i];
  for (int i = t; i < size(sB); i += 128) sB(i) = b[i];
  fence_proxy_async_shared();
  __syncthreads();
  auto mma = make_tiled_mma(Op{});
  auto const thread = mma.get_slice(t);
  auto const stored = make_tiled_mma(typename Op::packed_row{}).get_slice(t);
  auto const tCrA = stored.make_fragment_A(stored.partition_A(sA));
  auto const tCrB = thread.make_fragment_B(thread.partition_B(sB));
  auto tCrE = make_tensor<std::uint32_t>(tCrA.shape());
  for (int i = 0; i < size(tCrE); ++i) tCrE(i) = e[128 * i + t];
  auto const gC = make_tensor(make_gmem_ptr(c), make_shape(size<0>(layout_a), size<0>(layout_b)));
  auto tCgC = thread.partition_C(gC);
  auto sums = thread.make_fragment_C(tCgC);
  auto const zipped = make_zip_tensor(tCrA, tCrE);
  warpgroup_arrive();
  mma.accumulate_ = GMMA::ScaleOut::Zero;
  gemm(mma, zipped(_, _, 0), tCrB(_, _, 0), sums);
  mma.accumulate_ = GMMA::ScaleOut::One;
  gemm(mma, zipped(_, _, 1), tCrB(_, _, 1), sums);
  warpgroup_commit_batch();
  warpgroup_wait<0>();
  copy(sums, tCgC);
}

TEST(WgmmaSparseTraits, TilesInSharedMemory) {
  COSMATI_REQUIRE_WGMMA();
  using Op = GMMA::SPARSE::GMMA_64x64x32_F32F16F16_SS<Major::K, Major::K>;
  constexpr int M = 128, N = 128, K = 64;
  auto const layout_a = tile_to_shape(GMMA::Layout_K_SW64_Atom<half_t>{}, Shape<C<M>, C<K / 2>>{});
  auto const layout_b = tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<C<N>, C<K>>{});
  std::mt19937 engine(20261127);
  auto const number = [&] { return static_cast<float>(static_cast<int>(engine() % 9) - 4); };
  std::vector<half_t> a(std::size_t{M * K / 2}), b(std::size_t{N * K});
  std::vector<float> whole(std::size_t{M * K});
  std::vector<std::uint32_t> e(std::size_t{128 * (M / 64) * (K / 32)});
  for (int m = 0; m < M; ++m) {
    for (int k = 0; k < K; k += 4) {
      int const one = static_cast<int>(engine() % 3),
                other = one + 1 + static_cast<int>(engine() % static_cast<unsigned>(3 - one));
      int const places[] = {one, other};
      for (int i = 0; i < 2; ++i) {
        float const x = number();
        whole[static_cast<std::size_t>(m * K + k + places[i])] = x;
        a[static_cast<std::size_t>(m + M * (k / 2 + i))] = half_t(x);
      }
      // Lane 4 g + p of the row's warp: p is the half of the 32 columns; rows g below rows g + 8.
      int const thread = m % 64 / 16 * 32 + m % 8 * 4 + k % 32 / 16, shift = m / 8 % 2 * 16 + k % 16;
      int const instruction = m / 64 + M / 64 * (k / 32);
      e[static_cast<std::size_t>(128 * instruction + thread)] |= static_cast<std::uint32_t>(one | other << 2) << shift;
    }
  }
  for (half_t& x : b) x = half_t(number());
  device_buffer<half_t> const dev_a(a), dev_b(b);
  device_buffer<std::uint32_t> const dev_e(e);
  device_buffer<float> c(std::size_t{M * N});
  launch(product_of_tiles<Op, std::remove_const_t<decltype(layout_a)>, std::remove_const_t<decltype(layout_b)>>,
         {.grid = 1, .block = 128, .shared_bytes = (M * K / 2 + N * K) * sizeof(half_t)}, layout_a, layout_b,
         dev_a.data(), dev_b.data(), dev_e.data(), c.data());
  auto const got = c.download();
  int wrong = 0;
  for (int n = 0; n < N; ++n) {
    for (int m = 0; m < M; ++m) {
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += whole[static_cast<std::size_t>(m * K + k)] * static_cast<float>(b[static_cast<std::size_t>(n + N * k)]);
      wrong += got[static_cast<std::size_t>(m + M * n)] != sum;
    }
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
