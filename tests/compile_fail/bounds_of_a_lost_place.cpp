// SPDX-License-Identifier: Apache-2.0
// A copy with bounds of what was made of a tile: its coordinates in the tensor are not known, so that the tensor's shape
// would not be its end. The tile itself knows them (COSMATI_FAIL=0), and so does a tensor that was rearranged first.
// expect: copy with bounds: neither tensor knows its coordinates
// expect 1: slice no more than the modes behind the tile's
// expect 2: integers as tiler
// expect 3: integers as tiler
// expect 4: local_partition
// expect 5: group_modes
// expect 6: recast
// expect-lines < 20
// expect-bytes < 2500
#include <cosmati/cosmati.hpp>
using namespace cosmati;

void start(float* p, int rows, int block) {
  auto copy_2d = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_8, _4>>{});
  auto thread = copy_2d.get_slice(0);
  auto tensor = make_tensor(p, make_shape(rows, rows));
  auto nested = make_tensor(p, make_shape(make_shape(_8{}, rows), rows));
  auto boxes = make_tensor(p, make_shape(rows, rows, 3));
  auto tile = local_tile(tensor, Shape<_32, _32>{}, make_coord(block, 0));
  float* to = p;
#if COSMATI_FAIL == 1
  auto from = local_tile(boxes, Shape<_32, _32, _1>{}, make_coord(block, 0, 1))(_, _, 0);
#elif COSMATI_FAIL == 2
  auto from = local_tile(nested, Shape<Shape<_2, _16>, _32>{}, make_coord(block, 0));
#elif COSMATI_FAIL == 3
  auto from = local_tile(tensor, make_tile(Layout<_32, _2>{}, _32{}), make_coord(block, 0));
#elif COSMATI_FAIL == 4
  auto from = local_partition(tensor, Layout<Shape<_2, _2>>{}, block);
#elif COSMATI_FAIL == 5
  auto from = group_modes<0, 1>(tile);
#elif COSMATI_FAIL == 6
  auto from = recast<int>(tile);
#else
  auto from = tile;
  auto batch = local_tile(boxes(_, _, 1), Shape<_32, _32>{}, make_coord(block, 0));
  copy(copy_2d, thread.partition_S(batch), thread.partition_D(make_tensor(to, shape(batch))), make_shape(rows, rows));
  auto whole = group_modes<0, 1>(tensor);
  copy(copy_2d, thread.partition_S(whole), thread.partition_D(whole), shape(whole));
  copy(copy_2d, thread.partition_S(nested), thread.partition_D(nested), shape(nested));
#endif
  auto held = make_fragment_like(thread.partition_S(make_tensor(to, Shape<_32, _32>{})));
#if COSMATI_FAIL == 4
  auto part = thread.partition_S(from);
  copy(copy_2d, part, part, make_shape(rows, rows));
#else
  copy(copy_2d, thread.partition_S(from), held, make_shape(rows, rows));
#endif
}
