// SPDX-License-Identifier: Apache-2.0
// Matrix products in CuTe's words: tiles by a tiled MMA, ragged ones, cooperative ones with copy operations.
#include <cute/algorithm/cooperative_copy.hpp>
#include <cute/algorithm/cooperative_gemm.hpp>
#include <cute/tensor.hpp>

#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <random>
#include <vector>

using namespace cute;

namespace {

/// Small integers, so that every sum is exact.
template <class T>
std::vector<T> numbers(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> v(static_cast<std::size_t>(n));
  for (T& x : v) x = T(static_cast<float>(static_cast<int>(random() % 5) - 2));
  return v;
}

/// sum over k of a(m, k) b(n, k), of matrices with contiguous k.
template <class T>
float product_at(std::vector<T> const& a, std::vector<T> const& b, int K, int m, int n) {
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum += static_cast<float>(a[static_cast<std::size_t>(m * K + k)]) *
           static_cast<float>(b[static_cast<std::size_t>(n * K + k)]);
  return sum;
}

constexpr int tile = 64;

/// One tile of an sm_80 product: cp.async, a swizzle, ldmatrix, mma.sync.
__global__ static void ampere_tile(half_t const* a, half_t const* b, float* c) {
  alignas(128) __shared__ half_t memory_a[tile * tile];
  alignas(128) __shared__ half_t memory_b[tile * tile];
  auto const rows = Layout<Shape<_64, _64>, Stride<_64, _1>>{};
  auto const swizzled = composition(Swizzle<3, 3, 3>{}, rows);
  Tensor gA = make_tensor(make_gmem_ptr(a), rows);
  Tensor gB = make_tensor(make_gmem_ptr(b), rows);
  Tensor gC = make_tensor(make_gmem_ptr(c), rows);
  Tensor sA = make_tensor(make_smem_ptr(memory_a), swizzled);
  Tensor sB = make_tensor(make_smem_ptr(memory_b), swizzled);
  auto load = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, half_t>{},
                              Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
  auto load_slice = load.get_slice(threadIdx.x);
  copy(load, load_slice.partition_S(gA), load_slice.partition_D(sA));
  copy(load, load_slice.partition_S(gB), load_slice.partition_D(sB));
  cp_async_fence();
  cp_async_wait<0>();
  __syncthreads();
  TiledMMA mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{}, Tile<_32, _32, _16>{});
  ThrMMA thr_mma = mma.get_slice(threadIdx.x);
  Tensor tCrA = thr_mma.partition_fragment_A(sA);
  Tensor tCrB = thr_mma.partition_fragment_B(sB);
  Tensor tCgC = thr_mma.partition_C(gC);
  Tensor tCrC = thr_mma.make_fragment_C(tCgC);
  clear(tCrC);
  TiledCopy from_a = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);
  TiledCopy from_b = make_tiled_copy_B(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);
  auto slice_a = from_a.get_slice(threadIdx.x);
  auto slice_b = from_b.get_slice(threadIdx.x);
  Tensor tXsA = slice_a.partition_S(sA);
  Tensor tXrA = slice_a.retile_D(tCrA);
  Tensor tXsB = slice_b.partition_S(sB);
  Tensor tXrB = slice_b.retile_D(tCrB);
  CUTE_UNROLL
  for (int k = 0; k < size<2>(tCrA); ++k) {
    copy(from_a, tXsA(_, _, k), tXrA(_, _, k));
    copy(from_b, tXsB(_, _, k), tXrB(_, _, k));
    gemm(mma, tCrA(_, _, k), tCrB(_, _, k), tCrC);
  }
  axpby(1.0f, tCrC, 0.0f, tCgC);
}

TEST(CuteProducts, AmpereTile) {
  auto const a = numbers<half_t>(tile * tile, 1), b = numbers<half_t>(tile * tile, 2);
  cosmati::device_buffer<half_t> dA(a), dB(b);
  cosmati::device_buffer<float> dC(static_cast<std::size_t>(tile * tile));
  cosmati::launch(ampere_tile, {.grid = 1, .block = 128}, dA.data(), dB.data(), dC.data());
  auto const c = dC.download();
  for (int m = 0; m < tile; ++m) {
    for (int n = 0; n < tile; ++n)
      ASSERT_EQ(c[static_cast<std::size_t>(m * tile + n)], product_at(a, b, tile, m, n)) << m << ',' << n;
  }
}

/// C's partition reaches beyond C; coordinates say what is inside.
template <class ShapeC>
__global__ static void ragged_sums(float* c, ShapeC shape_c) {
  auto mma = make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_8, _4>>{});
  Tensor gC = make_tensor(make_gmem_ptr(c), shape_c);
  Tensor cC = make_identity_tensor(shape(gC));
  auto thr = mma.get_slice(threadIdx.x);
  Tensor tCgC = thr.partition_C(gC);
  Tensor tCcC = thr.partition_C(cC);
  for (int i = 0; i < size(tCgC); ++i) {
    if (elem_less(tCcC(i), shape(gC))) tCgC(i) += static_cast<float>(get<0>(tCcC(i)) + 100 * get<1>(tCcC(i)));
  }
}

TEST(CuteProducts, RaggedPartitionOfC) {
  auto const shape_c = make_shape(Int<20>{}, Int<9>{});
  std::vector<float> const zeros(180);
  cosmati::device_buffer<float> c(zeros);
  cosmati::launch(ragged_sums<std::remove_const_t<decltype(shape_c)>>, {.grid = 1, .block = 32}, c.data(), shape_c);
  auto const got = c.download();
  for (int m = 0; m < 20; ++m) {
    for (int n = 0; n < 9; ++n)
      ASSERT_EQ(got[static_cast<std::size_t>(m + 20 * n)], static_cast<float>(m + 100 * n)) << m << ',' << n;
  }
}

template <class Load, class Store>
__global__ static void cooperative_tile(half_t const* a, half_t const* b, half_t* c, int stride, half_t beta, Load load,
                                        Store store) {
  alignas(128) __shared__ half_t memory_a[32 * 32];
  alignas(128) __shared__ half_t memory_b[32 * 32];
  alignas(128) __shared__ half_t memory_c[32 * 32];
  auto const rows = Layout<Shape<_32, _32>, Stride<_32, _1>>{};
  // a stride that is known at run time only
  auto const in_memory = make_layout(Shape<_32, _32>{}, make_stride(stride, _1{}));
  Tensor sA = make_tensor(make_smem_ptr(memory_a), rows);
  Tensor sB = make_tensor(make_smem_ptr(memory_b), rows);
  Tensor sC = make_tensor(make_smem_ptr(memory_c), rows);
  cooperative_copy<128>(threadIdx.x, make_tensor(make_gmem_ptr(a), in_memory), sA);
  cooperative_copy<128>(threadIdx.x, make_tensor(make_gmem_ptr(b), in_memory), sB);
  cooperative_copy<128>(threadIdx.x, make_tensor(make_gmem_ptr(c), in_memory), sC);
  __syncthreads();
  auto mma = make_tiled_mma(SM80_16x8x16_F16F16F16F16_TN{}, Layout<Shape<_2, _2>>{}, Tile<_32, _32, _16>{});
  cooperative_gemm(threadIdx.x, mma, half_t(1), sA, sB, beta, sC, identity{}, identity{}, identity{}, identity{},
                   SM75_U32x4_LDSM_N{}, SM75_U32x4_LDSM_N{}, load, store);
  __syncthreads();
  cooperative_copy<128>(threadIdx.x, sC, make_tensor(make_gmem_ptr(c), in_memory));
}

template <class Load, class Store>
void check_cooperative(float beta, Load load, Store store) {
  auto const a = numbers<half_t>(32 * 32, 3), b = numbers<half_t>(32 * 32, 4), c = numbers<half_t>(32 * 32, 5);
  cosmati::device_buffer<half_t> dA(a), dB(b), dC(c);
  cosmati::launch(cooperative_tile<Load, Store>, {.grid = 1, .block = 128}, dA.data(), dB.data(), dC.data(), 32,
                  half_t(beta), load, store);
  auto const got = dC.download();
  for (int m = 0; m < 32; ++m) {
    for (int n = 0; n < 32; ++n) {
      auto const i = static_cast<std::size_t>(32 * m + n);
      ASSERT_EQ(static_cast<float>(got[i]), product_at(a, b, 32, m, n) + beta * static_cast<float>(c[i]))
          << m << ',' << n;
    }
  }
}

TEST(CuteProducts, CooperativeGemmWithCopyOperationsForC) {
  check_cooperative(2, DefaultCopy{}, DefaultCopy{});
  check_cooperative(2, UniversalCopy<std::uint32_t>{}, UniversalCopy<std::uint32_t>{});
  check_cooperative(2, DefaultCopy{}, SM90_U32x4_STSM_N{});
  check_cooperative(0, DefaultCopy{}, SM90_U32x2_STSM_N{});
  check_cooperative(3, SM75_U32x4_LDSM_N{}, SM90_U32x4_STSM_N{});
}

}  // namespace
