// SPDX-License-Identifier: Apache-2.0
// Sums of rows: fragments are reduced in registers, then across the eight threads of a row.
#include "../harness.hpp"

using namespace cute;

template <class TiledCopy>
__global__ void row_sums(float const* in, float* sums, int columns, TiledCopy tiled_copy) {
  auto m = make_tensor(make_gmem_ptr(in), make_shape(static_cast<int>(gridDim.x) * 64, columns),
                       make_stride(columns, Int<1>{}));
  auto tiles = local_tile(m, Shape<_64, _64>{}, make_coord(static_cast<int>(blockIdx.x), _));
  auto thread = tiled_copy.get_slice(static_cast<int>(threadIdx.x));
  auto from = thread.partition_S(tiles);
  auto held = make_fragment_like(from(_, _, _, 0));
  auto sum = make_tensor<float>(make_shape(size<1>(held)));
  clear(sum);
  int const n = static_cast<int>(size<3>(from));
  CUTE_NO_UNROLL
  for (int k = 0; k < n; ++k) {
    copy(tiled_copy, from(_, _, _, k), held);
    CUTE_UNROLL
    for (int row = 0; row < size<1>(held); ++row) {
      CUTE_UNROLL
      for (int part = 0; part < size<2>(held); ++part) {
        CUTE_UNROLL
        for (int i = 0; i < size<0>(held); ++i) sum(row) += held(i, row, part);
      }
    }
  }
  CUTE_UNROLL
  for (int row = 0; row < size(sum); ++row) {
    CUTE_UNROLL
    for (int lanes = 4; lanes > 0; lanes /= 2) sum(row) += __shfl_xor_sync(0xffffffffu, sum(row), lanes);
    if (threadIdx.x % 8 == 0) sums[blockIdx.x * 64 + row * 16 + threadIdx.x / 8] = sum(row);
  }
}

int main() {
  constexpr int rows = 16384, columns = 2048;
  bench::array<float> in(std::size_t{rows} * columns, 9), sums(rows);
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                    Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  return bench::run(
      "row_sums", [&] { row_sums<<<rows / 64, 128>>>(in.data, sums.data, columns, tiled_copy); },
      [&] {
        return bench::near(sums.download(), 1e-3, [&](std::size_t row) {
          double sum = 0;
          for (std::size_t k = 0; k < columns; ++k) sum += static_cast<double>(in.host[row * columns + k]);
          return sum;
        });
      });
}
