// SPDX-License-Identifier: Apache-2.0
// Tiles that do not divide the matrix: the copy gets the matrix's shape, and leaves out what lies beyond.
#include <cosmati/cosmati.hpp>
using namespace cosmati;

template <class Copy>
__global__ void ragged(float const* in, float* out, int rows, int columns, Copy tiled_copy) {
  auto const shape = make_shape(rows, columns);
  auto all_in = make_tensor(make_gmem_ptr(in), shape, make_stride(columns, _1{}));
  auto all_out = make_tensor(make_gmem_ptr(out), shape, make_stride(columns, _1{}));
  auto from = local_tile(all_in, Shape<_16, _64>{}, make_coord(blockIdx.x, blockIdx.y));
  auto to = local_tile(all_out, Shape<_16, _64>{}, make_coord(blockIdx.x, blockIdx.y));
  auto mine = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, mine.partition_S(from), mine.partition_D(to), shape);  // [copy]
}

int main() {
  int const rows = 41, columns = 101;
  std::vector<float> host(static_cast<std::size_t>(rows * columns));
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  device_buffer<float> in(host), out(host.size());
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_4, _64>, Stride<_64, _1>>{},
                                    Layout<Shape<_1, _1>>{});
  launch(ragged<decltype(tiled_copy)>, {.grid = dim3(3, 2), .block = 256}, in.data(), out.data(), rows, columns,
         tiled_copy);
  return out.download() == host ? 0 : 1;
}
