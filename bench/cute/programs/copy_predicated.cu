// SPDX-License-Identifier: Apache-2.0
// A ragged matrix, with predicates made from an identity tensor.
#include "../harness.hpp"

using namespace cute;

template <class TiledCopy>
__global__ void copy_predicated(float const* in, float* out, int rows, int columns, TiledCopy tiled_copy) {
  auto extents = make_shape(rows, columns);
  auto mIn = make_tensor(make_gmem_ptr(in), extents, make_stride(columns, Int<1>{}));
  auto mOut = make_tensor(make_gmem_ptr(out), mIn.layout());
  auto tile = Shape<_64, _32>{};
  auto where = make_coord(static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y));
  auto thread = tiled_copy.get_slice(static_cast<int>(threadIdx.x));
  auto from = thread.partition_S(local_tile(mIn, tile, where));
  auto to = thread.partition_D(local_tile(mOut, tile, where));
  auto at = thread.partition_S(local_tile(make_identity_tensor(extents), tile, where));
  auto inside = make_tensor<bool>(make_shape(size<1>(to), size<2>(to)));
  CUTE_UNROLL
  for (int j = 0; j < size<1>(inside); ++j) {
    CUTE_UNROLL
    for (int i = 0; i < size<0>(inside); ++i) inside(i, j) = elem_less(at(0, i, j), extents);
  }
  auto held = make_fragment_like(to);
  copy_if(tiled_copy, inside, from, held);
  copy_if(tiled_copy, inside, held, to);
}

int main() {
  constexpr int rows = 4095, columns = 4093;
  bench::array<float> in(std::size_t{rows} * columns, 2), out(std::size_t{rows} * columns);
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{},
                                    Layout<Shape<_1, _1>>{});
  return bench::run(
      "copy_predicated",
      [&] {
        copy_predicated<<<dim3((rows + 63) / 64, (columns + 31) / 32), 256>>>(in.data, out.data, rows, columns,
                                                                              tiled_copy);
      },
      [&] { return out.download() == in.host; });
}
