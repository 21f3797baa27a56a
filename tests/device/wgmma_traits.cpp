// SPDX-License-Identifier: Apache-2.0
// Warpgroup matrix instructions as atoms of a tiled MMA: gemm of tiles in shared memory, in every layout that the
// instructions read, with several instructions along M, N and K, and with A in registers.
#include <gtest/gtest.h>

#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/cosmati.hpp>
#include <cosmati/wgmma.hpp>
#include <random>
#include <vector>

#include "require_device.hpp"

using namespace cosmati;
using GMMA::Major;

namespace {

/// C (M, N), by columns, is the product of tiles A (M, K) and B (N, K) in shared memory, done twice.
template <class Mma, class LayoutA, class LayoutB, class T, class TC>
__global__ void product_of_tiles(Mma mma, LayoutA layout_a, LayoutB layout_b, T const* a, T const* b, TC* c) {
  T* const memory = dynamic_shared<T>();
  auto sA = make_tensor(make_smem_ptr(memory), layout_a);
  auto sB = make_tensor(make_smem_ptr(memory + cosize(layout_a)), layout_b);
  constexpr int threads = static_cast<int>(size(Mma{}));
  for (int i = static_cast<int>(threadIdx.x); i < size(sA); i += threads) sA(i) = a[i];
  for (int i = static_cast<int>(threadIdx.x); i < size(sB); i += threads) sB(i) = b[i];
  fence_proxy_async_shared();
  __syncthreads();
  auto const thread = mma.get_slice(static_cast<int>(threadIdx.x));
  auto const gC = make_tensor(make_gmem_ptr(c), make_shape(size<0>(layout_a), size<0>(layout_b)));
  auto tCgC = thread.partition_C(gC);
  auto sums = thread.make_fragment_C(tCgC);
  auto const tCsA = thread.partition_A(sA);
  auto const tCsB = thread.partition_B(sB);
  auto const tCrB = thread.make_fragment_B(tCsB);
  auto const multiply = [&](auto const& tCrA) {
    warpgroup_arrive();
    mma.accumulate_ = GMMA::ScaleOut::Zero;
    for (int k = 0; k < size<2>(tCrB); ++k) {
      gemm(mma, tCrA(_, _, k), tCrB(_, _, k), sums);
      mma.accumulate_ = GMMA::ScaleOut::One;
    }
    gemm(mma, tCrA, tCrB, sums);
    if constexpr (Mma::MMA_Op::source_of_A == detail::wgmma_source::shared)
      gemm(mma, tCsA, tCsB, sums);  // descriptors are made of partitions
    else
      gemm(mma, tCrA, tCsB, sums);
    warpgroup_commit_batch();
    warpgroup_wait<0>();
  };
  if constexpr (Mma::MMA_Op::source_of_A == detail::wgmma_source::shared) {
    multiply(thread.make_fragment_A(tCsA));
  } else {
    auto rA = thread.make_fragment_A(tCsA);
    copy(tCsA, rA);
    multiply(rA);
  }
  copy(sums, tCgC);
}

std::mt19937 engine(20261127);

template <class Mma, class LayoutA, class LayoutB>
void expect_product(Mma const& mma, LayoutA const& layout_a, LayoutB const& layout_b) {
  COSMATI_REQUIRE_WGMMA();
  using T = typename Mma::ValTypeA;
  using TC = typename Mma::ValTypeC;
  constexpr int M = static_cast<int>(size<0>(LayoutA{})), N = static_cast<int>(size<0>(LayoutB{})),
                K = static_cast<int>(size<1>(LayoutA{}));
  std::vector<T> a(std::size_t{M * K}), b(std::size_t{N * K});
  for (T& x : a) x = static_cast<T>(static_cast<float>(static_cast<int>(engine() % 9) - 4));
  for (T& x : b) x = static_cast<T>(static_cast<float>(static_cast<int>(engine() % 9) - 4));
  device_buffer<T> const dev_a(a), dev_b(b);
  device_buffer<TC> c(std::size_t{M * N});
  std::size_t const bytes =
      (static_cast<std::size_t>(cosize(layout_a)) + static_cast<std::size_t>(cosize(layout_b))) * sizeof(T);
  launch(product_of_tiles<Mma, LayoutA, LayoutB, T, TC>,
         {.grid = 1, .block = static_cast<unsigned>(size(mma)), .shared_bytes = bytes}, mma, layout_a, layout_b,
         dev_a.data(), dev_b.data(), c.data());
  auto const got = c.download();
  int wrong = 0;
  for (int n = 0; n < N; ++n) {
    for (int m = 0; m < M; ++m) {
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += static_cast<float>(a[static_cast<std::size_t>(m + M * k)]) *
               static_cast<float>(b[static_cast<std::size_t>(n + N * k)]);
      wrong += static_cast<float>(got[static_cast<std::size_t>(m + M * n)]) != 3 * sum;
    }
  }
  EXPECT_EQ(wrong, 0);
}

template <template <class> class AtomA, template <class> class AtomB, class Mma>
void expect_tiles(Mma const& mma) {
  using T = typename Mma::ValTypeA;
  constexpr int K = 128 / static_cast<int>(sizeof(T)) < 32 ? 32 : 128 / static_cast<int>(sizeof(T));
  expect_product(mma, tile_to_shape(AtomA<T>{}, Shape<_128, C<K>>{}), tile_to_shape(AtomB<T>{}, Shape<_64, C<K>>{}));
}

TEST(WgmmaTraits, AlongK) {
  auto const mma = make_tiled_mma(SM90_64x64x16_F32F16F16_SS<Major::K, Major::K>{});
  expect_tiles<GMMA::Layout_K_SW128_Atom, GMMA::Layout_K_SW128_Atom>(mma);
  expect_tiles<GMMA::Layout_K_SW64_Atom, GMMA::Layout_K_SW32_Atom>(mma);
  expect_tiles<GMMA::Layout_K_INTER_Atom, GMMA::Layout_K_SW128_Atom>(mma);
}
TEST(WgmmaTraits, AlongMAndN) {
  auto const mma = make_tiled_mma(SM90_64x64x16_F32BF16BF16_SS<Major::MN, Major::MN>{});
  expect_tiles<GMMA::Layout_MN_SW128_Atom, GMMA::Layout_MN_SW128_Atom>(mma);
  expect_tiles<GMMA::Layout_MN_SW64_Atom, GMMA::Layout_MN_SW32_Atom>(mma);
  expect_tiles<GMMA::Layout_MN_INTER_Atom, GMMA::Layout_MN_INTER_Atom>(mma);
}
TEST(WgmmaTraits, TwoWarpgroupsAndOtherTypes) {
  expect_tiles<GMMA::Layout_K_SW128_Atom, GMMA::Layout_K_SW128_Atom>(
      make_tiled_mma(SM90_64x32x16_F32F16F16_SS<Major::K, Major::K>{}, Layout<Shape<_2, _1, _1>>{}));
  expect_tiles<GMMA::Layout_K_SW128_Atom, GMMA::Layout_K_SW128_Atom>(
      make_tiled_mma(SM90_64x64x8_F32TF32TF32_SS_TN<>{}, Layout<Shape<_2, _1, _1>>{}));
  expect_tiles<GMMA::Layout_K_SW128_Atom, GMMA::Layout_K_SW64_Atom>(make_tiled_mma(SM90_64x32x32_S32S8S8_SS_TN{}));
}
TEST(WgmmaTraits, AInRegisters) {
  expect_tiles<GMMA::Layout_K_SW128_Atom, GMMA::Layout_K_SW128_Atom>(
      make_tiled_mma(SM90_64x64x16_F32F16F16_RS<Major::K, Major::K>{}));
  expect_tiles<GMMA::Layout_K_SW128_Atom, GMMA::Layout_MN_SW128_Atom>(
      make_tiled_mma(SM90_64x64x16_F32F16F16_RS<Major::K, Major::MN>{}, Layout<Shape<_2, _1, _1>>{}));
}

TEST(WgmmaTraits, DescriptorsArePrinted) {
  testing::internal::CaptureStdout();
  print(make_tensor(detail::descriptor_iterator<Major::K>{0x4000}, Layout<_1, _0>{}));
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "descriptor(0x4000) o _1:_0");
}

}  // namespace
