// SPDX-License-Identifier: Apache-2.0
// The value layout runs down the columns of a matrix that is stored by rows.
// expect: the atom's vector is not contiguous in the source
// expect: let the value layout run along the source's mode of stride 1
// expect 1: source_vector_is_not_contiguous<0, 0, 1, 4>|mode=0, stride=0, adjacent=1, needed=4
// expect 2: source_vector_is_not_contiguous<1, 64, 1, 8>|mode=1, stride=64, adjacent=1, needed=8
// expect 3: source_vector_is_not_contiguous<0, 12, 2, 4>|mode=0, stride=12, adjacent=2, needed=4
// reject: destination
// expect-lines < 20
// expect-bytes < 2200
#include <cosmati/cosmati.hpp>
using namespace cosmati;

template <class TiledCopy, class SourceLayout, class DestinationLayout, class T>
__global__ void through(T const* in, T* out, TiledCopy tiled_copy, SourceLayout source_layout,
                        DestinationLayout destination_layout) {
  auto source = make_tensor(make_gmem_ptr(in), source_layout);
  auto destination = make_tensor(make_gmem_ptr(out), destination_layout);
  auto from = local_tile(source, Shape<_64, _64>{}, make_coord(blockIdx.x, blockIdx.y));
  auto to = local_tile(destination, Shape<_64, _64>{}, make_coord(blockIdx.x, blockIdx.y));
  auto thread = tiled_copy.get_slice(threadIdx.x);
  copy(tiled_copy, thread.partition_S(from), thread.partition_D(to));
}

void start(float* p, half_t* q, int rows, int ld) {
#if COSMATI_FAIL < 2
#if COSMATI_FAIL == 1
  auto tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_16, _16>>{}, Layout<Shape<_4, _1>>{});
#else
  auto tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_16, _16>>{}, Layout<Shape<_1, _4>>{});
#endif
  auto by_rows = make_layout(make_shape(rows, _128{}), make_stride(ld, _1{}));
  auto by_rows_too = make_layout(make_shape(rows, _128{}), make_stride(_128{}, _1{}));
  launch(through<decltype(tiled_copy), decltype(by_rows), decltype(by_rows_too), float>, {.grid = {1, 2}, .block = 256},
         p, p, tiled_copy, by_rows, by_rows_too);
#elif COSMATI_FAIL == 2
  auto tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, Layout<Shape<_32, _8>>{}, Layout<Shape<_1, _8>>{});
  auto by_columns = Layout<Shape<_64, _64>, Stride<_1, _64>>{};
  launch(through<decltype(tiled_copy), decltype(by_columns), decltype(by_columns), half_t>, {.grid = 1, .block = 256},
         q, q, tiled_copy, by_columns, by_columns);
#elif COSMATI_FAIL == 3
  auto pairs = make_tensor(p, Layout<Shape<Shape<_2, _2>, _8>, Stride<Stride<_1, _12>, _2>>{});
  auto held = make_tensor<float>(Shape<_4, _8>{});
  copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, pairs, held);
#endif
  (void)p, (void)q, (void)rows, (void)ld;
}
