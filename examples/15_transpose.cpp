// SPDX-License-Identifier: Apache-2.0
// A transpose at the memory's speed, made of the library's parts: accesses of 16 bytes on both sides, squares of 4 x 4
// transposed in registers, and a swizzled tile in shared memory without bank conflicts.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

/// `in` is row-major, `out` column-major: element (i, j) goes to (i, j). Extents are multiples of 64.
__global__ void __launch_bounds__(256) transpose(float const* in, float* out, int rows, int columns) {
  alignas(16) __shared__ float stage[64 * 64];
  auto mIn = make_tensor(make_gmem_ptr(in), make_shape(rows, columns), make_stride(columns, _1{}));
  auto mOut = make_tensor(make_gmem_ptr(out), make_shape(rows, columns), make_stride(_1{}, rows));
  auto gIn = local_tile(mIn, Shape<_64, _64>{}, make_coord(blockIdx.y, blockIdx.x));
  auto gOut = local_tile(mOut, Shape<_64, _64>{}, make_coord(blockIdx.y, blockIdx.x));
  // The tile's columns follow each other. Vectors of neighbouring squares lie in different banks.
  auto sT = make_tensor(make_smem_ptr(stage), composition(Swizzle<4, 2, 6>{}, Layout<Shape<_64, _64>>{}));

  using vector = Copy_Atom<UniversalCopy<uint128_t>, float>;
  using by_rows = Layout<Shape<_16, _16>, Stride<_16, _1>>;
  // Each thread's square of 4 x 4, as vectors along rows and as vectors along columns.
  auto load = make_tiled_copy(vector{}, by_rows{}, Layout<Shape<_4, _4>, Stride<_4, _1>>{}).get_slice(threadIdx.x);
  auto turn_copy = make_tiled_copy(vector{}, by_rows{}, Layout<Shape<_4, _4>, Stride<_1, _4>>{});
  auto turn = turn_copy.get_slice(threadIdx.x);
  auto store = make_tiled_copy(vector{}, Layout<Shape<_16, _16>>{}, Layout<Shape<_4, _1>>{}).get_slice(threadIdx.x);

  auto from = load.partition_S(gIn);
  auto row_vectors = make_fragment_like(from);
  copy(vector{}, from, row_vectors);
  auto to = turn.partition_D(sT);
  auto column_vectors = make_fragment_like(to);
  auto square = make_tensor(row_vectors.data(), Layout<Shape<_4, _4>, Stride<_1, _4>>{});     // (column, row)
  auto turned = make_tensor(column_vectors.data(), Layout<Shape<_4, _4>, Stride<_4, _1>>{});  // (column, row)
  copy(square, turned);
  copy(turn_copy, column_vectors, to);
  __syncthreads();
  auto staged = store.partition_S(sT);
  auto held = make_fragment_like(staged);
  copy(vector{}, staged, held);
  copy(vector{}, held, store.partition_D(gOut));
}

int main() {
  int const rows = 192, columns = 128;
  std::vector<float> host(rows * columns), wanted(rows * columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) wanted[i + rows * j] = host[columns * i + j] = float(columns * i + j);
  device_buffer<float> in(host), out(host.size());
  launch(transpose, {.grid = dim3(columns / 64, rows / 64), .block = 256}, in.data(), out.data(), rows, columns);
  return out.download() == wanted ? 0 : 1;
}
