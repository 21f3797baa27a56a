// SPDX-License-Identifier: Apache-2.0
// A matrix product, C = A B, in four steps without tensor cores. The steps are: elements by thread number; tiled copies
// and a tiled MMA; operands contiguous along K, through padded shared memory; and loads that run while the block
// multiplies.
//   13_matmul [M N K]   multiples of 128, 128 and 8; 256, 128 and 32 if not given. On a GPU it says how fast each is.
#include <cosmati/cosmati.hpp>
#include <cosmati/mma.hpp>

#include "products.hpp"
using namespace cosmati;

using TileM = _128;
using TileN = _128;
using TileK = _8;

// 1. Layouts of threads say what thread t copies and multiplies. A is (M, K), B is (N, K) and C is (M, N), all
// contiguous along the first mode.
__global__ void plain(float const* a, float const* b, float* c, int M, int N, int K) {
  __shared__ float memory_a[TileM::value * TileK::value], memory_b[TileN::value * TileK::value];
  auto sA = make_tensor(make_smem_ptr(memory_a), make_layout(Shape<TileM, TileK>{}));
  auto sB = make_tensor(make_smem_ptr(memory_b), make_layout(Shape<TileN, TileK>{}));
  auto mA = make_tensor(make_gmem_ptr(a), make_shape(M, K), make_stride(_1{}, M));
  auto mB = make_tensor(make_gmem_ptr(b), make_shape(N, K), make_stride(_1{}, N));
  auto mC = make_tensor(make_gmem_ptr(c), make_shape(M, N), make_stride(_1{}, M));
  auto gA = local_tile(mA, Shape<TileM, TileK>{}, make_coord(blockIdx.x, _));  // (128, 8, tiles of K)
  auto gB = local_tile(mB, Shape<TileN, TileK>{}, make_coord(blockIdx.y, _));
  auto gC = local_tile(mC, Shape<TileM, TileN>{}, make_coord(blockIdx.x, blockIdx.y));

  Layout<Shape<_32, _8>> const copiers;
  auto tAgA = local_partition(gA, copiers, threadIdx.x);
  auto tAsA = local_partition(sA, copiers, threadIdx.x);
  auto tBgB = local_partition(gB, copiers, threadIdx.x);
  auto tBsB = local_partition(sB, copiers, threadIdx.x);
  Layout<Shape<_16, _16>> const multipliers;  // over (M, N): the rows of A, the columns of B
  auto tCsA = local_partition(sA, multipliers, threadIdx.x, Step<_1, X>{});
  auto tCsB = local_partition(sB, multipliers, threadIdx.x, Step<X, _1>{});
  auto tCgC = local_partition(gC, multipliers, threadIdx.x, Step<_1, _1>{});
  auto tCrC = make_tensor<float>(shape(tCgC));
  clear(tCrC);
  for (int k = 0; k < size<2>(gA); ++k) {
    copy(tAgA(_, _, k), tAsA);
    copy(tBgB(_, _, k), tBsB);
    __syncthreads();
    gemm(tCsA, tCsB, tCrC);
    __syncthreads();
  }
  copy(tCrC, tCgC);
}

// 2 and 3. The same with a tiled copy for each operand, and a tiled MMA. The layouts of the operands in global and in
// shared memory are parameters, so that each operand may be contiguous along either mode.
template <class StrideA, class StrideB, class LayoutSA, class LayoutSB, class CopyA, class CopyB, class Mma>
__global__ void tiled(float const* a, StrideA stride_a, float const* b, StrideB stride_b, float* c, int M, int N, int K,
                      LayoutSA layout_sa, LayoutSB layout_sb, CopyA copy_a, CopyB copy_b, Mma mma) {
  __shared__ float memory_a[cosize_v<LayoutSA>], memory_b[cosize_v<LayoutSB>];
  auto sA = make_tensor(make_smem_ptr(memory_a), layout_sa);
  auto sB = make_tensor(make_smem_ptr(memory_b), layout_sb);
  auto mA = make_tensor(make_gmem_ptr(a), make_shape(M, K), stride_a);
  auto mB = make_tensor(make_gmem_ptr(b), make_shape(N, K), stride_b);
  auto mC = make_tensor(make_gmem_ptr(c), make_shape(M, N), make_stride(_1{}, M));
  auto gA = local_tile(mA, Shape<TileM, TileK>{}, make_coord(blockIdx.x, _));
  auto gB = local_tile(mB, Shape<TileN, TileK>{}, make_coord(blockIdx.y, _));
  auto gC = local_tile(mC, Shape<TileM, TileN>{}, make_coord(blockIdx.x, blockIdx.y));

  auto thr_a = copy_a.get_slice(threadIdx.x);
  auto thr_b = copy_b.get_slice(threadIdx.x);
  auto thr_mma = mma.get_slice(threadIdx.x);
  auto tAgA = thr_a.partition_S(gA);
  auto tBgB = thr_b.partition_S(gB);
  auto tAsA = thr_a.partition_D(sA);
  auto tBsB = thr_b.partition_D(sB);
  auto tCsA = thr_mma.partition_A(sA);
  auto tCsB = thr_mma.partition_B(sB);
  auto tCgC = thr_mma.partition_C(gC);
  auto tCrC = thr_mma.make_fragment_C(tCgC);
  clear(tCrC);
  for (int k = 0; k < size<2>(gA); ++k) {
    copy(copy_a, tAgA(_, _, _, k), tAsA);
    copy(copy_b, tBgB(_, _, _, k), tBsB);
    cp_async_fence();  // of cp.async, where the copies use it
    cp_async_wait<0>();
    __syncthreads();
    gemm(mma, tCsA, tCsB, tCrC);
    __syncthreads();
  }
  copy(tCrC, tCgC);
}

// 4. The next tile is on its way to registers while the block multiplies this one.
template <class CopyA, class CopyB, class Mma>
__global__ void overlapped(float const* a, float const* b, float* c, int M, int N, int K, CopyA copy_a, CopyB copy_b,
                           Mma mma) {
  __shared__ __align__(16) float memory_a[TileM::value * TileK::value];
  __shared__ __align__(16) float memory_b[TileN::value * TileK::value];
  auto sA = make_tensor(make_smem_ptr(memory_a), make_layout(Shape<TileM, TileK>{}));
  auto sB = make_tensor(make_smem_ptr(memory_b), make_layout(Shape<TileN, TileK>{}));
  auto mA = make_tensor(make_gmem_ptr(a), make_shape(M, K), make_stride(_1{}, M));
  auto mB = make_tensor(make_gmem_ptr(b), make_shape(N, K), make_stride(_1{}, N));
  auto mC = make_tensor(make_gmem_ptr(c), make_shape(M, N), make_stride(_1{}, M));
  auto gA = local_tile(mA, Shape<TileM, TileK>{}, make_coord(blockIdx.x, _));
  auto gB = local_tile(mB, Shape<TileN, TileK>{}, make_coord(blockIdx.y, _));
  auto gC = local_tile(mC, Shape<TileM, TileN>{}, make_coord(blockIdx.x, blockIdx.y));

  auto thr_a = copy_a.get_slice(threadIdx.x);
  auto thr_b = copy_b.get_slice(threadIdx.x);
  auto thr_mma = mma.get_slice(threadIdx.x);
  auto tAgA = thr_a.partition_S(gA);
  auto tBgB = thr_b.partition_S(gB);
  auto tAsA = thr_a.partition_D(sA);
  auto tBsB = thr_b.partition_D(sB);
  auto tArA = make_fragment_like(tAsA);
  auto tBrB = make_fragment_like(tBsB);
  auto tCsA = thr_mma.partition_A(sA);
  auto tCsB = thr_mma.partition_B(sB);
  auto tCgC = thr_mma.partition_C(gC);
  auto tCrC = thr_mma.make_fragment_C(tCgC);
  clear(tCrC);
  copy(copy_a, tAgA(_, _, _, 0), tArA);
  copy(copy_b, tBgB(_, _, _, 0), tBrB);
  int const tiles = size<2>(gA);
  for (int k = 0; k < tiles; ++k) {
    __syncthreads();  // everybody has read the last tile
    copy(copy_a, tArA, tAsA);
    copy(copy_b, tBrB, tBsB);
    __syncthreads();
    int const next = k + 1 < tiles ? k + 1 : k;
    copy(copy_a, tAgA(_, _, _, next), tArA);
    copy(copy_b, tBgB(_, _, _, next), tBrB);
    gemm(mma, tCsA, tCsB, tCrC);
  }
  copy(tCrC, tCgC);
}

int main(int argc, char** argv) {
  example::products<float> all(argc, argv, 256, 128, 32, TileK::value);
  int const M = all.M, N = all.N, K = all.K;
  auto const a = all.a(false), b = all.b(false), a_rows = all.a(true), b_rows = all.b(true);
  float* const c = all.c.data();
  launch_config const how{.grid = all.grid(), .block = 256};

  all.step("plain", [&] { launch(plain, how, a.data(), b.data(), c, M, N, K); });

  auto const mma = make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_16, _16, _1>>{});
  using Mma = std::remove_const_t<decltype(mma)>;
  // 256 threads, four floats each along the mode of stride 1: one access of 16 bytes
  auto const wide =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_32, _8>>{}, Layout<Shape<_4, _1>>{});
  using Wide = std::remove_const_t<decltype(wide)>;
  auto const along_m = make_stride(_1{}, M), along_n = make_stride(_1{}, N);
  using Along = std::remove_const_t<decltype(along_m)>;
  using Columns = Layout<Shape<_128, _8>>;
  all.step("tiled", [&] {
    launch(tiled<Along, Along, Columns, Columns, Wide, Wide, Mma>, how, a.data(), along_m, b.data(), along_n, c, M, N,
           K, Columns{}, Columns{}, wide, wide, mma);
  });

  // Contiguous along K in global memory, along M and N in shared memory. Threads next to each other along K write
  // addresses 128 floats apart, all in one bank. One float of padding puts each into a bank of its own.
  auto const along_k = make_stride(K, _1{});
  using AlongK = std::remove_const_t<decltype(along_k)>;
  auto const narrow =
      make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<float>, float>{}, Layout<Shape<_32, _8>, Stride<_8, _1>>{});
  using Narrow = std::remove_const_t<decltype(narrow)>;
  using Padded = Layout<Shape<_128, _8>, Stride<_1, Int<129>>>;
  all.step("padded", [&] {
    launch(tiled<AlongK, AlongK, Padded, Padded, Narrow, Narrow, Mma>, how, a_rows.data(), along_k, b_rows.data(),
           along_k, c, M, N, K, Padded{}, Padded{}, narrow, narrow, mma);
  });

  all.step("overlapped",
           [&] { launch(overlapped<Wide, Wide, Mma>, how, a.data(), b.data(), c, M, N, K, wide, wide, mma); });
  return all.status();
}
