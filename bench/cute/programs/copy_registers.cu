// SPDX-License-Identifier: Apache-2.0
// A tiled copy through registers, with 16 bytes for each instruction.
#include "../harness.hpp"

using namespace cute;

template <class TiledCopy>
__global__ void copy_registers(float const* in, float* out, int rows, int columns, TiledCopy tiled_copy) {
  auto mIn = make_tensor(make_gmem_ptr(in), make_shape(rows, columns), make_stride(columns, Int<1>{}));
  auto mOut = make_tensor(make_gmem_ptr(out), mIn.layout());
  auto tile = Shape<_64, _64>{};
  auto gIn = local_tile(mIn, tile, make_coord(static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y)));
  auto gOut = local_tile(mOut, tile, make_coord(static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y)));
  auto thread = tiled_copy.get_slice(static_cast<int>(threadIdx.x));
  auto from = thread.partition_S(gIn);
  auto to = thread.partition_D(gOut);
  auto held = make_fragment_like(to);
  copy(tiled_copy, from, held);
  copy(tiled_copy, held, to);
}

int main() {
  constexpr int rows = 4096, columns = 8192;
  bench::array<float> in(std::size_t{rows} * columns, 1), out(std::size_t{rows} * columns);
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                    Layout<Shape<_16, _16>, Stride<_16, _1>>{}, Layout<Shape<_1, _4>>{});
  return bench::run(
      "copy_registers",
      [&] { copy_registers<<<dim3(rows / 64, columns / 64), 256>>>(in.data, out.data, rows, columns, tiled_copy); },
      [&] { return out.download() == in.host; });
}
