// SPDX-License-Identifier: Apache-2.0
// Tiles by tensor copies in the style of CuTe's programs: every atom of a swizzle, both major modes, ranks 1 to 5,
// strides with gaps, and elements of 1 to 8 bytes, there and back.
#include <cutlass/arch/barrier.h>
#include <cute/arch/cluster_sm90.hpp>
#include <cute/arch/copy_sm90_desc.hpp>
#include <cute/arch/copy_sm90_tma.hpp>
#include <cute/atom/copy_traits_sm90_tma.hpp>
#include <cute/container/array_aligned.hpp>
#include <cute/numeric/complex.hpp>
#include <cute/numeric/numeric_types.hpp>
#include <cute/tensor.hpp>

#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <vector>

using namespace cute;

namespace {

template <class T, class SmemLayout>
struct SharedStorage {
  alignas(1024) ArrayEngine<T, cosize_v<SmemLayout>> smem;
  alignas(16) uint64_t mbar;
};

/// Loads each tile, adds 1 by threads, and stores it.
template <class T, class TmaLoad, class TmaStore, class GShape, class SmemLayout, class CtaTiler>
__global__ void add_one(CUTE_GRID_CONSTANT TmaLoad const load, CUTE_GRID_CONSTANT TmaStore const store, GShape shape,
                        SmemLayout smem_layout, CtaTiler cta_tiler) {
  CUTE_STATIC_ASSERT_V(product_each(cute::shape(smem_layout)) == product_each(cute::shape(cta_tiler)));
  __shared__ SharedStorage<T, SmemLayout> storage;
  Tensor sA = make_tensor(make_smem_ptr(storage.smem.begin()), smem_layout);
  Tensor gA = flat_divide(load.get_tma_tensor(shape), cta_tiler);  // (tile..., rest...)
  Tensor gB = flat_divide(store.get_tma_tensor(shape), cta_tiler);
  auto const cta_load = load.get_slice(Int<0>{});
  auto const cta_store = store.get_slice(Int<0>{});
  Tensor tAgA = cta_load.partition_S(gA);
  Tensor tAsA = cta_load.partition_D(sA);
  Tensor tBsB = cta_store.partition_S(sA);
  Tensor tBgB = cta_store.partition_D(gB);
  constexpr int R = rank_v<CtaTiler>;
  Tensor from = group_modes<1, R + 1>(group_modes<R + 1, rank(tAgA)>(tAgA));  // (TMA, (tile), (rest))
  Tensor to = group_modes<1, R + 1>(group_modes<R + 1, rank(tBgB)>(tBgB));
  Tensor in = group_modes<1, rank(tAsA)>(tAsA);
  Tensor out = group_modes<1, rank(tBsB)>(tBsB);

  if (threadIdx.x == 0) {
    prefetch_tma_descriptor(load.get_tma_descriptor());
    initialize_barrier(storage.mbar, 1);
    cutlass::arch::fence_barrier_init();
  }
  __syncthreads();
  int phase = 0;
  for (int tile = 0; tile < size<2>(from); ++tile) {
    if (threadIdx.x == 0) {
      set_barrier_transaction_bytes(storage.mbar, sizeof(T) * size(sA));
      copy(load.with(storage.mbar), from(_, _, tile), in);
    }
    wait_barrier(storage.mbar, phase);
    phase ^= 1;
    for (int i = static_cast<int>(threadIdx.x); i < size(sA); i += static_cast<int>(blockDim.x))
      sA(i) = static_cast<T>(static_cast<T>(sA(i)) + T(1));
    tma_store_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
      copy(store, out, to(_, _, tile));
      tma_store_arrive();
      tma_store_wait<0>();
    }
    __syncthreads();
  }
}

/// The elements of `layout` grow by 1, and those between them do not change.
template <class T, class TmaType = void, class GLayout, class SmemLayout, class CtaTiler>
void check(GLayout const& glayout, SmemLayout const& slayout, CtaTiler const& tiler) {
  std::vector<T> host(static_cast<std::size_t>(cosize(glayout)));
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<T>(static_cast<float>(i % 61));
  cosmati::device_buffer<T> memory(host);
  Tensor gA = make_tensor(make_gmem_ptr(memory.data()), glayout);
  auto const load = make_tma_copy<TmaType>(SM90_TMA_LOAD{}, gA, slayout, tiler, Int<1>{});
  auto const store = make_tma_copy<TmaType>(SM90_TMA_STORE{}, gA, slayout, tiler, Int<1>{});
  auto const kernel = add_one<T, std::remove_const_t<decltype(load)>, std::remove_const_t<decltype(store)>,
                              std::remove_cvref_t<decltype(glayout.shape())>, SmemLayout, CtaTiler>;
  cosmati::launch(kernel, {.grid = 1, .block = 64}, load, store, glayout.shape(), slayout, tiler);
  for (int i = 0; i < size(glayout); ++i) {
    auto& x = host[static_cast<std::size_t>(glayout(i))];
    x = static_cast<T>(x + T(1));
  }
  EXPECT_EQ(memory.download(), host);
}
template <class T, class TmaType = void, class GLayout, class SmemLayout>
void check(GLayout const& glayout, SmemLayout const& slayout) {
  check<T, TmaType>(glayout, slayout, product_each(shape(slayout)));
}

template <class T>
void check_k_major() {
  auto const g = make_layout(make_shape(128, 256), GenRowMajor{});
  check<T>(g, tile_to_shape(GMMA::Layout_K_INTER_Atom<T>{}, Shape<_32, Int<256 / sizeof(T)>>{}));
  check<T>(g, tile_to_shape(GMMA::Layout_K_SW32_Atom<T>{}, Shape<_32, Int<256 / sizeof(T)>>{}));
  check<T>(g, tile_to_shape(GMMA::Layout_K_SW64_Atom<T>{}, Shape<_32, Int<256 / sizeof(T)>>{}));
  check<T>(g, tile_to_shape(GMMA::Layout_K_SW128_Atom<T>{}, Shape<_32, Int<256 / sizeof(T)>>{}));
}
template <class T>
void check_mn_major() {
  auto const g = make_layout(make_shape(256, 64), GenColMajor{});
  check<T>(g, tile_to_shape(GMMA::Layout_MN_INTER_Atom<T>{}, Shape<Int<256 / sizeof(T)>, _32>{}));
  check<T>(g, tile_to_shape(GMMA::Layout_MN_SW32_Atom<T>{}, Shape<Int<256 / sizeof(T)>, _32>{}));
  check<T>(g, tile_to_shape(GMMA::Layout_MN_SW64_Atom<T>{}, Shape<Int<256 / sizeof(T)>, _32>{}));
  check<T>(g, tile_to_shape(GMMA::Layout_MN_SW128_Atom<T>{}, Shape<Int<256 / sizeof(T)>, _32>{}));
  // the tiles of the atoms in the other order
  check<T>(g, tile_to_shape(GMMA::Layout_MN_SW64_Atom<T>{}, Shape<Int<256 / sizeof(T)>, _32>{}, Step<_2, _1>{}));
}

TEST(CuteTmaTiles, KMajorAtomsOfBytes) { check_k_major<int8_t>(); }
TEST(CuteTmaTiles, KMajorAtomsOfHalves) { check_k_major<half_t>(); }
TEST(CuteTmaTiles, KMajorAtomsOfFloats) { check_k_major<float>(); }
TEST(CuteTmaTiles, KMajorAtomsOfDoubles) { check_k_major<double>(); }
TEST(CuteTmaTiles, MnMajorAtomsOfBytes) { check_mn_major<int8_t>(); }
TEST(CuteTmaTiles, MnMajorAtomsOfHalves) { check_mn_major<half_t>(); }
TEST(CuteTmaTiles, MnMajorAtomsOfFloats) { check_mn_major<float>(); }
TEST(CuteTmaTiles, MnMajorAtomsOfDoubles) { check_mn_major<double>(); }

TEST(CuteTmaTiles, RanksOneToFive) {
  check<float>(Layout<_256>{}, Layout<_256>{});
  check<float>(make_layout(1000), Layout<_256>{});
  check<half_t>(Layout<Shape<_64, _32>, Stride<_1, _64>>{}, Layout<Shape<_64, _32>, Stride<_1, _64>>{});
  check<half_t>(Layout<Shape<_32, _32>, Stride<_32, _1>>{}, Layout<Shape<_32, _32>, Stride<_32, _1>>{});
  check<float>(make_layout(make_shape(32, 40, 3), make_stride(_1{}, 32, 32 * 40)),
               Layout<Shape<_16, _8, _2>, Stride<_1, _16, _128>>{});
  check<int>(make_layout(make_shape(16, 8, 3, 2), make_stride(_1{}, 16, 128, 384)), Layout<Shape<_8, _4, _2, _2>>{});
  check<double>(make_layout(make_shape(8, 4, 3, 2, 3), make_stride(_1{}, 8, 32, 96, 192)),
                Layout<Shape<_4, _2, _1, _2, _2>>{});
}
TEST(CuteTmaTiles, StridesWithGaps) {
  check<half_t>(make_layout(make_shape(50, 64), make_stride(80, _1{})),
                tile_to_shape(GMMA::Layout_K_SW64_Atom<half_t>{}, Shape<_16, _32>{}));
  check<float>(make_layout(make_shape(40, 20), make_stride(_1{}, 52)),
               tile_to_shape(GMMA::Layout_MN_SW128_Atom<float>{}, Shape<_32, _8>{}));
  check<int8_t>(make_layout(make_shape(32, 4, 2), make_stride(_1{}, 48, 256)), Layout<Shape<_16, _2, _2>>{});
}
TEST(CuteTmaTiles, TilesOfModesOfModes) {
  // a matrix whose rows are cut in two, and a tile of it
  auto const g = make_layout(make_shape(make_shape(_8{}, 4), 64), make_stride(make_stride(64, 1024), _1{}));
  check<half_t>(g, Layout<Shape<Shape<_4, _2>, _32>, Stride<Stride<_32, _128>, _1>>{});
}
TEST(CuteTmaTiles, OtherNumbers) {
  check<bfloat16_t>(make_layout(make_shape(64, 64), GenRowMajor{}),
                    tile_to_shape(GMMA::Layout_K_SW128_Atom<bfloat16_t>{}, Shape<_32, _64>{}));
  check<uint16_t>(make_layout(make_shape(64, 64), GenRowMajor{}),
                  tile_to_shape(GMMA::Layout_K_SW128_Atom<uint16_t>{}, Shape<_32, _64>{}));
  check<int64_t>(make_layout(make_shape(64, 64), GenRowMajor{}),
                 tile_to_shape(GMMA::Layout_K_SW128_Atom<int64_t>{}, Shape<_32, _16>{}));
}

TEST(CuteTmaTiles, DescriptorsOfAnotherType) {
  auto const columns = make_layout(make_shape(64, 64));
  auto const rows = make_layout(make_shape(64, 64), GenRowMajor{});
  check<uint16_t, uint8_t>(columns, Layout<Shape<_32, _32>>{});
  check<float, double>(rows, Layout<Shape<_32, _32>, Stride<_32, _1>>{});
  check<half_t, uint16_t>(rows, tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_32, _64>{}));
  check<complex<double>, double>(columns, Layout<Shape<_32, _32>>{});
  check<complex<double>>(rows, Layout<Shape<_32, _16>, Stride<_16, _1>>{});
}

}  // namespace
