// SPDX-License-Identifier: Apache-2.0
// The transpose of transpose.hpp in Cosmati's words: bounds instead of a tile that must fit, a swizzle that the
// compiler has checked.
#include <cosmati/cosmati.hpp>
#include <vector>

using namespace cosmati;

using TileShape = Shape<_32, _32>;
using TileLayout = decltype(composition(Swizzle<5, 0, 5>{}, Layout<TileShape, Stride<_32, _1>>{}));

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
  copy(tiled_copy, thread.partition_S(gIn), thread.partition_D(sIn), shape(mIn));
  __syncthreads();
  copy(tiled_copy, thread.partition_S(sOut), thread.partition_D(gOut), shape(mOut));
}

int main() {
  int const rows = 100, columns = 70;
  std::vector<float> host(100 * 70);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  device_buffer<float> in(host), out(host.size());
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{},
                                    Layout<_1>{});
  launch(transpose<decltype(tiled_copy)>, {.grid = dim3(3, 4), .block = 256}, in.data(), out.data(), rows, columns,
         tiled_copy);
  auto const result = out.download();
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      if (result[static_cast<std::size_t>(j * rows + i)] != static_cast<float>(i * columns + j)) return 1;
    }
  }
}
