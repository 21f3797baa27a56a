// SPDX-License-Identifier: Apache-2.0
// Matrix instructions, asynchronous copies, mbarriers and pipelines, for each architecture those that it has.
#include <cosmati/cosmati.hpp>

using namespace cosmati;

/// sm_75 and newer.
__global__ void matrices(half_t const* in, half_t* out) {
  __shared__ alignas(16) half_t stage[32 * 40];
  for (unsigned i = threadIdx.x; i < 32 * 8; i += 32) stage[i / 8 * 40 + i % 8] = in[i];
  __syncwarp();
  auto tile = make_tensor(make_smem_ptr(stage), Layout<Shape<_32, _8>, Stride<Int<40>, _1>>{});
  auto tiled_copy = make_tiled_copy(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, Layout<Shape<_8, _4>, Stride<_4, _1>>{},
                                    Layout<Shape<_4, _2>, Stride<_2, _1>>{});
  auto thread = tiled_copy.get_slice(threadIdx.x);
  auto fragment = make_tensor<half_t>(Layout<Shape<_8, _1, _1>>{});
  copy(tiled_copy, thread.partition_S(tile), fragment);
  std::uint32_t held[4];
  ldmatrix<4, true>(held, stage + 40 * threadIdx.x);
  held[0] = movmatrix_trans(held[0]);
  SM50_Shuffle_U32_2x2Trans_XOR4::copy(held[0], held[1], held[2], held[3]);
  prefetch(make_tensor(make_gmem_ptr(in), Layout<_256>{}));
  cooperative_prefetch<32>(threadIdx.x, make_tensor(make_gmem_ptr(out), Layout<_256>{}));
  for (int i = 0; i < 8; ++i) out[8 * threadIdx.x + static_cast<unsigned>(i)] = fragment(i);
  reinterpret_cast<std::uint32_t*>(out)[threadIdx.x] = held[2] + held[3];
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
/// sm_80 and newer: each form of cp.async, groups, an mbarrier, a pipeline.
__global__ void asynchronous(float const* in, float* out, int tiles) {
  __shared__ alignas(16) float stage[4][128];
  __shared__ std::uint64_t barrier;
  unsigned const t = threadIdx.x;
  if (t == 0) initialize_barrier(barrier, 32);
  __syncthreads();
  cp_async<4>(&stage[0][t], in + t);
  cp_async<8>(&stage[1][2 * t], in + 2 * t);
  cp_async<16, cache_level::ca>(&stage[2][4 * t], in + 4 * t);
  cp_async_zfill<16>(&stage[3][4 * t], in + 4 * t, 8);
  cp_async_mbarrier_arrive_noinc(barrier);
  wait_barrier(barrier, 0);
  out[t] = stage[0][t] + stage[1][t] + stage[2][t] + stage[3][t];
  __syncthreads();
  for (auto [tile, free] : cp_async_stages<4>(
           tiles, [&](int next, int free_stage) { cp_async<16>(&stage[free_stage][4 * t], in + 128 * next + 4 * t); }))
    out[static_cast<unsigned>(tile) * 32 + t] += stage[free][127 - t];
}
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
/// sm_90 and newer: bulk copies, bytes of mbarriers, stmatrix, proxy fences, a ring.
__global__ void bulk(float const* in, float* out, int tiles) {
  __shared__ alignas(128) float stage[3][128];
  __shared__ mbarrier_ring<3>::storage barriers;
  mbarrier_ring<3> ring(barriers, 64, threadIdx.x == 0);
  for (auto [tile, full] : ring.fill_and_consume(tiles, 512, [&](int next, int free, std::uint64_t&barrier) {
         bulk_copy_g2s(stage[free], in + 128 * next, 512, barrier);
       }))
    out[static_cast<unsigned>(tile) * 64 + threadIdx.x] = stage[full][127 - threadIdx.x];
  __syncthreads();
  std::uint32_t const held[4] = {threadIdx.x, 1, 2, 3};
  if (threadIdx.x < 32) stmatrix<4>(stage[0] + 4 * threadIdx.x, held);
  fence_proxy_async_shared();
  NamedBarrier(64, 1).sync();
  if (threadIdx.x == 0) {
    bulk_copy_s2g(out, stage[0], 512);
    tma_store_arrive();
    bulk_store_wait<0>();
  }
}
#endif
