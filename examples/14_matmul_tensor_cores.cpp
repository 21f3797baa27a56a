// SPDX-License-Identifier: Apache-2.0
// A matrix product in TF32 by tensor cores. ldmatrix brings operands to registers, in the order that the instruction
// wants. A second kernel has two stages of shared memory, and loads registers one step ahead.
//   14_matmul_tensor_cores [M N K]   multiples of 128, 128 and 16; 128, 128 and 64 if not given. On a GPU it says how
//                                    fast each is.
#include <cosmati/cosmati.hpp>
#include <cosmati/mma.hpp>

#include "products.hpp"
using namespace cosmati;

using TileM = _128;
using TileN = _128;
using TileK = _16;
// Rows of 16 floats, whose pieces of 16 bytes are swizzled so that ldmatrix meets each bank once.
using Stage = decltype(composition(Swizzle<2, 2, 3>{}, Layout<Shape<_128, _16>, Stride<_16, _1>>{}));

// A is (M, K), B is (N, K), contiguous along K; C along M.
template <class CopyGlobal, class LoadA, class LoadB, class Mma>
__global__ void tensor_cores(tfloat32_t const* a, tfloat32_t const* b, float* c, int M, int N, int K,
                             CopyGlobal copy_global, LoadA load_a, LoadB load_b, Mma mma) {
  tfloat32_t* const memory = dynamic_shared<tfloat32_t>();
  auto sA = make_tensor(make_smem_ptr(memory), Stage{});
  auto sB = make_tensor(make_smem_ptr(memory + 2048), Stage{});
  auto mA = make_tensor(make_gmem_ptr(a), make_shape(M, K), make_stride(K, _1{}));
  auto mB = make_tensor(make_gmem_ptr(b), make_shape(N, K), make_stride(K, _1{}));
  auto mC = make_tensor(make_gmem_ptr(c), make_shape(M, N), make_stride(_1{}, M));
  auto gA = local_tile(mA, Shape<TileM, TileK>{}, make_coord(blockIdx.x, _));
  auto gB = local_tile(mB, Shape<TileN, TileK>{}, make_coord(blockIdx.y, _));
  auto gC = local_tile(mC, Shape<TileM, TileN>{}, make_coord(blockIdx.x, blockIdx.y));

  auto thr_global = copy_global.get_slice(threadIdx.x);
  auto tAgA = thr_global.partition_S(gA);
  auto tBgB = thr_global.partition_S(gB);
  auto tAsA = thr_global.partition_D(sA);
  auto tBsB = thr_global.partition_D(sB);
  auto thr_mma = mma.get_slice(threadIdx.x);
  auto tCrA = thr_mma.partition_fragment_A(sA);
  auto tCrB = thr_mma.partition_fragment_B(sB);
  auto tCgC = thr_mma.partition_C(gC);
  auto tCrC = thr_mma.make_fragment_C(tCgC);
  auto thr_load_a = load_a.get_slice(threadIdx.x);
  auto thr_load_b = load_b.get_slice(threadIdx.x);
  auto from_a = thr_load_a.partition_S(sA);
  auto from_b = thr_load_b.partition_S(sB);
  auto to_a = thr_load_a.retile_D(tCrA);
  auto to_b = thr_load_b.retile_D(tCrB);
  clear(tCrC);
  for (int k = 0; k < size<2>(gA); ++k) {
    copy(copy_global, tAgA(_, _, _, k), tAsA);
    copy(copy_global, tBgB(_, _, _, k), tBsB);
    cp_async_fence();
    cp_async_wait<0>();
    __syncthreads();
    copy(load_a, from_a, to_a);
    copy(load_b, from_b, to_b);
    gemm(mma, tCrA, tCrB, tCrC);
    __syncthreads();
  }
  copy(tCrC, tCgC);
}

// While a stage is multiplied, the next one is filled; while one step of it is multiplied, the next one is loaded.
template <class CopyGlobal, class LoadA, class LoadB, class Mma>
__global__ void double_buffered(tfloat32_t const* a, tfloat32_t const* b, float* c, int M, int N, int K,
                                CopyGlobal copy_global, LoadA load_a, LoadB load_b, Mma mma) {
  tfloat32_t* const memory = dynamic_shared<tfloat32_t>();
  auto mA = make_tensor(make_gmem_ptr(a), make_shape(M, K), make_stride(K, _1{}));
  auto mB = make_tensor(make_gmem_ptr(b), make_shape(N, K), make_stride(K, _1{}));
  auto mC = make_tensor(make_gmem_ptr(c), make_shape(M, N), make_stride(_1{}, M));
  auto gA = local_tile(mA, Shape<TileM, TileK>{}, make_coord(blockIdx.x, _));
  auto gB = local_tile(mB, Shape<TileN, TileK>{}, make_coord(blockIdx.y, _));
  auto gC = local_tile(mC, Shape<TileM, TileN>{}, make_coord(blockIdx.x, blockIdx.y));

  auto thr_global = copy_global.get_slice(threadIdx.x);
  auto thr_load_a = load_a.get_slice(threadIdx.x);
  auto thr_load_b = load_b.get_slice(threadIdx.x);
  auto tAgA = thr_global.partition_S(gA);
  auto tBgB = thr_global.partition_S(gB);
  auto const stage_a = [&](int s) { return make_tensor(make_smem_ptr(memory + 2048 * s), Stage{}); };
  auto const stage_b = [&](int s) { return make_tensor(make_smem_ptr(memory + 2048 * (2 + s)), Stage{}); };
  auto thr_mma = mma.get_slice(threadIdx.x);
  auto tCrA = thr_mma.partition_fragment_A(stage_a(0));
  auto tCrB = thr_mma.partition_fragment_B(stage_b(0));
  auto tCgC = thr_mma.partition_C(gC);
  auto tCrC = thr_mma.make_fragment_C(tCgC);
  auto to_a = thr_load_a.retile_D(tCrA);
  auto to_b = thr_load_b.retile_D(tCrB);
  clear(tCrC);
  auto const fetch = [&](int k, int s) {  // tile k to stage s
    copy(copy_global, tAgA(_, _, _, k), thr_global.partition_D(stage_a(s)));
    copy(copy_global, tBgB(_, _, _, k), thr_global.partition_D(stage_b(s)));
  };
  auto const load = [&](int s, int step) {  // a step of stage s to registers
    copy(load_a, thr_load_a.partition_S(stage_a(s))(_, _, step), to_a(_, _, step));
    copy(load_b, thr_load_b.partition_S(stage_b(s))(_, _, step), to_b(_, _, step));
  };
  constexpr int steps = decltype(size<2>(tCrA))::value;
  int const tiles = size<2>(gA);
  fetch(0, 0);
  cp_async_fence();
  cp_async_wait<0>();
  __syncthreads();
  load(0, 0);
  for (int k = 0; k < tiles; ++k) {
    int const s = k % 2;
    if (k + 1 < tiles) fetch(k + 1, 1 - s);
    cp_async_fence();
    COSMATI_UNROLL
    for (int step = 0; step < steps; ++step) {
      if (step + 1 < steps) {
        load(s, step + 1);
      } else if (k + 1 < tiles) {
        cp_async_wait<0>();
        __syncthreads();  // stage 1 - s has arrived, and every thread has left stage s
        load(1 - s, 0);
      }
      // the registers of this step are not those that are being loaded
      gemm(mma, tCrA(_, _, step), tCrB(_, _, step), tCrC);
    }
  }
  copy(tCrC, tCgC);
}

int main(int argc, char** argv) {
  example::products<tfloat32_t> all(argc, argv, 128, 128, 64, TileK::value);
  auto const a = all.a(true), b = all.b(true);

  // Four warps, each on 16 x 8 x 8 elements at a time, together on 32 x 32 x 8.
  auto const mma = make_tiled_mma(SM80_16x8x8_F32TF32TF32F32_TN{}, Layout<Shape<_2, _2, _1>, Stride<_2, _1, _1>>{},
                                  Tile<_32, _32, _8>{});
  auto const copy_global = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, tfloat32_t>{},
                                           Layout<Shape<_32, _4>, Stride<_4, _1>>{}, Layout<Shape<_1, _4>>{});
  auto const load_a = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, tfloat32_t>{}, mma);
  auto const load_b = make_tiled_copy_B(Copy_Atom<SM75_U32x4_LDSM_N, tfloat32_t>{}, mma);
  using Mma = std::remove_const_t<decltype(mma)>;
  using Global = std::remove_const_t<decltype(copy_global)>;
  using LoadA = std::remove_const_t<decltype(load_a)>;
  using LoadB = std::remove_const_t<decltype(load_b)>;

  all.step("tensor cores", [&] {
    launch(tensor_cores<Global, LoadA, LoadB, Mma>, {.grid = all.grid(), .block = 128, .shared_bytes = 16384}, a.data(),
           b.data(), all.c.data(), all.M, all.N, all.K, copy_global, load_a, load_b, mma);
  });
  all.step("double-buffered", [&] {
    launch(double_buffered<Global, LoadA, LoadB, Mma>, {.grid = all.grid(), .block = 128, .shared_bytes = 32768},
           a.data(), b.data(), all.c.data(), all.M, all.N, all.K, copy_global, load_a, load_b, mma);
  });
  return all.status();
}
