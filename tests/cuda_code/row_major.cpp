// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tiles of 32 x 128 floats of a row-major matrix of run-time extents, global -> global through registers.
#include <cosmati/cosmati.hpp>

using namespace cosmati;
using tiled_copy = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                            Layout<Shape<_8, _32>, Stride<_32, _1>>{}, Layout<Shape<_1, _4>>{}));

extern "C" __global__ void __launch_bounds__(256) by_library(float const* in, float* out, int m, int n, int ld) {
  auto const mIn = make_tensor(make_gmem_ptr(in), make_shape(m, n), make_stride(ld, _1{}));
  auto const mOut = make_tensor(make_gmem_ptr(out), mIn.layout());
  auto const gIn = local_tile(mIn, Shape<_32, _128>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const gOut = local_tile(mOut, Shape<_32, _128>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const thread = tiled_copy{}.get_slice(threadIdx.x);
  copy(tiled_copy{}, thread.partition_S(gIn), thread.partition_D(gOut));
}

extern "C" __global__ void __launch_bounds__(256) by_hand(float const* in, float* out, int, int, int ld) {
  int const row = static_cast<int>(blockIdx.x * 32 + threadIdx.x / 32),
            column = static_cast<int>(blockIdx.y * 128 + threadIdx.x % 32 * 4);
  int const offset = row * ld + column;
  float4 held[4];
  for (int k = 0; k < 4; ++k) held[k] = *reinterpret_cast<float4 const*>(in + offset + k * 8 * ld);
  for (int k = 0; k < 4; ++k) *reinterpret_cast<float4*>(out + offset + k * 8 * ld) = held[k];
}
