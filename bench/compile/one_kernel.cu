// SPDX-License-Identifier: Apache-2.0
/// @file
/// One kernel: tiles of a row-major matrix, global -> registers -> global, 16 bytes at a time.
#include <cosmati/cosmati.hpp>

using namespace cosmati;

__global__ void tiled(float const* in, float* out, int m, int n, int ld) {
  auto const tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                          Layout<Shape<_8, _32>, Stride<_32, _1>>{}, Layout<Shape<_1, _4>>{});
  auto const mIn = make_tensor(make_gmem_ptr(in), make_shape(m, n), make_stride(ld, _1{}));
  auto const mOut = make_tensor(make_gmem_ptr(out), make_shape(m, n), make_stride(ld, _1{}));
  auto const gIn = local_tile(mIn, Shape<_32, _128>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const gOut = local_tile(mOut, Shape<_32, _128>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(gIn), thread.partition_D(gOut));
}
