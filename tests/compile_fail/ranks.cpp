// SPDX-License-Identifier: Apache-2.0
// Coordinates, tilers, strides and modes that do not fit the rank of what they are given to.
// expect 1: coordinate_rank_differs<3, 2>|coordinate_rank=3, layout_rank=2
// expect 2: coordinate_rank_differs<2, 3>|coordinate_rank=2, layout_rank=3
// expect 3: tiler_has_more_modes_than_the_tensor<1, 2>|tensor_rank=1, tiler_rank=2
// expect 4: tiler_has_more_modes_than_the_tensor<2, 3>|tensor_rank=2, tiler_rank=3
// expect 5: coordinate_has_more_modes_than_the_tensor<2, 3>|tensor_rank=2, coordinate_rank=3
// expect 6: projection_has_another_rank<2, 3, 3>|projection_rank=2, tiler_rank=3, coordinate_rank=3
// expect 7: stride_does_not_match_the_shape<2, 1>|extents=2, strides=1
// expect 8: mode_is_out_of_range<2, 2>|i=2, N=2
// expect 9: mode_is_out_of_range<4, 3>|i=4, N=3
// expect 10: tiler_has_more_modes_than_the_layout<2, 3>|layout_rank=2, tiler_rank=3
// expect 11: tiler_has_more_modes_than_the_layout<1, 2>|layout_rank=1, tiler_rank=2
// expect-lines < 22
// expect-bytes < 2500
#include <cosmati/cosmati.hpp>
using namespace cosmati;

template <class TiledCopy>
__global__ void kernel(float* p, int rows, [[maybe_unused]] TiledCopy tiled_copy) {
  auto matrix = make_tensor(make_gmem_ptr(p), make_shape(rows, _64{}), make_stride(_64{}, _1{}));
  auto array = make_tensor(make_gmem_ptr(p), make_shape(rows));
  auto cube = make_layout(make_shape(_4{}, _4{}, rows));
#if COSMATI_FAIL == 1
  matrix(0, 1, 2) = 1.f;
#elif COSMATI_FAIL == 2
  p[cube(1, 2)] = 1.f;
#elif COSMATI_FAIL == 3
  auto tile = local_tile(array, Shape<_4, _8>{}, make_coord(blockIdx.x, 0));
  tile(0) = 1.f;
#elif COSMATI_FAIL == 4
  auto mine = local_partition(matrix, Layout<Shape<_4, _4, _2>>{}, threadIdx.x);
  mine(0) = 1.f;
#elif COSMATI_FAIL == 5
  auto tile = local_tile(matrix, Shape<_4, _8>{}, make_coord(blockIdx.x, 0, _));
  copy(tiled_copy, tile(_, 0), tile(_, 1));
#elif COSMATI_FAIL == 6
  auto tile = local_tile(matrix, Shape<_4, _8, _8>{}, make_coord(blockIdx.x, 0, _), Step<_1, X>{});
  tile(0) = 1.f;
#elif COSMATI_FAIL == 7
  auto wrong = make_tensor(p, make_layout(make_shape(rows, _64{}), make_stride(_64{})));
  wrong(0, 0) = 1.f;
#elif COSMATI_FAIL == 8
  auto third = get<2>(matrix.shape());
  matrix(third, 0) = 1.f;
#elif COSMATI_FAIL == 9
  p[0] = static_cast<float>(size<4>(cube));
#elif COSMATI_FAIL == 10
  auto tiles = zipped_divide(matrix, make_tile(_4{}, _8{}, _2{}));
  tiles(0, 0) = 1.f;
#elif COSMATI_FAIL == 11
  auto tiles = logical_divide(array.layout(), Shape<_4, _8>{});
  p[tiles(0)] = 1.f;
#else
  matrix(0, 1) = 1.f;
  p[cube(1, 2, 3)] = 1.f;
  array(0) = local_tile(matrix, Shape<_4, _8, _8>{}, make_coord(blockIdx.x, 0, _), Step<_1, X, _1>{})(0, 0, 0);
  array(1) = local_partition(matrix, Layout<Shape<_4, _4>>{}, threadIdx.x)(0);
#endif
}

void start(float* p, int rows) {
  auto tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_8, _8>>{});
  launch(kernel<decltype(tiled_copy)>, {.grid = 1, .block = 64}, p, rows, tiled_copy);
}
