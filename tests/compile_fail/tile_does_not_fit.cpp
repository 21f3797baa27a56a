// SPDX-License-Identifier: Apache-2.0
// A copy without bounds of a tile that is known to reach beyond its tensor. With bounds (COSMATI_FAIL=0) it is right.
// expect: copy: the tile does not fit
// expect: pass the tensor's shape as bounds, copy\(tiled_copy, source, destination, shape\(tensor\)\)
// expect 1: partition_reaches_beyond_the_tensor<0, 20, 16>|mode=0, extent=20, tile=16
// expect 2: partition_reaches_beyond_the_tensor<1, 8, 16>|mode=1, extent=8, tile=16
// expect 3: partition_reaches_beyond_the_tensor<0, 48, 32>|mode=0, extent=48, tile=32
// expect 4: partition_reaches_beyond_the_tensor<1, 100, 32>|mode=1, extent=100, tile=32
// expect 5: partition_reaches_beyond_the_tensor<0, 100, 64>|mode=0, extent=100, tile=64
// expect-lines < 20
// expect-bytes < 2000
#include <cosmati/cosmati.hpp>
using namespace cosmati;

// The tile of a block is no whole number of the tiled copy's; a mode that counts tiles ends with one that is not whole.
template <class TiledCopy>
__global__ void through(float const* in, float* out, int rows, TiledCopy tiled_copy) {
#if COSMATI_FAIL == 3
  using Block = Shape<_48, _32>;
#else
  using Block = Shape<_32, _32>;
#endif
  auto source = make_tensor(make_gmem_ptr(in), make_shape(rows, Int<100>{}), make_stride(Int<100>{}, _1{}));
  auto destination = make_tensor(make_gmem_ptr(out), source.layout());
  auto thread = tiled_copy.get_slice(threadIdx.x);
  auto from = thread.partition_S(local_tile(source, Block{}, make_coord(blockIdx.x, _)));
  auto to = thread.partition_D(local_tile(destination, Block{}, make_coord(blockIdx.x, _)));
#if COSMATI_FAIL == 3 || COSMATI_FAIL == 4
  copy(tiled_copy, from, to);
#else
  copy(tiled_copy, from, to, shape(source));
#endif
}

void start(float* p, int rows) {
  auto by_rows = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_32, _8>, Stride<_8, _1>>{},
                                 Layout<Shape<_1, _4>>{});
  launch(through<decltype(by_rows)>, {.grid = 3, .block = 256}, p, p, rows, by_rows);

  auto square = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_16, _16>>{});
#if COSMATI_FAIL == 2
  auto tensor = make_tensor(p, Shape<_16, _8>{});
#else
  auto tensor = make_tensor(p, Shape<Int<20>, _16>{});
#endif
  auto thread = square.get_slice(0);
#if COSMATI_FAIL == 1 || COSMATI_FAIL == 2
  copy(square, thread.partition_S(tensor), thread.partition_D(tensor));
#else
  copy(square, thread.partition_S(tensor), thread.partition_D(tensor), shape(tensor));
#endif

  // The first tile of 100 rows fits, the second does not.
  auto hundred = make_tensor(p, Shape<Int<100>, _16>{});
#if COSMATI_FAIL == 5
  auto which = _1{};
#else
  auto which = _0{};
#endif
  auto tile = local_tile(hundred, Shape<_64, _16>{}, make_coord(which, _0{}));
  copy(square, thread.partition_S(tile), thread.partition_D(tile));
}
