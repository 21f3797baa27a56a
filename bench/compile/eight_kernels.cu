// SPDX-License-Identifier: Apache-2.0
/// @file
/// Eight kernels, each with a tiled copy of its own: element type, atom, threads, values, tile and way differ. The
/// matrices are column-major with extents and leading dimension at run time, `(m,n):(1,ld)`; in the last two the 1 is a
/// run-time integer too.
#include <cosmati/cosmati.hpp>

using namespace cosmati;

__global__ void float_128x64(float const* in, float* out, int m, int n, int ld) {
  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_32, _8>>{}, Layout<Shape<_4, _1>>{});
  auto const mIn = make_tensor(make_gmem_ptr(in), make_shape(m, n), make_stride(_1{}, ld));
  auto const mOut = make_tensor(make_gmem_ptr(out), make_shape(m, n), make_stride(_1{}, ld));
  auto const gIn = local_tile(mIn, Shape<_128, _64>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const gOut = local_tile(mOut, Shape<_128, _64>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(gIn), thread.partition_D(gOut));
}

__global__ void float_64x32(float const* in, float* out, int m, int n, int ld) {
  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_16, _16>>{}, Layout<Shape<_4, _1>>{});
  auto const mIn = make_tensor(make_gmem_ptr(in), make_shape(m, n), make_stride(_1{}, ld));
  auto const mOut = make_tensor(make_gmem_ptr(out), make_shape(m, n), make_stride(_1{}, ld));
  auto const gIn = local_tile(mIn, Shape<_64, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const gOut = local_tile(mOut, Shape<_64, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  auto const tOut = thread.partition_D(gOut);
  auto fragment = make_fragment_like(tOut);
  copy(tiled_copy, thread.partition_S(gIn), fragment);
  copy(tiled_copy, fragment, tOut);
}

__global__ void half_256x8(half_t const* in, half_t* out, int m, int n, int ld) {
  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, Layout<Shape<_32, _4>>{}, Layout<Shape<_8, _1>>{});
  auto const mIn = make_tensor(make_gmem_ptr(in), make_shape(m, n), make_stride(_1{}, ld));
  auto const mOut = make_tensor(make_gmem_ptr(out), make_shape(m, n), make_stride(_1{}, ld));
  auto const gIn = local_tile(mIn, Shape<_256, _8>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const gOut = local_tile(mOut, Shape<_256, _8>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  auto const tOut = thread.partition_D(gOut);
  auto fragment = make_fragment_like(tOut);
  copy(tiled_copy, thread.partition_S(gIn), fragment);
  copy(tiled_copy, fragment, tOut);
}

__global__ void double_64x64(double const* in, double* out, int m, int n, int ld) {
  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, double>{}, Layout<Shape<_8, _16>>{}, Layout<Shape<_2, _1>>{});
  auto const mIn = make_tensor(make_gmem_ptr(in), make_shape(m, n), make_stride(_1{}, ld));
  auto const mOut = make_tensor(make_gmem_ptr(out), make_shape(m, n), make_stride(_1{}, ld));
  auto const gIn = local_tile(mIn, Shape<_64, _64>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const gOut = local_tile(mOut, Shape<_64, _64>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  alignas(16) __shared__ double stage[4096];
  auto const sT = make_tensor(make_smem_ptr(stage), Layout<Shape<_64, _64>>{});
  copy(tiled_copy, thread.partition_S(gIn), thread.partition_D(sT));
  __syncthreads();
  copy(tiled_copy, thread.partition_S(sT), thread.partition_D(gOut));
}

__global__ void float_128x32(float const* in, float* out, int m, int n, int ld) {
  auto const tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<std::uint64_t>, float>{}, Layout<Shape<_64, _4>>{},
                                          Layout<Shape<_2, _1>>{});
  auto const mIn = make_tensor(make_gmem_ptr(in), make_shape(m, n), make_stride(_1{}, ld));
  auto const mOut = make_tensor(make_gmem_ptr(out), make_shape(m, n), make_stride(_1{}, ld));
  auto const gIn = local_tile(mIn, Shape<_128, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const gOut = local_tile(mOut, Shape<_128, _32>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(gIn), thread.partition_D(gOut));
}

__global__ void uint8_128x64(std::uint8_t const* in, std::uint8_t* out, int m, int n, int ld) {
  auto const tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, std::uint8_t>{}, Layout<Shape<_8, _32>>{},
                                          Layout<Shape<_16, _1>>{});
  auto const mIn = make_tensor(make_gmem_ptr(in), make_shape(m, n), make_stride(_1{}, ld));
  auto const mOut = make_tensor(make_gmem_ptr(out), make_shape(m, n), make_stride(_1{}, ld));
  auto const gIn = local_tile(mIn, Shape<_128, _64>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const gOut = local_tile(mOut, Shape<_128, _64>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  auto const tOut = thread.partition_D(gOut);
  auto fragment = make_fragment_like(tOut);
  copy(tiled_copy, thread.partition_S(gIn), fragment);
  copy(tiled_copy, fragment, tOut);
}

__global__ void uint32_32x128(std::uint32_t const* in, std::uint32_t* out, int m, int n, int ld) {
  auto const tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<std::uint32_t>, std::uint32_t>{},
                                          Layout<Shape<_4, _64>>{}, Layout<Shape<_1, _1>>{});
  auto const mIn = make_tensor(make_gmem_ptr(in), make_shape(m, n), make_stride(1, ld));
  auto const mOut = make_tensor(make_gmem_ptr(out), make_shape(m, n), make_stride(1, ld));
  auto const gIn = local_tile(mIn, Shape<_32, _128>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const gOut = local_tile(mOut, Shape<_32, _128>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(gIn), thread.partition_D(gOut));
}

__global__ void int16_64x16(std::int16_t const* in, std::int16_t* out, int m, int n, int ld) {
  auto const tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<std::int16_t>, std::int16_t>{},
                                          Layout<Shape<_16, _8>>{}, Layout<Shape<_1, _1>>{});
  auto const mIn = make_tensor(make_gmem_ptr(in), make_shape(m, n), make_stride(1, ld));
  auto const mOut = make_tensor(make_gmem_ptr(out), make_shape(m, n), make_stride(1, ld));
  auto const gIn = local_tile(mIn, Shape<_64, _16>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const gOut = local_tile(mOut, Shape<_64, _16>{}, make_coord(blockIdx.x, blockIdx.y));
  auto const thread = tiled_copy.get_slice(threadIdx.x);
  auto const tOut = thread.partition_D(gOut);
  auto fragment = make_fragment_like(tOut);
  copy(tiled_copy, thread.partition_S(gIn), fragment);
  copy(tiled_copy, fragment, tOut);
}
