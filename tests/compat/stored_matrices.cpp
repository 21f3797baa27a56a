// SPDX-License-Identifier: Apache-2.0
// `stmatrix` and bulk copies in the style of CuTe's programs: the sums of a product go to shared memory by
// `make_tiled_copy_C`, and from there by bulk copies.
#include <cutlass/arch/barrier.h>
#include <cute/arch/copy_sm90.hpp>
#include <cute/arch/copy_sm90_desc.hpp>
#include <cute/atom/copy_traits_sm90.hpp>
#include <cute/tensor.hpp>

#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <vector>

using namespace cute;

namespace {

/// Each thread holds its values of an identity-like fragment of C, stores them by `CopyOp`, and the block copies out.
template <class CopyOp, class TiledMma, class SLayout>
__global__ void store_c(TiledMma mma, SLayout layout, float* out) {
  alignas(1024) __shared__ half_t memory[cosize_v<SLayout>];
  Tensor sC = make_tensor(make_smem_ptr(memory), layout);
  auto const thr_mma = mma.get_slice(threadIdx.x);
  Tensor cC = make_identity_tensor(product_each(shape(layout)));
  Tensor tCcC = thr_mma.partition_C(cC);
  Tensor tCrC = partition_fragment_C(mma, shape(layout));
  CUTE_STATIC_ASSERT_V(size(tCrC) == size(tCcC));
  CUTE_UNROLL
  for (int i = 0; i < size(tCrC); ++i) tCrC(i) = static_cast<float>(64 * get<0>(tCcC(i)) + get<1>(tCcC(i)));
  Tensor tCrH = make_tensor_like<half_t>(tCrC);
  copy(tCrC, tCrH);
  auto const smem_tiled_copy = make_tiled_copy_C(Copy_Atom<CopyOp, half_t>{}, mma);
  auto const thr_copy = smem_tiled_copy.get_slice(threadIdx.x);
  Tensor tRS_rC = thr_copy.retile_S(tCrH);
  Tensor tRS_sC = thr_copy.partition_D(as_position_independent_swizzle_tensor(sC));
  copy(smem_tiled_copy, tRS_rC, tRS_sC);
  __syncthreads();
  for (int i = int(threadIdx.x); i < size(sC); i += int(blockDim.x)) out[i] = float(sC(i));
}

template <class CopyOp, class TiledMma, class SLayout>
void check(TiledMma const& mma, SLayout const& layout) {
  cosmati::device_buffer<float> out(static_cast<std::size_t>(size(layout)));
  cosmati::launch(store_c<CopyOp, TiledMma, SLayout>, {.grid = 1, .block = dim3(size(mma))}, mma, layout, out.data());
  auto const got = out.download();
  int const rows = size<0>(layout);
  for (int i = 0; i < size(layout); ++i) {
    float const expected = float(half_t(float(64 * (i % rows) + i / rows)));
    ASSERT_EQ(got[static_cast<std::size_t>(i)], expected) << i;
  }
}

using Ampere = decltype(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{}, Tile<_32, _32, _16>{}));

TEST(CuteStoredMatrices, RowMajor) {
  auto const rows = tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_32, _64>{});
  check<SM90_U32x4_STSM_N>(Ampere{}, rows);
  check<SM90_U32x2_STSM_N>(Ampere{}, rows);
  check<SM90_U32x1_STSM_N>(Ampere{}, rows);
  check<SM90_U32x4_STSM_N>(Ampere{}, Layout<Shape<_32, _64>, Stride<Int<72>, _1>>{});
}
TEST(CuteStoredMatrices, ColumnMajor) {
  auto const columns = tile_to_shape(GMMA::Layout_MN_SW64_Atom<half_t>{}, Shape<_32, _64>{});
  check<SM90_U16x8_STSM_T>(Ampere{}, columns);
  check<SM90_U16x4_STSM_T>(Ampere{}, columns);
  check<SM90_U16x2_STSM_T>(Ampere{}, columns);
}
TEST(CuteStoredMatrices, OfWarpgroups) {
  auto const one = make_tiled_mma(SM90_64x64x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>{});
  check<SM90_U32x4_STSM_N>(one, tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _64>{}));
  check<SM90_U16x8_STSM_T>(one, tile_to_shape(GMMA::Layout_MN_SW128_Atom<half_t>{}, Shape<_64, _64>{}));
  auto const two =
      make_tiled_mma(SM90_64x32x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>{}, Layout<Shape<_2, _1, _1>>{});
  check<SM90_U32x4_STSM_N>(two, tile_to_shape(GMMA::Layout_K_SW64_Atom<half_t>{}, Shape<_128, _32>{}));
}

/// A tile comes by a bulk copy, grows by 1, and goes back by one.
template <class CopyIn, class CopyOut, class T, class GLayout, class SLayout>
__global__ void there_and_back(T const* in, T* out, GLayout glayout, SLayout slayout) {
  alignas(128) __shared__ T memory[cosize_v<SLayout>];
  __shared__ uint64_t barrier;
  Tensor sA = make_tensor(make_smem_ptr(memory), slayout);
  Tensor gA = make_tensor(make_gmem_ptr(in), glayout);
  Tensor gB = make_tensor(make_gmem_ptr(out), glayout);
  if (threadIdx.x == 0) {
    initialize_barrier(barrier, 1);
    cutlass::arch::fence_barrier_init();
    set_barrier_transaction_bytes(barrier, size(slayout) * sizeof(T));
    copy(Copy_Traits<CopyIn>{}.with(barrier), gA, sA);
  }
  __syncthreads();
  wait_barrier(barrier, 0);
  for (int i = int(threadIdx.x); i < size(sA); i += int(blockDim.x)) sA(i) = static_cast<T>(sA(i) + T(1));
  tma_store_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    copy(Copy_Traits<CopyOut>{}, sA, gB);
    tma_store_arrive();
    tma_store_wait<0>();
  }
}
template <class CopyIn, class CopyOut, class T, class GLayout, class SLayout>
void check_bulk(GLayout const& glayout, SLayout const& slayout) {
  std::vector<T> host(static_cast<std::size_t>(cosize(glayout)));
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<T>(i % 97);
  cosmati::device_buffer<T> const in(host);
  cosmati::device_buffer<T> out(std::vector<T>(host.size(), T(0)));
  cosmati::launch(there_and_back<CopyIn, CopyOut, T, GLayout, SLayout>, {.grid = 1, .block = 64}, in.data(), out.data(),
                  glayout, slayout);
  auto const got = out.download();
  for (int i = 0; i < size(glayout); ++i) {
    auto const at = static_cast<std::size_t>(glayout(i));
    ASSERT_EQ(got[at], static_cast<T>(host[at] + T(1))) << i;
  }
}
TEST(CuteStoredMatrices, BulkCopies) {
  check_bulk<SM90_BULK_COPY_AUTO, SM90_BULK_COPY_AUTO, float>(Layout<Shape<_8, _8>>{}, Layout<Shape<_8, _8>>{});
  check_bulk<SM90_BULK_COPY_G2S, SM90_BULK_COPY_S2G, int8_t>(Layout<Shape<_32, _8>>{}, Layout<Shape<_32, _8>>{});
  check_bulk<SM90_BULK_COPY_AUTO, SM90_BULK_COPY_AUTO, int>(Layout<Shape<_32, _8>, Stride<_8, _1>>{},
                                                            Layout<Shape<_32, _8>, Stride<_8, _1>>{});
  check_bulk<SM90_BULK_COPY_AUTO, SM90_BULK_COPY_AUTO, double>(Layout<Shape<_16, _4>, Stride<_1, _32>>{},
                                                               Layout<Shape<_16, _4>, Stride<_1, _16>>{});
  check_bulk<SM90_BULK_COPY_AUTO, SM90_BULK_COPY_AUTO, uint16_t>(
      Layout<Shape<Shape<_8, _2>, _4>, Stride<Stride<_1, Int<64>>, _16>>{},
      Layout<Shape<Shape<_8, _2>, _4>, Stride<Stride<_1, _8>, _16>>{});
}

}  // namespace
