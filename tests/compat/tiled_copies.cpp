// SPDX-License-Identifier: Apache-2.0
// Kernels in CuTe's words: copies of tiles, plain, predicated, and through shared memory by cp.async.
#include <cute/tensor.hpp>

#include <gtest/gtest.h>

#include <cosmati/runtime/buffer.hpp>
#include <cosmati/runtime/launch.hpp>
#include <numeric>
#include <vector>

using namespace cute;

namespace {

std::vector<float> counted(std::size_t n) {
  std::vector<float> v(n);
  std::iota(v.begin(), v.end(), 1.0f);
  return v;
}

template <class TensorS, class TensorD, class Tiled_Copy>
__global__ static void copy_tiles(TensorS S, TensorD D, Tiled_Copy tiled_copy) {
  Tensor tile_S = S(make_coord(_, _), blockIdx.x, blockIdx.y);
  Tensor tile_D = D(make_coord(_, _), blockIdx.x, blockIdx.y);
  ThrCopy thr_copy = tiled_copy.get_thread_slice(threadIdx.x);
  Tensor thr_tile_S = thr_copy.partition_S(tile_S);
  Tensor thr_tile_D = thr_copy.partition_D(tile_D);
  Tensor fragment = make_fragment_like(thr_tile_D);
  copy(tiled_copy, thr_tile_S, fragment);
  copy(tiled_copy, fragment, thr_tile_D);
}

TEST(CuteTiledCopies, WholeTiles) {
  auto const host = counted(256 * 128);
  cosmati::device_buffer<float> in(host), out(host.size());
  auto const tensor_shape = make_shape(256, 128);
  Tensor tensor_S = make_tensor(make_gmem_ptr(in.data()), make_layout(tensor_shape));
  Tensor tensor_D = make_tensor(make_gmem_ptr(out.data()), make_layout(tensor_shape));
  auto block_shape = make_shape(Int<128>{}, Int<64>{});
  CUTE_STATIC_ASSERT_V(rank(block_shape) == Int<2>{});
  ASSERT_TRUE(evenly_divides(tensor_shape, block_shape));
  Tensor tiled_S = tiled_divide(tensor_S, block_shape);
  Tensor tiled_D = tiled_divide(tensor_D, block_shape);
  auto tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint_byte_t<16>>, float>{}, make_layout(make_shape(Int<32>{}, Int<8>{})),
                      make_layout(make_shape(Int<4>{}, Int<1>{})));
  cosmati::launch(
      copy_tiles<decltype(tiled_S), decltype(tiled_D), decltype(tiled_copy)>,
      {.grid = {static_cast<unsigned>(size<1>(tiled_D)), static_cast<unsigned>(size<2>(tiled_D))}, .block = 256},
      tiled_S, tiled_D, tiled_copy);
  EXPECT_EQ(out.download(), host);
}

template <class TensorS, class TensorD, class Block>
__global__ static void copy_some(TensorS S, TensorD D, Block block) {
  Tensor cS = make_identity_tensor(shape(S));
  Tensor tS = local_tile(S, block, make_coord(blockIdx.x, blockIdx.y));
  Tensor tD = local_tile(D, block, make_coord(blockIdx.x, blockIdx.y));
  Tensor tC = local_tile(cS, block, make_coord(blockIdx.x, blockIdx.y));
  auto threads = Layout<Shape<_16, _8>>{};
  Tensor thr_S = local_partition(tS, threads, threadIdx.x);
  Tensor thr_D = local_partition(tD, threads, threadIdx.x);
  Tensor thr_C = local_partition(tC, threads, threadIdx.x);
  Tensor predicate = make_tensor<bool>(shape(thr_C));
  CUTE_UNROLL
  for (int i = 0; i < size(predicate); ++i) predicate(i) = elem_less(thr_C(i), shape(S));
  copy_if(predicate, thr_S, thr_D);
}

TEST(CuteTiledCopies, RaggedByAnIdentityTensor) {
  int const m = 37, n = 29;
  auto const host = counted(static_cast<std::size_t>(m * n));
  cosmati::device_buffer<float> in(host), out(host.size());
  Tensor S = make_tensor(make_gmem_ptr(in.data()), make_shape(m, n), GenRowMajor{});
  Tensor D = make_tensor(make_gmem_ptr(out.data()), make_shape(m, n), GenRowMajor{});
  auto block = Shape<_32, _16>{};
  cosmati::launch(
      copy_some<decltype(S), decltype(D), decltype(block)>,
      {.grid = {static_cast<unsigned>(ceil_div(m, 32)), static_cast<unsigned>(ceil_div(n, 16))}, .block = 128}, S, D,
      block);
  EXPECT_EQ(out.download(), host);
}

/// The same with predicates that are computed where they are read, as CuTe's tutorial does.
template <class TensorS, class TensorD, class Block>
__global__ static void copy_some_lazily(TensorS S, TensorD D, Block block) {
  auto cS = make_identity_tensor(shape(S));
  auto inside = lazy::transform(cS, [bound = shape(S)](auto c) { return elem_less(c, bound); });
  auto coord = make_coord(blockIdx.x, blockIdx.y);
  auto threads = Layout<Shape<_16, _8>>{};
  Tensor thr_S = local_partition(local_tile(S, block, coord), threads, threadIdx.x);
  Tensor thr_D = local_partition(local_tile(D, block, coord), threads, threadIdx.x);
  Tensor thr_P = local_partition(local_tile(inside, block, coord), threads, threadIdx.x);
  copy_if(thr_P, thr_S, thr_D);
}

TEST(CuteTiledCopies, RaggedByALazyTransform) {
  int const m = 21, n = 43;
  auto const host = counted(static_cast<std::size_t>(m * n));
  cosmati::device_buffer<float> in(host), out(host.size());
  Tensor S = make_tensor(make_gmem_ptr(in.data()), make_shape(m, n));
  Tensor D = make_tensor(make_gmem_ptr(out.data()), make_shape(m, n));
  auto block = Shape<_32, _16>{};
  cosmati::launch(
      copy_some_lazily<decltype(S), decltype(D), decltype(block)>,
      {.grid = {static_cast<unsigned>(ceil_div(m, 32)), static_cast<unsigned>(ceil_div(n, 16))}, .block = 128}, S, D,
      block);
  EXPECT_EQ(out.download(), host);
}

template <class Swizzled>
__global__ static void transpose_in_shared_memory(float const* in, float* out, Swizzled layout) {
  alignas(128) __shared__ float memory[32 * 32];
  Tensor sA = make_tensor(make_smem_ptr(memory), layout);
  Tensor sAt = make_tensor(make_smem_ptr(memory), composition(layout, make_layout(Shape<_32, _32>{}, GenRowMajor{})));
  Tensor gA = make_tensor(make_gmem_ptr(in), make_layout(Shape<_32, _32>{}));
  Tensor gB = make_tensor(make_gmem_ptr(out), make_layout(Shape<_32, _32>{}));
  auto load = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<float>, float>{}, Layout<Shape<_32, _4>>{});
  auto thr = load.get_slice(threadIdx.x);
  copy(load, thr.partition_S(gA), thr.partition_D(sA));
  cp_async_fence();
  cp_async_wait<0>();
  __syncthreads();
  auto threads = Layout<Shape<_32, _4>>{};
  copy(local_partition(sAt, threads, threadIdx.x), local_partition(gB, threads, threadIdx.x));
}

TEST(CuteTiledCopies, TransposeThroughASwizzle) {
  auto const host = counted(32 * 32);
  cosmati::device_buffer<float> in(host), out(host.size());
  auto layout = composition(Swizzle<5, 0, 5>{}, Layout<Shape<_32, _32>>{});
  cosmati::launch(transpose_in_shared_memory<decltype(layout)>, {.grid = 1, .block = 128}, in.data(), out.data(),
                  layout);
  auto const got = out.download();
  for (int i = 0; i < 32; ++i) {
    for (int j = 0; j < 32; ++j)
      ASSERT_EQ(got[static_cast<std::size_t>(i + 32 * j)], host[static_cast<std::size_t>(j + 32 * i)]) << i << ',' << j;
  }
}

}  // namespace
