// SPDX-License-Identifier: Apache-2.0
/// @file
/// Tiles of 64 x 64 halves, eight in a vector, global -> shared -> global; the matrix has a run-time leading dimension.
#include <cosmati/cosmati.hpp>

using namespace cosmati;
using tiled_copy = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{},
                                            Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{}));

extern "C" __global__ void __launch_bounds__(128) by_library(half_t const* in, half_t* out, int m, int n, int ld) {
  __shared__ alignas(16) half_t stage[64 * 64];
  auto const sT = make_tensor(make_smem_ptr(stage), Layout<Shape<_64, _64>, Stride<_64, _1>>{});
  auto const mIn = make_tensor(make_gmem_ptr(in), make_shape(m, n), make_stride(ld, _1{}));
  auto const mOut = make_tensor(make_gmem_ptr(out), mIn.layout());
  auto const gIn = local_tile(mIn, Shape<_64, _64>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const gOut = local_tile(mOut, Shape<_64, _64>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const thread = tiled_copy{}.get_slice(threadIdx.x);
  copy(tiled_copy{}, thread.partition_S(gIn), thread.partition_D(sT));
  __syncthreads();
  copy(tiled_copy{}, thread.partition_S(sT), thread.partition_D(gOut));
}

extern "C" __global__ void __launch_bounds__(128) by_hand(half_t const* in, half_t* out, int, int, int ld) {
  __shared__ alignas(16) half_t stage[64 * 64];
  unsigned const row = threadIdx.x / 8, column = threadIdx.x % 8 * 8;
  half_t* const here = stage + row * 64 + column;
  int const offset = static_cast<int>(blockIdx.x * 64 + row) * ld + static_cast<int>(blockIdx.y * 64 + column);
  uint4 held[4];
  for (int k = 0; k < 4; ++k) held[k] = *reinterpret_cast<uint4 const*>(in + offset + k * 16 * ld);
  for (int k = 0; k < 4; ++k) *reinterpret_cast<uint4*>(here + k * 16 * 64) = held[k];
  __syncthreads();
  for (int k = 0; k < 4; ++k) held[k] = *reinterpret_cast<uint4 const*>(here + k * 16 * 64);
  for (int k = 0; k < 4; ++k) *reinterpret_cast<uint4*>(out + offset + k * 16 * ld) = held[k];
}
