// SPDX-License-Identifier: Apache-2.0
// A product in the style of CuTe's programs for Hopper: tiles come by tensor copies, four warps multiply them where
// they are, and the result goes back by a tensor copy.
#include <cute/arch/cluster_sm90.hpp>
#include <cute/arch/copy_sm90_tma.hpp>
#include <cute/arch/mma_sm90.hpp>
#include <cute/arch/mma_sm90_gmma.hpp>
#include <cute/atom/copy_traits_sm90_tma.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>
#include <cute/tensor.hpp>

#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/dynamic_shared.hpp>
#include <cosmati/runtime/launch.hpp>
#include <tuple>
#include <vector>

using namespace cute;

namespace {

using T = half_t;
using TileShape = Shape<_64, _64, _64>;
constexpr int stages = 2;

template <class TmaA, class TmaB, class TmaC, class Mma, class LayoutA, class LayoutB, class LayoutC>
__global__ void product(TmaA const __grid_constant__ tma_a, TmaB const __grid_constant__ tma_b,
                        TmaC const __grid_constant__ tma_c, Mma mma, LayoutA layout_a, LayoutB layout_b,
                        LayoutC layout_c, int M, int N, int K) {
  auto const tile = TileShape{};
  auto const at = make_coord(static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y), _);
  Tensor gA = local_tile(tma_a.get_tma_tensor(make_shape(M, K)), tile, at, Step<_1, X, _1>{});
  Tensor gB = local_tile(tma_b.get_tma_tensor(make_shape(N, K)), tile, at, Step<X, _1, _1>{});
  Tensor gC = local_tile(tma_c.get_tma_tensor(make_shape(M, N)), tile, at, Step<_1, _1, X>{});
  T* const memory = cosmati::dynamic_shared<T>();
  Tensor sA = make_tensor(make_smem_ptr(memory), layout_a);
  Tensor sB = make_tensor(make_smem_ptr(memory + cosize(layout_a)), layout_b);
  Tensor sC = make_tensor(make_smem_ptr(memory), layout_c);
  __shared__ uint64_t full[stages];

  auto const [tAgA, tAsA] = tma_partition(tma_a, Int<0>{}, Layout<_1>{}, group_modes<0, 2>(sA), group_modes<0, 2>(gA));
  auto const [tBgB, tBsB] = tma_partition(tma_b, Int<0>{}, Layout<_1>{}, group_modes<0, 2>(sB), group_modes<0, 2>(gB));
  bool const leads = threadIdx.x / 32 == 0 && elect_one_sync();
  if (leads) {
    for (auto& barrier : full) initialize_barrier(barrier, 1);
    cosmati::fence_barrier_init();
  }
  __syncthreads();
  constexpr int bytes = 2 * 64 * 64 * static_cast<int>(sizeof(T));
  int const tiles = size<2>(gA);
  for (int k = 0; leads && k < stages && k < tiles; ++k) {
    set_barrier_transaction_bytes(full[k], bytes);
    copy(tma_a.with(full[k]), tAgA(_, k), tAsA(_, k));
    copy(tma_b.with(full[k]), tBgB(_, k), tBsB(_, k));
  }

  auto const thread = mma.get_thread_slice(static_cast<int>(threadIdx.x));
  Tensor tCrA = thread.make_fragment_A(thread.partition_A(sA));
  Tensor tCrB = thread.make_fragment_B(thread.partition_B(sB));
  Tensor tCsC = thread.partition_C(sC);
  Tensor tCrC = thread.make_fragment_C(tCsC);
  clear(tCrC);
  for (int k = 0; k < tiles; ++k) {
    int const stage = k % stages;
    wait_barrier(full[stage], (k / stages) & 1);
    for (int i = 0; i < size(tCrC); ++i) warpgroup_fence_operand(tCrC(i));
    warpgroup_arrive();
    gemm(mma, tCrA(_, _, _, stage), tCrB(_, _, _, stage), tCrC);
    warpgroup_commit_batch();
    warpgroup_wait<0>();
    __syncthreads();
    if (leads && k + stages < tiles) {
      set_barrier_transaction_bytes(full[stage], bytes);
      copy(tma_a.with(full[stage]), tAgA(_, k + stages), tAsA(_, stage));
      copy(tma_b.with(full[stage]), tBgB(_, k + stages), tBsB(_, stage));
    }
  }
  Tensor tCrH = make_fragment_like<T>(tCrC);
  copy(tCrC, tCrH);
  copy(tCrH, tCsC);
  tma_store_fence();
  __syncthreads();
  if (leads) {
    auto const store = tma_c.get_slice(0);
    copy(tma_c, store.partition_S(sC), store.partition_D(gC));
    tma_store_arrive();
    tma_store_wait<0>();
  }
}

TEST(CuteHopper, AtomsByName) {
  using Half = MMA_Atom<SM90_64x64x16_F16F16F16_SS<GMMA::Major::K, GMMA::Major::MN>>;
  static_assert(std::is_same_v<typename Half::Shape_MNK, Shape<_64, _64, _16>> &&
                std::is_same_v<typename Half::ValTypeC, half_t> && size(typename Half::ThrID{}) == 128);
  // Thread 4 g + t of warp w has rows 16 w + g and + 8, columns 2 t and 2 t + 1 of each eight: index row + 64 column.
  EXPECT_EQ((typename Half::LayoutC_TV{}(37, 2)), 16 + 1 + 8 + 64 * 2);
}

/// A (M, K), B (N, K), and their product as the kernel should give it.
struct problem {
  static constexpr int M = 100, N = 72, K = 200;
  std::vector<T> a = std::vector<T>(std::size_t{M} * K), b = std::vector<T>(std::size_t{N} * K),
                 product = std::vector<T>(std::size_t{M} * N);
  problem() {
    for (std::size_t i = 0; i < a.size(); ++i)
      a[i] = static_cast<T>(static_cast<float>(static_cast<int>(i * 7 % 5) - 2));
    for (std::size_t i = 0; i < b.size(); ++i)
      b[i] = static_cast<T>(static_cast<float>(static_cast<int>(i * 3 % 7) - 3));
    for (int m = 0; m < M; ++m) {
      for (int n = 0; n < N; ++n) {
        float sum = 0;
        for (int k = 0; k < K; ++k)
          sum += static_cast<float>(a[static_cast<std::size_t>(m * K + k)]) *
                 static_cast<float>(b[static_cast<std::size_t>(n * K + k)]);
        product[static_cast<std::size_t>(m * N + n)] = static_cast<T>(sum);
      }
    }
  }
};

using LayoutAB = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<T>{}, Shape<_64, _64, Int<stages>>{}));
using LayoutC = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<T>{}, Shape<_64, _64>{}));

/// @param make gives (copy of A, copy of B, copy of C) for the three tensors
template <class Make, class Mma>
void expect_product(Make const& make, Mma const& mma) {
  problem const p;
  int const M = problem::M, N = problem::N, K = problem::K;
  cosmati::device_buffer<T> const in_a(p.a), in_b(p.b);
  cosmati::device_buffer<T> out(std::vector<T>(p.product.size(), T(0.f)));
  Tensor mA = make_tensor(make_gmem_ptr(in_a.data()), make_shape(M, K), make_stride(K, _1{}));
  Tensor mB = make_tensor(make_gmem_ptr(in_b.data()), make_shape(N, K), make_stride(K, _1{}));
  Tensor mC = make_tensor(make_gmem_ptr(out.data()), make_shape(M, N), make_stride(N, _1{}));
  auto const [tma_a, tma_b, tma_c] = make(mA, mB, mC);
  auto const kernel = product<std::remove_cvref_t<decltype(tma_a)>, std::remove_cvref_t<decltype(tma_b)>,
                              std::remove_cvref_t<decltype(tma_c)>, Mma, LayoutAB, LayoutAB, LayoutC>;
  cosmati::launch(kernel, {.grid = dim3(2, 2), .block = 128, .shared_bytes = 2 * stages * 64 * 64 * sizeof(T)}, tma_a,
                  tma_b, tma_c, mma, LayoutAB{}, LayoutAB{}, LayoutC{}, M, N, K);
  EXPECT_EQ(out.download(), p.product);
}

TEST(CuteHopper, AProductOfTilesThatCopiesBring) {
  expect_product(
      [](auto const& mA, auto const& mB, auto const& mC) {
        return std::make_tuple(make_tma_atom(SM90_TMA_LOAD{}, mA, LayoutAB{}(_, _, 0), Shape<_64, _64>{}),
                               make_tma_atom(SM90_TMA_LOAD{}, mB, LayoutAB{}(_, _, 0), Shape<_64, _64>{}),
                               make_tma_copy(SM90_TMA_STORE{}, mC, LayoutC{}));
      },
      make_tiled_mma(SM90_64x64x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>{}));
}

TEST(CuteHopper, TheSameByBuilders) {
  using Cluster = Shape<_1, _1, _1>;
  expect_product(
      [](auto const& mA, auto const& mB, auto const& mC) {
        return std::make_tuple(make_tma_copy_A_sm90(SM90_TMA_LOAD{}, mA, LayoutAB{}(_, _, 0), TileShape{}, Cluster{}),
                               make_tma_copy_B_sm90(SM90_TMA_LOAD{}, mB, LayoutAB{}(_, _, 0), TileShape{}, Cluster{}),
                               make_tma_copy_C_sm90(SM90_TMA_STORE{}, mC, LayoutC{}, TileShape{}));
      },
      make_tiled_mma(cute::GMMA::ss_op_selector<T, T, float, TileShape>()));
}

TEST(CuteHopper, Selectors) {
  using SS = decltype(SM90::GMMA::ss_op_selector<half_t, half_t, float, Shape<_128, _192, _64>, GMMA::Major::MN,
                                                 GMMA::Major::K, GMMA::ScaleIn::Neg>());
  static_assert(
      std::is_base_of_v<SS, SM90_64x192x16_F32F16F16_SS<GMMA::Major::MN, GMMA::Major::K, GMMA::ScaleIn::Neg>>);
  using RS = decltype(SM90::GMMA::rs_op_selector<int8_t, uint8_t, int32_t, Shape<_64, Int<160>, _64>>());
  static_assert(RS::N == 160 && RS::K == 32);
  EXPECT_EQ((MMA_Traits<SS>::Shape_MNK{}), (Shape<_64, _192, _16>{}));
}

}  // namespace
