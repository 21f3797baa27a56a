// SPDX-License-Identifier: Apache-2.0
// The tiled copy's tile has more modes than the tensor that is partitioned.
// expect: partition: the rank of the tensor does not fit
// expect: give the tensor a mode for each of the tile's, or make the tiled copy with thread and value layouts of TENSOR modes
// expect 1: tensor_has_fewer_modes_than_the_tile<1, 2>|tensor_rank=1, tile_rank=2
// expect 2: tensor_has_fewer_modes_than_the_tile<2, 3>|tensor_rank=2, tile_rank=3
// expect-lines < 20
// expect-bytes < 2000
#include <cosmati/cosmati.hpp>
using namespace cosmati;

template <class TiledCopy>
__global__ void double_buffered(float const* in, float* out, int length, TiledCopy tiled_copy) {
#if COSMATI_FAIL == 1
  auto from = local_tile(make_tensor(make_gmem_ptr(in), make_shape(length)), Shape<_1024>{}, make_coord(blockIdx.x));
  auto to = local_tile(make_tensor(make_gmem_ptr(out), make_shape(length)), Shape<_1024>{}, make_coord(blockIdx.x));
#else
  auto rows = make_layout(make_shape(length, _32{}), make_stride(_32{}, _1{}));
  auto from = local_tile(make_tensor(make_gmem_ptr(in), rows), Shape<_32, _32>{}, make_coord(blockIdx.x, _));
  auto to = local_tile(make_tensor(make_gmem_ptr(out), rows), Shape<_32, _32>{}, make_coord(blockIdx.x, _));
#endif
  auto thread = tiled_copy.get_slice(threadIdx.x);
  auto source = thread.partition_S(from);
  auto destination = thread.partition_D(to);
  auto held = make_fragment_like(source(_, _, _, 0));
  for (int k = 0; k < size<3>(source); ++k) {
    copy(tiled_copy, source(_, _, _, k), held);
    copy(tiled_copy, held, destination(_, _, _, k));
  }
}

void start(float* p, int length) {
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                    Layout<Shape<_32, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  launch(double_buffered<decltype(tiled_copy)>, {.grid = 3, .block = 256}, p, p, length, tiled_copy);
#if COSMATI_FAIL == 2
  auto cubes = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_4, _4, _4>>{});
  auto mine = cubes.get_slice(0).partition_D(make_tensor(p, Shape<_8, _8>{}));
  mine(0) = 1.f;
#endif
}
