// SPDX-License-Identifier: Apache-2.0
// Tiles that do not divide the matrix. With the matrix's shape as bounds, nothing outside is touched.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

template <class TiledCopy>
__global__ void ragged(float const* in, float* out, int rows, int columns, int ld, TiledCopy tiled_copy) {
  auto shape = make_shape(rows, columns);
  auto mIn = make_tensor(make_gmem_ptr(in), shape, make_stride(ld, _1{}));
  auto mOut = make_tensor(make_gmem_ptr(out), shape, make_stride(ld, _1{}));
  auto gIn = local_tile(mIn, Shape<_32, _64>{}, make_coord(blockIdx.x, blockIdx.y));
  auto gOut = local_tile(mOut, Shape<_32, _64>{}, make_coord(blockIdx.x, blockIdx.y));
  auto thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(gIn), thread.partition_D(gOut), shape);
}

int main() {
  int const rows = 70, columns = 101, ld = 104;  // rows begin at multiples of 16 bytes; the last 3 of each are padding
  std::vector<float> host(rows * ld), wanted(rows * ld, -1.f);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) wanted[i * ld + j] = host[i * ld + j] = float(i * columns + j);
  }
  device_buffer<float> in(host), out(std::vector<float>(rows * ld, -1.f));
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                    Layout<Shape<_16, _16>, Stride<_16, _1>>{}, Layout<Shape<_1, _4>>{});
  launch(ragged<decltype(tiled_copy)>, {.grid = dim3(3, 2), .block = 256}, in.data(), out.data(), rows, columns, ld,
         tiled_copy);
  return out.download() == wanted ? 0 : 1;  // the padding still holds -1
}
