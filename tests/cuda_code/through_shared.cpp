// SPDX-License-Identifier: Apache-2.0
/// @file
/// A tile of 32 x 64 floats, global -> shared -> global, 16 bytes at a time: two vectors a thread.
#include <cosmati/cosmati.hpp>

using namespace cosmati;
using tiled_copy = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                            Layout<Shape<_16, _16>, Stride<_16, _1>>{}, Layout<Shape<_1, _4>>{}));

extern "C" __global__ void __launch_bounds__(256) by_library(float const* in, float* out, int rows) {
  __shared__ alignas(16) float stage[32 * 64];
  auto const sT = make_tensor(make_smem_ptr(stage), Layout<Shape<_32, _64>, Stride<_64, _1>>{});
  auto const mIn = make_tensor(make_gmem_ptr(in), make_shape(rows, _64{}), make_stride(_64{}, _1{}));
  auto const mOut = make_tensor(make_gmem_ptr(out), mIn.layout());
  auto const gIn = local_tile(mIn, Shape<_32, _64>{}, make_coord(blockIdx.x, _0{}));
  auto const gOut = local_tile(mOut, Shape<_32, _64>{}, make_coord(blockIdx.x, _0{}));
  auto const thread = tiled_copy{}.get_slice(threadIdx.x);
  copy(tiled_copy{}, thread.partition_S(gIn), thread.partition_D(sT));
  __syncthreads();
  copy(tiled_copy{}, thread.partition_S(sT), thread.partition_D(gOut));
}

extern "C" __global__ void __launch_bounds__(256) by_hand(float const* in, float* out, int) {
  __shared__ alignas(16) float stage[32 * 64];
  unsigned const row = threadIdx.x / 16, column = threadIdx.x % 16 * 4;
  unsigned const offset = row * 64 + column;
  float const* const from = in + blockIdx.x * (32 * 64) + offset;
  float* const to = out + blockIdx.x * (32 * 64) + offset;
  float4 held[2];
  for (int k = 0; k < 2; ++k) held[k] = *reinterpret_cast<float4 const*>(from + k * 16 * 64);
  for (int k = 0; k < 2; ++k) *reinterpret_cast<float4*>(stage + offset + k * 16 * 64) = held[k];
  __syncthreads();
  for (int k = 0; k < 2; ++k) held[k] = *reinterpret_cast<float4 const*>(stage + offset + k * 16 * 64);
  for (int k = 0; k < 2; ++k) *reinterpret_cast<float4*>(to + k * 16 * 64) = held[k];
}
