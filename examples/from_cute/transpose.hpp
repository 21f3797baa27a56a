// SPDX-License-Identifier: Apache-2.0
// A transpose in CuTe's words, as its tutorials write kernels. docs/migrating.md moves it to Cosmati.
#pragma once
#include <cute/tensor.hpp>

using namespace cute;

using TileShape = Shape<_32, _32>;
using TileLayout = Layout<TileShape, Stride<_32, _1>>;

template <class TiledCopy>
__global__ void transpose(float const* in, float* out, int rows, int columns, TiledCopy tiled_copy) {
  alignas(128) __shared__ float memory[cosize_v<TileLayout>];
  Tensor mIn = make_tensor(make_gmem_ptr(in), make_shape(rows, columns), LayoutRight{});
  Tensor mOut = make_tensor(make_gmem_ptr(out), make_shape(columns, rows), LayoutRight{});
  Tensor gIn = local_tile(mIn, TileShape{}, make_coord(blockIdx.y, blockIdx.x));
  Tensor gOut = local_tile(mOut, TileShape{}, make_coord(blockIdx.x, blockIdx.y));
  Tensor sIn = make_tensor(make_smem_ptr(memory), TileLayout{});
  Tensor sOut = make_tensor(make_smem_ptr(memory), composition(TileLayout{}, Layout<TileShape, Stride<_32, _1>>{}));
  ThrCopy thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(gIn), thread.partition_D(sIn));
  __syncthreads();
  copy(tiled_copy, thread.partition_S(sOut), thread.partition_D(gOut));
}

inline auto tiled_copy_of_tile() {
  return make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{},
                         Layout<_1>{});
}
