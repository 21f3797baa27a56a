// SPDX-License-Identifier: Apache-2.0
// A transpose through a swizzled tile of shared memory.
#include "../harness.hpp"

using namespace cute;

template <class TiledCopy>
__global__ void transpose(float const* in, float* out, int rows, int columns, TiledCopy tiled_copy) {
  __shared__ alignas(128) float memory[32 * 32];
  auto plain = Layout<Shape<_32, _32>, Stride<_32, _1>>{};
  auto sT = make_tensor(make_smem_ptr(memory), composition(Swizzle<5, 0, 5>{}, plain));
  // (columns, rows) -> element: the same tile with its modes exchanged
  auto sTt =
      make_tensor(make_smem_ptr(memory), composition(Swizzle<5, 0, 5>{}, Layout<Shape<_32, _32>, Stride<_1, _32>>{}));
  auto mIn = make_tensor(make_gmem_ptr(in), make_shape(rows, columns), make_stride(columns, Int<1>{}));
  auto mOut = make_tensor(make_gmem_ptr(out), make_shape(columns, rows), make_stride(rows, Int<1>{}));
  int const i = static_cast<int>(blockIdx.x), j = static_cast<int>(blockIdx.y);
  auto gIn = local_tile(mIn, Shape<_32, _32>{}, make_coord(i, j));
  auto gOut = local_tile(mOut, Shape<_32, _32>{}, make_coord(j, i));
  auto thread = tiled_copy.get_slice(static_cast<int>(threadIdx.x));
  copy(tiled_copy, thread.partition_S(gIn), thread.partition_D(sT));
  __syncthreads();
  copy(tiled_copy, thread.partition_S(sTt), thread.partition_D(gOut));
}

int main() {
  constexpr int rows = 4096, columns = 8192;
  bench::array<float> in(std::size_t{rows} * columns, 10), out(std::size_t{rows} * columns);
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{},
                                    Layout<Shape<_1, _1>>{});
  return bench::run(
      "transpose",
      [&] { transpose<<<dim3(rows / 32, columns / 32), 256>>>(in.data, out.data, rows, columns, tiled_copy); },
      [&] {
        return bench::near(out.download(), 0,
                           [&](std::size_t k) { return static_cast<double>(in.host[k % rows * columns + k / rows]); });
      });
}
